"""A whole store -> another place, row by row as it lies there: sealed rows need no passphrase.

The source is read as one moment saw it, and nothing in it is changed. What the target holds
already with the same hash is passed over, so a run that died is simply run again; something
else of the same name is refused. At the end every row of the target is hashed anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from dcb.errors import DamagedStore, RequestError
from dcb.store import coding, index, passages, versions
from dcb.store.keeper import Keeper

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

    `keys` is how many of the first columns name a row; the last column is its hash.
    """

    kind: Kind
    every: str
    one: str
    keys: int
    digest: Callable[[tuple[Any, ...]], bytes]
    write: Callable[[Keeper, tuple[Any, ...]], None]

    def named(self, row: tuple[Any, ...]) -> str:
        return f"{self.kind} {'@'.join(map(str, row[: self.keys]))}"


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
    every = source.stream(table.every)
    while rows := list(islice(every, _BATCH)):
        with target.writing():
            fates = [_copy(source, target, table, row) for row in rows]
        yield from (Moved(kind=table.kind, fate=fate) for fate in fates)


def _copy(source: Keeper, target: Keeper, table: _Table, row: tuple[Any, ...]) -> Fate:
    if table.digest(row) != row[-1]:
        raise DamagedStore(
            f"In {source.where} {table.named(row)} is damaged (its hash does not match); mend the "
            "store with: dcb doctor --repair"
        )
    found = target.row(table.one, row[: table.keys])
    if found is None:
        _refuse_nul(target, table, row)
        table.write(target, row)
        return "copied"
    # "Sealed" is a number in one database and a truth in the other, which are equal in Python.
    if found != row:
        raise RequestError(
            f"{target.where} holds another {table.named(row)} than {source.where}; move into an "
            "empty store"
        )
    return "there"


def _verified(source: Keeper, target: Keeper, table: _Table) -> Iterator[Moved]:
    for row in source.stream(table.every):
        found = target.row(table.one, row[: table.keys])
        if found is None or found != row or table.digest(found) != row[-1]:
            raise DamagedStore(
                f"In {target.where} {table.named(row)} is not what was written; move again into "
                "an empty store"
            )
        yield Moved(kind=table.kind, fate="verified")


def _refuse_nul(target: Keeper, table: _Table, row: tuple[Any, ...]) -> None:
    if target.folder is None and any(isinstance(part, str) and "\0" in part for part in row):
        raise RequestError(
            f"{table.named(row).capitalize()} holds the character NUL, which PostgreSQL does not "
            "keep; edit or erase it first"
        )


# --- the tables --------------------------------------------------------------------------


def _snapshot_digest(row: tuple[Any, ...]) -> bytes:
    """The hash of the body, when the header matches its own; else none."""
    identifier, _, _, _, meta, meta_sha, *texts, _ = row
    whole = coding.digest(identifier, meta) == meta_sha
    return coding.digest(identifier, *texts) if whole else b""


def _write_snapshot(target: Keeper, row: tuple[Any, ...]) -> None:
    identifier, origin, sealed, created_at, meta, meta_sha, *body = row
    numbered = target.rows(
        "insert into snapshots(id, origin, sealed, created_at, meta, meta_sha) "
        "values (?,?,?,?,?,?) returning seq",
        (identifier, origin, bool(sealed), created_at, meta, meta_sha),
    )
    seq = int(numbered[0][0])
    target.execute(
        "insert into bodies(seq, document, passages, omitted, sha) values (?,?,?,?,?)", (seq, *body)
    )
    if not sealed:
        header = coding.row_of(meta, sealed=False, seq=seq)
        index.add(target, header, passages.parse(body[1]), seq=seq)


def _version_digest(row: tuple[Any, ...]) -> bytes:
    identifier, number, _, body, _ = row
    return versions.hash_of(identifier, number, body)


def _write_version(target: Keeper, row: tuple[Any, ...]) -> None:
    identifier, number, sealed, body, sha = row
    target.execute(
        "insert into versions(id, number, sealed, body, sha) values (?,?,?,?,?)",
        (identifier, number, bool(sealed), body, sha),
    )


def _draft_digest(row: tuple[Any, ...]) -> bytes:
    return coding.digest("draft", row[2])


def _write_draft(target: Keeper, row: tuple[Any, ...]) -> None:
    name, sealed, body, sha = row
    target.execute(
        "insert into drafts(name, sealed, body, sha) values (?,?,?,?)",
        (name, bool(sealed), body, sha),
    )


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
        every=f"{_SNAPSHOTS} order by s.seq",
        one=f"{_SNAPSHOTS} where s.id=?",
        keys=1,
        digest=_snapshot_digest,
        write=_write_snapshot,
    ),
    _Table(
        kind="version",
        every=f"{_VERSIONS} order by rowid",
        one=f"{_VERSIONS} where id=? and number=?",
        keys=2,
        digest=_version_digest,
        write=_write_version,
    ),
    _Table(
        kind="draft",
        every=f"{_DRAFTS} order by rowid",
        one=f"{_DRAFTS} where name=?",
        keys=1,
        digest=_draft_digest,
        write=_write_draft,
    ),
)
