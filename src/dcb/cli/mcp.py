"""`dcb mcp`: a server of the Model Context Protocol for agents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcb.cli.session import Verb, open_library
from dcb.errors import RequestError

if TYPE_CHECKING:
    from dcb.mcp.server import Service


@click.command(cls=Verb, name="mcp")
@click.option("--allow-write", is_flag=True, help="Let agents propose snapshots (dcb inbox).")
@click.option(
    "--root",
    "roots",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with session files that agents may have compiled; repeatable.",
)
@click.option("--http", is_flag=True, help="Serve over HTTP on 127.0.0.1 instead of stdio.")
@click.option("--port", type=click.IntRange(0, 65535), default=8378, show_default=True)
@click.pass_context
def command(
    ctx: click.Context, *, allow_write: bool, roots: tuple[Path, ...], http: bool, port: int
) -> None:
    """Serve this store to agents over the Model Context Protocol.

    Agents search and read. With --allow-write they may also propose snapshots, which wait in
    the inbox until you accept them. Nothing can be deleted, unlocked or exported this way.
    """
    service = _service(ctx, roots, allow_write=allow_write)
    if http:
        from dcb.mcp.http import run_http

        run_http(service, port=port, say=lambda text: click.echo(text, err=True))
    else:
        import anyio

        from dcb.mcp.server import serve

        anyio.run(serve, service)


def _service(ctx: click.Context, roots: tuple[Path, ...], *, allow_write: bool) -> Service:
    try:
        from dcb.mcp.server import Service
    except ModuleNotFoundError as error:
        raise RequestError(
            f"The MCP server needs the SDK ({error.name} is missing): "
            "pip install dialogue-context-bridge[mcp]"
        ) from None
    return Service(lambda: open_library(ctx), roots=roots, allow_write=allow_write)
