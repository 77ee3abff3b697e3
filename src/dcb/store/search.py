"""A query -> passages grouped by snapshot, best first.

The index proposes snapshots and a first order. What may be shown is then read, matched again
passage by passage, and those whose words stand together, and the recent, move up a little.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice

from dcb.query import Matcher, Query, Text, loosen, parse
from dcb.store import candidates, index, scanning, snapshots, spelling
from dcb.store.answers import Answer, Found, Hit
from dcb.store.candidates import WEIGHTS, Candidates, Rarity
from dcb.store.keeper import Reads
from dcb.store.passages import Passage
from dcb.store.rows import Row
from dcb.store.sealing import Box

_SNIPPET = 160  # characters
_RECENT = 0.1  # share of its score that the newest snapshot gains over the oldest
_TOGETHER = 1.5  # share that a passage with all the words gains over one with none

BOUNDED = (
    f"Very many snapshots match; ranked are the {candidates.NEWEST} last saved and those with a "
    "match in title, tags, decisions or directives. Another word or a filter shows others"
)
LOOSE = "No snapshot holds all of these words; shown are those that hold some of them"


def search(box: Box, text: str, *, limit: int, hits: int) -> Answer:
    """The best snapshots for what was typed, each with its best passages."""
    query = parse(text)
    box.unlock()
    with box.reading():
        where, rarity = _searched(box, query, every=True)
        proposed = candidates.holding_all(where, query, rarity=rarity)
        found = _best(box, query, proposed, limit=limit, hits=hits, every=True)
        if found or not query.terms:
            notes = (*query.notes, *((BOUNDED,) if proposed.bounded else ()))
            return Answer(query=text, found=found, bounded=proposed.bounded, notes=notes)
        return _loose(box, query, limit=limit, hits=hits)


def _loose(box: Box, query: Query, *, limit: int, hits: int) -> Answer:
    """Where nothing holds all the words: what holds some, and what may have been meant."""
    known = box.database if box.indexed else scanning.spellings(box)
    looser = loosen(query)
    where, rarity = _searched(box, looser, every=False)
    proposed = candidates.holding_any(where, looser, rarity=rarity)
    found = _best(box, looser, proposed, limit=limit, hits=hits, every=False)
    return Answer(
        query=query.text,
        found=found,
        bounded=proposed.bounded,
        loose=bool(found),
        suggestion=spelling.mended(known, query),
        notes=(*query.notes, *((LOOSE,) if found else ())),
    )


def _searched(box: Box, query: Query, *, every: bool) -> tuple[Reads, Rarity | None]:
    """Where to look a query up: the store's index, or one made for who has none."""
    if box.indexed:
        return box.database, None
    scan = scanning.Scan(box, query, every=every)
    return scan.index, scan.rarity


def _best(
    box: Box, query: Query, proposed: Candidates, *, limit: int, hits: int, every: bool
) -> tuple[Found, ...]:
    last = max(proposed.scores, default=1)
    reader = _Reader(query=query, rarity=proposed.rarity, every=every, hits=hits)

    def recent(seq: int) -> float:
        return proposed.scores[seq] * (1 + _RECENT * seq / last)

    order = sorted(proposed.scores, key=lambda seq: (recent(seq), seq), reverse=True)
    read = (
        reader.read(row, passages, recent(row.seq))
        for row, passages in snapshots.with_passages(box, order)
    )
    # A few more than are shown, for the order among them to settle.
    first = list(islice(filter(None, read), limit + 3))
    best = nlargest(limit, first, key=lambda match: (match.score, match.row.seq))
    return tuple(map(reader.found, best))


@dataclass(slots=True)
class _Match:
    """A snapshot that matches: each matching passage with the numbers of the terms it holds."""

    row: Row
    passages: list[tuple[Passage, Text, list[int]]]
    score: float


