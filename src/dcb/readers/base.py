"""What a reader is: a name, a test, and a function from plain data to conversations.

A reader never opens a path. It is handed an `Input` (one file's bytes with what was
learned about their shape) and yields conversations one by one, so that memory stays
bounded by the largest conversation. What it cannot read it yields as `Skipped`; what is
damaged inside a conversation becomes a warning of that conversation.
"""

from __future__ import annotations

import mmap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from dcb.model import Conversation, Dropped, Instruction, Skipped

Data = bytes | mmap.mmap
Shape = Literal["array", "object", "jsonl", "text", "html", "sqlite", "empty", "binary"]
Item = Conversation | Skipped | Instruction


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """One input as plain data.

    `name` is its path inside the folder or archive it came in, with `/`; `where` is what
    messages to the person call it. `sibling(name)` gives a file beside it, or None;
    `listing(folder)` the names in a folder beside it, sorted, folders with a `/` at the end
    (`""` is its own folder). Both take paths with `/` that may begin with up to four `../`;
    a `..` further on, a link, or anything but a plain file or folder is not there.
    """

    name: str
    data: Data
    where: str
    modified: int | None = None
    sibling: Callable[[str], File | None] = field(default=lambda name: None)
    listing: Callable[[str], tuple[str, ...]] = field(default=lambda folder: ())


class Database(Protocol):
    """The plain tables of an SQLite file: no view, trigger or virtual table can be reached."""

    def rows(
        self,
        table: str,
        columns: Sequence[str],
        *,
        where: Mapping[str, Any] | None = None,
        prefix: tuple[str, str] | None = None,
        order: Sequence[str] = (),
    ) -> Iterator[tuple[Any, ...]]:
        """Rows of a table, values as stored; a column it lacks reads as None.

        `where` is equality per column (None means IS NULL), `prefix` a column and how its
        text begins (answered by the index where there is one). A table that is not there
        has no rows.
        """
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Input:
    """A file and what was learned about it, once, for all readers.

    `keys` are the keys of the object, or of the first whole row; `items` outlines of the
    first 20 array items or rows, or of the object itself, cut and only for detection; `head` the
    first 64 KiB as text; `tables` the tables of an SQLite database with their columns, and
    `database` its rows. `file.data` of a text is UTF-8 without a byte order mark, whatever
    `encoding` it came in; `warnings` say what that took.
    """

    file: File
    shape: Shape
    encoding: str = "utf-8"
    head: str = ""
    keys: frozenset[str] = frozenset()
    items: tuple[Any, ...] = ()
    tables: Mapping[str, frozenset[str]] = field(default_factory=dict)
    database: Database | None = None
    warnings: tuple[str, ...] = ()
    want_tree: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """One format. `detect` says in a few words why an input is of this format, or None.

    A `generic` reader is asked only when no other takes the input. `companions` are name
    patterns of files that come with the format and hold no conversations.
    """

    name: str
    title: str
    detect: Callable[[Input], str | None]
    read: Callable[[Input], Iterator[Item]]
    generic: bool = False
    companions: tuple[str, ...] = ()


class Notes:
    """What a reader notes while it reads one conversation: warnings, each once; drops, counted."""

    def __init__(self, warnings: Sequence[str] = ()) -> None:
        self._warnings = dict.fromkeys(warnings)
        self._drops: Counter[str] = Counter()

    def warn(self, text: str) -> None:
        """Note one sentence for the person; the same one again is not repeated."""
        self._warnings[text] = None

    def drop(self, reason: str, count: int = 1) -> None:
        """Count items left out: `hidden`, `tool`, `thinking`, `branch`, `duplicate`, `system`,
        `empty`, `damaged`, `unknown`, `sidechain`, `interface`, `withdrawn`."""
        self._drops[reason] += count

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings in the order in which they came up."""
        return tuple(self._warnings)

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The counts, by reason."""
        counts = sorted(self._drops.items())
        return tuple(Dropped(reason=reason, count=count) for reason, count in counts if count)
