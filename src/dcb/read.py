"""A path (file, folder, archive, standard input) -> its conversations, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO

from dcb import readers
from dcb.errors import UnknownChoice
from dcb.model import Conversation, Instruction, Skipped
from dcb.sources import SETTINGS, Limits, open_alone, open_source, open_stream

Item = Conversation | Skipped | Instruction


def read_items(
    source: str | PathLike[str],
    *,
    format: str | None = None,
    want_tree: bool = False,
    limits: Mapping[str, int] | None = None,
) -> Iterator[Item]:
    """Everything a source holds: conversations, standing instructions, and what was skipped.

    `format` names a reader instead of letting the content decide. Of two copies of a
    conversation the later is yielded only when it is newer. Raises SourceError when no
    conversation was there, not even an empty one.
    """
    if format is not None and format not in readers.NAMES:
        raise UnknownChoice("format", format, readers.NAMES)
    opened = open_source(fspath(source), _limits(limits or {}), want_tree=want_tree)
    return _without_older(readers.read_all(opened, format=format))


def read_stream(
    stream: BinaryIO, *, name: str, limits: Mapping[str, int] | None = None
) -> Iterator[Item]:
    """As `read_items`, of a file whose bytes come from a stream that can be sought."""
    opened = open_stream(stream, name=name, limits=_limits(limits or {}))
    return _without_older(readers.read_all(opened))


def read_conversations(
    source: str | PathLike[str],
    *,
    format: str | None = None,
    limits: Mapping[str, int] | None = None,
    on_skipped: Callable[[Skipped], None] | None = None,
) -> Iterator[Conversation]:
    """The conversations of a source, one at a time; what could not be read goes to `on_skipped`.

    Raises as `read_items`.
    """
    for item in read_items(source, format=format, limits=limits):
        if isinstance(item, Conversation):
            yield item
        elif isinstance(item, Skipped) and on_skipped:
            on_skipped(item)


def read_alone(path: Path) -> Iterator[Item]:
    """Everything a single file holds, read without what lies beside it.

    For paths that come from a program: no link is followed. Raises as `read_items`.
    """
    return _without_older(readers.read_all(open_alone(path)))


def newest(items: Iterable[Item]) -> Iterator[Item]:
    """Of copies of a conversation only the newest. Holds all items in memory."""
    return readers.newest(items)


def _without_older(items: Iterator[Item]) -> Iterator[Item]:
    seen: dict[tuple[str, str], int] = {}
    for item in items:
        if isinstance(item, Conversation) and item.id:
            key = (item.format, item.id)
            updated = item.updated_at or 0
            if updated <= seen.get(key, -1):
                reason = "a copy of a conversation that was read already"
                yield Skipped(where=item.where or item.id, reason=reason)
                continue
            seen[key] = updated
        yield item


def _limits(given: Mapping[str, int]) -> Limits:
    for name in given:
        if name not in SETTINGS:
            raise UnknownChoice("limit", name, SETTINGS)
    return replace(Limits(), **given)
