"""A sentence -> the rules that occur in it and, where it can claim anything, its reading.

A cheap look decides whether a sentence is read in full; sentences that are said again, or
differ in long numbers only, are read once.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dcb.extract.classify import Reading, Situation, read
from dcb.extract.filters import occurs
from dcb.extract.matcher import MATCHER
from dcb.extract.parameters import expectant

_TAKES = MATCHER.numbers("decision", "directive", "refer", "agree", "paste")
_SETS = MATCHER.numbers("parameter")
_BRIEF = re.compile(r"[^，,：:—]{1,64}(?:[，,：:—]|$)")
_SETTABLE = occurs(r"[0-9@#_/]|--|[二两三四五六七八九十百半]|叫|译|命名|\b(?:call|name|named|is)\b")
_which = lru_cache(maxsize=8192)(MATCHER.which)  # a situation changes no occurrence


@lru_cache(maxsize=8192)
def glance(
    text: str, situation: Situation, early: bool
) -> tuple[frozenset[int], Reading | None, bool]:
    """The rules that occur in a text, its reading when it can claim anything, and more.

    The last tells whether the situation can change that reading.
    """
    which = _which(text)
    if not (early and _brief(text)) and not _worth(text, which):
        return which, None, False
    sets = early or not _SETS.isdisjoint(which)
    reading = read(text, situation, which=which, sets=sets)
    return which, reading, early and expectant(text, reading.parts)


def _brief(text: str) -> bool:
    """Whether a sentence begins with a clause that could be nothing but an answer."""
    return _BRIEF.match(text) is not None


def _worth(text: str, which: frozenset[int]) -> bool:
    """Whether a sentence can claim anything: a cheap look before it is read in full."""
    if not which:
        return False
    return not _TAKES.isdisjoint(which) or (not _SETS.isdisjoint(which) and _SETTABLE(text))
