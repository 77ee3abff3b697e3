"""What callers of the store see: plain frozen data, nothing of the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from dcb.model import Omitted, Report

Change = Literal["new", "same", "changed"]
Action = Literal["save", "edit", "weight", "rekind", "merge", "rollback", "remove", "import"]


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """A stored snapshot: its row, its document, and what was left out of it."""

    row: Row
    document: str
    omitted: tuple[Omitted, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Saved:
    """What a save did: the row now stored, and whether anything changed."""

    row: Row
    change: Change


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A compiled snapshot that waits to be saved; survives until the next command."""

    document: str
    report: Report
    format: str
    where: str
    source_hash: str
    at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """One earlier or present state of a snapshot. `number` counts from 1."""

    id: str
    number: int
    at: int
    action: Action
    title: str
    checksum: str
    note: str = ""


class Passage(NamedTuple):
    """One searchable piece of a snapshot. A tuple, since a search makes hundreds.

    `kind` is an entry kind, or "summary", "preference", "title", "description", "tag".
    `label` is the heading of a bullet or the scope and key of a preference.
    """

    id: str
    kind: str
    text: str
    role: str = ""
    src: str = ""
    at: int = 0
    label: str = ""
    superseded: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A passage that was found. `highlights` are (start, end) in `snippet`."""

    passage: Passage
    snippet: str
    highlights: tuple[tuple[int, int], ...]
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A snapshot with its passages that were found, best first."""

    row: Row
    hits: tuple[Hit, ...]
    score: float
    more: int = 0  # further passages that match


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a search found, best first.

    `bounded`: so many snapshots match that only some were ranked (`notes` say which).
    `loose`: nothing held all the words, so these hold some of them. `suggestion` is the
    query with likely typing errors mended, or "".
    """

    query: str
    found: tuple[Found, ...]
    bounded: bool = False
    loose: bool = False
    suggestion: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Erased:
    """What an erasure did. `remaining` are files of the folder in which a trace was found."""

    ids: tuple[str, ...]
    versions: int
    searched_bytes: int
    remaining: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One thing wrong with a store: where, what, and what to do about it."""

    where: str
    what: str
    remedy: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Health:
    """What a look at the whole store found."""

    path: str
    sqlite: str
    settings: tuple[tuple[str, str], ...]
    snapshots: int
    versions: int
    drafts: int
    waiting: int  # tasks in the outbox
    size: int  # bytes of the folder
    free: int  # bytes of its disk
    sealed: bool
    problems: tuple[Problem, ...] = ()