@dataclass(slots=True)
class _Reader:
    """Finds the terms of one query in the passages of snapshots."""

    query: Query
    rarity: Rarity
    every: bool  # whether all the terms must be found
    hits: int
    matchers: tuple[Matcher, ...] = ()
    excluded: tuple[Matcher, ...] = ()

    def __post_init__(self) -> None:
        self.matchers = tuple(map(Matcher.of, self.query.terms))
        self.excluded = tuple(map(Matcher.of, self.query.excluded))

    def read(self, row: Row, passages: list[Passage], score: float) -> _Match | None:
        """What of the snapshot matches, or None when it does not after all."""
        passing = self._passing(passages)
        texts = Text.of_all(list(map(index.searched, passing)))
        if any(matcher.holds(text) for matcher in self.excluded for text in texts):
            return None
        held = [
            (passage, text, [number for number, one in enumerate(self.matchers) if one.holds(text)])
            for passage, text in zip(passing, texts, strict=True)
        ]
        seen = {number for _, _, numbers in held for number in numbers}
        if self.matchers and (not seen or (self.every and len(seen) < len(self.matchers))):
            return None
        matching = [item for item in held if item[2] or not self.matchers]
        if not matching:
            return None
        together = max(self._share(numbers) for _, _, numbers in matching)
        return _Match(row, matching, score * (1 + _TOGETHER * together))

    def found(self, match: _Match) -> Found:
        """The snapshot with its best passages."""
        best = nlargest(self.hits, match.passages, key=lambda item: self._weight(item[0], item[2]))
        return Found(
            row=match.row,
            hits=tuple(self._hit(*item) for item in best),
            score=match.score,
            more=len(match.passages) - len(best),
        )

    def _passing(self, passages: list[Passage]) -> list[Passage]:
        wanted = [item for item in self.query.filters if item.name in ("kind", "role")]
        if not wanted:
            return passages
        return [
            passage
            for passage in passages
            if all((item.value in _names(passage, item.name)) != item.without for item in wanted)
        ]

    def _share(self, numbers: list[int]) -> float:
        """How much of what was asked stands in one passage: by count and by how telling."""
        total = sum(self.rarity)
        if not total:
            return 0.0
        telling = sum(self.rarity[number] for number in numbers) / total
        return (telling + len(numbers) / len(self.rarity)) / 2

    def _weight(self, passage: Passage, numbers: list[int]) -> float:
        length = 1 + math.log1p(len(passage.text) / 200)
        # To the third power, so that all the words in a decision go before one in a title.
        return _worth(passage) * (0.1 + self._share(numbers)) ** 3 / length

    def _hit(self, passage: Passage, text: Text, numbers: list[int]) -> Hit:
        spans = sorted(span for number in numbers for span in self.matchers[number].spans(text))
        snippet, highlights = _snippet(text.text, spans)
        score = self._weight(passage, numbers)
        return Hit(passage=passage, snippet=snippet, highlights=highlights, score=score)


# Within a snapshot what holds goes before what is told about it, and that before what is past.
_CURRENT, _REPLACED = 3.0, 1.0


def _worth(passage: Passage) -> float:
    if passage.superseded:
        return _REPLACED
    return _CURRENT if passage.kind == "parameter" else WEIGHTS[index.column_of(passage)]


def _names(passage: Passage, filter_name: str) -> tuple[str, ...]:
    if filter_name == "role":
        return (passage.role,)
    scope = passage.id.partition(".")[0] if passage.kind == "preference" else ""
    return (passage.kind, scope)


def _snippet(text: str, spans: list[tuple[int, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A piece of the passage around its first match, and the matches inside it."""
    first = spans[0][0] if spans else 0
    start = max(0, min(first - _SNIPPET // 4, len(text) - _SNIPPET))
    end = min(len(text), start + _SNIPPET)
    lead, tail = "…" * (start > 0), "…" * (end < len(text))
    shift = len(lead) - start
    inside = _united((max(begin, start), min(stop, end)) for begin, stop in spans)
    return (
        lead + text[start:end] + tail,
        tuple((begin + shift, stop + shift) for begin, stop in inside if begin < stop),
    )


def _united(spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted spans without overlaps."""
    united: list[tuple[int, int]] = []
    for begin, stop in spans:
        if united and begin <= united[-1][1]:
            united[-1] = (united[-1][0], max(stop, united[-1][1]))
        else:
            united.append((begin, stop))
    return united
