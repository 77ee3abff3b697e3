"""Candidates in order -> which of them a later one replaced.

A later choice replaces an earlier one on the same matter: it answers the same question, it
takes back what it names, or it sets another value of the same sort under the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dcb.model import Kind

_REACH = 60  # so many candidates of a kind back; keeps the search linear
_NEAR = 8  # messages within which a bare correction finds its object


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
    values: frozenset[tuple[str, str]] = frozenset()  # (unit, text)
    names: frozenset[str] = frozenset()  # terms of the clause
    around: frozenset[str] = frozenset()  # terms of its message and of the one it answers
    options: int | None = None  # message whose question or options it answers
    offered: frozenset[str] = frozenset()  # terms of that message
    corrects: bool = False
    withdraws: bool = False
    old: bool = False
    by: int | None = None


def replaced(candidates: Sequence[Candidate]) -> dict[int, int]:
    """Index of each replaced candidate -> index of the one that replaced it. Code not included."""
    found: dict[int, int] = {}
    recent: dict[Kind, list[int]] = {}
    for number, new in enumerate(candidates):
        if new.kind in _SAME_MATTER:
            earlier = recent.setdefault(new.kind, [])
            for old in earlier[-_REACH:]:
                if old not in found and _SAME_MATTER[new.kind](new, candidates[old]):
                    found[old] = number
            earlier.append(number)
    return found


def _same_value(new: Candidate, old: Candidate) -> bool:
    if new.message <= old.message:
        return False
    pairs = [
        (unit, text)
        for unit, text in new.values
        for sort, other in old.values
        if (unit == sort or {unit, sort} & {"number", "word"}) and text != other
    ]
    if not pairs or new.values & old.values:
        return False
    near = new.message - old.message <= _NEAR
    named = bool(new.names & old.names)
    told = any(text in new.around for _, text in old.values)
    same_unit = any(unit == sort for unit, _ in new.values for sort, _ in old.values)
    if named:
        return new.corrects or near or same_unit
    return near and same_unit and (new.corrects or told) or (near and told)


def _same_choice(new: Candidate, old: Candidate) -> bool:
    if new.message <= old.message or new.via is not None or old.via is not None:
        return False
    near = new.message - old.message <= _NEAR
    ours = new.names - old.names
    if not ours:
        return False
    # Both come from one set of options, chosen at different times.
    rivals = bool((old.names & new.offered) - new.names) and bool(ours & old.offered)
    mentioned = bool((old.names - new.names) & new.around)
    if new.withdraws:
        return mentioned or rivals or near
    return new.corrects and (rivals or mentioned and bool(ours & (new.around | old.offered)))


_SAME_MATTER = {"parameter": _same_value, "decision": _same_choice}
