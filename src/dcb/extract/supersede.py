"""Candidates in order -> which of them a later one replaced.

A later choice replaces an earlier one on the same matter: it answers the same question, it
takes back what it names, or it sets another value of the same sort under the same name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from dcb.extract.terms import terms
from dcb.extract.values import values
from dcb.model import Kind

_REACH = 16  # so many candidates of a kind back; keeps the search linear
_NEAR = 8  # messages within which a bare correction finds its object
_NEXT = 3  # messages within which an answer is still being talked about


class Around:
    """What a message says and stands next to, in lower case; worked out when first asked for."""

    def __init__(self, said: str, heard: str, earlier: str) -> None:
        self._said = said
        self._heard = heard
        self._earlier = earlier

    @cached_property
    def said(self) -> str:
        """The message."""
        return self._said.lower()

    @cached_property
    def heard(self) -> str:
        """What it answers."""
        return self._heard.lower()

    @cached_property
    def earlier(self) -> str:
        """The two messages before."""
        return self._earlier.lower()

    @cached_property
    def topic(self) -> frozenset[str]:
        """Terms of the question that it answers."""
        heard = self._heard
        if heard[-1:] not in ("?", "？"):
            return frozenset()
        return terms(heard[max(map(heard.rfind, "。.!！;；\n")) + 1 :])


_NOWHERE = Around("", "", "")


class Candidate(NamedTuple):
    """A passage that will be an entry, with what tells its matter."""

    kind: Kind
    message: int
    start: int
    end: int
    rule: str
    lang: str = ""
    via: int | None = None  # message that accepted it
    group: int = 0  # pieces of one sentence share it
    clause: str = ""  # the words that settle it
    around: Around = _NOWHERE
    corrects: bool = False
    withdraws: bool = False


class _Matter(NamedTuple):
    """What tells two candidates' matters apart."""

    values: frozenset[tuple[str, str]]  # (unit, text)
    units: frozenset[str]
    names: frozenset[str]  # terms of the clause, without its values


@lru_cache(maxsize=4096)
def _matter(text: str) -> _Matter:
    found = values(text)
    pieces, at = [], 0
    for value in found:
        if value.type not in ("name", "version"):
            pieces.append(text[at : value.start])
            at = value.end
    return _Matter(
        frozenset((v.unit, text[v.start : v.end].strip()) for v in found),
        frozenset(v.unit for v in found),
        terms(_ADVERB.sub("", " ".join([*pieces, text[at:]]))),
    )


_ADVERB = re.compile(r"[^，。 ]{1,4}起见|测试(?:的时候|时)|反正|干脆|索性")


def replaced(candidates: Sequence[Candidate]) -> dict[int, int]:
    """Index of each replaced candidate -> index of the one that replaced it. Code not included."""
    found: dict[int, int] = {}
    recent: dict[Kind, list[int]] = {}
    for number, new in enumerate(candidates):
        find = _REPLACED.get(new.kind)
        if find is None or new.via is not None:
            continue
        earlier = recent.setdefault(new.kind, [])
        open_ones = [n for n in earlier[-_REACH:] if n not in found]
        open_ones = [n for n in open_ones if candidates[n].message < new.message]
        for old in find(new, open_ones, candidates):
            found[old] = number
        earlier.append(number)
    return found


def _values(new: Candidate, earlier: Sequence[int], all_: Sequence[Candidate]) -> list[int]:
    """Earlier values of the same sort that a new one replaces."""
    ours = _matter(new.clause)
    rivals = [old for old in earlier if _comparable(ours, _matter(all_[old].clause))]
    found = [old for old in rivals if _same_value(new, all_[old])]
    if not found and new.corrects and not ours.names:
        alike = [old for old in rivals if ours.units & _matter(all_[old].clause).units]
        return alike if len(alike) == 1 else []  # "move it to 03:30": the only time there is
    return found


