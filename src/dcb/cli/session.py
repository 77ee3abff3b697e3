"""What every command shares: its options, the settings they make, and the open library."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dcb import settings
from dcb.errors import RequestError, SourceError

# Each command pays only for what it uses: some do without the library, most without a
# passphrase.
if TYPE_CHECKING:
    from dcb.library import Library
    from dcb.summarise import Endpoint

F = TypeVar("F", bound=Callable[..., Any])


class Verb(click.Command):
    """A command that also takes the options of the group, so that their place is free."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _shared()


class Verbs(click.Group):
    """A group of such commands that takes the options itself as well."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _shared()


def _shared() -> list[click.Parameter]:
    return [
        click.Option(
            ["--data-dir"],
            type=click.Path(),
            expose_value=False,
            callback=_keep,
            help="Where the store lies (DCB_DATA_DIR).",
        ),
        click.Option(
            ["--lang"],
            type=click.Choice(["en", "zh"]),
            expose_value=False,
            help="Language of the output.",
        ),
        click.Option(
            ["--passphrase-fd"],
            type=int,
            expose_value=False,
            callback=_keep,
            help="Read the passphrase from this descriptor.",
        ),
        click.Option(["--debug"], is_flag=True, expose_value=False, help="Show tracebacks."),
    ]


def _keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
    if value is not None:
        ctx.find_root().params[str(param.name)] = value


def current_settings(ctx: click.Context | None = None) -> settings.Settings:
    """Settings from file and environment, with the options of this call before them."""
    ctx = ctx or click.get_current_context()
    loaded = settings.load()
    given = ctx.find_root().params.get("data_dir")
    # Whoever names a folder means it, and not the server that the environment names.
    return replace(loaded, data_dir=Path(given), store="") if given else loaded


def shared_address() -> str:
    """The address of the store that several people share. Raises RequestError without one."""
    address = current_settings().store
    if not address.startswith(("postgresql://", "postgres://")):
        raise RequestError(
            "This is for a store on PostgreSQL: set DCB_STORE=postgresql://ROLE@HOST/DATABASE"
        )
    from dcb.store import needing_client

    with needing_client():
        import psycopg_pool  # noqa: F401
    return address


def open_library(ctx: click.Context | None = None) -> Library:
    """The library over this person's store; a context manager."""
    from dcb.library import Library

    context = ctx or click.get_current_context()

    def ask() -> str:
        from dcb.cli import passphrase

        return passphrase.current(context)

    return Library(current_settings(context), passphrase=ask)


def configured_model() -> Endpoint:
    """The model of the settings. Raises RequestError when none is configured."""
    from dcb.summarise import Endpoint

    model = current_settings().model
    if not model.get("base_url") or not model.get("name"):
        raise RequestError(
            f"No model is configured: set base_url and name under [model] in {settings.config_path()}"
        )
    return Endpoint(
        base_url=model["base_url"],
        model=model["name"],
        key=os.environ.get(model.get("key_variable", "OPENAI_API_KEY"), ""),
    )


def complete_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Snapshot ids that begin so, for the shell."""
    with open_library(ctx) as library:
        return [row.id for row in library.list(limit=200) if row.id.startswith(incomplete)]


def print_json(value: Any) -> None:
    """One JSON value on standard output; nothing escaped but what JSON requires."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`.

    Raises SourceError for a missing file or bytes that are not UTF-8.
    """
    raw = sys.stdin.buffer.read() if name == "-" else _bytes(name)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{name} is not UTF-8 (byte {error.start}); convert it and try again"
        ) from None


def write_text(name: str, text: str) -> None:
    """Write text to a file, whole or not at all, or to standard output for `-`."""
    if name == "-":
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        from dcb import files

        files.write(Path(name), text)


def _bytes(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise SourceError(f"{name}: {error.strerror}") from None
