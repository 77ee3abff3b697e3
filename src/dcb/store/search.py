"""A query -> passages grouped by snapshot, best first.

The index proposes snapshots and a first order; what is shown is then read, matched again and
ordered by its best passages. Ranking never reads a whole posting list: of a word that very
many snapshots hold, the titles, tags and settled matters that hold it and the most recent
snapshots are ranked, and the answer says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import apsw

from dcb.query import Matcher, Query, parse
from dcb.store import index, snapshots
from dcb.store.connection import Database, Value
from dcb.store.rows import Answer, Found, Hit, Passage, Row
from dcb.store.sealing import Box

# title > description > tags > decisions and directives > preferences > summary > other
WEIGHTS = {
    "title": 10.0,
    "description": 6.0,
    "tags": 5.0,
    "settled": 4.0,
    "preferences": 3.0,
    "summary": 2.0,
    "other": 1.5,
}
_NEWEST = 200  # snapshots ranked for their recency alone
_PROMINENT = 60  # more of them for a title, tag or settled matter
_SHOWN_HITS = 3
_SNIPPET = 160  # characters
_RECENT = 0.1  # share of the score that the newest snapshot gains over the oldest


@dataclass(frozen=True, kw_only=True, slots=True)
class _Candidates:
    """Row numbers with a first score, and whether more would have matched."""

    scores: dict[int, float]
    bounded: bool


def search(
    database: Database, box: Box, text: str, *, limit: int = 10, hits: int = _SHOWN_HITS
) -> Answer:
    """The best snapshots for what was typed, each with its best passages."""
    query = parse(text)
    register(database.connection)
    with database.reading():
        candidates = _candidates(database, query)
        found = _read(database, box, query, candidates, limit=limit, hits=hits)
    notes = list(query.notes)
    if candidates.bounded:
        notes.append(_bounded_note())
    return Answer(query=text, found=tuple(found), bounded=candidates.bounded, notes=tuple(notes))


def _bounded_note() -> str:
    return (
        f"Very many snapshots match; ranked were the {_NEWEST} newest and those with a match "
        "in title, tags, decisions or directives. Add a word or a filter to see others"
    )


# --- candidates --------------------------------------------------------------------------


def _candidates(database: Database, query: Query) -> _Candidates:
    expression = _expression(query)
    if not expression:
        return _Candidates(scores=_all(database, query), bounded=False)
    scores = dict(_scored(database, query, expression, limit=_NEWEST + 1))
    if len(scores) <= _NEWEST:
        return _Candidates(scores=scores, bounded=False)
    words = _words(query)
    for columns in ("title tags", "settled"):
        if words:
            narrow = _with_facets(f"{{{columns}}} : ({words})", query)
            scores |= dict(_scored(database, query, narrow, limit=_PROMINENT))
    return _Candidates(scores=scores, bounded=True)


def _words(query: Query) -> str:
    return " AND ".join(term.expression for term in query.terms)


def _expression(query: Query) -> str:
    return _with_facets(_words(query), query)


def _with_facets(words: str, query: Query) -> str:
    needed = [f"({words})"] if words else []
    without: list[str] = []
    for item in query.filters:
        if isinstance(item.value, str):
            term = f'facets : "{index.facet(item.name, item.value)}"'
            (without if item.without else needed).append(term)
    without += [term.expression for term in query.excluded if not _narrowed(query)]
    if not needed:
        return ""
    return " AND ".join(needed) + "".join(f" NOT ({term})" for term in without)


def _narrowed(query: Query) -> bool:
    """Whether only some passages of a snapshot are looked at."""
    return bool(query.named("kind") or query.named("role"))


def _scored(
    database: Database, query: Query, expression: str, *, limit: int
) -> Iterable[tuple[int, float]]:
    narrowed, values = _dates(query)
    return database.rows(
        "select words.rowid, dcb_score(words) from words "
        "join snapshots on snapshots.seq = words.rowid "
        f"where words match ? {narrowed} order by words.rowid desc limit ?",
        (expression, *values, limit),
    )


def _all(database: Database, query: Query) -> dict[int, float]:
    narrowed, values = _dates(query)
    found = database.rows(
        f"select seq, 0.0 from snapshots where true {narrowed} order by seq desc limit ?",
        (*values, _NEWEST),
    )
    return dict(found)


def _dates(query: Query) -> tuple[str, list[Value]]:
    sql, values = "", []
    for name, compared in (("before", "<"), ("after", ">=")):
        for item in query.named(name):
            wanted = f"created_at {compared} ?"
            sql += f" and not ({wanted})" if item.without else f" and {wanted}"
            values.append(item.value)
    return sql, list(values)


def register(connection: apsw.Connection) -> None:
    """Make the score known to a connection."""
    connection.register_fts5_function("dcb_score", _score)


def _score(api: apsw.FTS5ExtensionApi, *_: Any) -> float:
    total = 0.0
    for phrase in range(api.phrase_count):
        for column in api.phrase_columns(phrase):
            total += _COLUMN_WEIGHTS[column]
    return total


_COLUMN_WEIGHTS = (*(WEIGHTS[name] for name in index.COLUMNS), 0.0)


# --- what is shown -----------------------------------------------------------------------


def _read(
    database: Database,
    box: Box,
    query: Query,
    candidates: _Candidates,
    *,
    limit: int,
    hits: int,
) -> list[Found]:
    newest = max(candidates.scores, default=1)

    def first_score(seq: int) -> float:
        return candidates.scores[seq] * (1 + _RECENT * seq / newest)

    order = sorted(candidates.scores, key=lambda seq: (-first_score(seq), -seq))
    matchers = [Matcher.of(term) for term in query.terms]
    excluded = [Matcher.of(term) for term in query.excluded]
    found: list[Found] = []
    for row in snapshots.by_seq(database, box, order):
        if len(found) >= 2 * limit:
            break
        read = _found(database, box, row, query, matchers, excluded, hits)
        if read:
            found.append(read)
    found.sort(
        key=lambda item: (-item.score * (1 + _RECENT * item.row.seq / newest), -item.row.seq)
    )
    return found[:limit]


def _found(
    database: Database,
    box: Box,
    row: Row,
    query: Query,
    matchers: list[Matcher],
    excluded: list[Matcher],
    hits: int,
) -> Found | None:
    looked_at = [
        passage for passage in snapshots.passages(database, box, row) if _passes(passage, query)
    ]
    if any(matcher.spans(_searched(item)) for matcher in excluded for item in looked_at):
        return None
    matched = []
    seen: set[int] = set()
    for passage in looked_at:
        spans = [matcher.spans(_searched(passage)) for matcher in matchers]
        held = {number for number, places in enumerate(spans) if places}
        if held:
            seen |= held
            matched.append(
                _hit(passage, [place for places in spans for place in places], len(held))
            )
    if len(seen) < len(matchers):
        return None
    if not matchers:
        matched = [_hit(passage, [], 1) for passage in looked_at]
    matched.sort(key=lambda hit: -hit.score)
    score = sum(hit.score / (place + 1) for place, hit in enumerate(matched[:5]))
    return Found(row=row, hits=tuple(matched[:hits]), score=score, more=max(0, len(matched) - hits))


def _passes(passage: Passage, query: Query) -> bool:
    for item in query.filters:
        if item.name == "kind":
            kinds = (passage.kind, passage.id.partition(".")[0])
            if (item.value in kinds) == item.without:
                return False
        if item.name == "role" and (passage.role == item.value) == item.without:
            return False
    return True


def _searched(passage: Passage) -> str:
    if passage.kind == "preference":
        return f"{passage.label}: {passage.text}"
    return passage.text


def _hit(passage: Passage, spans: list[tuple[int, int]], terms: int) -> Hit:
    text = _searched(passage)
    snippet, highlights = _snippet(text, sorted(set(spans)))
    weight = WEIGHTS[index.column_of(passage)]
    length = 1 + math.log1p(len(text) / 200)
    return Hit(
        passage=passage,
        snippet=snippet,
        highlights=highlights,
        score=weight * terms * terms / length,
    )


def _snippet(text: str, spans: list[tuple[int, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A piece of the passage around its first match, and the matches inside it."""
    first = spans[0][0] if spans else 0
    start = 0 if len(text) <= _SNIPPET else max(0, min(first - _SNIPPET // 4, len(text) - _SNIPPET))
    end = min(len(text), start + _SNIPPET)
    lead, tail = "…" * (start > 0), "…" * (end < len(text))
    shift = len(lead) - start
    inside = tuple(
        (begin + shift, min(stop, end) + shift) for begin, stop in spans if start <= begin < end
    )
    return lead + text[start:end] + tail, inside