def _comparable(new: _Matter, old: _Matter) -> bool:
    sorts, others = new.units, old.units
    if sorts.isdisjoint(others):
        # A bare number takes the unit of what it is compared with: "8" and "4px".
        plain = bool(sorts & _PLAIN and others - {"name"})
        if not plain and not (others & _PLAIN and sorts - {"name"}):
            return False
    return new.values.isdisjoint(old.values)


_PLAIN = frozenset({"number", "word"})


def _same_value(new: Candidate, old: Candidate) -> bool:
    ours, theirs = _matter(new.clause), _matter(old.clause)
    distance = new.message - old.message
    named = not ours.names.isdisjoint(theirs.names) or _asked(new, old)
    if ours.units == {"name"}:
        return named and new.corrects
    if named:
        return new.corrects or distance <= _NEAR or _repeated(theirs, new)
    same_unit = not ours.units.isdisjoint(theirs.units)
    if new.corrects and same_unit and _tells(theirs, new.around.said):
        return True
    if distance > _NEAR:
        return False
    if not ours.names:
        return (new.corrects and same_unit) or _repeated(theirs, new)
    if theirs.names or not same_unit or distance > _NEXT:
        return False
    return new.corrects or _tells(ours, new.around.heard)


def _asked(new: Candidate, old: Candidate) -> bool:
    """Whether one is told under the name that the other was asked for."""
    return not (
        _matter(new.clause).names.isdisjoint(old.around.topic)
        and new.around.topic.isdisjoint(_matter(old.clause).names)
    )


def _repeated(old: _Matter, new: Candidate) -> bool:
    return _tells(old, new.around.said) or _tells(old, new.around.heard)


def _tells(matter: _Matter, text: str) -> bool:
    return any(_told(value, text) for _, value in matter.values)


def _choices(new: Candidate, earlier: Sequence[int], all_: Sequence[Candidate]) -> list[int]:
    """Earlier choices on the same matter."""
    found = [old for old in earlier if _same_choice(new, all_[old])]
    if not found and new.withdraws and earlier:
        last = earlier[-1]
        return [last] if new.message - all_[last].message <= _NEAR else []
    return found


# Choosing one thing does not bring back another that was ruled out.
_REJECTIONS = frozenset({"zh.drop", "zh.stop", "zh.not-do", "en.no-noun", "agree"})


def _same_choice(new: Candidate, old: Candidate) -> bool:
    if old.rule in _REJECTIONS:
        return False
    ours, theirs = _matter(new.clause).names, _matter(old.clause).names
    ours, theirs = ours - theirs, theirs - ours
    if not ours or not theirs:
        return False
    if new.withdraws or new.corrects:
        here = _any(theirs, new.around.said)
        if not (here or new.withdraws or _rivals(ours, theirs, old)):
            return False
        return here or _any(theirs, new.around.heard) or _any(theirs, new.around.earlier)
    if not _rivals(ours, theirs, old) or _any(theirs, new.around.heard):
        return False
    return _any(theirs, new.around.said) or _any(theirs, new.around.earlier)


def _rivals(ours: frozenset[str], theirs: frozenset[str], old: Candidate) -> bool:
    """Whether both were offered side by side."""
    return _any(ours, old.around.heard) and _any(theirs, old.around.heard)


def _any(words: frozenset[str], text: str) -> bool:
    return any(_told(word, text) for word in words)


def _told(words: str, text: str) -> bool:
    """Whether words stand in a text, not as part of a longer word or number."""
    words = words.lower()
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        before, after = text[at - 1 : at], text[end : end + 1]
        if not (_glued(before, words[0]) or _glued(words[-1], after)):
            return True
        at = text.find(words, at + 1)
    return False


def _glued(left: str, right: str) -> bool:
    if not left or not right or not (left.isascii() and right.isascii()):
        return False
    return left.isalnum() and right.isalnum()


_REPLACED: dict[Kind, Callable[[Candidate, Sequence[int], Sequence[Candidate]], list[int]]] = {
    "parameter": _values,
    "decision": _choices,
}
