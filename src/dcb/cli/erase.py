"""`dcb erase`: every trace of a snapshot in the data folder goes."""

from __future__ import annotations

import sys

import click

from dcb.cli.session import Verb, complete_ids, open_library
from dcb.cli.view import safe
from dcb.cli.words import say
from dcb.errors import RequestError


@click.command(cls=Verb, name="erase")
@click.argument("ids", nargs=-1, shell_complete=complete_ids)
@click.option("--all", "everything", is_flag=True, help="Everything that was ever kept here.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(*, ids: tuple[str, ...], everything: bool, yes: bool) -> None:
    """Erase snapshots with versions, index, drafts and free pages, then search the data
    folder for what may be left. This cannot be undone.
    """
    if everything == bool(ids):
        raise click.UsageError("Give ids, or --all.")
    if not yes:
        if not sys.stdin.isatty():
            raise RequestError("Erasing cannot be undone; say --yes where nobody can be asked")
        click.confirm(say("erase.sure"), abort=True, err=True)
    with open_library() as library:
        erased = library.store.erase_all() if everything else library.store.erase(*ids)
    click.echo(
        say(
            "erased",
            ids=", ".join(erased.ids),
            versions=erased.versions,
            size=f"{erased.searched_bytes:,}",
        )
    )
    for place in erased.remaining:
        click.echo(f"! {say('erase.remaining', path=safe(place))}", err=True)
    click.echo(say("erase.limits"))
    if erased.remaining:
        raise click.exceptions.Exit(1)
