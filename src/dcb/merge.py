"""A stored snapshot + the current one + a policy -> one snapshot and every conflict.

A stated preference beats an inferred one (specification section 5.1); among equals the
policy decides. Layer 1 is united: what says the same is kept once, and of two passages
that settle one matter differently the losing one is marked as superseded, never dropped.
Whatever lost is in the list of conflicts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dcb.errors import UnknownChoice
from dcb.matters import Matter, matter, same
from dcb.model import Conflict, Entry, Preference, Section, Snapshot, tokens_of
from dcb.text import Counter, estimate

Side = Literal["base", "current"]
Verdict = tuple[Side, str]
Times = tuple[int, int]
"""Of the base's and of the current value."""

Matters = tuple[str, str, str, str]
"""What tells a conflict from others: scope, key and both values."""

STATED = "stated-over-inferred"
CHOSEN = "chosen"

# A passage is compared with so many of the latest stored ones that share a word with it.
_REACH = 60

# Signs that end or join sentences. Others carry meaning: `1.5` is not `15`.
_SENTENCE_SIGNS = re.compile(r"[。，、；：！？“”‘’（）《》【】「」…\s]+|[.,;:!?\"'()]+(?=\s|$)")


def merge(
    base: Snapshot,
    current: Snapshot,
    *,
    policy: str = "new-wins",
    chosen: Mapping[Matters, Side] | None = None,
    new_id: Callable[[], str],
    now: int,
    count: Counter = estimate,
) -> tuple[Snapshot, tuple[Conflict, ...]]:
    """One snapshot of both, and what was settled by which rule.

    `policy` is `new-wins`, `snapshot-wins`, `timestamp` or `weighted` (or as `newWins` …);
    raises UnknownChoice for another. `chosen` is what a person decided about conflicts of
    an earlier run (see `about`); it goes before the policy.
    """
    judge = _Judge(_policy(policy), base.weight, current.weight, chosen or {})
    preferences, told = _preferences(base.preferences, current.preferences, judge)
    verbatim, found = _verbatim(_marked(base, current), _marked(current, base), judge)
    merged = replace(
        base,
        id=new_id(),
        conversation_id=_joined(base.conversation_id, current.conversation_id),
        title=base.title or current.title,
        description=base.description or current.description,
        created_at=now,
        tags=tuple(dict.fromkeys(base.tags + current.tags)),
        encrypted=base.encrypted or current.encrypted,
        weight=max(base.weight, current.weight),
        verbatim=verbatim,
        summary=_summary(base.summary, current.summary),
        preferences=preferences,
        extra=tuple({**dict(current.extra), **dict(base.extra)}.items()),
        checksum="",
    )
    return replace(merged, token_estimate=tokens_of(merged, count=count)), (*told, *found)


def about(conflict: Conflict) -> Matters:
    """What a conflict is about: the same in every merge of the same two snapshots."""
    return (conflict.scope, conflict.key, conflict.base, conflict.current)


# --- policies --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judge:
    policy: str
    base: float
    current: float
    chosen: Mapping[Matters, Side]

    def __call__(self, times: Times) -> Verdict:
        return POLICIES[self.policy](times, (self.base, self.current))

    def settle(self, verdict: Verdict, matters: Matters) -> Verdict:
        """The person's word on these matters, else the verdict."""
        side = self.chosen.get(matters)
        return (side, CHOSEN) if side and side != verdict[0] else verdict


def _later(times: Times, weights: tuple[float, float]) -> Verdict:
    base, current = times
    if base == current:
        return "current", "timestamp-tie"
    return "base" if base > current else "current", "timestamp-newer"


def _heavier(times: Times, weights: tuple[float, float]) -> Verdict:
    base, current = weights
    if base == current:
        return "current", "weighted-tie"
    return "base" if base > current else "current", "weighted"


POLICIES: dict[str, Callable[[Times, tuple[float, float]], Verdict]] = {
    "new-wins": lambda times, weights: ("current", "new-wins"),
    "snapshot-wins": lambda times, weights: ("base", "snapshot-wins"),
    "timestamp": _later,
    "weighted": _heavier,
}
# As the original implementation spells them.
_SPELLINGS = {"newWins": "new-wins", "snapshotWins": "snapshot-wins"}


def _policy(name: str) -> str:
    name = _SPELLINGS.get(name, name)
    if name not in POLICIES:
        raise UnknownChoice("merge policy", name, POLICIES)
    return name


# --- preferences -----------------------------------------------------------------------


def _preferences(
    base: Iterable[Preference], current: Iterable[Preference], judge: _Judge
) -> tuple[tuple[Preference, ...], list[Conflict]]:
    kept = {(item.scope, item.key): item for item in base}
    conflicts = []
    for new in current:
        old = kept.setdefault((new.scope, new.key), new)
        if old == new:
            continue
        matters = (new.scope, new.key, old.value, new.value)
        winner, reason = judge.settle(_verdict(old, new, judge), matters)
        if winner == "current":
            kept[new.scope, new.key] = new
        if old.value != new.value:
            conflicts.append(
                Conflict(
                    scope=new.scope,
                    key=new.key,
                    base=old.value,
                    current=new.value,
                    winner=winner,
                    reason=reason,
                )
            )
    return tuple(kept.values()), conflicts


def _verdict(old: Preference, new: Preference, judge: _Judge) -> Verdict:
    if old.explicit != new.explicit:
        return "base" if old.explicit else "current", STATED
    return judge((old.at, new.at))


