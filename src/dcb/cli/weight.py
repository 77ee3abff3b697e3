"""`dcb weight`: how much a snapshot counts in a weighted merge."""

from __future__ import annotations

import click

from dcb.cli.session import Verb, complete_ids, open_library
from dcb.cli.words import say


@click.command(cls=Verb, name="weight", context_settings={"ignore_unknown_options": True})
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@click.argument("value", type=float)
def command(*, identifier: str, value: float) -> None:
    """Give snapshot ID a weight (0 is usual; the higher one wins a weighted merge)."""
    with open_library() as library:
        kept = library.weigh(identifier, value)
    click.echo(say("saved", id=kept.id))
