"""A connection -> tables as this dcb knows them: the steps that are missing, taken by one program.

A schema of a newer dcb is refused, at opening and before each change: a program that runs for
days may see the schema change under it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg

from dcb.errors import NewerStore, StoreUnwritable
from dcb.migrations import Step
from dcb.store.postgres.steps import LATEST, STEPS

if TYPE_CHECKING:
    from dcb.store.postgres.patience import Patient

MIGRATING = 0x646362 << 32
"""The advisory lock of whoever changes the schema."""

NUMBER = "select max(number) from dcb.steps"
# Asked of the tables: what the session remembers of names may be from before the lock was had.
_THERE = "select 1 from pg_tables where schemaname = 'dcb' and tablename = 'steps'"
_PATIENCE = "set local lock_timeout = '30s'"


def migrate(connection: Patient, where: str) -> None:
    """Take the steps that are missing; of several programs one does and the others wait.

    Raises NewerStore, StoreLocked, and StoreUnwritable for a role that may not.
    """
    if _version(connection, where) == LATEST:
        return
    with connection.unhurried(), connection.transaction():
        connection.execute(_PATIENCE)
        connection.execute(f"select pg_advisory_xact_lock({MIGRATING})")
        version = _version(connection, where)
        with _permitted(version, where):
            if version == 0:
                connection.execute("create schema if not exists dcb")
                connection.execute("create table dcb.steps(number integer primary key)")
            for step in STEPS:
                if step.number > version:
                    _take(connection, step)


def refuse_newer(row: tuple[Any, ...] | None, where: str) -> int:
    """The version of a store, from what `NUMBER` found. Raises NewerStore."""
    version = int((row and row[0]) or 0)
    if version > LATEST:
        raise NewerStore(
            f"{where} was written by a newer dcb (store version {version}; this one knows "
            f"{LATEST}); install that version"
        )
    return version


def _version(connection: Patient, where: str) -> int:
    if connection.execute(_THERE).fetchone() is None:
        return 0
    return refuse_newer(connection.execute(NUMBER).fetchone(), where)


def _take(connection: Patient, step: Step) -> None:
    for statement in step.statements:
        connection.execute(statement.encode())
    connection.execute("insert into dcb.steps(number) values (%s)", (step.number,))


@contextmanager
def _permitted(version: int, where: str) -> Iterator[None]:
    """Whoever may not change the schema learns who may."""
    try:
        yield
    except psycopg.errors.InsufficientPrivilege:
        found = (
            f"was last used by an older dcb (store version {version}; this one needs {LATEST})"
            if version
            else "holds no store yet"
        )
        raise StoreUnwritable(
            f"{where} {found}, and this role may not change its tables; have the role that owns "
            "them run this dcb once"
        ) from None
