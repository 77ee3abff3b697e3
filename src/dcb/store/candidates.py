"""A query -> the snapshots that the index proposes, with a first score.

Ranking never reads a whole posting list. Of a word that very many snapshots hold, those with
it in title, tags or settled matters and the most recently saved are scored; how many hold it
is judged from how densely the most recent do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dcb.query import Query, Term
from dcb.store import index
from dcb.store.keeper import Places, Reads, Score, Value

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
NEWEST = 120  # snapshots scored for being recent
PROMINENT = 30  # more of them for a title, tag or settled matter
_OF_EACH_WORD = 120  # when words count singly
_USUAL_LENGTH = 600  # terms of a snapshot; longer ones must say a word more often
_SATURATION = 4.0

Rarity = tuple[float, ...]
"""For each term of a query, how telling it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidates:
    """Row numbers with a first score; `rarity` of each term; whether more would match."""

    scores: dict[int, float]
    rarity: Rarity
    bounded: bool = False


def holding_all(database: Reads, query: Query, *, rarity: Rarity | None = None) -> Candidates:
    """Snapshots that hold every term and pass every filter."""
    words = _placed(" AND ".join(term.expression for term in query.terms), query)
    rarity = rarity or _rarities(database, query)
    expression = _narrowed(words, query)
    if not expression:
        return Candidates(scores=_newest(database, query), rarity=rarity)
    score = _scorer(query.terms, rarity)
    scores = _scored(database, query, expression, score, limit=NEWEST + 1)
    bounded = len(scores) > NEWEST
    if bounded and words:
        for prominent in (f"({words}) AND {index.titled(words)}", f"settled : ({words})"):
            expression = _narrowed(prominent, query)
            scores |= _scored(database, query, expression, score, limit=PROMINENT)
    return Candidates(scores=scores, rarity=rarity, bounded=bounded)


def holding_any(database: Reads, query: Query, *, rarity: Rarity | None = None) -> Candidates:
    """Snapshots that hold some of the terms; the rarest terms propose first."""
    rarity = rarity or _rarities(database, query)
    score = _scorer(query.terms, rarity)
    either = " OR ".join(term.expression for term in query.terms)
    scores: dict[int, float] = {}
    bounded = False
    order = sorted(range(len(query.terms)), key=lambda number: -rarity[number])
    for number in order:
        if len(scores) > 2 * NEWEST:
            bounded = True
            break
        # The whole query stands first, so that its phrases are the ones that are scored.
        words = f"({either}) AND {query.terms[number].expression}"
        found = _scored(database, query, _narrowed(words, query), score, limit=_OF_EACH_WORD)
        bounded |= len(found) == _OF_EACH_WORD
        scores |= found
    return Candidates(scores=scores, rarity=rarity, bounded=bounded)


def _placed(words: str, query: Query) -> str:
    """The words, to be looked for only in columns where the kind asked for can stand."""
    columns = {
        index.columns_of(str(item.value)) for item in query.named("kind") if not item.without
    }
    # Of two kinds at once, no passage is; the reading of passages says so.
    return f"{{{columns.pop()}}} : ({words})" if words and len(columns) == 1 else words


def _narrowed(words: str, query: Query) -> str:
    """The words and the filters as one expression of the index."""
    needed = [f"({words})"] if words else []
    without = []
    for item in query.filters:
        if isinstance(item.value, str):
            facet = f'facets : "{index.facet(item.name, item.value)}"'
            # What a passage must not be is for the passages; a snapshot may hold others.
            if not item.without:
                needed.append(facet)
            elif item.name in ("tag", "source"):
                without.append(facet)
    if not (query.named("kind") or query.named("role")):
        without += [term.expression for term in query.excluded]
    if not needed:
        return ""
    return " AND ".join(needed) + "".join(f" NOT ({expression})" for expression in without)


def _scored(
    database: Reads, query: Query, expression: str, score: Score, *, limit: int
) -> dict[int, float]:
    dates, values = _dates(query)
    return database.words.scored(expression, score, dates=dates, values=values, limit=limit)


def _newest(database: Reads, query: Query) -> dict[int, float]:
    dates, values = _dates(query)
    found = database.rows(
        f"select seq from snapshots where true {dates} order by seq desc limit ?",
        (*values, NEWEST),
    )
    return {int(seq): 1.0 for (seq,) in found}


def _dates(query: Query) -> tuple[str, list[Value]]:
    sql: list[str] = []
    values: list[Value] = []
    for name, compared in (("before", "<"), ("after", ">=")):
        for item in query.named(name):
            sql.append(f"and {'not ' * item.without}created_at {compared} ?")
            values.append(item.value)
    return " ".join(sql), values


# --- scores ------------------------------------------------------------------------------


def rarity_of(holding: int, total: int) -> float:
    """How telling a term is that so many of all snapshots hold."""
    holding = min(holding, total)
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _rarities(database: Reads, query: Query) -> Rarity:
    if len(query.terms) == 1:
        return (1.0,)  # there is nothing to weigh it against
    first, last = _ends(database)
    total = last - first + 1
    return tuple(rarity_of(_holding(database, term, total, last), total) for term in query.terms)


def _ends(database: Reads) -> tuple[int, int]:
    # The span of their numbers stands for how many there are: counting them reads them all.
    found = database.row("select (select min(seq) from snapshots), max(seq) from snapshots")
    return (found[0] or 1, found[1] or 0) if found else (1, 0)


def _holding(database: Reads, term: Term, total: int, last: int) -> int:
    """How many snapshots hold a term; of a common one, judged from the most recent."""
    newest = database.words.newest(term.expression, limit=NEWEST)
    if len(newest) < NEWEST:
        return len(newest)
    oldest = newest[-1]
    return max(NEWEST, round(total * NEWEST / (last - oldest + 1)))


def _scorer(terms: Iterable[Term], rarity: Rarity) -> Score:
    """BM25 over weighed columns. A term may be several phrases, alternatives of one another."""
    weights = [*(WEIGHTS[name] for name in index.COLUMNS), 0.0]
    telling = [
        value
        for term, value in zip(terms, rarity, strict=True)
        for _ in range(term.expression.count('"') // 2)
    ]

    log = math.log  # this runs for each candidate: hundreds of times in a search

    def score(terms: int, places: Places) -> float:
        length = 0.5 + 0.5 * terms / _USUAL_LENGTH
        total = 0.0
        for phrase, value in enumerate(telling):
            said = 0.0
            for weight, times in zip(weights, places(phrase), strict=True):
                if times:
                    said += weight * (1 + log(times))
            total += value * said / (said + _SATURATION * length)
        return total

    return score
