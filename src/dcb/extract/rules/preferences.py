"""What a preference rule is: a pattern over one clause, and the stable key that it fills.

Patterns keep to what RE2 knows (no look-around, no back-references), so that one set of all
of them filters whole messages in linear time. The group `v` is the evidence: once a rule has
used it, later rules of the table do not see it. A group `noun` completes a key that ends in
`*`. Rules stand in order of precedence.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from dcb.model import Scope

Basis = Literal[
    "said",  # the pattern itself says that the person wants it
    "wish",  # a wish must stand in the clause or before it in the sentence
    "shown",  # counts only when it is said at least twice: a repeated correction
    "third",  # somebody else's taste that the person reports: inferred
    "ends",  # takes back what was wished under this key
]


class Rule(NamedTuple):
    """One way to state a preference, with a sentence it takes and one it leaves alone."""

    name: str
    scope: Scope
    key: str
    pattern: str
    basis: Basis
    hit: str
    miss: str


class Guard(NamedTuple):
    """One reason not to read a sentence as a wish, with a sentence it stops and one it lets by."""

    name: str
    pattern: str
    stops: str
    lets: str
