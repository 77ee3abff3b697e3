"""What a rule is, and the rules of all languages as one table.

Patterns are written for RE2 (no look-around, no back-reference), so matching is linear; the
same pattern is run by `re` with ASCII classes to learn where it matched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Act = Literal[
    # kinds of entries
    "decision",
    "directive",
    "parameter",
    # moves in the dialogue
    "accept",
    "reject",
    "refer",
    "withdraw",
    "correct",
    "propose",
    # guards: what only looks like one of the above
    "question",
    "condition",
    "unsettled",
    "denial",
    "reported",
    "past",
    "personal",
    "task",
    "measured",
    "paste",
    "complaint",
    "style",
    "sidestep",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """A pattern of speech. `hit` is a text that it takes, `miss` a near one that it must not."""

    name: str
    act: Act
    pattern: str
    hit: str
    miss: str


def rule(name: str, act: Act, pattern: str, hit: str, miss: str) -> Rule:
    """A row of a rule table."""
    return Rule(name=name, act=act, pattern=pattern, hit=hit, miss=miss)
