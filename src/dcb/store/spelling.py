"""Words that nothing holds -> the stored words they were probably meant to be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from dcb.query import Query, fold
from dcb.store.keeper import Reads
from dcb.store.passages import Passage

_WORD = re.compile(r"[a-z]{4,24}")
_SURE_FROM = 8  # letters from which a word may differ in two places


def words_of(passages: Iterable[Passage]) -> Counter[str]:
    """The words of a snapshot that a suggestion may name, each counted once."""
    return Counter({word for item in passages for word in _WORD.findall(fold(item.text))})


def mended(database: Reads, query: Query) -> str:
    """What was typed with unknown words replaced by near known ones; "" when none is."""
    result = query.text
    for term in query.terms:
        word = fold(term.text)
        near = _nearest(database, word) if _WORD.fullmatch(word) else ""
        if near:
            result = result.replace(term.text, near)
    return result if result != query.text else ""


def _nearest(database: Reads, word: str) -> str:
    known = database.rows(
        "select word, held from spellings where word >= ? and word < ? "
        "and length(word) between ? and ?",
        (word[0], chr(ord(word[0]) + 1), len(word) - 2, len(word) + 2),
    )
    allowed = 2 if len(word) >= _SURE_FROM else 1
    best = (allowed + 1, 0, "")
    for other, held in known:
        if other == word:
            return ""
        away = distance(word, other, at_most=allowed)
        best = min(best, (away, -held, other)) if away <= allowed else best
    return best[2]


def distance(left: str, right: str, *, at_most: int) -> int:
    """Letters to change, add, drop or swap with the next, to make one word of the other.

    Figures above `at_most` may be too low, but stay above it.
    """
    if abs(len(left) - len(right)) > at_most:
        return at_most + 1
    # Each letter that only one of them has needs a change of its own; most words end here.
    alone = max(len(set(left).difference(right)), len(set(right).difference(left)))
    if alone > at_most:
        return alone
    before: Sequence[int] = ()
    row = list(range(len(right) + 1))
    for place, letter in enumerate(left, 1):
        two_before, before, row = before, row, [place]
        for other, there in enumerate(right, 1):
            cost = min(before[other] + 1, row[-1] + 1, before[other - 1] + (letter != there))
            if place > 1 and other > 1 and (letter, left[place - 2]) == (right[other - 2], there):
                cost = min(cost, two_before[other - 2] + 1)
            row.append(cost)
        if min(row) > at_most:
            return at_most + 1
    return row[-1]
