"""An address -> an open project on a PostgreSQL server: schema, person, project, connections."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from dcb.errors import RequestError, StoreUnwritable
from dcb.store.postgres import connection as connections
from dcb.store.postgres.connection import Connection, Database, Pooled, Single, beginning, connected
from dcb.store.postgres.errors import speaking
from dcb.store.postgres.schema import MIGRATING, migrate

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

DEFAULT = "default"
# No policy binds a superuser, so it takes on this role in every transaction.
_BOUND = "dcb_bound"
_RIGHTS = ("usage on schema dcb", "all on all tables in schema dcb")


def connect(address: str, *, project: str = "") -> Database:
    """A project for the person whose role the address names, made when it is missing.

    Raises StoreUnwritable, StoreLocked, NewerStore, RequestError.
    """
    where = _named(address)
    first = connected(address, where)
    with speaking(where):
        unbound = _unbound(first)
        migrate(first, where)
        role = _bound_role(first, where) if unbound else ""
        person, number = _own(first, project or DEFAULT, where)
    line = Single(address, where)
    line.give(first)
    return Database(line, person=person, project=number, where=where, role=role)


class Shared:
    """A pool of connections to one server, for the projects of several people.

    A context manager; one for a whole program, whatever the number of its threads.
    """

    def __init__(self, address: str, *, size: int = 10) -> None:
        """Bring the schema up to date and open the pool.

        Raises StoreUnwritable also for a role that no policy binds.
        """
        self.where = _named(address)
        with connected(address, self.where) as first, speaking(self.where):
            if _unbound(first):
                raise StoreUnwritable(
                    f"The role for {self.where} is a superuser or has BYPASSRLS, so nothing would "
                    "keep projects apart; give a role without these"
                )
            migrate(first, self.where)
        self._pool = _pool(address, size)

    def __enter__(self) -> Shared:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def open_for(self, person: int, project: int, *, where: str = "") -> Database:
        """A project as a person may see it: give it to `Store`. Costs no connection until used.

        `where` is what errors call it, for people who need not know the server.
        """
        where = where or self.where
        line = Pooled(self._pool, where)
        return Database(line, person=person, project=project, where=where)

    @contextmanager
    def administering(self) -> Iterator[Connection]:
        """One transaction in which people, projects, members and shares can be changed."""
        with self.transaction(admin="on") as connection:
            yield connection

    @contextmanager
    def transaction(self, **told: str) -> Iterator[Connection]:
        """One transaction with the setting `dcb.NAME` for each of `told`; values of ours only."""
        settings = {f"dcb.{name}": value for name, value in told.items()}
        line = Pooled(self._pool, self.where)
        connection = line.take()
        try:
            with speaking(self.where), connection.transaction():
                connection.execute(beginning({**settings, **connections.SLOWEST}).encode())
                yield connection
        finally:
            line.give(connection)

    def states(self) -> dict[str, int]:
        """How many connections are idle or used, and how many requests wait for one."""
        found = self._pool.get_stats()
        size, idle = found.get("pool_size", 0), found.get("pool_available", 0)
        waiting = found.get("requests_waiting", 0)
        return {"idle": idle, "used": size - idle, "waited_for": waiting}


def _pool(address: str, size: int) -> ConnectionPool[Connection]:
    import logging

    from psycopg_pool import ConnectionPool

    # Its warnings repeat what the error of a request says, once for each attempt.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    options = {**connections.OPTIONS, "connect_timeout": connections.CONNECT_SECONDS}
    return ConnectionPool(
        address,
        connection_class=connections.Connection,
        kwargs=options,
        min_size=1,
        max_size=size,
        timeout=connections.CONNECT_SECONDS,
        check=ConnectionPool.check_connection,
        open=True,
    )


def _named(address: str) -> str:
    """The server and database of an address, without role and password."""
    try:
        found: dict[str, Any] = conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        # What libpq says of it may repeat the password.
        raise RequestError(
            "DCB_STORE is not an address of PostgreSQL; give it as postgresql://ROLE@HOST/DATABASE"
        ) from None
    host, port = found.get("host", "localhost"), found.get("port", "5432")
    return f"postgresql://{host}:{port}/{found.get('dbname', '')}"


def _unbound(connection: Connection) -> bool:
    found = connection.execute(
        "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
    ).fetchone()
    return bool(found and found[0])


def _bound_role(connection: Connection, where: str) -> str:
    """A role without special rights for a superuser to take on; made when it is missing."""
    try:
        with connection.transaction():
            # Two programs that grant at the same time would disturb each other.
            connection.execute(f"select pg_advisory_xact_lock({MIGRATING})")
            _make_role(connection)
            if not _granted(connection):
                for right in _RIGHTS:
                    connection.execute(f"grant {right} to {_BOUND}".encode())
    except psycopg.errors.InsufficientPrivilege:
        raise StoreUnwritable(
            f"The role for {where} has BYPASSRLS, so nothing would keep projects apart; give a "
            "role without it"
        ) from None
    return _BOUND


def _make_role(connection: Connection) -> None:
    known = connection.execute("select 1 from pg_roles where rolname = %s", (_BOUND,)).fetchone()
    if known is None:
        # The lock is one of this database, the role one of the whole server.
        made_elsewhere = (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation)
        with suppress(*made_elsewhere), connection.transaction():
            connection.execute(f"create role {_BOUND}")


def _granted(connection: Connection) -> bool:
    found = connection.execute(
        "select bool_and(has_table_privilege(%s, format('dcb.%%I', tablename), 'delete')) "
        "from pg_tables where schemaname = 'dcb'",
        (_BOUND,),
    ).fetchone()
    return bool(found and found[0])


# --- one person --------------------------------------------------------------------------


def _own(connection: Connection, project: str, where: str) -> tuple[int, int]:
    """The person of the role and a project; a project that is new belongs to its maker."""
    with connection.transaction():
        connection.execute(beginning({"dcb.admin": "on", **connections.SLOWEST}).encode())
        person, _ = _numbered(connection, "people", str(_role_name(connection)))
        number, fresh = _numbered(connection, "projects", project)
        if fresh:
            connection.execute(
                "insert into dcb.members(project, person, role) values (%s, %s, 'owner')",
                (number, person),
            )
        member = connection.execute(
            "select 1 from dcb.members where project = %s and person = %s", (number, person)
        ).fetchone()
    if member is None:
        raise RequestError(f"No project {project!r} of yours is on {where}; see DCB_PROJECT")
    return person, number


def _role_name(connection: Connection) -> str:
    found = connection.execute("select session_user::text").fetchone()
    return str(found[0]) if found else ""


def _numbered(connection: Connection, table: str, name: str) -> tuple[int, bool]:
    """The number of a person or project of this name, and whether it is new."""
    find = f"select id from dcb.{table} where name = %s".encode()
    found = connection.execute(find, (name,)).fetchone()
    if found:
        return int(found[0]), False
    made = connection.execute(
        f"insert into dcb.{table}(name) values (%s) on conflict do nothing returning id".encode(),
        (name,),
    ).fetchone()
    if made:
        return int(made[0]), True
    again = connection.execute(find, (name,)).fetchone()
    assert again is not None  # whoever was first has committed it
    return int(again[0]), False
