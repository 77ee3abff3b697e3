"""Rows that name their parents -> those that remained after rewinds, each thing said once.

In any doubt about the links (several roots, a missing parent, a ring, rows without an id)
all rows are kept in file order: nothing is dropped on a guess.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dcb.readers.base import Notes
from dcb.readers.chain import live_path
from dcb.readers.claude_prompts import Kind

PROMPTS = ("user", "queued")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A row as far as it matters: its links, and what was said in it."""

    number: int
    uuid: str | None
    parent: str | None
    turn: bool  # of type user or assistant, shown or not
    kind: Kind
    blocks: tuple[str, ...]
    answer: str | None  # `message.id`
    at: int | None


def live(rows: Sequence[Row], notes: Notes) -> list[Row]:
    """The rows without those that a rewind left behind."""
    parents = {row.uuid: row.parent for row in rows if row.uuid is not None}
    spoken = (row.uuid for row in reversed(rows) if row.turn or row.kind == "queued")
    leaf = next(spoken, None)
    loose = any(row.uuid is None and row.turn for row in rows)
    if leaf is None or loose or not is_one_tree(parents):
        return list(rows)
    dead = _dead(rows, parents, set(live_path(parents, leaf, notes)))
    notes.drop("branch", sum(bool(row.blocks) for row in rows if row.uuid in dead))
    return [row for row in rows if row.uuid not in dead]


def is_one_tree(parents: Mapping[str, str | None]) -> bool:
    """Whether there is one root and every row is below it."""
    children: dict[str | None, list[str]] = defaultdict(list)
    for name, parent in parents.items():
        children[parent].append(name)
    waiting = list(children[None])
    if len(waiting) != 1:
        return False
    reached = 0
    while waiting:
        reached += 1
        waiting += children[waiting.pop()]
    return reached == len(parents)


def _dead(rows: Sequence[Row], parents: Mapping[str, str | None], path: set[str]) -> set[str]:
    """The rows of side branches in which the person spoke.

    A branch without a prompt of its own comes from parallel tool calls and belongs to the
    answer it hangs on.
    """
    heads = _heads(parents, path)
    asked = {heads[row.uuid] for row in rows if row.uuid in heads and row.kind in PROMPTS}
    return {name for name, head in heads.items() if head in asked}


def _heads(parents: Mapping[str, str | None], path: set[str]) -> dict[str, str]:
    """Of each row off the path, the row of its branch that hangs on the path."""
    heads: dict[str, str] = {}
    for name in parents:
        walked = []
        here: str | None = name
        while here is not None and here not in path and here not in heads:
            walked.append(here)
            here = parents[here]
        if walked:
            head = heads[here] if here in heads else walked[-1]
            heads.update(dict.fromkeys(walked, head))
    return heads


def once(rows: Sequence[Row], notes: Notes) -> list[Row]:
    """The rows without queued prompts that a later row repeats.

    A prompt typed while the agent works is announced (`enqueued`), may be handed over
    (`queued`) and may come as a user row; the last of these counts.
    """
    repeated, taken = _repeated(rows, "queued", ("user",), frozenset())
    announced, _ = _repeated(rows, "enqueued", ("queued", "user"), taken)
    notes.drop("duplicate", len(repeated) + len(announced))
    return [row for row in rows if row.number not in repeated | announced]


def _repeated(
    rows: Sequence[Row], kind: Kind, later: tuple[Kind, ...], taken: frozenset[int]
) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of rows of a kind that later rows repeat, and of the rows that do."""
    found: set[int] = set()
    used: set[int] = set()
    waiting: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row in reversed(rows):
        if row.kind in later and row.number not in taken:
            waiting[row.blocks].append(row.number)
        elif row.kind == kind and waiting[row.blocks]:
            used.add(waiting[row.blocks].pop())
            found.add(row.number)
    return frozenset(found), frozenset(used)


def answers(rows: Iterable[Row]) -> list[Row]:
    """Rows that speak, those with one `message.id` joined: new texts added, repeated ones not."""
    joined: list[Row] = []
    places: dict[str, int] = {}
    for row in rows:
        place = places.get(row.answer or "") if row.kind == "assistant" else None
        if place is not None:
            before = joined[place].blocks
            new = tuple(block for block in row.blocks if block not in before)
            joined[place] = replace(joined[place], blocks=before + new)
        elif row.kind:
            if row.answer and row.kind == "assistant":
                places[row.answer] = len(joined)
            joined.append(row)
    return joined
