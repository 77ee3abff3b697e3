"""What a cue of the summary is: a pattern that says to which section a sentence belongs.

Patterns keep to what RE2 knows. A sentence goes to the first section, in the order of
`SECTIONS`, one of whose cues it holds; `trivial` marks what carries nothing to remember.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Topic = Literal[
    "trivial",
    "settled",
    "todo",
    "ruled_out",
    "reasoning",
    "background",
    "figure",  # background early on, reasoning later
    "question",
]


class Cue(NamedTuple):
    """One turn of phrase, with a sentence it takes and one it leaves alone."""

    name: str
    topic: Topic
    pattern: str
    hit: str
    miss: str
