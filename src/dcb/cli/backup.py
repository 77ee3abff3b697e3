"""`dcb backup`: the whole store as one file."""

from __future__ import annotations

from pathlib import Path

import click

from dcb.cli.session import Verb, open_library
from dcb.cli.words import say


@click.command(cls=Verb, name="backup")
@click.argument("file", type=click.Path(path_type=Path))
def command(*, file: Path) -> None:
    """Write the whole store into FILE, sealed if the store is. `dcb restore` reads it."""
    with open_library() as library:
        size = library.store.back_up(file)
    click.echo(say("backed-up", path=file, size=f"{size:,}"))
