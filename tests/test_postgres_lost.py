"""A server that is away, slow, silent or held up: a bounded wait, one sentence, nothing by halves."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dcb.cli import cli
from dcb.document import dump
from dcb.errors import NotFound, StoreError, StoreUnwritable
from dcb.model import Report
from dcb.store import Store, opened
from tests.postgres_server import Server
from tests.proxy import Proxy, Strike, proxied
from tests.test_store import CHATGPT, document, put, snapshot

psycopg = pytest.importorskip("psycopg")

from dcb.store.postgres import connection as connections  # noqa: E402
from dcb.store.postgres.patience import Patient  # noqa: E402

NO_DRAFT = "dcb: There is no draft to save; make one with: dcb compile SOURCE\n"
COMMIT = b"commit\0"


@pytest.fixture(scope="module")
def database(postgres: Server) -> str:
    """A database with the tables of a store."""
    address = postgres.fresh()
    one(address).close()
    return address


@pytest.fixture
def address(postgres: Server, database: str) -> str:
    return postgres.emptied(database)


@pytest.fixture
def proxy(address: str) -> Iterator[Proxy]:
    with proxied(address) as found:
        yield found


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A snapshot as a file."""
    path = tmp_path / "kept.md"
    path.write_text(dump(snapshot()), "utf-8")
    return path


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that is waited for seconds is waited for a moment."""
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 2)
    monkeypatch.setattr(connections, "_PATIENCE", 0.5)
    monkeypatch.setattr(Patient, "patience", 0.5)
    for limits in (connections.SLOWEST, connections._LIMITS):
        monkeypatch.setitem(limits, "statement_timeout", "300ms")
        monkeypatch.setitem(limits, "lock_timeout", "200ms")


def one(address: str) -> Store:
    return opened(Path("no folder"), address=address, now=lambda: 1)


def where(address: str) -> str:
    return "postgresql://" + address.partition("@")[2]


def dcb(address: str, *arguments: str, given: str = "") -> Result:
    return CliRunner(env={"DCB_STORE": address}).invoke(cli, arguments, input=given)


def said(result: Result) -> str:
    """The one sentence of a command that failed."""
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("dcb: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("dcb: ").rstrip("\n")


def nothing_in(address: str) -> bool:
    """Whether no table of a store has a row."""
    with one(address) as store:
        tables = ("snapshots", "bodies", "words", "versions", "drafts", "spellings")
        return all(store._database.rows(f"select 1 from {table}") == [] for table in tables)


@contextmanager
def hindered(address: str, what: str) -> Iterator[None]:
    """Meanwhile the server does that before it keeps the document of a snapshot."""
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(
            "create function hinder() returns trigger language plpgsql as "
            f"$$ begin {what}; return new; end $$".encode()
        )
        other.execute(
            "create trigger hinder before insert on dcb.bodies for each row "
            "execute function hinder()"
        )
        yield
        other.execute("drop function hinder cascade")


# --- away, silent, slow ------------------------------------------------------------------


def test_a_server_that_is_away_is_one_sentence(hurried: None) -> None:
    assert said(dcb("postgresql://x:secret@127.0.0.1:1/db", "list")) == (
        "postgresql://127.0.0.1:1/db cannot be reached; check that the server runs and the "
        "address in DCB_STORE"
    )


def test_a_server_that_accepts_and_never_answers_is_one_sentence(hurried: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert said(dcb(f"postgresql://x:secret@127.0.0.1:{port}/db", "list")) == (
            f"postgresql://127.0.0.1:{port}/db cannot be reached; check that the server runs and "
            "the address in DCB_STORE"
        )


def stages(proxy: Proxy, *arguments: str, given: str = "") -> list[bytes]:
    """What a command sends, stage by stage."""
    proxy.strike(None)
    assert dcb(proxy.address, *arguments, given=given).exit_code == 0
    return list(proxy.sent)


def test_a_server_that_falls_silent_is_waited_for_a_moment(proxy: Proxy, hurried: None) -> None:
    put(one(proxy.address), 1)
    every = stages(proxy, "list")
    asked = [number for number, sent in enumerate(every) if b"select" in sent.lower()]
    assert len(asked) > 3
    for at in (asked[0], asked[-1]):
        proxy.strike("swallow", at=at)
        assert said(dcb(proxy.address, "list")) == (
            f"{where(proxy.address)} does not answer; check the server and the network, and try "
            "again"
        )


def test_a_statement_that_takes_too_long_is_given_up(
    address: str, kept: Path, hurried: None
) -> None:
    with hindered(address, "perform pg_sleep(5)"):
        assert said(dcb(address, "add", str(kept))) == (
            f"{where(address)} took too long to answer; nothing was changed, try again"
        )
    assert nothing_in(address)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (
            "53100",
            "The disk of {where} is full; nothing was changed. Free some space there and try again",
        ),
        ("53200", "{where} is out of memory or space; nothing was changed, try again"),
        ("40P01", "Another program changed {where} at the same time; try again"),
        ("XX001", "{where} reports damaged data; its administrator must look at it"),
        ("22000", "{where}: no; look at it with: dcb doctor"),
    ],
)
def test_what_a_server_refuses_in_the_middle_of_a_save_leaves_nothing(
    address: str, kept: Path, state: str, sentence: str
) -> None:
    """A disk that is really full is among the faults (`python -m tests.faults servertables`)."""
    with hindered(address, f"raise exception 'no' using errcode = '{state}'"):
        assert said(dcb(address, "add", str(kept))) == sentence.format(where=where(address))
    assert nothing_in(address)
    assert dcb(address, "add", str(kept)).exit_code == 0


# --- held up by others -------------------------------------------------------------------


@pytest.mark.parametrize("table", ["snapshots", "bodies", "words", "versions", "people"])
def test_a_table_that_another_session_locks_is_waited_for_a_moment(
    address: str, kept: Path, hurried: None, table: str
) -> None:
    with psycopg.connect(address) as other:
        other.execute(f"lock table dcb.{table} in access exclusive mode")
        for arguments in (["add", str(kept)], ["list"])[: 2 if table == "snapshots" else 1]:
            assert said(dcb(address, *arguments)) == (
                f"Another program is writing to {where(address)}; wait for it to finish and try "
                "again"
            )
    assert nothing_in(address)
    assert dcb(address, "add", str(kept)).exit_code == 0


def test_a_save_waits_a_moment_for_another_save(address: str, kept: Path, hurried: None) -> None:
    with one(address) as store, store._database.writing():
        assert said(dcb(address, "add", str(kept))) == (
            f"Another program is writing to {where(address)}; wait for it to finish and try again"
        )
    assert nothing_in(address)


def test_a_save_that_stands_still_does_not_keep_others_from_saving(
    address: str, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_WRITING", connections._WRITING.replace("60s", "200ms"))
    with one(address) as store:
        with pytest.raises(StoreError) as error, store._database.writing():
            half = "insert into facts(name, value) values ('half', 'x') returning name"
            assert store._database.rows(half) == [("half",)]
            done = dcb(address, "add", str(kept))
            assert (done.exit_code, done.stderr) == (0, "")
        assert str(error.value) == (
            f"{where(address)} ended a save that stood still too long; nothing was changed, try "
            "again"
        )
        assert store._database.rows("select name from facts where name = 'half'") == []
        assert len(store.list()) == 1


# --- lost in the middle ------------------------------------------------------------------


@pytest.mark.parametrize("what", ["cut before", "cut after"])
def test_a_save_that_is_cut_anywhere_is_neither_lost_nor_doubled(
    proxy: Proxy, what: Strike
) -> None:
    with one(proxy.address) as store:
        put(store, 1)
        proxy.strike(None)
        put(store, 2)
        for at in range(len(proxy.sent)):
            proxy.strike(what, at=at)
            acknowledged, met = saves(store, 10 + at), proxy.struck
            proxy.strike(None)
            assert stored(store, 10 + at) == acknowledged
            # Before anything was asked another connection does; after the commit it is looked up.
            committed = what == "cut after" and met.endswith(COMMIT)
            assert acknowledged == (at == 0 or committed or not met)
            assert saves(store, 10 + at)
            assert [version.number for version in store.versions(f"0199-{10 + at:04d}")] == [1]
        assert store.check().problems == ()


def test_a_save_that_is_cut_anywhere_is_given_again_and_saves_once(proxy: Proxy) -> None:
    refusals = {
        f"The connection to {where(proxy.address)} was lost; check the server and the network, and "
        "try again",
        f"{where(proxy.address)} cannot be reached; check that the server runs and the address in "
        "DCB_STORE",
    }
    draft(proxy, 1)
    for at in range(0, len(stages(proxy, "save")), 3):
        draft(proxy, at + 2)
        proxy.strike("cut after", at=at)
        done = dcb(proxy.address, "save")
        proxy.strike(None)
        if done.exit_code:
            assert said(done) in refusals
            again = dcb(proxy.address, "save")
            # What was saved before the cut has no draft any more.
            assert (again.exit_code, again.stderr) in ((0, ""), (1, NO_DRAFT))
        with one(proxy.address) as store:
            assert [version.number for version in store.versions(f"0199-{at + 2:04d}")] == [1]


def draft(proxy: Proxy, number: int) -> None:
    """Leave a snapshot to be saved."""
    report = Report(limit=4096, needed=1, kept=1, omitted=())
    with one(proxy.address) as store:
        store.save_draft(dump(snapshot(number)), report, source=CHATGPT)


def saves(store: Store, number: int) -> bool:
    """Whether a save was acknowledged."""
    try:
        put(store, number)
    except StoreUnwritable as error:
        refused = str(error)
    else:
        return True
    assert refused == (
        f"The connection to {store._database.where} was lost; check the server and the network, "
        "and try again"
    )
    return False


def stored(store: Store, number: int) -> bool:
    """Whether a snapshot is there as a whole."""
    try:
        held = store.get(f"0199-{number:04d}")
    except NotFound:
        return False
    return held.document == document(snapshot(number)) and held.row.version == 1


def test_an_outcome_that_cannot_be_looked_up_is_called_unknown(
    address: str, kept: Path, hurried: None
) -> None:
    with proxied(address) as proxy:
        proxy.strike("swallow", end=COMMIT)
        assert said(dcb(proxy.address, "add", str(kept))) == (
            f"{where(proxy.address)} cannot be reached; check that the server runs and the "
            "address in DCB_STORE. Whether snapshot '0199-0001' was saved is not known; saving it "
            "again does no harm"
        )
    assert dcb(address, "add", str(kept)).exit_code == 0
    assert [row.version for row in one(address).list()] == [1]
