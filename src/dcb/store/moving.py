"""A whole store -> another place, row by row as it lies there: sealed rows need no passphrase.

The source is read as one moment saw it, and nothing in it is changed. What the target holds
already with the same hash is passed over, so a run that died is simply run again; something
else of the same name is refused. At the end every row of the target is hashed anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal

from dcb.errors import DamagedStore, RequestError
from dcb.store import coding, index, passages, versions
from dcb.store.keeper import Keeper

_Row = tuple[Any, ...]
Kind = Literal["snapshot", "version", "draft"]
Fate = Literal["copied", "there", "verified"]

# Rows of one transaction: what a run that dies has to do again, and what memory holds.
_BATCH = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """What became of one row. A draft may also be an item of the inbox."""

    kind: Kind
    fate: Fate


@dataclass(frozen=True, kw_only=True, slots=True)
class _Table:
    """How the rows of a kind are read, hashed and written.

    `keys` are the first columns, which name a row; the last column is its hash.
    """

    kind: Kind
    rows: str
    order: str
    keys: tuple[str, ...]
    digest: Callable[[_Row], bytes]
    write: Callable[[Keeper, list[_Row]], None]

    def every(self, database: Keeper) -> Iterator[list[_Row]]:
        """All rows of a store, some at a time."""
        rows = database.stream(f"{self.rows} order by {self.order}")
        while some := list(islice(rows, _BATCH)):
            yield some

    def held(self, database: Keeper, like: list[_Row]) -> dict[_Row, _Row]:
        """The rows that a store has under the names of these, by name; maybe others."""
        named = zip(*(row[: len(self.keys)] for row in like), strict=True)
        wanted = [sorted(set(values)) for values in named]
        among = " and ".join(
            f"{key} in ({', '.join('?' * len(values))})"
            for key, values in zip(self.keys, wanted, strict=True)
        )
        found = database.rows(f"{self.rows} where {among}", list(chain.from_iterable(wanted)))
        return {self.name(row): row for row in found}

    def name(self, row: _Row) -> _Row:
        return row[: len(self.keys)]

    def named(self, row: _Row) -> str:
        return f"{self.kind} {'@'.join(map(str, self.name(row)))}"


def move(source: Keeper, target: Keeper) -> Iterator[Moved]:
    """Copy every row, then hash every copy.

    Raises RequestError where the target holds something else, DamagedStore.
    """
    if source.where == target.where:
        raise RequestError(f"{source.where} is both the source and the target; name another place")
    with source.reading():
        _agree(source, target)
        for table in _TABLES:
            yield from _copied(source, target, table)
        for table in _TABLES:
            yield from _verified(source, target, table)


def _agree(source: Keeper, target: Keeper) -> None:
    """Have the target sealed as the source is, with the same key, or leave it alone."""
    with target.writing():
        facts = _facts(source)
        if _facts(target) == facts:
            return
        if any(target.row(f"select 1 from {name}") for name in ("snapshots", "versions", "drafts")):
            raise RequestError(
                f"{target.where} is not empty, and not encrypted with the same key as "
                f"{source.where}; move into an empty store"
            )
        target.execute("delete from facts")
        target.execute_many("insert into facts(name, value) values (?,?)", facts)


def _facts(database: Keeper) -> list[tuple[Any, ...]]:
    return database.rows("select name, value from facts order by name")


def _copied(source: Keeper, target: Keeper, table: _Table) -> Iterator[Moved]:
    for rows in table.every(source):
        with target.writing():
            held = table.held(target, rows)
            fates = [_fate(source, target, table, row, held.get(table.name(row))) for row in rows]
            fresh = [row for row, fate in zip(rows, fates, strict=True) if fate == "copied"]
            if fresh:
                table.write(target, fresh)
        yield from (Moved(kind=table.kind, fate=fate) for fate in fates)


def _fate(
    source: Keeper, target: Keeper, table: _Table, row: _Row, found: _Row | None
) -> Literal["copied", "there"]:
    """What is to become of a row, where the target has `found` under its name."""
    if table.digest(row) != row[-1]:
        raise DamagedStore(
            f"In {source.where} {table.named(row)} is damaged (its hash does not match); mend the "
            "store with: dcb doctor --repair"
        )
    if found is None:
        _refuse_nul(target, table, row)
        return "copied"
    # "Sealed" is a number in one database and a truth in the other, which are equal in Python.
    if found != row:
        raise RequestError(
            f"{target.where} holds another {table.named(row)} than {source.where}; move into an "
            "empty store"
        )
    return "there"


def _verified(source: Keeper, target: Keeper, table: _Table) -> Iterator[Moved]:
    for rows in table.every(source):
        held = table.held(target, rows)
        for row in rows:
            found = held.get(table.name(row))
            if found is None or found != row or table.digest(found) != row[-1]:
                raise DamagedStore(
                    f"In {target.where} {table.named(row)} is not what was written; move again "
                    "into an empty store"
                )
            yield Moved(kind=table.kind, fate="verified")


def _refuse_nul(target: Keeper, table: _Table, row: _Row) -> None:
    if target.folder is None and any(isinstance(part, str) and "\0" in part for part in row):
        raise RequestError(
            f"{table.named(row).capitalize()} holds the character NUL, which PostgreSQL does not "
            "keep; edit or erase it first"
        )


# --- the tables --------------------------------------------------------------------------


def _snapshot_digest(row: _Row) -> bytes:
    """The hash of the body, when the header matches its own; else none."""
    identifier, _, _, _, meta, meta_sha, *texts, _ = row
    whole = coding.digest(identifier, meta) == meta_sha
    return coding.digest(identifier, *texts) if whole else b""


def _write_snapshots(target: Keeper, rows: list[_Row]) -> None:
    target.execute_many(
        "insert into snapshots(id, origin, sealed, created_at, meta, meta_sha) "
        "values (?,?,?,?,?,?)",
        [_true(row[:6], sealed=2) for row in rows],
    )
    marks = ", ".join("?" * len(rows))
    numbers = dict(
        target.rows(
            f"select id, seq from snapshots where id in ({marks})", [row[0] for row in rows]
        )
    )
    target.execute_many(
        "insert into bodies(seq, document, passages, omitted, sha) values (?,?,?,?,?)",
        [(numbers[row[0]], *row[6:]) for row in rows],
    )
    for identifier, _, sealed, _, meta, _, _, searched, *_ in rows:
        if not sealed:
            seq = numbers[identifier]
            header = coding.row_of(meta, sealed=False, seq=seq)
            index.add(target, header, passages.parse(searched), seq=seq)


def _version_digest(row: _Row) -> bytes:
    identifier, number, _, body, _ = row
    return versions.hash_of(identifier, number, body)


def _write_versions(target: Keeper, rows: list[_Row]) -> None:
    target.execute_many(
        "insert into versions(id, number, sealed, body, sha) values (?,?,?,?,?)",
        [_true(row, sealed=2) for row in rows],
    )


def _draft_digest(row: _Row) -> bytes:
    return coding.digest("draft", row[2])


def _write_drafts(target: Keeper, rows: list[_Row]) -> None:
    target.execute_many(
        "insert into drafts(name, sealed, body, sha) values (?,?,?,?)",
        [_true(row, sealed=1) for row in rows],
    )


def _true(row: _Row, *, sealed: int) -> _Row:
    """The row with its column `sealed` as a truth, which SQLite keeps as a number."""
    return (*row[:sealed], bool(row[sealed]), *row[sealed + 1 :])


_SNAPSHOTS = (
    "select s.id, s.origin, s.sealed, s.created_at, s.meta, s.meta_sha, b.document, b.passages, "
    "b.omitted, b.sha from snapshots s left join bodies b on b.seq = s.seq"
)
_VERSIONS = "select id, number, sealed, body, sha from versions"
_DRAFTS = "select name, sealed, body, sha from drafts"

# In the order in which they were made: lists and the inbox go by it.
_TABLES = (
    _Table(
        kind="snapshot",
        rows=_SNAPSHOTS,
        order="s.seq",
        keys=("s.id",),
        digest=_snapshot_digest,
        write=_write_snapshots,
    ),
    _Table(
        kind="version",
        rows=_VERSIONS,
        order="rowid",
        keys=("id", "number"),
        digest=_version_digest,
        write=_write_versions,
    ),
    _Table(
        kind="draft",
        rows=_DRAFTS,
        order="rowid",
        keys=("name",),
        digest=_draft_digest,
        write=_write_drafts,
    ),
)
