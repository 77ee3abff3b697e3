"""A data folder -> an open database: settings, migrations, transactions, and clear errors.

A write is one immediate transaction under the lock file; what it acknowledged is on the disk.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import apsw

from dcb.errors import (
    DamagedStore,
    NewerStore,
    RequestError,
    StoreError,
    StoreLocked,
    StoreUnwritable,
)
from dcb.migrations import APPLICATION_ID, LATEST, Step, steps_after
from dcb.store import lock

if TYPE_CHECKING:
    from dcb.store.keeper import Keeper, Value
    from dcb.store.words import FullText

NAME = "store.db"
LOCK = "lock"
# Pages of the write-ahead log after which a writer brings them into the database itself.
_CHECKPOINT_AT = 1000

# Temporary tables stay in memory: no text of the store may reach another folder.
_SETTINGS = (
    "pragma busy_timeout=5000",
    "pragma synchronous=FULL",
    "pragma secure_delete=ON",
    "pragma foreign_keys=ON",
    "pragma trusted_schema=OFF",
    "pragma cell_size_check=ON",
    "pragma temp_store=MEMORY",
    "pragma wal_autocheckpoint=0",
    "pragma cache_size=-16000",
)


class Queries:
    """Statements over an open connection, with errors in our words."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows of a statement."""
        with self._translated():
            return list(self._connection.execute(sql, values))

    def row(self, sql: str, values: Sequence[Value] = ()) -> tuple[Any, ...] | None:
        """The first row, or None."""
        with self._translated():
            for found in self._connection.execute(sql, values):
                return tuple(found)
        return None

    def stream(self, sql: str, values: Sequence[Value] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a statement, one by one."""
        with self._translated():
            yield from self._connection.execute(sql, values)

    def execute(self, sql: str, values: Sequence[Value] = ()) -> None:
        """Run a statement inside `writing()`."""
        self._connection.execute(sql, values)

    def execute_many(self, sql: str, values: Sequence[Sequence[Value]]) -> None:
        """Run a statement once for each of `values`, inside `writing()`."""
        self._connection.executemany(sql, values)

    @property
    def words(self) -> FullText:
        """The index of words."""
        from dcb.store.words import FullText

        return FullText(self)

    @property
    def connection(self) -> apsw.Connection:
        """The bare connection, for the modules of this package."""
        return self._connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise translated(error, self.path) from error
        except UnicodeDecodeError as error:
            # Only what `str` encoded was ever written, so these bytes are not ours.
            raise _damaged(self.path) from error


class Database(Queries):
    """The database of one data folder. Close it, or use it as a context manager."""

    guest = False

    def __init__(self, folder: Path) -> None:
        """Open the database of a folder, making both where they are missing.

        Raises NewerStore, DamagedStore, StoreUnwritable, StoreLocked.
        """
        self.folder = folder
        self.path = folder / NAME
        self.read_only = False
        self._wrote = False
        self._depth = 0
        self._prepare_folder()
        with self._translated():
            self._connection = self._open()
        try:
            with self._translated():
                self._settle_version()
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Several reads of one state of the store."""
        with self._translated():
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("begin")
            try:
                yield
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction under the lock; inside another one, part of it.

        An error from the closing commit means "unknown": the caller looks up what it wrote.
        """
        if self._depth:
            yield
            return
        self._refuse_read_only()
        with self._translated(), lock.held(self.folder / LOCK):
            self._connection.execute("begin immediate")
            self._depth += 1
            try:
                yield
                self._connection.execute("commit")
                self._wrote = True
            except BaseException:
                self._give_up()
                raise
            finally:
                self._depth -= 1
            self._checkpoint_when_long()

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The connection under the lock but outside a transaction (vacuum, backup)."""
        self._refuse_read_only()
        with self._translated(), lock.held(self.folder / LOCK):
            self._wrote = True
            yield self._connection

    def log_as(self, action: str) -> None:
        """A store of one person keeps no log of who did what."""

    def reopen(self) -> None:
        """Close and open anew, to learn what an unclear commit left behind."""
        with self._translated():
            self._connection.close()
            self._connection = self._open()

    def empty_log(self) -> None:
        """Bring the whole log into the database and empty it.

        Raises StoreLocked when another program is reading, so that it could not be emptied.
        """
        with self._translated(), lock.held(self.folder / LOCK):
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    @property
    def where(self) -> str:
        """The path of its file."""
        return str(self.path)

    def indexed(self) -> set[int]:
        """The numbers of all snapshots in an index of words that does not contradict itself."""
        with self.writing():
            self.execute("insert into words(words) values ('integrity-check')")
        return {seq for (seq,) in self.rows("select rowid from words")}

    def unshare(self, identifier: str) -> None:
        """Nobody else sees a folder."""

    @property
    def restoring(self) -> str:
        """What brings back what a backup holds."""
        return "dcb restore FILE"

    def tidy(self) -> bool:
        """Rewrite the file and empty the log, so that nothing of former texts remains."""
        from dcb.store import recoding

        recoding.rewrite(self)
        return True

    def close(self) -> None:
        """Close; the last writer brings its log into the database."""
        try:
            if self._wrote:
                with lock.held(self.folder / LOCK, patience=1):
                    self._checkpoint("TRUNCATE")
        except (StoreLocked, StoreUnwritable):
            # Everything acknowledged is in the log; the next writer brings it in.
            pass
        finally:
            self._connection.close()

    # --- opening -------------------------------------------------------------------------

    def _prepare_folder(self) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = self.folder.stat()
        except OSError as error:
            raise StoreUnwritable(
                f"Cannot use the data folder {self.folder}: {error.strerror}; choose another "
                "one with --data-dir"
            ) from None
        if hasattr(os, "getuid") and found.st_uid not in (os.getuid(), 0) and os.getuid():
            raise StoreUnwritable(
                f"The data folder {self.folder} belongs to another account; choose another one "
                "with --data-dir"
            )
        if stat.S_IMODE(found.st_mode) & 0o077 and os.name != "nt":
            with suppress(OSError):
                self.folder.chmod(0o700)

    def _open(self) -> apsw.Connection:
        fresh = not self.path.exists()
        if fresh:
            self._create_file()
        try:
            return self._configured(str(self.path), apsw.SQLITE_OPEN_READWRITE)
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError):
            return self._open_read_only()

    def _create_file(self) -> None:
        # Made with its mode before SQLite sees it: the log and its index take over the mode.
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise StoreUnwritable(
                f"Cannot write in {self.folder}: {error.strerror}; choose another folder with "
                "--data-dir or mend its permissions"
            ) from None

    def _open_read_only(self) -> apsw.Connection:
        # A database in WAL mode needs to write even for reading. Without a log nothing is
        # waiting to be read, and the file can be taken as it is.
        log = self.path.with_name(f"{NAME}-wal")
        if log.exists() and log.stat().st_size:
            raise StoreUnwritable(
                f"{self.folder} cannot be written to and holds changes that were not yet brought "
                "into the store; make it writable, or copy the whole folder elsewhere"
            )
        self.read_only = True
        address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
        return self._configured(address, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)

    def _configured(self, address: str, flags: int) -> apsw.Connection:
        connection = apsw.Connection(address, flags=flags)
        try:
            # Closing must not checkpoint: that is done under the lock or not at all.
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            for statement in _SETTINGS:
                connection.execute(statement)
            if not flags & apsw.SQLITE_OPEN_READONLY:
                self._use_log(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _use_log(self, connection: apsw.Connection) -> None:
        mode = connection.pragma("journal_mode")
        if mode != "wal":
            with lock.held(self.folder / LOCK):
                connection.pragma("journal_mode", "wal")
        else:
            # WAL mode is confirmed only by a read, which makes its index file.
            connection.pragma("user_version")

    # --- versions of the schema ----------------------------------------------------------

    def _settle_version(self) -> None:
        version = int(self._connection.pragma("user_version") or 0)
        self._refuse_foreign(version)
        if version > LATEST:
            raise NewerStore(
                f"{self.path} was written by a newer dcb (store version {version}; this one "
                f"knows {LATEST}); install that version, or choose another folder with --data-dir"
            )
        if version < LATEST:
            self._migrate()

    def _refuse_foreign(self, version: int) -> None:
        application = self._connection.pragma("application_id")
        if application == APPLICATION_ID:
            return
        tables = self._connection.execute("select count(*) from sqlite_master").fetchone()
        if version or application or (tables and tables[0]):
            raise DamagedStore(
                f"{self.path} is a database, but not a store of dcb; move it away, or choose "
                "another folder with --data-dir"
            )

    def _migrate(self) -> None:
        self._refuse_read_only()
        with lock.held(self.folder / LOCK):
            # Another program may have taken the steps while this one waited.
            version = int(self._connection.pragma("user_version") or 0)
            if version and version < LATEST:
                self._back_up_before(version)
            for step in steps_after(version):
                self._take(step)
            self._wrote = True

    def _take(self, step: Step) -> None:
        self._connection.execute("begin immediate")
        try:
            for statement in step.statements:
                self._connection.execute(statement)
            self._connection.pragma("application_id", APPLICATION_ID)
            self._connection.pragma("user_version", step.number)
            self._connection.execute("commit")
        except BaseException:
            self._give_up()
            raise

    def _back_up_before(self, version: int) -> None:
        copy_to(self._connection, self.folder / f"store-before-{LATEST}-from-{version}.db")

    # --- the log ---------------------------------------------------------------------------

    def _checkpoint_when_long(self) -> None:
        log = self.path.with_name(f"{NAME}-wal")
        with suppress(OSError):
            if log.stat().st_size > _CHECKPOINT_AT * 4096:
                self._checkpoint("PASSIVE")

    def _checkpoint(self, mode: Literal["PASSIVE", "TRUNCATE"]) -> None:
        kind = {
            "PASSIVE": apsw.SQLITE_CHECKPOINT_PASSIVE,
            "TRUNCATE": apsw.SQLITE_CHECKPOINT_TRUNCATE,
        }[mode]
        # What is committed is safe in the log, so a checkpoint that fails is tried again later.
        with suppress(apsw.Error):
            self._connection.wal_checkpoint(mode=kind)

    # --- errors ------------------------------------------------------------------------------

    def _give_up(self) -> None:
        if self._connection.in_transaction:
            with suppress(apsw.Error):
                self._connection.execute("rollback")

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise StoreUnwritable(
                f"{self.folder} cannot be written to; make it writable, or choose another folder "
                "with --data-dir"
            )


def in_folder(keeper: Keeper, what: str) -> Database:
    """The database of a store that lies in a folder. Raises RequestError for one that does not.

    `what` begins the sentence that says so.
    """
    if not isinstance(keeper, Database):
        raise RequestError(
            f"{what} is for a store in a folder; this one lies on a PostgreSQL server, whose own "
            "tools do that (see docs/postgres.md)"
        )
    return keeper


def copy_to(source: apsw.Connection, target: Path) -> None:
    """Copy a whole database into a new file, as one moment saw it."""
    temporary = target.with_name(f".{target.name}.part")
    temporary.unlink(missing_ok=True)
    os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    copy = apsw.Connection(str(temporary))
    try:
        with copy.backup("main", source, "main") as progress:
            while not progress.done:
                progress.step(-1)
        copy.pragma("journal_mode", "delete")
    finally:
        copy.close()
    synced(temporary)
    os.replace(temporary, target)
    synced(target.parent)


def synced(path: Path) -> None:
    """Bring a file, or the names in a folder, onto the disk."""
    if path.is_dir() and os.name == "nt":  # pragma: no cover
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _damaged(path: Path) -> DamagedStore:
    return DamagedStore(
        f"{path} is damaged; look at it with: dcb doctor, mend it with: dcb doctor --repair"
    )


_Sentence = Callable[[Path], StoreError]

# A quota and a file size limit come as "disk I/O error", so that one names space as well.
_SENTENCES: tuple[tuple[type[apsw.Error], _Sentence], ...] = (
    (
        apsw.FullError,
        lambda path: StoreUnwritable(
            f"The disk of {path.parent} is full; nothing was changed. Free some space and try again"
        ),
    ),
    (
        apsw.IOError,
        lambda path: StoreUnwritable(
            f"The disk of {path.parent} refused to read or write (full, over a quota, or failing); "
            "free some space or check the disk, and try again"
        ),
    ),
    (
        apsw.ReadOnlyError,
        lambda path: StoreUnwritable(
            f"{path.parent} cannot be written to; make it writable, or choose another folder "
            "with --data-dir"
        ),
    ),
    (
        apsw.CantOpenError,
        lambda path: StoreUnwritable(
            f"{path} cannot be opened; check the folder's permissions, or choose another one "
            "with --data-dir"
        ),
    ),
    (
        apsw.PermissionsError,
        lambda path: StoreUnwritable(f"No permission to use {path}; check its owner and mode"),
    ),
    (
        apsw.BusyError,
        lambda path: StoreLocked(
            f"Another program is using {path}; wait for it to finish and try again"
        ),
    ),
    (
        apsw.NotADBError,
        lambda path: DamagedStore(
            f"{path} is not a database any more; restore a backup with: dcb restore FILE"
        ),
    ),
    (
        apsw.CorruptError,
        _damaged,
    ),
)


def translated(error: apsw.Error, path: Path) -> StoreError:
    """What the database says, in a sentence of ours."""
    for kind, sentence in _SENTENCES:
        if isinstance(error, kind):
            return sentence(path)
    return DamagedStore(f"{path}: {error}; look at the store with: dcb doctor")
