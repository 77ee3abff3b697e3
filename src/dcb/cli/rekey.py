"""`dcb rekey`: another passphrase."""

from __future__ import annotations

import click

from dcb.cli import passphrase
from dcb.cli.session import Verb, open_library
from dcb.cli.words import say


@click.command(cls=Verb, name="rekey")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Seal everything with another passphrase: all of it, or nothing when interrupted.

    The new passphrase is typed twice, or taken from DCB_NEW_PASSPHRASE.
    """
    with open_library() as library:
        library.store.unlock()
        count = library.store.rekey(passphrase.new(ctx))
    click.echo(say("rekeyed", count=count))
