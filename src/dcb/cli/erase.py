"""`dcb erase`: every trace of a snapshot goes, and what cannot be promised is said."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from dcb.cli.session import Verb, complete_ids, open_library
from dcb.cli.view import safe
from dcb.cli.words import say
from dcb.errors import RequestError
from dcb.store import Erased


@click.command(cls=Verb, name="erase")
@click.argument("ids", nargs=-1, shell_complete=complete_ids)
@click.option("--all", "everything", is_flag=True, help="Everything that was ever kept here.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(*, ids: tuple[str, ...], everything: bool, yes: bool) -> None:
    """Erase snapshots with versions, index, drafts and free pages, then search the data
    folder for what may be left; on a server, vacuum the tables. This cannot be undone.
    """
    if everything == bool(ids):
        raise click.UsageError("Give ids, or --all.")
    if not yes:
        if not sys.stdin.isatty():
            raise RequestError("Erasing cannot be undone; say --yes where nobody can be asked")
        click.confirm(say("erase.sure"), abort=True, err=True)
    with open_library() as library:
        erased = library.store.erase_all() if everything else library.store.erase(*ids)
        where = library.store.where
    for line in _lines(erased, where):
        click.echo(line)
    for place in erased.remaining:
        click.echo(f"! {say('erase.remaining', path=safe(place))}", err=True)
    if erased.remaining:
        raise click.exceptions.Exit(1)


def _lines(erased: Erased, where: str) -> Iterator[str]:
    done = {"ids": safe(", ".join(erased.ids)), "versions": erased.versions}
    if erased.searched_bytes is None:
        yield say("erased.server", where=safe(where), **done)
        yield say("erase.vacuumed" if erased.tidied else "erase.unvacuumed")
        yield say("erase.limits.server")
    else:
        yield say("erased", size=f"{erased.searched_bytes:,}", **done)
        yield say("erase.limits")
