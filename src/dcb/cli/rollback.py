"""`dcb rollback`: an earlier version becomes the present one."""

from __future__ import annotations

import click

from dcb.cli.session import Verb, open_library
from dcb.cli.words import say


@click.command(cls=Verb, name="rollback")
@click.argument("version", metavar="ID@N")
def command(*, version: str) -> None:
    """Bring version N of snapshot ID back. This is itself a new version: nothing is lost."""
    with open_library() as library:
        kept = library.rollback(version)
    click.echo(say("rolled-back", version=version, id=kept.id))
