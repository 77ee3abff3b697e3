"""What a person decided about a draft -> the same decisions on a draft made again.

A choice names what it is about by content (an entry by its message and words, a bullet by
its words, a preference by scope and key), so it holds when ids and budgets change.
`apply(before, difference(before, after))` drops, pins and rekinds as the person did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from dcb.model import Entry, Layer, Omitted, Preference, Section, Snapshot
from dcb.text import estimate

REASON = "dropped by hand"

Action = Literal["drop", "pin", "unpin", "rekind"]
Key = tuple[Layer, str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One decision about the item with this key; `kind` is the new kind of a rekinded entry.

    Keys: ("verbatim", message id, words), ("summary", "", words), ("preference", scope, key).
    """

    action: Action
    key: Key
    kind: str = ""


def difference(before: Snapshot, after: Snapshot) -> tuple[Choice, ...]:
    """The choices that lead from one snapshot to its edited form."""
    kept = dict(_items(after))
    return tuple(
        choice for key, item in _items(before) for choice in _choices(key, item, kept.get(key))
    )


def apply(snapshot: Snapshot, choices: Iterable[Choice]) -> tuple[Snapshot, tuple[Omitted, ...]]:
    """The snapshot as the person wants it, and what that leaves out."""
    chosen = {(choice.key, choice.action): choice for choice in choices}
    if not chosen:
        return snapshot, ()
    gone = {key for key, action in chosen if action == "drop"}
    changed = replace(
        snapshot,
        verbatim=tuple(_changed(e, chosen) for e in snapshot.verbatim if _entry(e) not in gone),
        summary=tuple(_without(section, gone) for section in snapshot.summary),
        preferences=tuple(p for p in snapshot.preferences if _preference(p) not in gone),
    )
    return changed, tuple(_omitted(key, item) for key, item in _items(snapshot) if key in gone)


def _choices(key: Key, before: Any, after: Any) -> Iterator[Choice]:
    if after is None:
        yield Choice(action="drop", key=key)
    elif isinstance(before, Entry):
        if after.pin != before.pin:
            yield Choice(action="pin" if after.pin else "unpin", key=key)
        if after.kind != before.kind:
            yield Choice(action="rekind", key=key, kind=after.kind)


def _changed(entry: Entry, chosen: dict[tuple[Key, Action], Choice]) -> Entry:
    key = _entry(entry)
    rekinded: Any = chosen.get((key, "rekind"))
    pin = (entry.pin or (key, "pin") in chosen) and (key, "unpin") not in chosen
    return replace(entry, pin=pin, kind=rekinded.kind if rekinded else entry.kind)


def _without(section: Section, gone: set[Key]) -> Section:
    bullets = tuple(bullet for bullet in section.bullets if _bullet(bullet) not in gone)
    return replace(section, bullets=bullets)


def _items(snapshot: Snapshot) -> Iterator[tuple[Key, Any]]:
    yield from ((_entry(entry), entry) for entry in snapshot.verbatim)
    for section in snapshot.summary:
        yield from ((_bullet(bullet), bullet) for bullet in section.bullets)
    yield from ((_preference(item), item) for item in snapshot.preferences)


def _entry(entry: Entry) -> Key:
    return ("verbatim", entry.src, entry.content)


def _bullet(bullet: str) -> Key:
    return ("summary", "", bullet)


def _preference(item: Preference) -> Key:
    return ("preference", item.scope, item.key)


def _omitted(key: Key, item: Any) -> Omitted:
    layer, place, text = key
    kind: str = "bullet"
    src = ""
    if isinstance(item, Preference):
        kind, text = item.scope, f"{item.key} {item.value}"
    elif isinstance(item, Entry):
        kind, src = item.kind, place
    return Omitted(layer=layer, kind=kind, text=text, src=src, tokens=estimate(text), reason=REASON)
