"""A text -> what it is about: the values that it tells, and the terms beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from dcb.extract.terms import terms
from dcb.extract.values import Value, even, values


class Matter(NamedTuple):
    """What tells two candidates' matters apart."""

    values: frozenset[tuple[str, str]]  # (unit, text)
    units: frozenset[str]
    names: frozenset[str]  # terms of the clause, without its values
    plain: bool  # whether a value is a bare number
    counted: bool  # whether the unit of a value may go without saying


def matter(text: str) -> Matter:
    """What a text is about."""
    alike = even(text)
    units, places, names = _shape(alike)
    if names is None:
        names = _names(text, values(text))
    return Matter(
        frozenset([(unit, text[start:end].strip()) for unit, start, end in places]),
        units,
        names,
        not units.isdisjoint(PLAIN),
        not units <= UNCOUNTED,
    )


Place = tuple[str, int, int]
"""A unit and where its value stands."""


@lru_cache(maxsize=8192)
def _shape(alike: str) -> tuple[frozenset[str], tuple[Place, ...], frozenset[str] | None]:
    """What texts share that differ in long numbers only; names are None where they may differ."""
    found = values(alike)
    names = _names(alike, found)
    return (
        frozenset(v.unit for v in found),
        tuple((v.unit, v.start, v.end) for v in found),
        None if any("00" in name for name in names) else names,
    )


def _names(text: str, found: Sequence[Value]) -> frozenset[str]:
    """The terms of a text without its values."""
    pieces, at = [], 0
    for value in found:
        if value.type not in ("name", "version"):
            pieces.append(text[at : value.start])
            at = value.end
    rest = " ".join([*pieces, text[at:]])
    return terms(_ADVERB.sub(" ", rest)) | frozenset(map(str.lower, _BOUND.findall(rest)))


def comparable(new: Matter, old: Matter) -> bool:
    """Whether a value of one matter is of a sort that the other has too."""
    # A bare number takes the unit of what it is compared with: "8" and "4px".
    return (
        not new.units.isdisjoint(old.units)
        or (new.plain and old.counted)
        or (old.plain and new.counted)
    )


NAMING = frozenset({"name", "version"})  # units of what gives a name rather than a value
PLAIN = frozenset({"number", "word"})
UNCOUNTED = frozenset({"name", "template", "version", "date", "time"})
# A default and its limits are matters of their own.
_BOUND = re.compile(r"\b(max|min|default)(?:imum)?s?\b", re.I | re.A)
# Words that set, bound or hedge, and so name no matter.
_ADVERB = re.compile(
    r"[^，。 ]{1,4}起见|测试(?:的时候|时)|反正|干脆|索性|统一|控制|提到|降到|加到|减到|推到|调到|首版|暂时|直接|一律"
    r"|\b(?:say|says|goes|going|doing|bump|raise|lower|reduce|increase|cut|push|call|name|named|called|cap|limit"
    r"|halve|double|start|try|stick|settle|choose|pick|prefer|think|reckon|better|safer|enough|plenty"
    r"|only|really|sorry|oops|hmm|it'?ll|that'?ll|we'?ve|i'?ll|i'?m|they'?ll|total|exactly|around|instead|back|want"
    r"|spend|afford|pay|of course|obviously|definitely|please|pls|sure|taken|full|many|much|everywhere|always|must|never|second thoughts?|should|been|same|way|thing|stuff)\b",
    re.I | re.A,
)