# --- layer 1 ---------------------------------------------------------------------------


def _marked(snapshot: Snapshot, other: Snapshot) -> tuple[Entry, ...]:
    """The entries; each says its conversation where the two snapshots have different ones."""
    if snapshot.conversation_id == other.conversation_id:
        return snapshot.verbatim
    mark = ("conv", snapshot.conversation_id)
    return tuple(
        entry if "conv" in dict(entry.extra) else replace(entry, extra=(*entry.extra, mark))
        for entry in snapshot.verbatim
    )


def _verbatim(
    base: Sequence[Entry], current: Sequence[Entry], judge: _Judge
) -> tuple[tuple[Entry, ...], list[Conflict]]:
    stored = {entry.id: entry for entry in base}
    twins = {_fold(entry): entry.id for entry in base}
    names = _new_names(current, stored, twins)
    fresh: dict[str, Entry] = {}
    for entry in current:
        name = names[entry.id]
        side = stored if name in stored else fresh
        # The current snapshot may say one thing twice as well.
        twin = side.get(name)
        if twin is None:
            fresh[name] = replace(entry, id=name, by=names.get(entry.by, entry.by))
        else:
            side[name] = replace(twin, pin=twin.pin or entry.pin)
    added = list(fresh.values())
    conflicts = list(_settled(stored, added, judge))
    return (*stored.values(), *added), conflicts


def _new_names(
    current: Sequence[Entry], stored: dict[str, Entry], twins: dict[tuple[str, ...], str]
) -> dict[str, str]:
    """Each current id -> its id in the merged snapshot: its twin's, its own, or a numbered one."""
    names: dict[str, str] = {}
    used = {*stored, *(entry.id for entry in current)}
    for entry in current:
        twin = twins.get(_fold(entry))
        if twin is None and entry.id in stored:
            number = 2
            while f"{entry.id}~{number}" in used:
                number += 1
            used.add(f"{entry.id}~{number}")
            names[entry.id] = f"{entry.id}~{number}"
        else:
            names[entry.id] = twin or entry.id
        twins.setdefault(_fold(entry), names[entry.id])
    return names


def _fold(entry: Entry) -> tuple[str, ...]:
    """Equal for entries that say the same: code to the letter, prose without sentence signs."""
    if entry.kind == "code":
        return ("code", entry.status, entry.content)
    text = unicodedata.normalize("NFKC", entry.content).casefold()
    return (entry.kind, entry.status, _SENTENCE_SIGNS.sub(" ", text).strip())


def _settled(stored: dict[str, Entry], added: list[Entry], judge: _Judge) -> Iterator[Conflict]:
    """Mark what lost, in place; one conflict for each pair."""
    index = _Index(entry for entry in stored.values() if not entry.status)
    for at, new in enumerate(added):
        if new.status:
            continue
        subject = matter(new)
        for old, what in index.rivals(subject):
            matters = (new.kind, what, old.content, new.content)
            winner, reason = judge.settle(judge((old.at, new.at)), matters)
            if winner == "current":
                stored[old.id] = replace(stored[old.id], status="superseded", by=new.id)
                index.retire(old.id)
            else:
                added[at] = replace(new, status="superseded", by=old.id)
            yield Conflict(
                scope=new.kind,
                key=what,
                base=old.content,
                current=new.content,
                winner=winner,
                reason=reason,
            )


class _Index:
    """Stored entries by what tells their matter, so that no pair is tried in vain."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._matters: dict[str, tuple[Entry, Matter]] = {}
        self._places: dict[str, list[str]] = defaultdict(list)
        for entry in entries:
            subject = matter(entry)
            self._matters[entry.id] = (entry, subject)
            for key in subject.keys:
                self._places[key].append(entry.id)

    def rivals(self, subject: Matter) -> list[tuple[Entry, str]]:
        """Entries that settle the matter differently, each with what the matter is."""
        near = dict.fromkeys(name for key in sorted(subject.keys) for name in self._latest(key))
        pairs = (self._matters[name] for name in near if name in self._matters)
        found = ((entry, same(subject, other)) for entry, other in pairs)
        return [(entry, what) for entry, what in found if what]

    def retire(self, name: str) -> None:
        """Take out an entry that lost."""
        self._matters.pop(name, None)

    def _latest(self, key: str) -> list[str]:
        return self._places.get(key, [])[-_REACH:]


# --- layer 2 and header ----------------------------------------------------------------


def _summary(base: Iterable[Section], current: Iterable[Section]) -> tuple[Section, ...]:
    """Sections by heading, bullets united: those that say the same once."""
    headings: dict[str, str] = {}
    bullets: dict[str, dict[str, str]] = defaultdict(dict)
    for section in (*base, *current):
        key = section.heading.casefold()
        headings.setdefault(key, section.heading)
        for bullet in section.bullets:
            folded = _SENTENCE_SIGNS.sub(" ", unicodedata.normalize("NFKC", bullet).casefold())
            bullets[key].setdefault(folded.strip(), bullet)
    return tuple(
        Section(heading=heading, bullets=tuple(bullets[key].values()))
        for key, heading in headings.items()
    )


def _joined(base: str, current: str) -> str:
    """Both conversations' ids, each once."""
    parts = base.split("+")
    return base if not current or current in parts else f"{base}+{current}" if base else current
