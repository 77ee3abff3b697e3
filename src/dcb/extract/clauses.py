"""A sentence -> its clauses, and the stretches in which somebody else speaks.

Offsets count from the start of the sentence. Commas inside quotations, brackets, inline code
and numbers do not divide.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DIVIDER = re.compile(r"[，,：:…]|[—–]{1,2}| - |[“「『\"`（(\[]|'(?=[A-Za-z])")
_PAIRS = {"“": "”", "「": "」", "『": "』", '"': '"', "`": "`", "（": "）", "(": ")", "[": "]"}
_QUOTES = '“「『"'


class Clause(NamedTuple):
    """A part of a sentence between commas."""

    start: int
    end: int


class Parts(NamedTuple):
    """The clauses of a sentence, and its quoted stretches (with their signs)."""

    clauses: tuple[Clause, ...]
    quotes: tuple[tuple[int, int], ...]

    def clause_at(self, offset: int) -> int:
        """The number of the clause that holds an offset."""
        for number, clause in enumerate(self.clauses):
            if offset < clause.end:
                return number
        return len(self.clauses) - 1

    def quoted(self, start: int, end: int) -> bool:
        """Whether a stretch lies in a quotation."""
        return any(first <= start and end <= last for first, last in self.quotes)


def parts(text: str) -> Parts:
    """Divide a sentence."""
    clauses: list[Clause] = []
    quotes: list[tuple[int, int]] = []
    begin = pos = 0
    while found := _DIVIDER.search(text, pos):
        sign, pos = found.group(), found.end()
        if sign in _PAIRS:
            close = text.find(_PAIRS[sign], pos)
            if close < 0:
                continue
            pos = close + 1
            if sign in _QUOTES:
                quotes.append((found.start(), pos))
        elif _divides(text, sign, found.start(), pos):
            clauses.append(Clause(begin, pos))
            begin = pos
    if text[begin:].strip() or not clauses:
        clauses.append(Clause(begin, len(text)))
    return Parts(tuple(clauses), tuple(quotes))


def _divides(text: str, sign: str, at: int, pos: int) -> bool:
    """Whether a comma or colon divides: not in `1,000`, `14:30` or `key:value`."""
    if sign in ",:":
        return (
            pos >= len(text)
            or text[pos].isspace()
            or _han(text[pos])
            or (at > 0 and _han(text[at - 1]) and sign == ",")
        )
    return sign != "'"


def _han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff"


_MARK = re.compile(r"(?:^|(?<=\s))([1-9])[.)]\s+(?=\S)", re.A)


def enumerated(text: str, first: int = 1) -> tuple[tuple[int, int], ...]:
    """The pieces of "1. stay put 2. daily 3. 14", or none when nothing is counted through."""
    marks = list(_MARK.finditer(text))
    if len(marks) < 2 - (first - 1) or [int(mark.group(1)) for mark in marks] != list(
        range(first, first + len(marks))
    ):
        return ()
    starts = [mark.end() for mark in marks]
    stops = [mark.start() for mark in marks[1:]] + [len(text)]
    pieces = list(zip(starts, stops, strict=True))
    return tuple(pieces if first == 1 else [(0, marks[0].start()), *pieces])
