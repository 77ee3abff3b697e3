"""What callers of the store see of a snapshot: plain frozen data, nothing of the database.

`dcb list` starts with this module, so what other verbs answer stands in answers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from dcb.model import Omitted

Change = Literal["new", "same", "changed"]
Action = Literal[
    "save", "edit", "weight", "rekind", "merge", "rollback", "remove", "import", "accept"
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A stored snapshot without its content. Times are epoch milliseconds."""

    id: str
    title: str
    description: str
    tags: tuple[str, ...]
    conversation_id: str
    format: str  # of the source, e.g. "chatgpt-export"; empty when unknown
    where: str  # file the source was read from
    source_hash: str  # of the conversation as read, to know an unchanged one again
    created_at: int
    saved_at: int
    token_estimate: int
    weight: int | float
    checksum: str
    version: int
    entries: int
    bullets: int
    preferences: int
    sealed: bool = False
    seq: int = 0  # grows with every save


class Stored(NamedTuple):
    """A stored snapshot: its row, its document, and what was left out of it."""

    row: Row
    document: str
    omitted: tuple[Omitted, ...] = ()


class Saved(NamedTuple):
    """What a save did: the row now stored, and whether anything changed."""

    row: Row
    change: Change
