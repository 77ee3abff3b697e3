"""`dcb edit`: a person corrects a stored snapshot."""

from __future__ import annotations

from dataclasses import replace

import click

from dcb.cli.editor import edited
from dcb.cli.review import drop, pin, rekind, review
from dcb.cli.session import Verb, complete_ids, open_library
from dcb.cli.words import say
from dcb.errors import NotFound, RequestError
from dcb.model import Snapshot


@click.command(cls=Verb, name="edit")
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@click.option("--drop", "dropped", multiple=True, metavar="ENTRY", help="Drop this entry.")
@click.option("--pin", "pinned", multiple=True, metavar="ENTRY", help="Pin (or unpin) this entry.")
@click.option("--kind", "kinds", multiple=True, metavar="ENTRY=KIND", help="Change its kind.")
@click.option("--tag", "tags", multiple=True, help="Give it this tag.")
@click.option("--untag", "untagged", multiple=True, help="Take this tag from it.")
@click.option("--review", "pick", is_flag=True, help="Pick from a list instead of editing text.")
def command(
    *,
    identifier: str,
    dropped: tuple[str, ...],
    pinned: tuple[str, ...],
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    untagged: tuple[str, ...],
    pick: bool,
) -> None:
    """Change snapshot ID: its document in $EDITOR, or single entries by options.

    The change is a new version; when the same conversation is compiled again, what was
    dropped, pinned or rekinded here stays so.
    """
    with open_library() as library:
        before = library.get(identifier).snapshot
        if dropped or pinned or kinds or tags or untagged:
            changed = _by_options(before, dropped, pinned, kinds)
            tagged = _tagged(before.tags, tags, untagged)
            after: Snapshot | None = replace(changed, tags=tagged)
        else:
            after = review(before) if pick else edited(before)
        if after is None or after == before:
            click.echo(say("edit.unchanged"))
            return
        if after.id != before.id:
            raise RequestError(f"The id of a snapshot cannot be edited; it is {before.id}")
        kept = library.edit(after)
    click.echo(say("saved", id=kept.id))


def _by_options(
    snapshot: Snapshot, dropped: tuple[str, ...], pinned: tuple[str, ...], kinds: tuple[str, ...]
) -> Snapshot:
    # Dropping comes last: it moves the positions that the others name.
    for text in kinds:
        name, _, kind = text.partition("=")
        snapshot = rekind(snapshot, [_place(snapshot, name)], kind)
    for name in pinned:
        snapshot = pin(snapshot, [_place(snapshot, name)])
    return drop(snapshot, [_place(snapshot, name) for name in dropped])


def _tagged(
    before: tuple[str, ...], added: tuple[str, ...], taken: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(tag for tag in dict.fromkeys((*before, *added)) if tag not in taken)


def _place(snapshot: Snapshot, name: str) -> int:
    for place, entry in enumerate(snapshot.verbatim):
        if entry.id == name:
            return place
    raise NotFound(f"Snapshot {snapshot.id} has no entry {name!r}; see: dcb show {snapshot.id}")
