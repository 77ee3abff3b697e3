"""`dcb save`: the draft of the last compile becomes a stored snapshot."""

from __future__ import annotations

import click

from dcb.cli.secrets import warn
from dcb.cli.session import Verb, open_library
from dcb.cli.words import say


@click.command(cls=Verb, name="save")
def command() -> None:
    """Keep the draft that the last `dcb compile` made."""
    with open_library() as library:
        kept = library.save_draft()
    warn(kept.secrets)
    click.echo(say("saved.already" if kept.change == "same" else "saved", id=kept.id))
