"""An SQLite file -> plain rows, from a private copy, reaching nothing but plain tables.

The file itself is never opened by SQLite, so it stays as it is to the byte and no side file
appears next to it. Views, virtual tables and tables with computed columns are not there for
a reader; a trigger that is not a full-text index's own refuses the file.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from dcb.errors import DamagedSource, LimitExceeded, SourceError
from dcb.readers import salvage
from dcb.sources.limits import Limits, refuse_above
from dcb.sources.plain import check, unreadable

MAGIC = b"SQLite format 3\0"
STEPS = 100_000
"""Steps of SQLite's virtual machine between two looks at the budget."""

_VIRTUAL = re.compile(r"\s*CREATE\s+VIRTUAL\b", re.IGNORECASE)
_INDEX_TRIGGER = re.compile(r"(.+)_a[iud]\Z")
HIDDEN = frozenset({1, 2, 3})  # kinds of column that are computed or a virtual table's own


@contextmanager
def opened(path: Path, limits: Limits, *, follow: bool) -> Iterator[Tables]:
    """The tables of a database file, copied with its write-ahead log while the block runs."""
    size = check(path, follow=follow)
    refuse_above(size, limits.database_bytes, "database_bytes", what=f"{path}, size in bytes")
    with tempfile.TemporaryDirectory(prefix="dcb-") as folder:
        copy = Path(folder, "copy.db")
        try:
            shutil.copyfile(path, copy, follow_symlinks=follow)
            log = path.with_name(path.name + "-wal")
            if log.is_file() and not log.is_symlink():
                shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
        except OSError as error:
            raise unreadable(path, error) from None
        with _guarded(apsw.Connection(str(copy)), str(path), limits) as tables:
            yield tables


@contextmanager
def opened_bytes(data: bytes, where: str, limits: Limits) -> Iterator[Tables]:
    """The tables of a database that lies in memory."""
    connection = apsw.Connection(":memory:")
    # Bytes 18 and 19 ask for a write-ahead log, which memory cannot have.
    connection.deserialize("main", data[:18] + b"\1\1" + data[20:])
    with _guarded(connection, where, limits) as tables:
        yield tables


class Tables:
    """The plain tables of a database, as `readers.base.Database` wants them."""

    def __init__(self, connection: apsw.Connection, where: str) -> None:
        self._connection = connection
        self._where = where
        self.tables: Mapping[str, frozenset[str]] = dict(self._plain_tables())

    def rows(
        self,
        table: str,
        columns: Sequence[str],
        *,
        where: Mapping[str, Any] | None = None,
        prefix: tuple[str, str] | None = None,
        order: Sequence[str] = (),
    ) -> Iterator[tuple[Any, ...]]:
        """See `readers.base.Database.rows`. Raises DamagedSource where the file is corrupt."""
        known = self.tables.get(table)
        if known is None:
            return
        values: list[Any] = []
        conditions = []
        for name, value in (where or {}).items():
            conditions.append(f"{_column(name, known)} IS ?")
            values.append(value)
        if prefix is not None:
            name = _column(prefix[0], known)
            conditions.append(f"{name} >= ? AND {name} < ?")
            values += [prefix[1], prefix[1] + "\U0010ffff"]
        sql = f"SELECT {', '.join(_value(name, known) for name in columns)} FROM {_quoted(table)}"
        if conditions:
            sql += " WHERE " + " AND ".join(conditions)
        if order:
            sql += " ORDER BY " + ", ".join(_column(name, known) for name in order)
        for row in self._query(sql, values):
            yield tuple(map(_text, row[::2], row[1::2]))

    def _query(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(sql, tuple(values))
        except apsw.InterruptError:
            text = (
                f"{self._where} takes too long to read; raise limits.database_steps if you trust it"
            )
            raise LimitExceeded(text) from None
        except (apsw.Error, UnicodeDecodeError) as error:
            text = f"{self._where} is a damaged SQLite file: {error}"
            raise DamagedSource(text) from None

    def _plain_tables(self) -> Iterator[tuple[str, frozenset[str]]]:
        schema = list(self._query("SELECT type, name, sql FROM sqlite_master"))
        self._refuse_triggers({str(name) for _, name, _ in schema}, schema)
        for kind, name, sql in schema:
            if kind != "table" or _VIRTUAL.match(sql or ""):
                continue
            described = list(self._query("SELECT name, hidden FROM pragma_table_xinfo(?)", [name]))
            if not any(hidden in HIDDEN for _, hidden in described):
                yield name, frozenset(column for column, _ in described)

    def _refuse_triggers(self, names: set[str], schema: list[tuple[Any, ...]]) -> None:
        for kind, name, _ in schema:
            table = _INDEX_TRIGGER.match(name) if kind == "trigger" else None
            if kind == "trigger" and (table is None or f"{table[1]}_fts" not in names):
                raise SourceError(
                    f"{self._where} holds the trigger {name!r}, which no known tool writes; "
                    "such a database is not opened"
                )


@contextmanager
def _guarded(connection: apsw.Connection, where: str, limits: Limits) -> Iterator[Tables]:
    budget = iter(range(limits.database_steps // STEPS))
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, limits.database_value_bytes)
    connection.set_progress_handler(lambda: next(budget, None) is None, STEPS)
    try:
        for pragma in ("query_only = 1", "cell_size_check = 1", "mmap_size = 0"):
            connection.execute(f"PRAGMA {pragma}")
        yield Tables(connection, where)
    except apsw.Error as error:
        raise DamagedSource(f"{where} is a damaged SQLite file: {error}") from None
    finally:
        connection.close(True)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _column(name: str, known: frozenset[str]) -> str:
    return _quoted(name) if name in known or name == "rowid" else "NULL"


def _value(name: str, known: frozenset[str]) -> str:
    """A value with its type before it; text as bytes, since it need not be UTF-8."""
    column = _column(name, known)
    as_bytes = f"CASE typeof({column}) WHEN 'text' THEN CAST({column} AS BLOB) ELSE {column} END"
    return f"typeof({column}), {as_bytes}"


def _text(kind: str, value: Any) -> Any:
    if kind != "text":
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return salvage.utf8_text(value)
