"""Candidates in order -> which of them a later one replaced.

A later choice replaces an earlier one on the same matter: it answers the same question, it
takes back what it names, or it sets another value of the same sort under the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dcb.model import Kind

_REACH = 60  # so many candidates of a kind back; keeps the search linear
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
    names: frozenset[str] = frozenset()  # terms of the passage, without its values
    topic: frozenset[str] = frozenset()  # terms of the question that it answers
    said: frozenset[str] = frozenset()  # terms and values of its message
    heard: frozenset[str] = frozenset()  # terms and values of the messages just before
    offered: frozenset[str] = frozenset()  # terms of the message that it answers
    corrects: bool = False
    withdraws: bool = False


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
    alike = [old for old in rivals if _units(new) & _units(all_[old])]
    if not found and new.corrects and not new.names and len(alike) == 1:
        return alike  # "move it to 03:30": the only time there is
    return found


def _units(candidate: Candidate) -> frozenset[str]:
    return frozenset(unit for unit, _ in candidate.values)


def _comparable(new: Candidate, old: Candidate) -> bool:
    if new.values & old.values:
        return False
    sorts, others = _units(new), _units(old)
    if sorts & others:
        return True
    # A bare number takes the unit of what it is compared with: "8" and "4px".
    plain = {"number", "word"}
    return bool(sorts & plain and others - {"name"} or others & plain and sorts - {"name"})


def _same_value(new: Candidate, old: Candidate) -> bool:
    distance = new.message - old.message
    same_unit = bool(_units(new) & _units(old))
    told_here = any(text in new.said for _, text in old.values)
    told = told_here or any(text in new.heard for _, text in old.values)
    named = bool(new.names & (old.names | old.topic)) or bool(new.topic & old.names)
    if _units(new) == {"name"}:
        return named and new.corrects
    if named:
        return new.corrects or distance <= _NEAR or told
    if told_here and new.corrects and same_unit:
        return True
    if distance > _NEAR:
        return False
    if not new.names:
        return told or (new.corrects and same_unit)
    echoed = any(text in new.heard for _, text in new.values)
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
    mentioned = bool(theirs & (new.said | new.heard))
    rival = bool(ours & old.offered) and bool(theirs & old.offered)
    if new.withdraws or new.corrects:
        return mentioned and (rival or new.withdraws or bool(theirs & new.said))
    return rival and mentioned and not theirs & new.offered


_REPLACED: dict[Kind, Callable[[Candidate, Sequence[int], Sequence[Candidate]], list[int]]] = {
    "parameter": _values,
    "decision": _choices,
}
