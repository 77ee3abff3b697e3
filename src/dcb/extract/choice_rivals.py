"""A choice -> the earlier choices on the same matter that it replaces.

It takes back what it names, finds fault with it, or takes one thing where another that was
offered beside it stood.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dcb.extract.matter import NAMING
from dcb.extract.moves import Move
from dcb.extract.told import told

_NEAR = 8  # messages within which a bare correction finds its object


def replaced_choices(new: Move, earlier: Sequence[Move]) -> list[Move]:
    """The earlier choices on the same matter: those that share most with the new one."""
    best, found = 0, list[Move]()
    for old in earlier:
        weight = _same_choice(new, old)
        if weight > best:
            best, found = weight, [old]
        elif weight and weight == best:
            found.append(old)
    if not found:
        found = _turned_from(new, earlier)
    if not found and new.withdraws:
        last = next((old for old in reversed(earlier) if old.kind == "decision"), None)
        return [last] if last and new.message - last.message <= _NEAR else []
    return found


def _turned_from(new: Move, earlier: Sequence[Move]) -> list[Move]:
    """The choice that is still being talked about, when the message turns from it unnamed.

    "Sage green it is." "It suits the room." "We tried a sample and hated it. Warm white."
    """
    last, around = earlier[-1] if earlier else new, new.around
    if not 0 < new.message - last.message <= _NEXT or not _unnamed(new):
        return []
    if not (around.turns or around.doubted):
        return []
    talked = [old for old in earlier if old.message == last.message and old.rule not in _REJECTIONS]
    if len({old.group for old in talked}) != 1:
        return []
    if around.topic and around.topic.isdisjoint(last.matter.names):
        return []  # the question raised a matter of its own
    alike = [old for old in talked if old.kind == new.kind and not _sets(old)]
    return [old for old in alike if not new.matter.names <= old.matter.names]


def _unnamed(new: Move) -> bool:
    """Whether a choice names nothing but what it takes: not "Redis for the sessions"."""
    return not _sets(new) and not new.drops and _FOR.search(new.clause) is None


_NEXT = 3  # messages within which a choice is still being talked about
_FOR = re.compile(
    r"\b(?:for|as|in|on) (?:the |our |my |your |all )?[a-z]+|\b(?:also|too|plus|and)\b|(?:^|[，,])(?!那|就|我|还是|改|咱|先)[^，,。]{2,8}(?:用|选|放|走)|也|另外|再",
    re.I | re.A,
)
# Choosing one thing does not bring back another that was ruled out.
_REJECTIONS = frozenset({"zh.drop", "zh.stop", "zh.not-do", "en.no-noun", "agree"})


def _same_choice(new: Move, old: Move) -> int:
    """How much two choices have in common, 0 when they are on different matters."""
    if old.rule in _REJECTIONS:
        return 0
    ours, theirs = new.matter.names, old.matter.names
    shared, fresh, gone = ours & theirs, ours - theirs, theirs - ours
    if new.annuls and not (ours | new.led.names).isdisjoint(theirs | old.around.offered):
        return 2
    if shared and new.drops and not old.drops:
        return 2 * len(shared) + 2
    if fresh and (named := new.against & theirs):
        return 2 * len(named) + 1
    if not fresh or (_sets(new) and not _sets(old)):
        return 0  # to change one value of a plan takes nothing else of it back
    if spoken_of := _spoken_of(new, theirs, gone):
        return 2 * spoken_of + 1
    if gone and new.changes and not new.led.names.isdisjoint(old.around.topic):
        return 1
    if gone and shared and new.changes:
        return 2 * len(shared)
    if not gone or not _side_by_side(fresh, gone, old):
        return 0
    lately = new.around.said, new.around.earlier
    return int(any(told(term, text) for term in gone for text in lately))


def _sets(move: Move) -> bool:
    """Whether it sets a value."""
    return not move.matter.units <= NAMING


def _spoken_of(new: Move, theirs: frozenset[str], gone: frozenset[str]) -> int:
    """How many of the terms stand where something is changed, or where fault is found with it."""
    around = new.around
    if around.outs:
        return sum(told(term, f"{around.heard} {around.said}") for term in theirs)
    if gone and (new.changes or new.withdraws):
        return sum(told(term, around.said) for term in theirs)
    return sum(map(around.blames, theirs))


def _side_by_side(ours: frozenset[str], theirs: frozenset[str], old: Move) -> bool:
    """Whether both were offered together."""
    offered = old.around.heard
    return all(any(told(term, offered) for term in side) for side in (ours, theirs))
