"""Snapshots -> when their passages were said and replaced, and where that stands in a drawing.

Within a snapshot the passages themselves say what replaced them; across snapshots a later
choice replaces an earlier one where both settle the same matter differently. Places are
numbers of pixels; nothing here is markup.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from dcb.matters import Matter, matter, same
from dcb.model import Entry, Snapshot
from dcb.text import cjk_count, one_line

WIDTH = 1040
LEFT = 48
RIGHT = 24
TOP = 34
LANE_HEAD = 26
ROW = 22
ROWS = 14
GAP = 10
LABEL = 30  # characters
_REACH = 40  # earlier passages that one is compared with, for each key

_STEPS: tuple[tuple[timedelta, str], ...] = (
    (timedelta(minutes=5), "%H:%M"),
    (timedelta(minutes=30), "%H:%M"),
    (timedelta(hours=3), "%m-%d %H:%M"),
    (timedelta(days=1), "%m-%d"),
    (timedelta(days=7), "%Y-%m-%d"),
    (timedelta(days=30), "%Y-%m-%d"),
    (timedelta(days=182), "%Y-%m-%d"),
    (timedelta(days=730), "%Y"),
    (timedelta(days=7300), "%Y"),
)
_TICKS = 9


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """A passage and when it was said. `by` is the place of the event that replaced it."""

    entry: Entry
    snapshot: Snapshot
    at: int
    dated: bool  # by the passage itself, else by its snapshot
    by: int | None = None

    @property
    def gone(self) -> bool:
        """Whether it holds no more."""
        return bool(self.entry.status) or self.by is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Dot:
    """An event in the drawing; its label begins at `text_x`, or ends there."""

    event: Event
    place: int
    x: int
    y: int
    label: str
    text_x: int
    ends: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Lane:
    """A snapshot in the drawing."""

    snapshot: Snapshot
    title: str
    y: int
    height: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawing:
    """Everything with its place. `links` are paths from what was replaced to what replaced it."""

    width: int
    height: int
    lanes: tuple[Lane, ...]
    dots: tuple[Dot, ...]
    links: tuple[str, ...]
    ticks: tuple[tuple[int, str], ...]


def events(
    snapshots: Iterable[Snapshot], *, kinds: Sequence[str], last: int | None = None
) -> tuple[Event, ...]:
    """The passages of these kinds, the first said first; of many, so many of the last."""
    found = [
        Event(
            entry=entry,
            snapshot=snapshot,
            at=entry.at or snapshot.created_at,
            dated=bool(entry.at),
        )
        for snapshot in snapshots
        for entry in snapshot.verbatim
        if entry.kind in kinds
    ]
    found.sort(key=lambda event: event.at)
    found = found[-last:] if last else found
    replaced = {**dict(_within(found)), **dict(_across(found))}
    return tuple(replace(event, by=replaced.get(at)) for at, event in enumerate(found))


def draw(found: Sequence[Event]) -> Drawing:
    """The drawing: a lane for each snapshot, the first of which an event is told first."""
    scale = _Scale([event.at for event in found])
    lanes: list[Lane] = []
    dots: dict[int, Dot] = {}
    y = TOP
    for members in _lanes(found):
        placed = list(_rows(members, scale, y + LANE_HEAD))
        bottom = max(dot.y for dot in placed) + ROW // 2
        snapshot = members[0][1].snapshot
        lanes.append(
            Lane(snapshot=snapshot, title=_short(snapshot.title, 80), y=y, height=bottom - y)
        )
        dots.update((dot.place, dot) for dot in placed)
        y = bottom + GAP
    return Drawing(
        width=WIDTH,
        height=y,
        lanes=tuple(lanes),
        dots=tuple(dots.values()),
        links=tuple(_links(dots)),
        ticks=tuple(scale.ticks()),
    )


# --- what replaced what -------------------------------------------------------------------


def _within(found: Sequence[Event]) -> Iterator[tuple[int, int]]:
    places = {(event.snapshot.id, event.entry.id): at for at, event in enumerate(found)}
    for at, event in enumerate(found):
        by = places.get((event.snapshot.id, event.entry.by)) if event.entry.by else None
        if by is not None:
            yield at, by


def _across(found: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """Earlier choices of other snapshots that a later one replaces, each by the first such."""
    holding: dict[int, Matter] = {}
    index: dict[str, list[int]] = defaultdict(list)
    for at, event in enumerate(found):
        if event.entry.status:
            continue
        subject = matter(event.entry)
        near = {old for key in subject.keys for old in index[key][-_REACH:]}
        for old in sorted(near):
            other = found[old].snapshot
            if old in holding and other.id != event.snapshot.id and same(subject, holding[old]):
                del holding[old]
                yield old, at
        holding[at] = subject
        for key in subject.keys:
            index[key].append(at)


# --- places -------------------------------------------------------------------------------


class _Scale:
    """Times to pixels."""

    def __init__(self, times: Sequence[int]) -> None:
        self._first = min(times, default=0)
        self._last = max(times, default=0)

    def __call__(self, at: int) -> int:
        room = WIDTH - LEFT - RIGHT
        span = self._last - self._first
        return LEFT + (round((at - self._first) * room / span) if span else 0)

    def ticks(self) -> Iterator[tuple[int, str]]:
        """Round times within the span."""
        span = timedelta(milliseconds=self._last - self._first)
        step, form = next(
            (pair for pair in _STEPS if span / pair[0] <= _TICKS), (max(span, _STEPS[-1][0]), "%Y")
        )
        width = round(step.total_seconds() * 1000)
        first = -(-self._first // width) * width
        for at in range(first, self._last + 1, width):
            yield self(at), datetime.fromtimestamp(at / 1000, UTC).strftime(form)


def _lanes(found: Sequence[Event]) -> list[list[tuple[int, Event]]]:
    lanes: dict[str, list[tuple[int, Event]]] = {}
    for at, event in enumerate(found):
        lanes.setdefault(event.snapshot.id, []).append((at, event))
    return list(lanes.values())


def _rows(members: Sequence[tuple[int, Event]], scale: _Scale, top: int) -> Iterator[Dot]:
    """Dots with labels that do not cover each other; where no row is free, without a label."""
    taken: list[list[tuple[int, int]]] = []
    dots = []
    for at, event in members:
        x = scale(event.at)
        label = _short(event.entry.content, LABEL)
        width = _width(label)
        ends = x + 12 + width > WIDTH
        start, end = (x - 12 - width, x + 8) if ends else (x - 8, x + 12 + width)
        row = next(
            (n for n, row in enumerate(taken) if all(end < a or b < start for a, b in row)), None
        )
        if row is None:
            row = len(taken) if len(taken) < ROWS else ROWS - 1
            label = label if len(taken) < ROWS else ""
            taken += [[]] if len(taken) < ROWS else []
        taken[row].append((start, end))
        dots.append((row, Dot(event=event, place=at, x=x, y=0, label=label, text_x=x, ends=ends)))
    for row, dot in dots:
        yield replace(
            dot,
            y=top + row * ROW + ROW // 2,
            label=_longer(dot, taken[row]) if dot.label else "",
            text_x=dot.x - 10 if dot.ends else dot.x + 10,
        )


def _longer(dot: Dot, row: list[tuple[int, int]]) -> str:
    """The label in the room that its row leaves it; the room is taken then."""
    if dot.ends:
        most = dot.x - 12 - max((end for _, end in row if end < dot.x), default=0)
    else:
        most = min((start for start, _ in row if start > dot.x), default=WIDTH) - dot.x - 20
    label = _short(dot.event.entry.content, max(LABEL, int(most / 6.8)))
    width = _width(label)
    row.append((dot.x - 12 - width, dot.x) if dot.ends else (dot.x, dot.x + 12 + width))
    return label


def _links(dots: dict[int, Dot]) -> Iterator[str]:
    for dot in dots.values():
        other = dots.get(dot.event.by) if dot.event.by is not None else None
        if other is not None:
            bend = min(LEFT - 12, max(18, abs(other.y - dot.y) // 4))
            side = min(dot.x, other.x) - bend if dot.x == other.x else (dot.x + other.x) // 2
            yield f"M{dot.x} {dot.y}C{side} {dot.y} {side} {other.y} {other.x} {other.y}"


def _short(text: str, most: int) -> str:
    """The beginning of a text in one line; wide characters count twice."""
    line = one_line(text).replace("\n", " ")
    room = 0
    for at, character in enumerate(line):
        room += 1 + cjk_count(character)
        if room > most:
            return line[:at].rstrip() + "…"
    return line


def _width(text: str) -> int:
    wide = cjk_count(text)
    return round(13 * wide + 6.8 * (len(text) - wide))
