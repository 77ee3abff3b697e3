"""`dcb serve`: a shared store for several people, behind a proxy that speaks TLS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from dcb.cli.session import Verb, current_settings, shared_address
from dcb.errors import RequestError


@click.command(cls=Verb, name="serve")
@click.option("--public-url", required=True, help="What browsers open: https://NAME.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option(
    "--trusted-proxy",
    "trusted",
    multiple=True,
    help="Address of a proxy whose X-Forwarded-For counts; repeatable.",
)
@click.option(
    "--connections",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="Connections to the database, at most.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0.1),
    default=20,
    show_default=True,
    help="Requests a second for one token.",
)
@click.option(
    "--address-rate",
    type=click.FloatRange(min=0.1),
    default=100,
    show_default=True,
    help="Requests a second for one address.",
)
@click.option(
    "--upload-gb",
    type=click.IntRange(1, 4),
    default=1,
    show_default=True,
    help="The largest file that a browser may send.",
)
def command(*, trusted: tuple[str, ...], upload_gb: int, **options: Any) -> None:
    """Serve the pages and MCP for several people over the store that DCB_STORE names.

    Each person logs in with a token (dcb team token new); agents send it as a bearer token to
    /mcp. Put a proxy that speaks TLS in front; SIGTERM finishes what runs and stops.
    """
    shared_address()
    run, kind = _server()
    run(
        current_settings(),
        kind(trusted=trusted, upload=upload_gb << 30, **options),
        say=lambda text: click.echo(text, err=True),
    )


def _server() -> tuple[Callable[..., None], Callable[..., Any]]:
    try:
        from dcb.serve.run import Options, run
    except ModuleNotFoundError as error:
        raise RequestError(
            f"The server needs a few more packages ({error.name} is missing): "
            "pip install dialogue-context-bridge[server]"
        ) from None
    return run, Options
