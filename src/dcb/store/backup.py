"""A store <-> one file that holds all of it, as one moment saw it.

Copying `store.db` by hand would miss what still stands in its log.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from dcb.errors import NewerStore, RequestError, SourceError
from dcb.migrations import APPLICATION_ID, LATEST
from dcb.store import lock
from dcb.store.connection import LOCK, NAME, Database, copy_to, synced, translated


def back_up(database: Database, target: Path) -> int:
    """Write the store into a file that does not exist yet; its size in bytes.

    Raises RequestError when the file exists or cannot be written.
    """
    if target.exists():
        raise RequestError(f"{target} exists; name a file that does not")
    try:
        with database.alone() as connection:
            copy_to(connection, target)
        return target.stat().st_size
    except OSError as error:
        raise RequestError(f"Cannot write {target}: {error.strerror}") from None


def restore(source: Path, folder: Path) -> None:
    """Make a store of a backup, in a folder that has none.

    Raises SourceError for a file that is no whole backup, NewerStore, RequestError when the
    folder has a store.
    """
    target = folder / NAME
    if target.exists():
        raise RequestError(
            f"{folder} holds a store already; move it away, or choose another folder with --data-dir"
        )
    _verify(source)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with lock.held(folder / LOCK):
        original = _opened(source)
        try:
            copy_to(original, target)
        except apsw.Error as error:
            raise translated(error, target) from error
        finally:
            original.close()
        synced(folder)


def _verify(source: Path) -> None:
    if not source.is_file():
        raise SourceError(f"{source} is not a file")
    try:
        opened = _opened(source)
        try:
            application = opened.pragma("application_id")
            version = int(opened.pragma("user_version") or 0)
            whole = opened.pragma("integrity_check") == "ok"
        finally:
            opened.close()
    except apsw.Error:
        raise SourceError(f"{source} is not a backup of a store, or is damaged") from None
    if application != APPLICATION_ID:
        raise SourceError(f"{source} is not a backup of a store")
    if version > LATEST:
        raise NewerStore(f"{source} was written by a newer dcb; install that version")
    if not whole:
        raise SourceError(f"{source} is damaged; take another backup")


def _opened(source: Path) -> apsw.Connection:
    # Read as it is: a backup is closed, and its folder may be read-only.
    address = f"{source.absolute().as_uri()}?mode=ro&immutable=1"
    return apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
