"""The schema on a server: brought up to date by one program, or refused in one sentence, untouched."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dcb.cli import cli
from dcb.errors import DamagedStore, NewerStore, StoreUnwritable
from dcb.migrations import Step
from dcb.store import Store, opened
from tests.postgres_server import Server
from tests.test_store import document, put, snapshot

psycopg = pytest.importorskip("psycopg")

from dcb.store import postgres as stores  # noqa: E402
from dcb.store.postgres import schema  # noqa: E402
from dcb.store.postgres.steps import LATEST, STEPS  # noqa: E402

ROUNDS = 20


@pytest.fixture
def address(postgres: Server) -> str:
    return postgres.fresh()


def one(address: str) -> Store:
    return opened(Path("no folder"), address=address, now=lambda: 1)


def where(address: str) -> str:
    return "postgresql://" + address.partition("@")[2]


def everything(postgres: Server, address: str) -> dict[str, list[Any]]:
    """All tables of the schema with their columns and rows, whoever may see them."""
    with psycopg.connect(as_superuser(postgres, address)) as connection:
        tables = connection.execute(
            "select table_name, array_agg(column_name::text order by ordinal_position) "
            "from information_schema.columns where table_schema = 'dcb' group by 1 order by 1"
        ).fetchall()
        return {
            name: [columns, *connection.execute(f"select t::text from dcb.{name} t order by 1")]
            for name, columns in tables
        }


def as_superuser(postgres: Server, address: str) -> str:
    return postgres.superuser.rpartition("/")[0] + "/" + address.rpartition("/")[2]


# --- newer than this dcb -----------------------------------------------------------------


@pytest.fixture
def newer(address: str) -> str:
    """A store with a snapshot, of a dcb that does not exist yet."""
    with one(address) as store:
        put(store, 1)
    advance(address)
    return address


def advance(address: str) -> None:
    with psycopg.connect(address) as other:
        other.execute("insert into dcb.steps values (999)")


def too_new(address: str) -> str:
    return (
        f"{where(address)} was written by a newer dcb (store version 999; this one knows {LATEST}); "
        "install that version"
    )


@pytest.mark.parametrize("verb", [["list"], ["search", "x"], ["erase", "0199-0001", "--yes"]])
def test_a_store_of_a_newer_dcb_is_refused_and_left_alone(
    postgres: Server, newer: str, verb: list[str]
) -> None:
    before = everything(postgres, newer)
    done = CliRunner(env={"DCB_STORE": newer}).invoke(cli, verb)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"dcb: {too_new(newer)}\n"
    assert everything(postgres, newer) == before


def test_a_server_for_several_refuses_it_too(newer: str) -> None:
    with pytest.raises(NewerStore) as error:
        stores.Shared(newer)
    assert str(error.value) == too_new(newer)


def test_a_program_under_which_the_schema_changes_writes_no_more(
    postgres: Server, address: str
) -> None:
    with one(address) as store:
        put(store, 1)
        advance(address)
        before = everything(postgres, address)
        for change in (lambda: put(store, 2), lambda: store.erase("0199-0001")):
            with pytest.raises(NewerStore) as error:
                change()
            assert str(error.value) == too_new(address)
        assert everything(postgres, address) == before
        assert store.get("0199-0001").document == document(snapshot())


# --- older than this dcb -----------------------------------------------------------------


def stepped(monkeypatch: pytest.MonkeyPatch, steps: tuple[Step, ...]) -> None:
    """From now on this is a dcb that knows these steps."""
    monkeypatch.setattr(schema, "STEPS", steps)
    monkeypatch.setattr(schema, "LATEST", steps[-1].number)


def test_every_older_schema_is_brought_up_to_date(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = postgres.fresh()
    one(fresh).close()
    for known in range(1, len(STEPS)):
        with monkeypatch.context() as older:
            stepped(older, STEPS[:known])
            address = postgres.fresh()
            connect_only(address)
        one(address).close()
        assert shape(everything(postgres, address)) == shape(everything(postgres, fresh))


def connect_only(address: str) -> None:
    stores.connect(address).close()


def shape(tables: dict[str, list[Any]]) -> dict[str, list[str]]:
    return {name: sorted(columns) for name, (columns, *_) in tables.items()}


def test_what_an_older_store_holds_is_found_as_before(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = postgres.fresh(), postgres.fresh()
    with one(source) as store:
        put(store, *range(1, 30))
    with monkeypatch.context() as older:
        stepped(older, STEPS[:2])
        connect_only(target)
    as_of_two(as_superuser(postgres, source), as_superuser(postgres, target))
    with one(source) as now, one(target) as brought:
        assert brought.list(limit=None) == now.list(limit=None)
        for text in ("排班", "kind:decision redis", "5433 -redis", "tag:api"):
            assert brought.search(text, limit=50) == now.search(text, limit=50)
        assert brought.check().problems == ()
        put(brought, 50)
        assert brought.list()[0].seq == 30


def as_of_two(source: str, target: str) -> None:
    """Copy the rows of a store into one whose schema has two steps."""
    columns = {
        "snapshots": "project, seq, id, origin, sealed, created_at, meta, meta_sha",
        "bodies": "project, seq, document, passages, omitted, sha",
        "versions": "project, id, number, sealed, body, sha",
        "spellings": "project, word, held",
        "words": "project, seq, said, array_to_tsvector(array_remove(string_to_array("
        "replace(said, E'\\n', ' '), ' '), '')) as terms",
    }
    with psycopg.connect(source) as old, psycopg.connect(target) as new:
        for table, listed in columns.items():
            order = "1, 2" if table != "versions" else "rowid"
            rows = old.execute(f"select {listed} from dcb.{table} order by {order}").fetchall()
            places = ", ".join("%s" for _ in rows[0])
            named = listed if table != "words" else "project, seq, said, terms"
            overriding = "overriding system value" if table == "snapshots" else ""
            new.cursor().executemany(
                f"insert into dcb.{table}({named}) {overriding} values ({places})", rows
            )


@pytest.fixture
def stranger(postgres: Server) -> Callable[[str], str]:
    """The URL of a role that owns nothing, for a database; with rights on what is there."""
    password = postgres.role("onlooker")

    def enter(address: str) -> str:
        name = address.rpartition("/")[2]
        with psycopg.connect(address) as owner:
            if owner.execute("select to_regnamespace('dcb')").fetchone() != (None,):
                owner.execute("grant usage on schema dcb to onlooker")
                owner.execute("grant all on all tables in schema dcb to onlooker")
        return postgres.url("onlooker", password, name)

    return enter


def test_who_may_not_bring_it_up_to_date_learns_who_may(
    postgres: Server, address: str, stranger: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    entered = stranger(address)
    with pytest.raises(StoreUnwritable) as error:
        one(entered)
    rest = "and this role may not change its tables; have the role that owns them run this dcb once"
    assert str(error.value) == f"{where(address)} holds no store yet, {rest}"
    with monkeypatch.context() as older:
        stepped(older, STEPS[:1])
        connect_only(address)
    before = everything(postgres, address)
    with pytest.raises(StoreUnwritable) as error:
        one(stranger(address))
    assert str(error.value) == (
        f"{where(address)} was last used by an older dcb (store version 1; this one needs "
        f"{LATEST}), {rest}"
    )
    assert everything(postgres, address) == before


def test_a_step_that_fails_changes_nothing(
    postgres: Server, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with one(address) as store:
        put(store, 1)
    before = everything(postgres, address)
    broken = Step(
        number=LATEST + 1,
        name="one that fails",
        statements=("alter table dcb.words add column more integer", "select 1 / 0"),
    )
    with monkeypatch.context() as later:
        stepped(later, (*STEPS, broken))
        with pytest.raises(DamagedStore) as error:
            one(address)
        assert str(error.value) == (
            f"{where(address)}: division by zero; look at it with: dcb doctor"
        )
    assert everything(postgres, address) == before


# --- two at once -------------------------------------------------------------------------


def test_two_programs_that_open_a_fresh_database_at_once_both_succeed(postgres: Server) -> None:
    # A role that no policy binds has more to set up, so more to fall over.
    for address, rounds in ((postgres.fresh(), ROUNDS), (postgres.superuser, ROUNDS // 2)):
        together(address, rounds)


def together(address: str, rounds: int) -> None:
    """Let two processes open a database that has no schema, so many times."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(3, timeout=60)
    said = context.SimpleQueue()
    openers = [
        context.Process(target=open_again, args=(address, rounds, barrier, said)) for _ in range(2)
    ]
    for opener in openers:
        opener.start()
    try:
        for _ in range(rounds):
            with psycopg.connect(address, autocommit=True) as other:
                other.execute("drop schema if exists dcb cascade")
            barrier.wait()
            barrier.wait()
            assert [said.get(), said.get()] == ["opened", "opened"]
            with psycopg.connect(address) as other:
                taken = other.execute("select number, xmin::text from dcb.steps order by 1")
                numbers, transactions = zip(*taken.fetchall(), strict=True)
            assert numbers == tuple(range(1, LATEST + 1))
            assert len(set(transactions)) == 1
    finally:
        for opener in openers:
            opener.terminate()
            opener.join()


def open_again(address: str, rounds: int, barrier: Barrier, said: Any) -> None:
    """Open it when the others do, save, and say how that went."""
    for number in range(rounds):
        barrier.wait()
        try:
            with one(address) as store:
                put(store, number)
            said.put("opened")
        except Exception as error:
            said.put(repr(error))
        barrier.wait()
