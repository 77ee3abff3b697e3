"""Messages that name their parents -> the path that the person saw, and the tree for `--tree`.

Every walk is a loop with a visited set: exports hold cycles, parents that are missing and
chains of thousands. Nothing here looks at times except `newest_leaf`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from dcb.model import Node
from dcb.readers.base import Notes

PREVIEW = 80  # characters


def live_path(parents: Mapping[str, str | None], leaf: str, notes: Notes) -> list[str]:
    """The ids from the root down to `leaf`, by `parents` (id -> parent id or None).

    Ends, with a warning, at a parent that is not there or that was passed already.
    """
    path: list[str] = []
    seen: set[str] = set()
    here: str | None = leaf
    while here is not None:
        if here in seen:
            notes.warn(f"The parents of message {here!r} lead back to it; the chain was cut there")
            break
        if here not in parents:
            notes.warn(f"Parent {here!r} is missing; what comes before it is lost")
            break
        seen.add(here)
        path.append(here)
        here = parents[here]
    path.reverse()
    return path


def leaves(parents: Mapping[str, str | None]) -> list[str]:
    """The ids that are nobody's parent, in order; all of them when they form a ring."""
    inner = {parent for child, parent in parents.items() if parent != child}
    return [name for name in parents if name not in inner] or list(parents)


def newest_leaf(parents: Mapping[str, str | None], times: Mapping[str, int | None]) -> str | None:
    """The leaf with the latest time (of equals the last in order), or None of nothing."""
    best: str | None = None
    for name in leaves(parents):
        if best is None or (times.get(name) or 0) >= (times.get(best) or 0):
            best = name
    return best


def tree(
    nodes: Iterable[tuple[str, str | None, str, str]], *, shown: AbstractSet[str]
) -> tuple[Node, ...]:
    """`(id, parent, role, text)` in file order -> the nodes of `--tree`, text cut to a preview."""
    return tuple(
        Node(id=name, parent=parent, role=role, preview=preview(text), shown=name in shown)
        for name, parent, role, text in nodes
    )


def preview(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: PREVIEW * 4].split())
    return line if len(line) <= PREVIEW else line[: PREVIEW - 1] + "…"
