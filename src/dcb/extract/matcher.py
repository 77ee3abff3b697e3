"""A table of rules -> a filter that finds which of them occur in a text, and where.

One `re2.Set` holds every pattern and is run once over a text; `re` runs only for the few
patterns that hit. Both are linear for the patterns that RE2 accepts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import re2

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

    rule: Rule
    start: int
    end: int

    @property
    def act(self) -> Act:
        """What the rule says that is being done."""
        return self.rule.act


class Matcher:
    """All rules of a table, matched together."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        options = re2.Options()
        options.case_sensitive = False
        options.max_mem = 64 << 20
        self._set = re2.Set.SearchSet(options)
        for rule in self.rules:
            self._set.Add(rule.pattern)
        self._set.Compile()
        # ASCII classes, as in RE2: a Han character next to a Latin word is a word edge.
        self._exact = [re.compile(rule.pattern, re.I | re.A) for rule in self.rules]

    def find(self, text: str) -> tuple[Hit, ...]:
        """Every occurrence of every rule, by place."""
        which = self._set.Match(text)
        if not which:
            return ()
        hits = [
            Hit(self.rules[number], found.start(), found.end())
            for number in sorted(which)
            for found in self._exact[number].finditer(text)
        ]
        return tuple(sorted(hits, key=lambda hit: hit.start))


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
