"""An `Input` -> the conversations in it, by the reader whose format its content shows.

One more format is one more module: it is found here by its `READER`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from importlib import import_module
from pkgutil import iter_modules

from dcb.errors import (
    Ambiguous,
    DamagedSource,
    DcbError,
    EmptySource,
    LimitExceeded,
    SourceError,
    UnknownChoice,
    UnknownFormat,
)
from dcb.model import Conversation, Skipped, found_nul
from dcb.readers import jsontext
from dcb.readers.base import Input, Item, Reader


def _readers() -> tuple[Reader, ...]:
    names = sorted(module.name for module in iter_modules(__path__))
    modules = (import_module(f"{__name__}.{name}") for name in names)
    return tuple(module.READER for module in modules if hasattr(module, "READER"))


READERS: tuple[Reader, ...] = _readers()
NAMES: tuple[str, ...] = tuple(reader.name for reader in READERS)


UNSEEN_TITLE = "The title holds characters that do not show or that turn the text round"
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


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
        raise _refusal(source)
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
        if not isinstance(item, Conversation):
            yield item
        elif refused := found_nul(item):
            yield Skipped(where=item.where or source.file.where, reason=refused)
        else:
            yield _explained(source, item, why)


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


def read_all(sources: Iterable[Input | Skipped], *, format: str | None = None) -> Iterator[Item]:
    """Everything in what a source opened; what cannot be read comes as `Skipped`.

    Files that only accompany a format are passed over. When there was no conversation at
    all, not even an empty one, what stood in the way is raised at the end: reading nothing
    is not a success.
    """
    found = False
    problems: list[DcbError] = []
    for source in sources:
        if isinstance(source, Skipped):
            problems.append(SourceError(f"{source.where}: {source.reason}"))
            yield source
            continue
        try:
            for item in read(source, format=format):
                found = found or isinstance(item, Conversation) or getattr(item, "empty", False)
                if isinstance(item, Skipped):
                    problems.append(EmptySource(f"{item.where}: {item.reason}"))
                yield item
        except (SourceError, Ambiguous) as error:
            if not isinstance(error, UnknownFormat) or not is_companion(source.file.name):
                problems.append(error)
                yield Skipped(where=source.file.where, reason=_reason(source, error))
    if not found:
        raise _nothing(problems)


def _explained(source: Input, item: Conversation, why: str) -> Conversation:
    found = source.warnings + item.warnings + (UNSEEN_TITLE,) * bool(_UNSEEN.search(item.title))
    return replace(item, warnings=tuple(dict.fromkeys(found)), why=why)


def is_companion(name: str) -> bool:
    """Whether a file of this name comes with some format and holds no conversation."""
    base = name.rpartition("/")[2]
    patterns = (pattern for reader in READERS for pattern in reader.companions)
    return any(fnmatchcase(base, pattern) for pattern in patterns)


def _nothing(problems: list[DcbError]) -> DcbError:
    if len(problems) == 1:
        return problems[0]
    reasons = "; ".join(str(problem) for problem in problems[:3])
    more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
    return EmptySource(f"No conversation could be read{': ' * bool(problems)}{reasons}{more}")


def _reason(source: Input, error: DcbError) -> str:
    if isinstance(error, UnknownFormat):
        return f"It is of no known format: {seen(source)}"
    return its_own(str(error), source.file.where)


def its_own(text: str, where: str) -> str:
    """The sentence of an error about `where`, said of "it"."""
    rest = text.removeprefix(where).lstrip(" :")
    return f"It {rest}" if rest[:1].islower() and rest != text else rest


def _refusal(source: Input) -> SourceError:
    """Why no reader takes an input: broken JSON, or what was looked at and the formats there are."""
    where = source.file.where
    fault = jsontext.fault_in(source.file) if source.shape in ("array", "object") else None
    if fault is not None:
        kind = LimitExceeded if fault == jsontext.TOO_DEEP else DamagedSource
        return kind(f"{where}: {fault}")
    names = ", ".join(reader.name for reader in READERS)
    return UnknownFormat(f"{where} is of no known format: {seen(source)}. Known formats: {names}")


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
