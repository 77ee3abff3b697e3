"""`dcb encrypt`: everything in the store is sealed from now on."""

from __future__ import annotations

import click

from dcb.cli import passphrase
from dcb.cli.session import Verb, open_library
from dcb.cli.words import say


@click.command(cls=Verb, name="encrypt")
@click.option("--remember", is_flag=True, help="Put the passphrase into the system's keyring.")
@click.pass_context
def command(ctx: click.Context, *, remember: bool) -> None:
    """Encrypt the store: documents, titles, tags, drafts, versions, index.

    The new passphrase is typed twice, or taken from DCB_NEW_PASSPHRASE. Without it nobody
    can open the store again: there is no other way in.
    """
    with open_library() as library:
        chosen = passphrase.new(ctx)
        count = library.store.encrypt(chosen)
    if remember:
        passphrase.remember(chosen, str(ctx.find_root().params.get("data_dir") or ""))
    click.echo(say("encrypted", count=count))
