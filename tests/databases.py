"""Rows -> SQLite files, and what the readers make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from dcb.errors import DcbError
from dcb.model import Conversation
from dcb.readers import read
from dcb.readers.base import File, Item
from dcb.readers.inspect import inspect
from dcb.sources.databases import opened_bytes
from dcb.sources.limits import Limits
from tests.readings import assert_sound

Rows = Sequence[Sequence[Any]]


def database(tables: Mapping[str, tuple[Sequence[str], Rows]]) -> bytes:
    """The bytes of a database with these tables: name -> (columns, rows)."""
    connection = apsw.Connection(":memory:")
    connection.execute("PRAGMA page_size = 512")
    for name, (columns, rows) in tables.items():
        named = ", ".join(f'"{column}"' for column in columns)
        connection.execute(f'CREATE TABLE "{name}" ({named})')
        places = ", ".join("?" * len(columns))
        connection.executemany(
            f'INSERT INTO "{name}" VALUES ({places})', [tuple(row) for row in rows]
        )
    return connection.serialize("main")


def items(data: bytes, *, name: str = "input.db", format: str | None = None) -> list[Item]:
    """Everything that is read of a database."""
    with opened_bytes(data, name, Limits()) as tables:
        file = File(name=name, data=b"", where=name)
        return list(read(inspect(file, database=tables), format=format))


def talks(data: bytes, **options: Any) -> list[Conversation]:
    """The conversations only."""
    return [item for item in items(data, **options) if isinstance(item, Conversation)]


def survives(data: bytes, *, format: str) -> None:
    """Only errors of ours are raised, and what is read is sound."""
    try:
        read_talks = talks(data, format=format)
    except DcbError:
        return
    for conversation in read_talks:
        assert_sound(conversation)
