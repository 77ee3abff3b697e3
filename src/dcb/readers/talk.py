"""Messages as a reader meets them -> one `Conversation`, or `Skipped` where nothing was said.

A message without text is counted and left out, and so is one that the source holds twice
under one id: what a person said once is never read twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from dcb.model import Conversation, Message, Node, Skipped
from dcb.readers.base import File, Input, Notes
from dcb.readers.jsontext import Warn, array_items, document, rows
from dcb.readers.loose import identity, string, title_from
from dcb.readers.times import epoch_ms


class Talk:
    """One conversation while it is read: what was said so far, and the notes on the rest."""

    def __init__(self, source: Input, warnings: Sequence[str] = ()) -> None:
        self.source = source
        self.notes = Notes((*source.warnings, *warnings))
        self.messages: list[Message] = []
        self._said: set[tuple[str, str, str]] = set()

    def say(self, role: str, content: str, *, id: str | None = None, at: int | None = None) -> None:
        """Keep a message, unless it is empty or an exact repetition of the same id."""
        content = content.strip()
        if not content:
            self.notes.drop("empty")
        elif id is not None and (id, role, content) in self._said:
            self.notes.drop("duplicate")
        else:
            self._said.add((id or "", role, content))
            self.messages.append(Message(id=id, role=role, content=content, created_at=at))

    def close(
        self,
        format: str,
        *,
        id: Any = None,
        title: Any = "",
        place: str = "",
        created_at: Any = None,
        updated_at: Any = None,
        tree: tuple[Node, ...] = (),
    ) -> Conversation | Skipped:
        """The conversation; `place` says where in the file it stands, times are as written."""
        where = self.source.file.where + (f", {place}" if place else "")
        if not self.messages:
            counts = ", ".join(f"{drop.count} {drop.reason}" for drop in self.notes.dropped)
            left_out = f" (left out: {counts})" if counts else ""
            return Skipped(where=where, reason=f"It holds no message{left_out}", empty=True)
        return Conversation(
            id=identity(id) or opening_id(self.messages),
            title=string(title).strip(),
            format=format,
            messages=tuple(self.messages),
            warnings=self.notes.warnings,
            dropped=self.notes.dropped,
            created_at=epoch_ms(created_at),
            updated_at=epoch_ms(updated_at),
            where=where,
            tree=tree,
        )

    def first_prompt(self) -> str:
        """A title for formats that store none."""
        return title_from(tuple(self.messages))


def each(source: Input, *, key: str | None = None) -> Iterator[tuple[int, Any, Sequence[str]]]:
    """`(position, item, warnings)` of an array, of JSON lines, or of one object.

    Warnings belong to the item they come with; what was lost after the last item comes as
    `Skipped`, as does an item that cannot be decoded.
    """
    lost: list[str] = []
    for position, item in _values(source, lost.append, key):
        yield position, item, tuple(lost)
        lost.clear()
    if lost:
        yield 0, Skipped(where=source.file.where, reason="; ".join(lost)), ()


def _values(source: Input, warn: Warn, key: str | None) -> Iterator[tuple[int, Any]]:
    if source.shape == "jsonl":
        return rows(source.file, warn=warn)
    if source.shape == "array" or key is not None:
        return array_items(source.file, key=key, warn=warn)
    return iter([(1, document(source.file, warn=warn))])


def opening_id(messages: list[Message]) -> str:
    """An id for a conversation whose format has none: a hash of it up to the first answer.

    The same talk keeps it while it grows, and under whatever name the file is read.
    """
    digest = sha256()
    for message in messages:
        digest.update(f"{message.role}\0{message.content}\0".encode("utf-8", "replace"))
        if message.role == "assistant":
            break
    return f"opening-{digest.hexdigest()[:16]}"


def base_name(file: File) -> str:
    """The file's name without its folders."""
    return file.name.replace("\\", "/").rpartition("/")[2]


def stem(file: File) -> str:
    """The file's name without folders and extension."""
    return PurePosixPath(base_name(file) or ".").stem
