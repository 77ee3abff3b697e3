"""A file -> an `Input`: its bytes as UTF-8, its shape, and an outline of its beginning.

Looked at once, for all readers. The outline is small whatever the file: it holds the first
items with long lists, texts and objects cut, and is meant for telling formats apart, never
for reading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from dcb.errors import SourceError
from dcb.readers import encodings, jsontext, salvage
from dcb.readers.base import Data, Database, File, Input, Shape

ITEMS = 20
HEAD = 1 << 16  # bytes
SMALL = 1 << 18  # bytes of JSON that are decoded whole to be outlined
DEPTH = 8
KEYS = 200
CHARACTERS = 2000

SQLITE = b"SQLite format 3\0"
# Talk may be pasted under labels in brackets; lists of bare numbers are no conversation.
_ARRAY = re.compile(r"\[\s*+(?:[\[{\"\]]|\Z)")
_OBJECT = re.compile(r"\{\s*+(?:[\"}]|\Z)")
_HTML = re.compile(r"\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_KEY = re.compile(rb'[{,]\s*+"((?:[^"\\]++|\\.){1,80}+)"\s*+:', re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def inspect(file: File, *, database: Database | None = None, want_tree: bool = False) -> Input:
    """Look at a file. `database` is given for an SQLite file, opened by who opened the file."""
    if database is not None:
        tables = getattr(database, "tables", {})
        return Input(
            file=file, shape="sqlite", tables=tables, database=database, want_tree=want_tree
        )
    data, encoding, warnings = encodings.as_utf8(file.data)
    file = replace(file, data=data)
    head = bytes(data[:HEAD]).decode(errors="ignore").removeprefix("\ufeff")
    shape, keys, items = _outlined(file, head)
    return Input(
        file=file,
        shape=shape,
        encoding=encoding,
        head=head,
        keys=keys,
        items=items,
        warnings=warnings,
        want_tree=want_tree,
    )


def _outlined(file: File, head: str) -> tuple[Shape, frozenset[str], tuple[Any, ...]]:
    start = head.lstrip("\0 \t\r\n")
    if not start:
        return ("binary" if file.data[:1] == b"\0" else "empty"), frozenset(), ()
    if _ARRAY.match(start):
        return _array(file)
    if _OBJECT.match(start):
        return _object(file)
    if _HTML.match(start):
        return "html", frozenset(), ()
    if len(_CONTROL.findall(head)) * 50 > len(head) or file.data[:4] in _MAGIC:
        return "binary", frozenset(), ()
    return _text(file)


def _array(file: File) -> tuple[Shape, frozenset[str], tuple[Any, ...]]:
    items = tuple(islice(_first_items(file.data, jsontext.array_start(file.data, None)), ITEMS))
    if not items:
        rows = _first_rows(file)
        if rows and isinstance(rows[0], dict):
            return "jsonl", frozenset(rows[0]), rows
    return "array", _keys_of(items), items


def _object(file: File) -> tuple[Shape, frozenset[str], tuple[Any, ...]]:
    whole = jsontext.fields(memoryview(file.data)[jsontext.start_of(file.data) :])
    if whole is not None:
        outline = {key: _peek(memoryview(value)) for key, value in islice(whole.items(), KEYS)}
        return "object", frozenset(whole), (outline,)
    rows = _first_rows(file)
    if rows:
        return "jsonl", _keys_of(rows), rows
    keys = frozenset(key.decode(errors="replace") for key in _KEY.findall(file.data[:HEAD]))
    return "object", keys, ()


def _text(file: File) -> tuple[Shape, frozenset[str], tuple[Any, ...]]:
    """Text; unless its first line is a broken row of JSON lines and the next ones are whole."""
    rows = tuple(row for row in _first_rows(file) if isinstance(row, dict))
    if len(rows) > 1:
        return "jsonl", _keys_of(rows), rows
    return "text", frozenset(), ()


def _first_rows(file: File) -> tuple[Any, ...]:
    """Outlines of the first whole rows, looking at lines that begin like an object."""
    found: list[Any] = []
    for number, line in jsontext.lines(file.data):
        if number > ITEMS * 3 or len(found) >= ITEMS:
            break
        if not line.startswith(b"{"):
            continue
        one = File(name=file.name, data=line, where=file.where)
        found.extend(outline(row) for _, row in jsontext.rows(one))
    return tuple(found)


def _first_items(data: Data | memoryview, start: int | None) -> Any:
    for pos, end in salvage.item_spans(data, start) if start is not None else ():
        if end is not None:
            yield _peek(memoryview(data)[pos:end])


def _peek(raw: memoryview) -> Any:
    """The outline of one JSON value, without decoding all of a large one."""
    if len(raw) <= SMALL:
        try:
            return outline(jsontext.loads(raw))
        except SourceError:
            return None
    opening = bytes(raw[:1])
    if opening == b"[":
        return list(islice(_first_items(raw, 0), ITEMS))
    if opening == b"{":
        values = jsontext.fields(raw) or {}
        return {key: _peek(memoryview(value)) for key, value in islice(values.items(), KEYS)}
    return ""


def outline(value: Any, depth: int = DEPTH) -> Any:
    """The same value with long lists, texts and objects cut, and nothing below `depth`."""
    if isinstance(value, str):
        return value[:CHARACTERS]
    if isinstance(value, list):
        return [outline(item, depth - 1) for item in value[:ITEMS]] if depth else []
    if isinstance(value, Mapping):
        some = islice(value.items(), KEYS)
        return {key: outline(item, depth - 1) for key, item in some} if depth else {}
    return value


def _keys_of(items: tuple[Any, ...]) -> frozenset[str]:
    return next((frozenset(item) for item in items if isinstance(item, dict)), frozenset())


_MAGIC = frozenset(
    {b"\x89PNG", b"\xff\xd8\xff\xe0", b"\xff\xd8\xff\xe1", b"GIF8", b"%PDF", b"RIFF", b"OggS"}
)
"""First bytes of the media that lie beside conversations in exports."""
