"""`dcb encrypt`: everything in the store is sealed from now on."""

from __future__ import annotations

import click

from dcb.cli import passphrase
from dcb.cli.session import Verb, current_settings, open_library
from dcb.cli.view import safe
from dcb.cli.words import say


@click.command(cls=Verb, name="encrypt")
@click.option("--remember", is_flag=True, help="Put the passphrase into the system's keyring.")
@click.pass_context
def command(ctx: click.Context, *, remember: bool) -> None:
    """Encrypt the store: documents, titles, tags, drafts, versions, index.

    The new passphrase is typed twice, or taken from DCB_NEW_PASSPHRASE. Without it nobody
    can open the store again: there is no other way in. A git mirror of the history is
    removed: it lies in plain text.
    """
    with open_library() as library:
        chosen = passphrase.new(ctx)
        mirrored = library.store.mirrored
        count = library.store.encrypt(chosen)
        left = library.store.mirrored
    if remember:
        passphrase.remember(chosen, ctx)
    click.echo(say("encrypted", count=count))
    if left:
        folder = current_settings(ctx).data_dir / "git"
        click.echo(f"! {say('mirror.left', path=safe(str(folder)))}", err=True)
        ctx.exit(1)
    if mirrored:
        click.echo(say("mirror.removed"))
