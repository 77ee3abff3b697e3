"""`dcb restore`: a backup becomes the store."""

from __future__ import annotations

from pathlib import Path

import click

from dcb.cli.session import Verb, current_settings
from dcb.cli.words import say
from dcb.store import restore


@click.command(cls=Verb, name="restore")
@click.argument("file", type=click.Path(path_type=Path))
def command(*, file: Path) -> None:
    """Make the store of the backup FILE, in a data folder that has none yet."""
    folder = current_settings().data_dir
    restore(file, folder)
    click.echo(say("restored", path=folder))
