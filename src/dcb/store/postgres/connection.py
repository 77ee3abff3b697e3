"""A connection, a person and a project -> the tables of that project, as the store asks for them.

Who asks is said anew at the beginning of every transaction, and holds no longer than it: what
goes back to a pool knows nobody.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import psycopg
from psycopg.errors import Diagnostic
from psycopg.pq import TransactionStatus

from dcb.errors import StoreError, StoreUnwritable
from dcb.store.keeper import Value
from dcb.store.postgres.batches import together
from dcb.store.postgres.errors import speaking, unreached
from dcb.store.postgres.patience import Patient
from dcb.store.postgres.schema import NUMBER, refuse_newer

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

    from dcb.store.postgres.words import Lexemes

Connection = Patient

OPTIONS: dict[str, Any] = {
    "autocommit": True,  # transactions are begun here, with all that they must know
    "prepare_threshold": None,  # a pooler in between may give each transaction another session
    "application_name": "dcb",
    "tcp_user_timeout": 30_000,
}
CONNECT_SECONDS = 5
_PATIENCE = 30.0  # seconds to wait for a server that restarts, or another writer
SLOWEST = {"statement_timeout": "60s", "lock_timeout": "30s"}
# What prepares a long statement costs more than our short ones: compiling, other processes.
_PLANNING = {"jit": "off", "max_parallel_workers_per_gather": "0"}
_LIMITS = {**SLOWEST, **_PLANNING, "search_path": "dcb, pg_temp"}
_READING = "begin isolation level repeatable read read only"
# Whoever stops in the middle of a save, or vanishes, must not keep the others from saving.
# (Right after statements that travelled together PostgreSQL 15 does not count the time.)
_ABANDONED = {
    "idle_in_transaction_session_timeout": "60s",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
_WRITING = "begin isolation level read committed; " + "; ".join(
    f"set local {name} = '{value}'" for name, value in _ABANDONED.items()
)
_LOCKS = 0x646362 << 40  # what our advisory locks begin with: "dcb"
_OUTSIDE = "A change of the store outside of a transaction"
# The analysis takes its samples anew, without what is gone.
_VACUUM = (
    "vacuum (analyze) dcb.snapshots, dcb.bodies, dcb.words, dcb.spellings, dcb.versions, "
    "dcb.drafts, dcb.outbox"
)
_STREAMED = 100  # rows of a long answer that are fetched at once


class Line(Protocol):
    """Where connections come from."""

    def take(self) -> Connection:
        """A connection without a transaction. Raises StoreError."""

    def give(self, connection: Connection) -> None:
        """Give it back, broken or not."""

    def close(self) -> None:
        """Close what belongs to this line alone."""


class Single:
    """One connection, made when it is needed."""

    def __init__(self, address: str, where: str) -> None:
        self._address = address
        self._where = where
        self._connection: Connection | None = None

    def take(self) -> Connection:
        """The connection, made anew when it broke."""
        connection, self._connection = self._connection, None
        return connection or connected(self._address, self._where)

    def give(self, connection: Connection) -> None:
        """Keep it for the next time."""
        if not connection.closed:
            self._connection = connection

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


class Pooled:
    """Connections of a pool that others use too."""

    def __init__(self, pool: ConnectionPool[Connection], where: str) -> None:
        self._pool = pool
        self._where = where

    def take(self) -> Connection:
        """A connection of the pool, waited for a moment."""
        try:
            return self._pool.getconn()
        except psycopg.OperationalError as error:
            raise unreached(error, self._where) from None

    def give(self, connection: Connection) -> None:
        """Give it back; a broken one is replaced."""
        self._pool.putconn(connection)

    def close(self) -> None:
        """The pool stays open for the others."""


def connected(address: str, where: str) -> Connection:
    """A new connection. Raises StoreUnwritable, StoreLocked."""
    options = {**OPTIONS, "connect_timeout": CONNECT_SECONDS}
    try:
        return Patient.connect(address, **options)
    except psycopg.Error as error:
        raise unreached(error, where) from None


class Database:
    """The tables of one project, as one person may see them."""

    folder: Path | None = None
    read_only = False

    def __init__(
        self, line: Line, *, person: int, project: int, where: str, role: str = ""
    ) -> None:
        """`role` is taken on in each transaction, by those whom no policy would bind."""
        self.project = project
        self.spelled: Counter[str] = Counter()  # what `Lexemes.settle` is to write down
        self._line = line
        self._where = where
        settings = {**_LIMITS, "dcb.person": str(int(person)), "dcb.project": str(int(project))}
        self._settings, self._role = settings, role
        self._lock = f"select pg_advisory_xact_lock({_LOCKS + int(project)}); {NUMBER}".encode()
        self._current: Connection | None = None
        self._writing = False
        # Statements without an answer, sent together with the next that has one.
        self._waiting: list[tuple[str, Sequence[Value]]] = []

    def tell(self, **told: str) -> None:
        """Have the following transactions know more, as `dcb.NAME`; values of ours only."""
        self._settings |= {f"dcb.{name}": value for name, value in told.items()}

    @property
    def where(self) -> str:
        """The server and database, without a password."""
        return self._where

    @property
    def words(self) -> Lexemes:
        """The index of words."""
        from dcb.store.postgres.words import Lexemes

        return Lexemes(self)

    @property
    def guest(self) -> bool:
        """Whether who asks has no role in the project."""
        return self.row("select dcb.role() is null") == (True,)

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows of a statement."""
        with self.reading(), speaking(self._where):
            return self._run(sql, values).fetchall()

    def row(self, sql: str, values: Sequence[Value] = ()) -> tuple[Any, ...] | None:
        """The first row, or None."""
        with self.reading(), speaking(self._where):
            return self._run(sql, values).fetchone()

    def asking(
        self, question: str, asked: Sequence[Value], sql: str, values: Sequence[Value]
    ) -> list[tuple[Any, ...]]:
        """All rows of a statement, where of `words` only what satisfies the question is shown."""
        statements = (
            # Reading all terms of a small table looks cheaper than it is: they lie elsewhere.
            f"select set_config('enable_seqscan', 'off', true), "
            f"set_config('dcb.asked', {question}, true); {sql}; "
            "select set_config('dcb.asked', '', true); set local enable_seqscan to default"
        )
        with self.reading(), speaking(self._where):
            self._send()
            # Values are put in here: a statement with values apart can be but one.
            cursor = psycopg.ClientCursor(self._live)
            cursor.execute(worded(statements), known((*asked, *values)))
            cursor.nextset()
            return cursor.fetchall()

    def stream(self, sql: str, values: Sequence[Value] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a statement, fetched from the server as they are asked for."""
        with self.reading(), speaking(self._where), self._live.cursor(name="dcb") as cursor:
            self._send()
            cursor.itersize = _STREAMED
            yield from cursor.execute(worded(sql), known(values) or None)

    def execute(self, sql: str, values: Sequence[Value] = ()) -> None:
        """Run a statement inside `writing()`, at the latest before its end."""
        if self._current is None:
            raise StoreUnwritable(_OUTSIDE)
        self._waiting.append((sql, values))

    def execute_many(self, sql: str, values: Sequence[Sequence[Value]]) -> None:
        """Run a statement once for each of `values`, inside `writing()`."""
        for one in values:
            self.execute(sql, one)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Several reads of one state of the store."""
        if self._current is not None:
            yield
            return
        with self._transaction(_READING):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, among the writers of the project the only one."""
        if self._writing:
            yield
            return
        with self._transaction(_WRITING), speaking(self._where):
            self._alone()
            self._writing = True
            try:
                yield
                self.words.settle()
                self._send()
                self._live.execute("commit")
            finally:
                self._writing = False
                self._waiting.clear()
                self.spelled.clear()

    def log_as(self, action: str) -> None:
        """Have the triggers write this action into the log, until the transaction ends."""
        self.execute("select set_config('dcb.action', ?, true)", (action,))

    def reopen(self) -> None:
        """Wait for a server that restarts, to learn what an unclear commit left behind.

        The lock is waited for too: what the server does not know to be lost may yet commit.
        """
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                with self._transaction(_WRITING), speaking(self._where):
                    self._alone()
                return
            except StoreError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def indexed(self) -> set[int]:
        """The numbers of all snapshots in the index of words; the server looks after its pages."""
        return {seq for (seq,) in self.rows("select seq from words where project = dcb.project()")}

    def unshare(self, identifier: str) -> None:
        """Show a snapshot to nobody outside of the project any more."""
        # Whoever may erase a snapshot need not be one who may change who sees it.
        self.execute("select set_config('dcb.admin', 'on', true)")
        self.execute(
            "delete from shares where project=? and snapshot_id=?", (self.project, identifier)
        )
        self.execute("select set_config('dcb.admin', '', true)")

    @property
    def restoring(self) -> str:
        """What brings back what a backup holds."""
        return "restore the database with pg_restore"

    def tidy(self) -> bool:
        """Vacuum the tables of texts; whether this role may ask the server for it."""
        skipped: list[str] = []

        def note(notice: Diagnostic) -> None:
            # What may not be vacuumed is skipped with a warning; autovacuum comes later.
            if notice.severity_nonlocalized == "WARNING":
                skipped.append(notice.message_primary or "")

        connection = self._line.take()
        connection.add_notice_handler(note)
        try:
            with connection.unhurried():
                connection.execute(_VACUUM)
        except psycopg.Error:
            return False
        finally:
            connection.remove_notice_handler(note)
            self._line.give(connection)
        return not skipped

    def close(self) -> None:
        """Close the connection, unless it is of a pool."""
        self._line.close()

    @property
    def _live(self) -> Connection:
        if self._current is None:
            raise StoreUnwritable(_OUTSIDE)
        return self._current

    def _alone(self) -> None:
        """Be the only writer of the project, of a schema that this dcb knows."""
        found = self._live.execute(self._lock)
        found.nextset()
        refuse_newer(found.fetchone(), self._where)

    def _run(self, sql: str, values: Sequence[Value]) -> psycopg.Cursor[tuple[Any, ...]]:
        if not self._waiting:
            return self._sent(sql, values)
        with self._live.pipeline():
            self._send()
            return self._sent(sql, values)

    def _send(self) -> None:
        """Run what waits, on one way to the server and back."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        with self._live.pipeline():
            for sql, values in together(waiting):
                self._sent(sql, values)

    def _sent(self, sql: str, values: Sequence[Value]) -> psycopg.Cursor[tuple[Any, ...]]:
        return self._live.execute(worded(sql), known(values) or None)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        connection = self._begun(begin)
        self._current = connection
        try:
            yield
        finally:
            self._current = None
            _end(connection)
            self._line.give(connection)

    def _begun(self, begin: str) -> Connection:
        """A connection in a new transaction that knows who asks."""
        statements = f"{begin}; {beginning(self._settings, role=self._role)}"
        connection = self._line.take()
        try:
            return _begin(connection, statements)
        except psycopg.OperationalError:
            # It broke while nobody used it (a restart of the server): a new one does not.
            self._line.give(connection)
        connection = self._line.take()
        try:
            with speaking(self._where):
                return _begin(connection, statements)
        except BaseException:
            self._line.give(connection)
            raise


def beginning(settings: dict[str, str], *, role: str = "") -> str:
    """The statements that tell a transaction what it must know; `settings` are ours, not typed."""
    named = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings.items())
    return f"set local role {role}; select {named}" if role else f"select {named}"


def worded(sql: str) -> bytes:
    """A statement with `?` for values, as psycopg takes it. None of ours has a percent sign."""
    return sql.replace("?", "%s").encode()


def known(values: Sequence[Value]) -> list[Value]:
    """Values that the server takes: no text of a store has a NUL, so one that does is not there."""
    return [value.replace("\0", "\ufffe") if isinstance(value, str) else value for value in values]


def _begin(connection: Connection, statements: str) -> Connection:
    connection.execute(statements.encode())
    return connection


def _end(connection: Connection) -> None:
    """Leave no transaction behind; a connection that cannot is closed."""
    if connection.info.transaction_status == TransactionStatus.IDLE:
        return
    try:
        connection.execute("rollback")
    except psycopg.Error:
        connection.close()
