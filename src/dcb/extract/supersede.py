"""Candidates in order -> which of them a later one replaced.

A later choice replaces an earlier one on the same matter: it answers the same question, it
takes back what it names, it changes what stands under the same name, or it sets another value
of the same sort there.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from dcb.extract.choice_rivals import replaced_choices
from dcb.extract.matter import comparable
from dcb.extract.moves import Move
from dcb.extract.rivalry import replaced_values

_REACH = 16  # so many candidates back; keeps the search linear


class Replaced:
    """Which candidates a later one replaced; each is told in order, code excepted.

    `by` maps the number of a replaced candidate to the number of the one that replaced it.
    """

    def __init__(self) -> None:
        self.by: dict[int, int] = {}
        self._recent: deque[Move] = deque()
        self._standing: list[Move] = []  # the recent ones that nothing replaced

    def add(self, new: Move) -> None:
        """Tell the next one."""
        if new.via is None:
            before = _falling(self._standing, new)
            fallen = (*_older(new, before), *_retracted(new, self._standing))
            for one in fallen:
                self.by[one.number] = new.number
                if new.changes:
                    self.by |= {old.number: new.number for old in before if old.same(one)}
            if fallen:
                self._standing = [old for old in self._standing if old.number not in self.by]
        self._remember(new)

    def _remember(self, new: Move) -> None:
        self._recent.append(new)
        self._standing.append(new)
        if len(self._recent) > _REACH and self._recent.popleft() is self._standing[0]:
            del self._standing[0]


def _falling(standing: Sequence[Move], new: Move) -> list[Move]:
    """Those that a later message can take back: not all of a table for one cell of it.

    What the very message accepts is not taken back by its words either. An order takes the
    place of orders alone, and nothing else does.
    """
    orders = new.kind == "directive"
    if orders and not new.withdraws:
        return []
    message, lines = new.message, new.lines
    return [
        old
        for old in standing
        if old.message < message
        and (old.kind == "directive") == orders
        and old.via != message
        and (lines or not old.lines)
    ]


def _retracted(new: Move, earlier: Sequence[Move]) -> Iterator[Move]:
    """What the same message said just before it thought again: "Leave it. No, on reflection …"."""
    if not earlier or (old := earlier[-1]).message != new.message or old.via is not None:
        return
    said = new.around.said
    ours, theirs = new.matter, old.matter
    other = comparable(ours, theirs) and ours.values.isdisjoint(theirs.values)
    alike = old.kind == new.kind and (old.kind == "decision" or other)
    if alike and old.group != new.group and _THINKS_AGAIN.search(said, old.end, new.start + 24):
        yield old


_THINKS_AGAIN = re.compile(
    r"\b(?:no,? (?:wait|on reflection|on second thoughts?|actually|hang on|hold on|sorry)|on (?:reflection|second thoughts?)|scratch that"
    r"|wait,? (?:no|actually)|actually,? no|or rather|correction)\b|不对|等等|还是改|算了",
    re.I | re.A,
)


def _older(new: Move, earlier: Sequence[Move]) -> Iterator[Move]:
    """The candidates that a new one replaces."""
    if new.kind == "directive":
        yield from _orders(new, earlier)
        return
    yield from replaced_values(new, earlier)
    if new.chooses:
        yield from replaced_choices(new, [old for old in earlier if old.chooses])


def _orders(new: Move, earlier: Sequence[Move]) -> Iterator[Move]:
    """Standing orders that another takes the place of: "changed my mind, present tense"."""
    if not new.withdraws:
        return
    for old in earlier:
        ours, theirs = new.matter.names, old.matter.names
        if ours & theirs and ours - theirs and theirs - ours:
            yield old
