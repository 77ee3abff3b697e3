"""What callers of the store see of versions, drafts, searches and care: plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dcb.model import Report
from dcb.store.passages import Passage
from dcb.store.rows import Action, Row


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
    """What an erasure did. `remaining` are files of the folder in which a trace was found.

    `searched_bytes` is None where a server keeps the store: its files are out of sight.
    `tidied` is whether the space of what is gone was given up; a server may refuse it.
    """

    ids: tuple[str, ...]
    versions: int
    searched_bytes: int | None
    tidied: bool
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
    engine: Literal["sqlite", "postgresql"]
    release: str  # of the engine
    settings: tuple[tuple[str, str], ...]
    snapshots: int
    versions: int
    drafts: int
    waiting: int  # tasks in the outbox
    size: int  # bytes of the folder
    free: int  # bytes of its disk
    sealed: bool
    mirror: str = "off"  # how the git mirror stands, in a sentence
    problems: tuple[Problem, ...] = ()
