"""Snapshot + limit -> the snapshot that fits, and the list of what did not.

`kept <= limit` always; what is kept and what is omitted together are everything there was.
Items are taken whole, in one order, and the result keeps the order of the snapshot:

    pinned entries            the one thing a person said about importance
    preferences               up to a fifth of the limit; stated before inferred, newest first
    the other entries         directive, decision, code, parameter, newest first; superseded last
    preferences above a fifth while there is room
    bullets                   the first of every section, then the second …

An item that does not fit is passed over; a smaller one after it may still fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar

from dcb.errors import RequestError
from dcb.model import (
    Entry,
    Kind,
    Omitted,
    Preference,
    Report,
    Section,
    Snapshot,
    together,
    tokens_of,
)
from dcb.text import Counter, estimate

DEFAULT_LIMIT = 4096
MIN_LIMIT = 256
MAX_LIMIT = 32_768

# One fifth of the limit is the preferences' own (specification section 6).
PREFERENCE_SHARE = 5

# A directive that is lost is broken at once; a parameter is usually repeated elsewhere.
KEEP_ORDER: tuple[Kind, ...] = ("directive", "decision", "code", "parameter")

REASON = "budget"

Markup = Mapping[str, int]
"""Tokens that the signs around an item take: "entry", "code", "heading", "bullet", "preference"."""

NO_MARKUP: Markup = dict.fromkeys(("entry", "code", "heading", "bullet", "preference"), 0)
# In a document: empty lines, fences, `### `, `- `, and `- **[scope] key** (explicit) — `.
DOCUMENT_MARKUP: Markup = {"entry": 1, "code": 4, "heading": 2, "bullet": 1, "preference": 9}

Group = tuple[int, ...]
"""Positions of entries that are kept or dropped as one."""

T = TypeVar("T")


def trim(
    snapshot: Snapshot,
    *,
    limit: int | None = DEFAULT_LIMIT,
    count: Counter = estimate,
    markup: Markup = NO_MARKUP,
) -> tuple[Snapshot, Report]:
    """Keep what fits into `limit` tokens (None: everything) and list the rest.

    `count` says how many tokens a text takes, `markup` what the signs around it take on top.
    The snapshot's own `token_estimate` is always the format's. Raises RequestError for a
    limit out of range.
    """
    if limit is not None and not MIN_LIMIT <= limit <= MAX_LIMIT:
        raise RequestError(f"A budget is {MIN_LIMIT} to {MAX_LIMIT:,} tokens, not {limit:,}")
    costs = _costs(snapshot, count, markup)
    pinned, others = _ranked(snapshot.verbatim)
    kept = _keep(snapshot, costs, pinned, others, costs.total if limit is None else limit)
    trimmed = _only(snapshot, kept)
    trimmed = replace(trimmed, token_estimate=tokens_of(trimmed))
    return trimmed, Report(
        limit=costs.total if limit is None else limit,
        needed=costs.total,
        kept=costs.total - kept.lost,
        omitted=tuple(_omitted(snapshot, costs, kept)),
        enough_for_verbatim=_enough(snapshot, costs, pinned),
    )


# --- what everything costs -------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Costs:
    entries: tuple[int, ...]
    headings: tuple[int, ...]
    bullets: tuple[tuple[int, ...], ...]
    preferences: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(chain(self.entries, self.headings, *self.bullets, self.preferences))


def _costs(snapshot: Snapshot, count: Counter, markup: Markup) -> _Costs:
    heading, bullet, preference = markup["heading"], markup["bullet"], markup["preference"]
    return _Costs(
        entries=tuple(
            count(entry.content) + markup["code" if entry.kind == "code" else "entry"]
            for entry in snapshot.verbatim
        ),
        headings=tuple(count(section.heading) + heading for section in snapshot.summary),
        bullets=tuple(
            tuple(count(text) + bullet for text in section.bullets) for section in snapshot.summary
        ),
        preferences=tuple(count(_line(item)) + preference for item in snapshot.preferences),
    )


def _line(item: Preference) -> str:
    return f"{item.key} {item.value}"


# --- what is kept ----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Kept:
    entries: frozenset[int]
    preferences: frozenset[int]
    bullets: frozenset[tuple[int, int]]
    lost: int  # tokens of everything else, headings without a bullet included


def _keep(
    snapshot: Snapshot, costs: _Costs, pinned: Sequence[Group], others: Sequence[Group], limit: int
) -> _Kept:
    wanted = _by_wish(snapshot.preferences)

    def price(group: Group) -> int:
        return sum(map(costs.entries.__getitem__, group))

    first, room = _take(pinned, price, limit)
    share = min(room, limit // PREFERENCE_SHARE)
    stated, unused = _take(wanted, costs.preferences.__getitem__, share)
    second, room = _take(others, price, room - (share - unused))
    taken = frozenset(stated)
    rest = [position for position in wanted if position not in taken]
    more, room = _take(rest, costs.preferences.__getitem__, room)
    bullets, room = _take_bullets(costs, room)
    return _Kept(
        entries=frozenset(chain.from_iterable(first + second)),
        preferences=frozenset(stated + more),
        bullets=frozenset(bullets),
        lost=costs.total - (limit - room),
    )


def _take(items: Iterable[T], price: Callable[[T], int], room: int) -> tuple[list[T], int]:
    taken = []
    for item in items:
        cost = price(item)
        if cost <= room:
            taken.append(item)
            room -= cost
    return taken, room


def _take_bullets(costs: _Costs, room: int) -> tuple[list[tuple[int, int]], int]:
    opened: set[int] = set()
    taken = []
    places = [(at, section) for section, row in enumerate(costs.bullets) for at in range(len(row))]
    for at, section in sorted(places):
        cost = costs.bullets[section][at]
        if section not in opened:
            cost += costs.headings[section]
        if cost <= room:
            opened.add(section)
            taken.append((section, at))
            room -= cost
    return taken, room


def _by_wish(preferences: Sequence[Preference]) -> list[int]:
    def wish(position: int) -> tuple[bool, int, int]:
        item = preferences[position]
        return (not item.explicit, -item.at, -position)

    return sorted(range(len(preferences)), key=wish)


# --- entries, in the order of keeping ---------------------------------------------------


def _ranked(entries: Sequence[Entry]) -> tuple[list[Group], list[Group]]:
    """Entries that go together, pinned and others, each in the order of keeping."""
    ranks = [_rank(entry, position) for position, entry in enumerate(entries)]
    groups = sorted(together(entries), key=lambda group: min(map(ranks.__getitem__, group)))
    pins = {position for position, entry in enumerate(entries) if entry.pin}
    others = [group for group in groups if pins.isdisjoint(group)]
    return [group for group in groups if not pins.isdisjoint(group)], others


def _rank(entry: Entry, position: int) -> tuple[bool, int, int, int]:
    superseded = entry.status == "superseded"
    return (superseded, KEEP_ORDER.index(entry.kind), -entry.at, -position)


# --- what comes out --------------------------------------------------------------------


def _only(snapshot: Snapshot, kept: _Kept) -> Snapshot:
    return replace(
        snapshot,
        verbatim=tuple(e for at, e in enumerate(snapshot.verbatim) if at in kept.entries),
        summary=tuple(
            replace(section, bullets=_bullets(section, place, kept))
            for place, section in enumerate(snapshot.summary)
        ),
        preferences=tuple(p for at, p in enumerate(snapshot.preferences) if at in kept.preferences),
    )


def _bullets(section: Section, place: int, kept: _Kept) -> tuple[str, ...]:
    return tuple(text for at, text in enumerate(section.bullets) if (place, at) in kept.bullets)


def _omitted(snapshot: Snapshot, costs: _Costs, kept: _Kept) -> Iterator[Omitted]:
    for at, entry in enumerate(snapshot.verbatim):
        if at not in kept.entries:
            yield Omitted(
                layer="verbatim",
                kind=entry.kind,
                text=entry.content,
                src=entry.src,
                tokens=costs.entries[at],
                reason=REASON,
            )
    for place, section in enumerate(snapshot.summary):
        for at, text in enumerate(section.bullets):
            if (place, at) not in kept.bullets:
                yield Omitted(
                    layer="summary",
                    kind="bullet",
                    text=text,
                    src="",
                    tokens=costs.bullets[place][at],
                    reason=REASON,
                )
    for at, item in enumerate(snapshot.preferences):
        if at not in kept.preferences:
            yield Omitted(
                layer="preference",
                kind=item.scope,
                text=_line(item),
                src="",
                tokens=costs.preferences[at],
                reason=REASON,
            )


def _enough(snapshot: Snapshot, costs: _Costs, groups: Sequence[Group]) -> int:
    """The smallest limit that keeps every entry; `groups` are pinned.

    What the preferences take of their share never shrinks as the limit grows, so climbing
    from the entries' own size stops at the smallest limit that holds both.
    """
    entries = sum(costs.entries)
    pinned = sum(costs.entries[position] for group in groups for position in group)
    ranked = _by_wish(snapshot.preferences)
    limit = 0
    needed = max(entries, MIN_LIMIT)
    while needed > limit:
        limit = needed
        share = min(limit - pinned, limit // PREFERENCE_SHARE)
        _, unused = _take(ranked, costs.preferences.__getitem__, share)
        needed = max(entries + share - unused, MIN_LIMIT)
    return limit
