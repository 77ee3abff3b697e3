"""What a reader is: a name, a test, and a function from plain data to conversations.

A reader never opens a path. It is handed an `Input` (one file's bytes with what was
learned about their shape) and yields conversations one by one, so that memory stays
bounded by the largest conversation. What it cannot read it yields as `Skipped`; what is
damaged inside a conversation becomes a warning of that conversation.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dcb.model import Conversation, Instruction, Skipped

Data = bytes | mmap.mmap
Shape = Literal["array", "object", "jsonl", "text", "html", "sqlite", "empty", "binary"]
Item = Conversation | Skipped | Instruction


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """One input as plain data.

    `name` is its path inside the folder or archive it came in, with `/`; `where` is what
    messages to the person call it. `sibling(name)` gives a file beside it, or None.
    """

    name: str
    data: Data
    where: str
    modified: int | None = None
    sibling: Callable[[str], File | None] = field(default=lambda name: None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Input:
    """A file and what was learned about it, once, for all readers.

    `keys` are the keys of the object, or of the first whole row; `items` the first 20
    array items, rows, or (for an object) the object itself when it is small; `head` the
    first 64 KiB as text; `tables` the tables of an SQLite database with their columns.
    """

    file: File
    shape: Shape
    encoding: str = "utf-8"
    head: str = ""
    keys: frozenset[str] = frozenset()
    items: tuple[Any, ...] = ()
    tables: Mapping[str, frozenset[str]] = field(default_factory=dict)
    want_tree: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """One format. `detect` says in a few words why an input is of this format, or None."""

    name: str
    title: str
    detect: Callable[[Input], str | None]
    read: Callable[[Input], Iterator[Item]]
