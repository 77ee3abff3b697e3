"""Patterns of speech -> what tells which of them occur in a text, or whether a single one does.

The words that a pattern needs are looked for first, all in one pass, so that a text costs
little and no automaton of all patterns is ever built (which took a second for the first pages
of every conversation). Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import re2


class Filter:
    """Patterns that RE2 accepts, in any case of letters; numbered in order.

    Every alternative of a pattern is filtered by its own words: a pattern without a word that
    all its alternatives share would else be run over each text. Han and Latin words have a
    pass each, since one that holds both meets a new state with nearly every text.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._passes = (_Pass(), _Pass())
        for number, pattern in enumerate(patterns):
            for alternative in alternatives(pattern):
                self._passes[_HAN.search(alternative) is not None].add(number, alternative)
        for each in self._passes:
            each.ready()

    def match(self, text: str) -> frozenset[int]:
        """The numbers of the patterns that occur somewhere in a text."""
        raw = text.encode()
        first, second = self._passes
        return frozenset((*first.match(raw), *second.match(raw)))


class _Pass:
    """Alternatives that are looked for together, each with the number of its pattern."""

    def __init__(self) -> None:
        self._filter = re2.Filter()
        self._numbers: list[int] = []
        self._options = re2.Options()
        self._options.case_sensitive = False

    def add(self, number: int, alternative: str) -> None:
        self._filter.Add(alternative, self._options)
        self._numbers.append(number)

    def ready(self) -> None:
        if self._numbers:
            self._filter.Compile()

    def match(self, raw: bytes) -> Iterator[int]:
        found = self._filter.Match(raw) if self._numbers else None
        return map(self._numbers.__getitem__, found or ())


def occurs(pattern: str) -> Callable[[str], bool]:
    """What tells whether a pattern that RE2 accepts occurs in a text, in any case of letters.

    Of many words, RE2 looks for all at once, `re` for one after the other at every place.
    """

    @cache
    def ready() -> re2.Set:
        options = re2.Options()
        options.case_sensitive = False
        one = re2.Set.SearchSet(options)
        one.Add(pattern)
        one.Compile()
        return one

    return lambda text: ready().Match(text.encode()) is not None


_HAN = re.compile(r"[\u3400-\u9fff]")
# What a pattern is read by: an escape, a class, a group that begins or ends, a bar.
_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.S)


def alternatives(pattern: str) -> Iterator[str]:
    """The alternatives of a pattern, or all of it when it has but one."""
    begin = depth = 0
    for sign in _SIGN.finditer(pattern):
        depth += {"(": 1, ")": -1}.get(sign.group(), 0)
        if sign.group() == "|" and not depth:
            yield pattern[begin : sign.start()]
            begin = sign.end()
    yield pattern[begin:]
