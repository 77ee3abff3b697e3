"""Candidates in order -> which of them a later one replaced.

A later choice replaces an earlier one on the same matter: it answers the same question, it
takes back what it names, or it sets another value of the same sort under the same name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dcb.extract.terms import terms
from dcb.extract.values import values
from dcb.model import Kind

_REACH = 16  # so many candidates of a kind back; keeps the search linear
_NEAR = 8  # messages within which a bare correction finds its object
_NEXT = 3  # messages within which an answer is still being talked about


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A passage that will be an entry, with what tells its matter."""

    kind: Kind
    message: int
    start: int
    end: int
    rule: str
    lang: str = ""
    via: int | None = None  # message that accepted it
    group: int = 0  # pieces of one sentence share it
    values: frozenset[tuple[str, str]] = frozenset()  # (unit, text)
    units: frozenset[str] = frozenset()
    clause: str = ""  # the words that settle it
    topic: frozenset[str] = frozenset()  # terms of the question that it answers
    said: str = ""  # its message, in lower case
    heard: str = ""  # what it answers, in lower case
    earlier: str = ""  # the two messages before, in lower case
    corrects: bool = False
    withdraws: bool = False

    @property
    def names(self) -> frozenset[str]:
        """Terms of its clause, without its values."""
        return _names(self.clause)


@lru_cache(maxsize=2048)
def _names(text: str) -> frozenset[str]:
    pieces, at = [], 0
    for value in values(text):
        if value.type not in ("name", "version"):
            pieces.append(text[at : value.start])
            at = value.end
    return terms(_ADVERB.sub("", " ".join([*pieces, text[at:]])))


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
    rivals = [old for old in earlier if _comparable(new, all_[old])]
    found = [old for old in rivals if _same_value(new, all_[old])]
    alike = [old for old in rivals if new.units & all_[old].units]
    if not found and new.corrects and not new.names and len(alike) == 1:
        return alike  # "move it to 03:30": the only time there is
    return found


def _comparable(new: Candidate, old: Candidate) -> bool:
    if new.values & old.values:
        return False
    sorts, others = new.units, old.units
    if sorts & others:
        return True
    # A bare number takes the unit of what it is compared with: "8" and "4px".
    plain = {"number", "word"}
    return bool(sorts & plain and others - {"name"} or others & plain and sorts - {"name"})


def _same_value(new: Candidate, old: Candidate) -> bool:
    distance = new.message - old.message
    same_unit = bool(new.units & old.units)
    told_here = any(_told(text, new.said) for _, text in old.values)
    told = told_here or any(_told(text, new.heard) for _, text in old.values)
    named = bool(new.names & (old.names | old.topic)) or bool(new.topic & old.names)
    if new.units == {"name"}:
        return named and new.corrects
    if named:
        return new.corrects or distance <= _NEAR or told
    if told_here and new.corrects and same_unit:
        return True
    if distance > _NEAR:
        return False
    if not new.names:
        return told or (new.corrects and same_unit)
    echoed = any(_told(text, new.heard) for _, text in new.values)
    return not old.names and same_unit and distance <= _NEXT and (echoed or new.corrects)


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
    ours, theirs = new.names - old.names, old.names - new.names
    if not ours or not theirs or old.rule in _REJECTIONS:
        return False
    here = _any(theirs, new.said)
    mentioned = here or _any(theirs, new.heard) or _any(theirs, new.earlier)
    rival = _any(ours, old.heard) and _any(theirs, old.heard)
    if new.withdraws or new.corrects:
        return mentioned and (rival or new.withdraws or here)
    return rival and mentioned and not _any(theirs, new.heard)


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
