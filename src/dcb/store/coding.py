"""Rows and reports <-> the JSON texts in which the store keeps them, and their hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar

from dcb.model import Omitted, Report, Snapshot
from dcb.store.rows import Passage, Row

T = TypeVar("T")

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
    return tuple(Omitted(**item) for item in json.loads(text))


def report_of(values: dict[str, Any]) -> Report:
    """A report from its JSON object."""
    omitted = tuple(Omitted(**item) for item in values.pop("omitted"))
    return Report(**values, omitted=omitted)


def passages_text(passages: Iterable[Passage]) -> str:
    """Passages as JSON arrays."""
    return dump_json(list(passages))


def passages_of(text: str) -> list[Passage]:
    """The passages of `passages_text`."""
    return list(map(Passage._make, json.loads(text)))


def passages(snapshot: Snapshot) -> list[Passage]:
    """Everything of a snapshot that search looks at, in reading order."""
    found = [Passage(id="title", kind="title", text=snapshot.title)]
    if snapshot.description:
        found.append(Passage(id="description", kind="description", text=snapshot.description))
    found += [Passage(id=f"tag:{tag}", kind="tag", text=tag) for tag in snapshot.tags]
    found += [
        Passage(
            id=entry.id,
            kind=entry.kind,
            text=entry.content,
            role=entry.role,
            src=entry.src,
            at=entry.at,
            label=entry.lang,
            superseded=entry.status == "superseded",
        )
        for entry in snapshot.verbatim
    ]
    for number, section in enumerate(snapshot.summary, 1):
        found += [
            Passage(id=f"s-{number}.{place}", kind="summary", text=bullet, label=section.heading)
            for place, bullet in enumerate(section.bullets, 1)
        ]
    found += [
        Passage(
            id=f"{item.scope}.{item.key}",
            kind="preference",
            text=item.value,
            at=item.at,
            label=f"[{item.scope}] {item.key}",
        )
        for item in snapshot.preferences
    ]
    return found


def with_seq(row: Row, seq: int, *, sealed: bool) -> Row:
    """The row as the database numbered it."""
    return replace(row, seq=seq, sealed=sealed)
