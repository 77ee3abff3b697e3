"""A table of rules -> a filter that finds which of them occur in a text, and where.

One filter (filters.py) holds every pattern and is run once over a text; `re` runs only for the
few patterns that hit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from dcb.extract.filters import Filter
from dcb.extract.rules import (
    Act,
    Rule,
    en_decisions,
    en_dialogue,
    en_directives,
    en_guards,
    en_parameters,
    zh_decisions,
    zh_dialogue,
    zh_directives,
    zh_guards,
    zh_parameters,
)


class Hit(NamedTuple):
    """A rule at a place of a text."""

    act: Act
    rule: str  # its name
    start: int
    end: int


_START = attrgetter("start")


class Matcher:
    """All rules of a table, matched together."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._filter = Filter(rule.pattern for rule in self.rules)
        self._exact: dict[int, re.Pattern[str]] = {}  # of the rules that hit so far

    def which(self, text: str) -> frozenset[int]:
        """The numbers of the rules that occur somewhere in a text."""
        return self._filter.match(text)

    def numbers(self, *acts: Act) -> frozenset[int]:
        """The numbers of all rules of these acts."""
        return frozenset(n for n, rule in enumerate(self.rules) if rule.act in acts)

    def named(self, which: Iterable[int]) -> list[str]:
        """The names of rules by their numbers."""
        return [self.rules[number].name for number in which]

    def find(self, text: str, which: Iterable[int] | None = None) -> tuple[Hit, ...]:
        """Every occurrence of these rules (of all when None), by place."""
        if which is None:
            which = self.which(text)
        hits = [
            Hit(rule.act, rule.name, *found.span())
            for rule, exact in map(self._rule, sorted(which))
            for found in exact.finditer(text)
        ]
        hits.sort(key=_START)
        return tuple(hits)

    def _rule(self, number: int) -> tuple[Rule, re.Pattern[str]]:
        rule, exact = self.rules[number], self._exact.get(number)
        if exact is None:
            # ASCII classes, as in RE2: a Han character next to a Latin word is a word edge.
            exact = self._exact[number] = re.compile(rule.pattern, re.I | re.A)
        return rule, exact


RULES: tuple[Rule, ...] = (
    *zh_decisions.DECISIONS,
    *zh_directives.DIRECTIVES,
    *zh_parameters.PARAMETERS,
    *zh_dialogue.MOVES,
    *zh_guards.GUARDS,
    *en_decisions.DECISIONS,
    *en_directives.DIRECTIVES,
    *en_parameters.PARAMETERS,
    *en_dialogue.MOVES,
    *en_guards.GUARDS,
)
MATCHER = Matcher(RULES)
