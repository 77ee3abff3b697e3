"""`dcb secrets`: where secrets stand in stored snapshots; never what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dcb.cli.session import Verb, complete_ids, json_option, open_library, print_json
from dcb.cli.words import say

if TYPE_CHECKING:
    from dcb.secrets import Place

_SHOWN = 3


@click.command(cls=Verb, name="secrets")
@click.argument("ids", nargs=-1, shell_complete=complete_ids)
@json_option
def command(*, ids: tuple[str, ...], as_json: bool) -> None:
    """List kind and place of the secrets in snapshots IDS, or in all of them.

    Only shapes of known providers are found; a password told in prose is not.
    """
    found = []
    with open_library() as library:
        for held in map(library.get, ids) if ids else library.all():
            places = held.secrets()
            found += [_row(held.row.id, place) for place in places]
            if places and not as_json:
                _print(held.row.id, held.row.title, places)
    if as_json:
        print_json(found)
    elif not found:
        click.echo(say("secrets.none"))


def warn(places: Sequence[Place]) -> None:
    """One line for the person, where something that was saved holds secrets."""
    if not places:
        return
    counted = Counter(f"{place.kind} ({place.part})" for place in places)
    told = [name if count == 1 else f"{count} × {name}" for name, count in counted.items()]
    listed = ", ".join(told[:_SHOWN]) + (" …" if len(told) > _SHOWN else "")
    click.echo(f"dcb: {say('secrets.warning', places=listed)}", err=True)


def _print(identifier: str, title: str, places: Sequence[Place]) -> None:
    from dcb.cli.view import faint, safe

    click.echo(f"{identifier}  {safe(title)}")
    for place in places:
        click.echo(f"  {place.kind:20} {safe(place.part)} {faint(safe(place.message))}".rstrip())


def _row(identifier: str, place: Place) -> dict[str, str]:
    return {
        "snapshot": identifier,
        "kind": place.kind,
        "part": place.part,
        "message": place.message,
    }
