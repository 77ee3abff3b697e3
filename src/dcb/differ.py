"""Two snapshots -> what changed from one to the other, by item and not by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dcb.model import Entry, Snapshot

_Item = tuple[str, str, str]  # label, text, notes
_Key = tuple[str, str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One item that came (no `before`), went (no `after`) or changed."""

    layer: str  # "header", "verbatim", "summary", "preference"
    label: str
    before: str
    after: str


def differences(before: Snapshot, after: Snapshot) -> tuple[Change, ...]:
    """The changes in the order of the earlier snapshot, new items after them.

    Entries are the same when message and words are, bullets when heading and words are,
    preferences when scope and key are; ids of entries do not matter.
    """
    old, new = dict(_items(before)), dict(_items(after))
    return tuple(
        Change(
            layer=key[0],
            label=(new.get(key) or old[key])[0],
            before=_text(old.get(key)),
            after=_text(new.get(key)),
        )
        for key in dict.fromkeys([*old, *new])
        if _text(old.get(key)) != _text(new.get(key))
    )


def _items(snapshot: Snapshot) -> Iterator[tuple[_Key, _Item]]:
    seen: dict[tuple[str, str], int] = {}
    for layer, identity, item in _every(snapshot):
        copies = seen[layer, identity] = seen.get((layer, identity), -1) + 1
        yield (layer, identity, copies), item


def _every(snapshot: Snapshot) -> Iterator[tuple[str, str, _Item]]:
    header = (
        ("title", snapshot.title),
        ("description", snapshot.description),
        ("tags", ", ".join(snapshot.tags)),
        ("weight", f"{snapshot.weight:g}"),
    )
    for name, value in header:
        yield "header", name, (name, value, "")
    for entry in snapshot.verbatim:
        notes = _notes(entry)
        yield "verbatim", f"{entry.src}\n{entry.content}", (entry.kind, entry.content, notes)
    for section in snapshot.summary:
        for bullet in section.bullets:
            yield "summary", f"{section.heading}\n{bullet}", (section.heading, bullet, "")
    for item in snapshot.preferences:
        flag = "" if item.explicit else "inferred"
        yield (
            "preference",
            f"{item.scope} {item.key}",
            (f"[{item.scope}] {item.key}", item.value, flag),
        )


def _notes(entry: Entry) -> str:
    # Ids are numbered anew at every compile; that an entry was replaced is what counts.
    marks = (entry.kind, entry.status, entry.origin, "pinned" if entry.pin else "")
    return ", ".join(filter(None, marks))


def _text(item: _Item | None) -> str:
    if item is None:
        return ""
    _, text, notes = item
    return f"{text} ({notes})" if notes else text
