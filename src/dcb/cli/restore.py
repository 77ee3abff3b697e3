"""`dcb restore`: a backup becomes the store."""

from __future__ import annotations

from pathlib import Path

import click

from dcb.cli.session import Verb, current_settings
from dcb.cli.words import say
from dcb.errors import RequestError
from dcb.store import restore


@click.command(cls=Verb, name="restore")
@click.argument("file", type=click.Path(path_type=Path))
def command(*, file: Path) -> None:
    """Make the store of the backup FILE, in a data folder that has none yet."""
    settings = current_settings()
    if settings.store:
        raise RequestError(
            "A backup file is restored into a folder: name one with --data-dir. Your store lies on "
            "a PostgreSQL server, whose own tools restore it (see docs/postgres.md)"
        )
    restore(file, settings.data_dir)
    click.echo(say("restored", path=settings.data_dir))
