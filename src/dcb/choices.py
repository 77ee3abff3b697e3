"""What a person decided about a draft -> the same decisions on a draft made again.

A choice names what it is about by content (an entry by its message and words, a bullet by
its words, a preference by scope and key), so it holds when ids and budgets change.
`apply(before, difference(before, after))` drops, pins, rekinds and rewords as the person
did. Choices are applied in their order: a later one takes an earlier one back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from dcb.model import Entry, Layer, Omitted, Preference, Section, Snapshot
from dcb.text import estimate

REASON = "dropped by hand"

Action = Literal["drop", "keep", "pin", "unpin", "rekind", "reword"]
Key = tuple[Layer, str, str]
_Name = tuple[Key, str]  # with the id of the entry where several have one key


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One decision about the item with this key.

    `kind` is the new kind of a rekinded entry, `text` the new words of a bullet or value of
    a preference that was reworded; the words of an entry are nobody's to change. `of` is the
    kind of the entry that is meant where one passage is several entries.
    Keys: ("verbatim", message id, words), ("summary", "", words), ("preference", scope, key).
    """

    action: Action
    key: Key
    kind: str = ""
    text: str = ""
    of: str = ""


def difference(before: Snapshot, after: Snapshot) -> tuple[Choice, ...]:
    """The choices that lead from one snapshot to its edited form."""
    reworded = dict(_reworded(before, after))
    new = set(reworded.values())
    several = _several(before) | _several(after)
    old, kept = _named(before, several), _named(after, several)
    return (
        *(c for name in old if name[0] not in reworded for c in _changes(name, old, kept)),
        *(
            Choice(action="keep", key=name[0], of=_of(name, kept))
            for name in kept
            if name not in old and name[0] not in new
        ),
        *(Choice(action="reword", key=key, text=words[2]) for key, words in reworded.items()),
    )


def apply(snapshot: Snapshot, choices: Iterable[Choice]) -> tuple[Snapshot, tuple[Omitted, ...]]:
    """The snapshot as the person wants it, and what that leaves out."""
    found = applied(snapshot, choices)
    return rebuilt(snapshot, found), left_out(found)


def applied(snapshot: Snapshot, choices: Iterable[Choice]) -> tuple[Item, ...]:
    """Every item of a snapshot as the person wants it, those that are dropped too."""
    found = tuple(Item(key, value) for key, value in items(snapshot))
    index: dict[Key, list[Item]] = defaultdict(list)
    for item in found:
        index[item.key].append(item)
    for choice in choices:
        for item in tuple(index.get(choice.key, ())):
            if choice.of and item.value.kind != choice.of:
                continue
            item.take(choice)
            if item.key != choice.key:
                index[choice.key].remove(item)
                index[item.key].append(item)
    return found


def rebuilt(snapshot: Snapshot, found: Iterable[Item]) -> Snapshot:
    """The snapshot with these items in place of its own, which are as many."""
    rest = iter(found)

    def of(things: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(item.value for _, item in zip(things, rest, strict=False) if not item.gone)

    return replace(
        snapshot,
        verbatim=of(snapshot.verbatim),
        summary=tuple(replace(part, bullets=of(part.bullets)) for part in snapshot.summary),
        preferences=of(snapshot.preferences),
    )


def left_out(found: Iterable[Item]) -> tuple[Omitted, ...]:
    """The line of the left-out list for every item that is dropped."""
    return tuple(_omitted(item.key, item.value) for item in found if item.gone)


def items(snapshot: Snapshot) -> Iterator[tuple[Key, Any]]:
    """Everything in a snapshot that one can decide about, each with its key."""
    yield from ((entry_key(entry), entry) for entry in snapshot.verbatim)
    for section in snapshot.summary:
        yield from ((bullet_key(bullet), bullet) for bullet in section.bullets)
    yield from ((preference_key(item), item) for item in snapshot.preferences)


def entry_key(entry: Entry) -> Key:
    """The key of an entry."""
    return ("verbatim", entry.src, entry.content)


def bullet_key(bullet: str) -> Key:
    """The key of a bullet."""
    return ("summary", "", bullet)


def preference_key(item: Preference) -> Key:
    """The key of a preference."""
    return ("preference", item.scope, item.key)


@dataclass(slots=True)
class Item:
    """An entry, bullet or preference as the person wants it; `gone` when dropped."""

    key: Key
    value: Any
    gone: bool = False

    def take(self, choice: Choice) -> None:
        """Do as a choice about it says."""
        if choice.action in ("drop", "keep"):
            self.gone = choice.action == "drop"
        elif choice.action == "reword":
            self._reword(choice.text)
        elif isinstance(self.value, Entry):
            change: dict[str, Any] = {"pin": choice.action == "pin"}
            if choice.action == "rekind":
                change = {"kind": choice.kind}
            self.value = replace(self.value, **change)

    def _reword(self, text: str) -> None:
        if isinstance(self.value, Preference):
            self.value = replace(self.value, value=text)
        elif isinstance(self.value, str):
            self.key, self.value = bullet_key(text), text


def _several(snapshot: Snapshot) -> frozenset[Key]:
    """Keys of passages that are several entries: a decision and a parameter, say."""
    counts = Counter(map(entry_key, snapshot.verbatim))
    return frozenset(key for key, count in counts.items() if count > 1)


def _named(snapshot: Snapshot, several: frozenset[Key]) -> dict[_Name, Any]:
    return {(key, item.id if key in several else ""): item for key, item in items(snapshot)}


def _of(name: _Name, things: dict[_Name, Any]) -> str:
    return things[name].kind if name[1] else ""


def _changes(name: _Name, old: dict[_Name, Any], kept: dict[_Name, Any]) -> Iterator[Choice]:
    key, before, after, of = name[0], old[name], kept.get(name), _of(name, old)
    if after is None:
        yield Choice(action="drop", key=key, of=of)
    elif isinstance(before, Preference):
        if after.value != before.value:
            yield Choice(action="reword", key=key, text=after.value)
    elif isinstance(before, Entry):
        if after.pin != before.pin:
            yield Choice(action="pin" if after.pin else "unpin", key=key, of=of)
        if after.kind != before.kind:
            yield Choice(action="rekind", key=key, kind=after.kind, of=of)


def _reworded(before: Snapshot, after: Snapshot) -> Iterator[tuple[Key, Key]]:
    """Bullets with other words in the same place; where their number changed, none is."""
    sections = {section.heading: section for section in after.summary}
    for section in before.summary:
        other = sections.get(section.heading, section)
        if len(other.bullets) == len(section.bullets):
            yield from _other_words(section, other)


def _other_words(before: Section, after: Section) -> Iterator[tuple[Key, Key]]:
    moved = {*before.bullets} & {*after.bullets}
    for old, new in zip(before.bullets, after.bullets, strict=True):
        if old != new and not {old, new} & moved:
            yield bullet_key(old), bullet_key(new)


def _omitted(key: Key, item: Any) -> Omitted:
    layer, place, text = key
    kind: str = "bullet"
    src = ""
    if isinstance(item, Preference):
        kind, text = item.scope, f"{item.key} {item.value}"
    elif isinstance(item, Entry):
        kind, src = item.kind, place
    return Omitted(layer=layer, kind=kind, text=text, src=src, tokens=estimate(text), reason=REASON)
