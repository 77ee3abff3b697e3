"""A passage and the terms looked for -> where they stand in it.

The index only proposes; this decides, and it does so alike for a store that has an index and
for one that must be read through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dcb.query import terms
from dcb.query.typed import Term

Span = tuple[int, int]
"""Start and end, in characters of the passage as written."""


class Text:
    """A passage, folded once for all terms; offsets are worked out when they are needed."""

    __slots__ = ("_offsets", "folded", "text")

    def __init__(self, text: str, folded: str | None = None) -> None:
        """Prepare a passage for matching; `folded` where it is known already."""
        self.text = text
        self.folded = terms.fold(text) if folded is None else folded
        self._offsets: Sequence[int] | None = None

    @staticmethod
    def of_all(texts: Sequence[str]) -> list[Text]:
        """Several passages, folded in one go."""
        folded = terms.fold(terms.BREAK.join(texts)).split(terms.BREAK)
        if len(folded) != len(texts):  # a passage holds the break itself
            return [Text(text) for text in texts]
        return list(map(Text, texts, folded))

    def place(self, folded_place: int) -> int:
        """The place in the passage of a place in its folded form."""
        if self._offsets is None:
            _, self._offsets = terms.folded_with_offsets(self.text)
        return self._offsets[folded_place]


@dataclass(frozen=True, slots=True)
class Matcher:
    """Finds one term in passages."""

    term: Term
    pattern: re.Pattern[str]

    @staticmethod
    def of(term: Term) -> Matcher:
        """The matcher of a term."""
        return Matcher(term, re.compile(term.pattern))

    def holds(self, text: Text) -> bool:
        """Whether the passage holds the term."""
        return any(self._alone(text))

    def spans(self, text: Text) -> list[Span]:
        """Every place of the term in a passage."""
        return [(text.place(start), text.place(end)) for start, end in self._alone(text)]

    def _alone(self, text: Text) -> Iterator[Span]:
        place = 0
        while found := self.pattern.search(text.folded, place):
            start = found.start()
            end = self._end(text, *found.span()) if _edge(text, start) else None
            if end is not None:
                yield start, end
            # A part of a word may hide where the word begins: `A AA` hides `AAa` in `A AAa`.
            place = end or start + 1

    def _end(self, text: Text, start: int, longest: int) -> int | None:
        """Where the place ends; a stem's ending may reach into the next part: `serverHand`."""
        for end in range(longest, max(start, longest - terms.ENDING - 1), -1):
            if _edge(text, end) and self.pattern.fullmatch(text.folded, start, end):
                return end
        return None


def _edge(text: Text, place: int) -> bool:
    """Whether a word may begin or end between these two characters."""
    folded = text.folded
    if place in (0, len(folded)):
        return True
    if not (_letter(folded[place - 1]) and _letter(folded[place])):
        return True
    return terms.joins_at(text.text, text.place(place))


def _letter(char: str) -> bool:
    return char.isalnum() and not terms.is_cjk(char)
