"""Every state of a snapshot, one version each, kept until it is erased."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

from dcb.errors import DamagedStore, NotFound
from dcb.store import coding
from dcb.store.rows import Action, Row
from dcb.store.sealing import Box

if TYPE_CHECKING:
    from dcb.store.answers import Version
    from dcb.store.keeper import Keeper


def append(box: Box, row: Row, document: str, *, action: Action, note: str = "") -> None:
    """Add the next version of a snapshot, inside a transaction. `row.version` is its number."""
    body = _body(row, document, action=action, note=note)
    raw = _packed(box, body)
    box.database.log_as(action)
    box.database.execute(
        "insert into versions(id, number, sealed, body, sha) values (?,?,?,?,?)",
        (row.id, row.version, box.sealed, raw, hash_of(row.id, row.version, raw)),
    )


def next_number(database: Keeper, identifier: str) -> int:
    """The number of the next version of a snapshot."""
    found = database.row("select max(number) from versions where id=?", (identifier,))
    return 1 + int((found and found[0]) or 0)


def listed(box: Box, identifier: str) -> tuple[Version, ...]:
    """All versions of a snapshot, oldest first."""
    found = box.database.rows(
        "select number, sealed, body, sha from versions where id=? order by number", (identifier,)
    )
    return tuple(_read(box, identifier, item)[0] for item in found)


def read(box: Box, identifier: str, number: int) -> tuple[Version, str]:
    """One version and its document (empty for a removal).

    Raises NotFound that says which there are, DamagedStore.
    """
    found = box.database.row(
        "select number, sealed, body, sha from versions where id=? and number=?",
        (identifier, number),
    )
    if found is None:
        last = next_number(box.database, identifier) - 1
        known = f"it has versions 1 to {last}" if last else "there is no such snapshot"
        raise NotFound(f"No version {number} of {identifier}; {known}")
    return _read(box, identifier, found)


def recode(old: Box, new: Box) -> None:
    """Wrap every version anew, inside a transaction."""
    for identifier, number in old.database.rows("select id, number from versions"):
        sealed, raw = old.database.rows(
            "select sealed, body from versions where id=? and number=?", (identifier, number)
        )[0]
        raw = new.wrap_bytes(old.unwrap_bytes(raw, sealed=bool(sealed)))
        old.database.execute(
            "update versions set sealed=?, body=?, sha=? where id=? and number=?",
            (new.sealed, raw, hash_of(identifier, number, raw), identifier, number),
        )


def _body(row: Row, document: str, *, action: Action, note: str) -> str:
    return coding.dump_json(
        {
            "at": row.saved_at,
            "action": action,
            "title": row.title,
            "checksum": row.checksum,
            "note": note,
            "document": document,
        }
    )


def _packed(box: Box, body: str) -> bytes:
    # zlib, not zstandard: importing that costs more than it saves on documents of a few kB.
    raw = zlib.compress(body.encode(), 6)
    return box.wrap_bytes(raw)


def _read(box: Box, identifier: str, item: tuple[Any, ...]) -> tuple[Version, str]:
    from dcb.store.answers import Version

    number, sealed, raw, sha = item
    if hash_of(identifier, number, raw) != sha:
        raise DamagedStore(
            f"Version {number} of {identifier} is damaged (its hash does not match); "
            "look at the store with: dcb doctor"
        )
    values = json.loads(zlib.decompress(box.unwrap_bytes(raw, sealed=bool(sealed))))
    document = values.pop("document")
    return Version(id=identifier, number=number, **values), document


def hash_of(identifier: str, number: int, raw: bytes) -> bytes:
    """The hash that the row of a version must match."""
    return coding.digest(f"version {number} of {identifier}", raw)
