"""A store of the original TypeScript implementation -> the documents in it.

Its file is copied first and read without its write-ahead log being touched; rows are taken
as they are, since its documents are this format's.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw

from dcb.errors import DcbError, SourceError, StoreLocked


@dataclass(frozen=True, kw_only=True, slots=True)
class Foreign:
    """One snapshot of another store: its document, or why it could not be read."""

    id: str
    document: str = ""
    problem: str = ""


def is_original(path: Path) -> bool:
    """Whether a file is a store of the original implementation."""
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0" and _has_its_tables(path)
    except (OSError, apsw.Error):
        return False


def read_original(path: Path, passphrase: Callable[[], str] | None = None) -> tuple[Foreign, ...]:
    """The snapshots of an original store, oldest first; the passphrase opens sealed ones.

    Raises SourceError for a file that is not one, StoreLocked when sealed snapshots need a
    passphrase and none is given. A snapshot that does not open names its problem.
    """
    with tempfile.TemporaryDirectory() as folder:
        rows = _rows(_copied(path, Path(folder)), path)
    word = ""
    if any(sealed for _, sealed, _ in rows):
        word = passphrase() if passphrase else ""
        if not word:
            raise StoreLocked(
                f"{path} holds encrypted snapshots; give the passphrase of that store"
            )
    return tuple(_read(identifier, bool(sealed), text, word) for identifier, sealed, text in rows)


def _read(identifier: str, sealed: bool, text: str, passphrase: str) -> Foreign:
    from dcb.envelope import unseal

    try:
        return Foreign(id=identifier, document=unseal(text, passphrase) if sealed else text)
    except DcbError as error:
        return Foreign(id=identifier, problem=str(error))


def _copied(path: Path, folder: Path) -> Path:
    """A private copy with its log, so that reading changes nothing of the original."""
    try:
        for ending in ("", "-wal"):
            if Path(f"{path}{ending}").exists():
                shutil.copyfile(f"{path}{ending}", folder / f"original.sqlite{ending}")
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from None
    return folder / "original.sqlite"


def _rows(copy: Path, path: Path) -> list[tuple[str, int, str]]:
    try:
        with closing(_opened(copy)) as opened:
            found = opened.execute(
                "select snapshot_id, encrypted, document from snapshots order by created_at, rowid"
            )
            return [(str(name), int(sealed), str(text)) for name, sealed, text in found]
    except apsw.Error as error:
        raise SourceError(f"{path} is not a store that can be read ({error})") from None


def _has_its_tables(path: Path) -> bool:
    wanted = "select 1 from sqlite_master where name='dcb_migrations'"
    with tempfile.TemporaryDirectory() as folder:
        copy = _copied(path, Path(folder))
        with closing(_opened(copy)) as opened:
            return opened.execute(wanted).fetchone() is not None


def _opened(copy: Path) -> apsw.Connection:
    opened = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READWRITE)
    # Its schema is not ours to trust: nothing in it may run.
    opened.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    opened.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    opened.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    opened.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    return opened
