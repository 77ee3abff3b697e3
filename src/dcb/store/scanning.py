"""Snapshots without an index and a query -> a small index in memory of those that may match.

A sealed store has none, and that of a project on a server is not for guests. Everything that
may be seen is opened and looked through once; what matches is indexed as an open store would
be, so that the same search gives the same answer. Nothing of it reaches the disk.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import apsw

from dcb.migrations import SEARCHED
from dcb.query import Matcher, Query, Text, fold
from dcb.store import candidates, index, snapshots
from dcb.store.connection import Queries
from dcb.store.passages import Passage
from dcb.store.rows import Row
from dcb.store.sealing import Box

_PROMINENT = ("title", "tags", "settled")


class Scan:
    """The snapshots that hold the terms of a query, as an index.

    `rarity` is that of the terms among all that may be seen.
    """

    def __init__(self, box: Box, query: Query, *, every: bool) -> None:
        """Look through the store for snapshots that hold all or some of the terms."""
        self.index = _empty_index()
        self._matchers = tuple(map(Matcher.of, query.terms))
        self._needed = all if every else any
        self._holding = Counter[int]()
        # As many as an open store would rank, and as many more for a title, tag or decision.
        self._room = {"": candidates.NEWEST + 1, "prominent": 2 * candidates.PROMINENT}
        first = last = 0
        for row in snapshots.newest_first(box):
            first, last = row.seq, max(last, row.seq)
            self._look_at(row, snapshots.raw_passages(box, row), query)
        self.rarity: candidates.Rarity = tuple(
            candidates.rarity_of(self._holding[number], last - first + 1)
            if len(query.terms) > 1
            else 1.0
            for number in range(len(query.terms))
        )

    def _look_at(self, row: Row, passages: list[Passage], query: Query) -> None:
        self.index.execute(
            "insert into snapshots(seq, created_at) values (?,?)", (row.seq, row.created_at)
        )
        held = self._held(passages)
        self._holding.update(number for number, holds in enumerate(held) if holds)
        if not self._enough(held) or not _passes(row, query):
            return
        place = "" if self._room[""] else "prominent"
        if place:
            shown = [item for item in passages if index.column_of(item) in _PROMINENT]
            if not self._enough(self._held(shown)):
                return
        if self._room[place]:
            self._room[place] -= 1
            index.add(self.index, row, passages, seq=row.seq)

    def _enough(self, held: list[bool]) -> bool:
        return not held or self._needed(held)

    def _held(self, passages: list[Passage]) -> list[bool]:
        text = Text("\n".join(map(index.searched, passages)))
        return [one.holds(text) for one in self._matchers]


def spellings(box: Box) -> Queries:
    """The words of all that may be seen, for suggestions."""
    found = _empty_index()
    for row in snapshots.newest_first(box):
        index.spell(found, snapshots.raw_passages(box, row))
    return found


def _empty_index() -> Queries:
    opened = Queries(apsw.Connection(":memory:"), Path(":memory:"))
    opened.execute("create table snapshots(seq integer primary key, created_at integer)")
    for statement in SEARCHED:
        opened.execute(statement)
    return opened


def _passes(row: Row, query: Query) -> bool:
    """Whether a row passes the filters that concern the snapshot as a whole."""
    concerned = (item for item in query.filters if item.name not in ("kind", "role"))
    return all(_is(row, item.name, item.value) != item.without for item in concerned)


def _is(row: Row, name: str, value: str | int) -> bool:
    if isinstance(value, int):
        return row.created_at < value if name == "before" else row.created_at >= value
    names = row.tags if name == "tag" else (row.format,)
    return value in map(fold, names)
