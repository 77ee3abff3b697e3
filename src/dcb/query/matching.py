"""A passage and the terms looked for -> where they stand in it.

The index only proposes; this decides, and it does so alike for a store that has an index and
for one that must be read through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dcb.query import terms
from dcb.query.typed import Term

Span = tuple[int, int]
"""Start and end, in characters of the passage as written."""


@dataclass(frozen=True, slots=True)
class Matcher:
    """Finds one term in passages."""

    term: Term
    pattern: re.Pattern[str]

    @staticmethod
    def of(term: Term) -> Matcher:
        """The matcher of a term."""
        return Matcher(term, re.compile(term.pattern))

    def spans(self, text: str) -> list[Span]:
        """Every place of the term in a passage."""
        folded, offsets = terms.folded_with_offsets(text)
        found = self.pattern.finditer(folded)
        places = [(match.start(), match.end()) for match in found if match.group()]
        if offsets is not None:
            places = [(offsets[start], offsets[end]) for start, end in places]
        return [place for place in places if _stands_alone(text, *place)]


def _stands_alone(text: str, start: int, end: int) -> bool:
    return _edge(text, start) and _edge(text, end)


def _edge(text: str, place: int) -> bool:
    """Whether a word may begin or end between these two characters."""
    if place in (0, len(text)):
        return True
    before, after = text[place - 1], text[place]
    if not (_letter(before) and _letter(after)):
        return True
    return terms.joins_at(text, place)


def _letter(char: str) -> bool:
    return char.isalnum() and not terms.is_cjk(char)
