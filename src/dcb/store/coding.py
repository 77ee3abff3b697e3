"""Rows and reports <-> the JSON texts in which the store keeps them, and their hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from dcb.store.rows import Row

# The model is imported where its values are made: a list of rows does without it.
if TYPE_CHECKING:
    from dcb.model import Omitted, Report

_ROW = tuple(field.name for field in fields(Row) if field.name not in ("sealed", "seq"))


def dump_json(value: Any) -> str:
    """Compact JSON of a value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digest(name: str, *parts: object) -> bytes:
    """The hash that a row must match. `name` ties content to its place: swapped rows differ."""
    total = hashlib.sha256(name.encode())
    for part in parts:
        # A damaged row may hold a number where a text was.
        raw = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        total.update(len(raw).to_bytes(8, "big"))
        total.update(raw)
    return total.digest()


def row_text(row: Row) -> str:
    """A row as JSON, without what the database itself knows."""
    return dump_json({name: getattr(row, name) for name in _ROW})


def row_of(text: str, *, sealed: bool, seq: int) -> Row:
    """The row of `row_text`."""
    values = json.loads(text)
    values["tags"] = tuple(values["tags"])
    return Row(**values, sealed=sealed, seq=seq)


def omitted_text(omitted: Iterable[Omitted]) -> str:
    """The left-out list as JSON."""
    return dump_json([asdict(item) for item in omitted])


def omitted_of(text: str) -> tuple[Omitted, ...]:
    """The list of `omitted_text`."""
    from dcb.model import Omitted

    return tuple(Omitted(**item) for item in json.loads(text))


def report_of(values: dict[str, Any]) -> Report:
    """A report from its JSON object."""
    from dcb.model import Omitted, Report

    omitted = tuple(Omitted(**item) for item in values.pop("omitted"))
    return Report(**values, omitted=omitted)
