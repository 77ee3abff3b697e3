"""An open store <-> a sealed one: every text is wrapped anew, in one transaction.

A run that dies leaves the store as it was, and is simply started again. Afterwards nothing
of the former texts remains in the folder: freed space is overwritten, the file rewritten,
the log emptied, and backups taken before migrations are removed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dcb.errors import RequestError
from dcb.store import coding, index, lock, passages, versions
from dcb.store.connection import Database
from dcb.store.keeper import Keeper
from dcb.store.outbox import Outbox
from dcb.store.sealing import Box

Progress = Callable[[int, int], None]
"""Called with what is done and what there is in all."""


def encrypt(outbox: Outbox, passphrase: str, *, progress: Progress | None = None) -> int:
    """Seal everything with a passphrase; the number of snapshots. A git mirror is removed.

    Raises RequestError when the store is sealed already or the passphrase is empty.
    """
    box = outbox.box
    if box.sealed:
        raise RequestError("The store is encrypted already; change its passphrase: dcb rekey")
    return _recode(outbox, _closed(box.database, passphrase), progress)


def decrypt(outbox: Outbox, *, progress: Progress | None = None) -> int:
    """Open everything; the number of snapshots. Raises RequestError when it lies open."""
    box = outbox.box
    if not box.sealed:
        raise RequestError("The store is not encrypted")
    box.unlock()
    return _recode(outbox, Box(box.database), progress)


def rekey(outbox: Outbox, passphrase: str, *, progress: Progress | None = None) -> int:
    """Seal everything with another passphrase; the number of snapshots.

    Copies made before (backups, exports) still open with the former one.
    """
    box = outbox.box
    if not box.sealed:
        raise RequestError("The store is not encrypted; do it with: dcb encrypt")
    box.unlock()
    return _recode(outbox, _closed(box.database, passphrase), progress)


def _closed(database: Keeper, passphrase: str) -> Box:
    if not passphrase:
        raise RequestError("An empty passphrase protects nothing; give another one")
    return Box.closed_with(database, passphrase)


def _recode(outbox: Outbox, new: Box, progress: Progress | None) -> int:
    old, database = outbox.box, outbox.box.database
    with database.writing():
        if not new.sealed or not old.sealed:
            database.words.clear()
        seqs = [seq for (seq,) in database.rows("select seq from snapshots order by seq")]
        for done, seq in enumerate(seqs, 1):
            _snapshot(old, new, seq)
            if progress:
                progress(done, len(seqs))
        versions.recode(old, new)
        _drafts(old, new)
        new.declare()
        if new.sealed != old.sealed:
            outbox.recoded(sealed=new.sealed)
    old.refresh()
    old.adopt(new)
    outbox.settle(patience=lock.PATIENCE)
    database.tidy()
    return len(seqs)


def rewrite(database: Database) -> None:
    """Rewrite the file and empty the log, so that nothing of former texts remains."""
    for backup in backups(database.folder):
        backup.unlink()
    with database.alone() as connection:
        connection.execute("insert into words(words) values ('optimize')")
        connection.execute("vacuum")
    database.empty_log()


def backups(folder: Path) -> list[Path]:
    """Copies that migrations made of earlier states."""
    return sorted(folder.glob("store-before-*.db"))


def _snapshot(old: Box, new: Box, seq: int) -> None:
    from dcb.store import snapshots

    database = old.database
    row = snapshots.at(old, seq)
    texts = snapshots.body(old, row)
    meta = new.wrap(coding.row_text(row))
    wrapped = [new.wrap(text) for text in texts]
    database.execute(
        "update snapshots set origin=?, sealed=?, created_at=?, meta=?, meta_sha=? where seq=?",
        (
            new.origin(row.format, row.conversation_id),
            new.sealed,
            None if new.sealed else row.created_at,
            meta,
            coding.digest(row.id, meta),
            seq,
        ),
    )
    database.execute(
        "update bodies set document=?, passages=?, omitted=?, sha=? where seq=?",
        (*wrapped, coding.digest(row.id, *wrapped), seq),
    )
    if not new.sealed:
        index.add(database, row, passages.parse(texts[1]), seq=seq)


def _drafts(old: Box, new: Box) -> None:
    for name, sealed, body in old.database.rows("select name, sealed, body from drafts"):
        wrapped = new.wrap(old.unwrap(body, sealed=bool(sealed)))
        old.database.execute(
            "update drafts set sealed=?, body=?, sha=? where name=?",
            (new.sealed, wrapped, coding.digest("draft", wrapped), name),
        )
