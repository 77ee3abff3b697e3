"""A value that is set -> the standing values that it most likely takes the place of.

No sign decides alone. What each is worth was fitted to labelled conversations
(`benchmarks/fit_rivalry.py`) and stands in `rules/rivalry.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp

from dcb.extract.matter import comparable
from dcb.extract.moves import Move
from dcb.extract.rules.rivalry import WEIGHTS
from dcb.extract.signs import cues, signs

LIKELY = 0.4  # share of the odds, the chance that nothing falls being 1


def replaced_values(new: Move, standing: Sequence[Move]) -> list[Move]:
    """The standing values that a later one replaces.

    They compete: what a value replaces is seldom more than one thing, and often nothing.
    """
    against = rivals(new, standing)
    if not against:
        return []
    cued = tuple(cues(new))
    odds = [exp(weigh(signs(new, old, against, cued))) for old in against]
    bar = LIKELY * (1 + sum(odds))
    return [old for old, own in zip(against, odds, strict=True) if own > bar]


def rivals(new: Move, standing: Sequence[Move]) -> list[Move]:
    """The standing values that a later one can be compared with, and does not just repeat."""
    if new.kind == "directive" or not new.matter.values:
        return []
    return [old for old in standing if old.kind == "parameter" and _opposed(new, old)]


def _opposed(new: Move, old: Move) -> bool:
    ours, theirs = new.matter, old.matter
    if not comparable(ours, theirs) or ours.values >= theirs.values:
        return False
    # "Keep backups 90 days" says nothing against "Keep logs 30 days".
    apart = theirs.names - ours.names and ours.names - theirs.names
    if apart and not (new.changes or new.corrects or new.relative or new.around.turns):
        return False
    if not ours.names and new.head and old.head and new.head != old.head:
        return False  # 糖, 盐
    # What does more than set a value names what it changes, and so does more than talk.
    bare = new.kind == "parameter" and not new.around.lengthy
    return bare or (not apart and not ours.names.isdisjoint(theirs.names))


def weigh(found: Iterable[str]) -> float:
    """The log odds that signs amount to."""
    return WEIGHTS["always"] + sum(WEIGHTS.get(sign, 0.0) for sign in dict.fromkeys(found))
