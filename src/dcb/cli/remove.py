"""`dcb remove`: snapshots leave the list; their history stays until erased."""

from __future__ import annotations

import click

from dcb.cli.session import Verb, complete_ids, open_library
from dcb.cli.view import safe
from dcb.cli.words import say


@click.command(cls=Verb, name="remove")
@click.argument("ids", nargs=-1, required=True, shell_complete=complete_ids)
def command(*, ids: tuple[str, ...]) -> None:
    """Remove the snapshots of these IDS (unique prefixes will do)."""
    with open_library() as library:
        # All are looked up before the first is removed: a wrong id removes nothing.
        found = [library.get(identifier) for identifier in ids]
        for stored in found:
            library.remove(stored.snapshot.id)
            click.echo(say("removed", id=stored.snapshot.id, title=safe(stored.snapshot.title)))
