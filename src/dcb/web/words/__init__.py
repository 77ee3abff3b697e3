"""What the page says, in English and Chinese: one table of words for each page.

A page's words stand in the module of its name as `WORDS`; keys begin with that name, so
that two tables never share one.
"""

from __future__ import annotations

from typing import Literal

from dcb.web.words import (
    base,
    bring_in,
    inbox,
    library,
    merge,
    review,
    settings,
    snapshot,
    team,
    timeline,
)

Lang = Literal["en", "zh"]
Words = dict[str, tuple[str, str]]
"""Key -> (English, Chinese). Fields in braces are filled in by `say`."""

TABLES: tuple[Words, ...] = (
    base.WORDS,
    library.WORDS,
    snapshot.WORDS,
    bring_in.WORDS,
    review.WORDS,
    merge.WORDS,
    timeline.WORDS,
    inbox.WORDS,
    settings.WORDS,
    team.WORDS,
)
ALL: Words = {key: texts for table in TABLES for key, texts in table.items()}


def say(lang: Lang, key: str, **values: object) -> str:
    """The sentence of that key."""
    return ALL[key][lang == "zh"].format(**values)
