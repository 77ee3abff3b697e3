"""What a rule is: a pattern of speech with an example that it takes and one that it must not.

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
    "agree",
    "refer",
    "withdraw",
    "correct",
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


def table(act: Act, *rows: tuple[str, str, str, str]) -> tuple[Rule, ...]:
    """Rules of one act from rows of name, pattern, hit and miss."""
    return tuple(
        Rule(name=name, act=act, pattern=pattern, hit=hit, miss=miss)
        for name, pattern, hit, miss in rows
    )
