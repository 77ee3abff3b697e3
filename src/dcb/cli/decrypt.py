"""`dcb decrypt`: the store lies open again."""

from __future__ import annotations

import click

from dcb.cli.session import Verb, open_library
from dcb.cli.words import say


@click.command(cls=Verb, name="decrypt")
def command() -> None:
    """Open everything in the store and build its search index."""
    with open_library() as library:
        count = library.store.decrypt()
    click.echo(say("decrypted", count=count))
