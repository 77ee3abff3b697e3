"""An `Input` -> the conversations in it, by the reader whose format its content shows.

One more format is one more module: it is found here by its `READER`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from dcb.errors import Ambiguous, EmptySource, UnknownChoice, UnknownFormat
from dcb.model import Conversation, Skipped
from dcb.readers.base import Input, Item, Reader


def _readers() -> tuple[Reader, ...]:
    names = sorted(module.name for module in iter_modules(__path__))
    modules = (import_module(f"{__name__}.{name}") for name in names)
    return tuple(module.READER for module in modules if hasattr(module, "READER"))


READERS: tuple[Reader, ...] = _readers()
NAMES: tuple[str, ...] = tuple(reader.name for reader in READERS)


def identify(source: Input, *, format: str | None = None) -> tuple[Reader, str]:
    """The reader for an input, and why it is the one.

    Generic readers are asked only when no other takes it. Raises EmptySource, UnknownFormat
    (which says what was looked at), Ambiguous when two take it, and UnknownChoice for a
    `format` that is none.
    """
    if format is not None:
        return _named(format), "named by --format"
    if source.shape == "empty":
        raise EmptySource(f"{source.file.where} is empty")
    claims = _claims(source, generic=False) or _claims(source, generic=True)[:1]
    if not claims:
        raise UnknownFormat(unknown(source))
    if len(claims) > 1:
        names = ", ".join(reader.name for reader, _ in claims)
        raise Ambiguous(f"{source.file.where} is matched by {names}; name one with --format")
    return claims[0]


def read(source: Input, *, format: str | None = None) -> Iterator[Item]:
    """The conversations of an input, one by one, and what could not be read as `Skipped`.

    Raises as `identify`, and SourceError when the file as a whole cannot be read.
    """
    reader, why = identify(source, format=format)
    for item in reader.read(source):
        if isinstance(item, Conversation):
            warnings = tuple(dict.fromkeys(source.warnings + item.warnings))
            yield replace(item, warnings=warnings, why=why)
        else:
            yield item


def newest(items: Iterable[Item]) -> Iterator[Item]:
    """Each conversation once: of copies (same format and id) the one updated last.

    It stands where the first copy stood; the others come as `Skipped`. Holds all items.
    """
    kept: dict[object, Item] = {}
    for number, item in enumerate(items):
        key: object = number
        if isinstance(item, Conversation) and item.id:
            key = (item.format, item.id)
        before = kept.setdefault(key, item)
        if (
            isinstance(item, Conversation)
            and isinstance(before, Conversation)
            and item is not before
        ):
            newer = (item.updated_at or 0) > (before.updated_at or 0)
            kept[key], older = (item, before) if newer else (before, item)
            reason = f"A copy of conversation {older.id!r}; the one updated last is kept"
            kept[number, "copy"] = Skipped(where=older.where, reason=reason)
    yield from kept.values()


def unknown(source: Input) -> str:
    """What was looked at in an input that no reader takes, and the formats there are."""
    names = ", ".join(reader.name for reader in READERS)
    return f"{source.file.where} is of no known format: {seen(source)}. Known formats: {names}"


def seen(source: Input) -> str:
    """What an input looks like, in a few words."""
    keys = ", ".join(sorted(source.keys)[:8])
    if source.shape == "sqlite":
        return "an SQLite database with the tables " + (
            ", ".join(sorted(source.tables)) or "(none)"
        )
    if source.shape in ("array", "object", "jsonl"):
        kind = {"array": "a JSON array", "object": "a JSON object", "jsonl": "JSON lines"}
        return f"{kind[source.shape]} with " + (f"the keys {keys}" if keys else "no objects")
    if source.shape == "text":
        return "text in which no two speakers take turns under their names"
    return {"html": "a web page", "binary": "binary data", "empty": "nothing"}[source.shape]


def _claims(source: Input, *, generic: bool) -> list[tuple[Reader, str]]:
    asked = (reader for reader in READERS if reader.generic == generic)
    return [(reader, why) for reader in asked if (why := reader.detect(source))]


def _named(name: str) -> Reader:
    for reader in READERS:
        if reader.name == name:
            return reader
    raise UnknownChoice("format", name, NAMES)
