"""Search on a shared server, attacked by other tenants, guests and readers.

`north` is Ada's and holds a word nobody else's project does; Bo owns `south`, Cy reads `north`.
The pool has one connection, so that whatever one of them leaves behind meets the next.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dcb.errors import DamagedStore, StoreUnwritable
from dcb.model import Entry, Snapshot
from dcb.store import Answer, Store
from tests import test_team as teams
from tests.postgres_server import Server
from tests.test_store import document, snapshot

psycopg = pytest.importorskip("psycopg")

from dcb.store.postgres import Shared, expressions  # noqa: E402
from dcb.store.postgres.connection import Database  # noqa: E402
from dcb.store.postgres.searching import STATEMENTS as INDEXED  # noqa: E402
from dcb.store.postgres.steps import LATEST, STEPS  # noqa: E402

database, known = teams.database, teams.known

SECRET = "nautilus"
FIRST, SECOND = "0199-0001", "0199-0002"

HOSTILE = (
    SECRET,
    f'"{SECRET}"',
    f"1:{SECRET}",
    f'"1:{SECRET}"',
    f"'1:{SECRET}'",
    f"x' | '1:{SECRET}",
    f"x\\' | \\'1:{SECRET}\\'",
    f"x:* | {SECRET}:*",
    f"-x {SECRET}",
    f"x OR {SECRET}",
    f"title:{SECRET}",
    f"{{title other}} : {SECRET}",
    f"x'); select set_config('dcb.project', '1', true); --{SECRET}",
    f"%s {SECRET} %(x)s ? $1 {{}}",
    f"tag:secret {SECRET}",
    f"-tag:x {SECRET}",
    f"kind:decision {SECRET}",
    f"before:9999 {SECRET}",
    f"\ue000 \ue001 \ue002 \ue003 \ue004 \ue005 \ue006 \ue007 {SECRET}",
    f"1:\ue004 {SECRET}",
    f"x\0{SECRET}",
    f"\ud800 {SECRET}",
    f"tag:\ud800 {SECRET}",
    "\\",
    "'",
    "':*",
    "\0",
    "*",
    "!" * 900,
    "x" * 999,
    "界" * 999,
    " ".join(map(chr, range(0x4E00, 0x4E00 + 400))),
)


def said(number: int, *texts: str, **changes: object) -> Snapshot:
    entries = tuple(
        Entry(id=f"v-{place:03d}", kind="decision", content=text, src="m1")
        for place, text in enumerate(texts, 1)
    )
    return snapshot(number, verbatim=entries, **changes)


def keep(store: Store, *made: Snapshot) -> None:
    for one in made:
        store.put(one, document(one))


def found(answer: Answer) -> list[str]:
    return sorted(one.row.id for one in answer.found)


@pytest.fixture
def north(known: teams.Known) -> Store:
    store = known.store("Ada")
    keep(
        store,
        said(1, "the harbour keeps its berths", title="shown"),
        said(2, f"the {SECRET} plan, {SECRET}s and all", title=SECRET, tags=("secret",)),
    )
    return store


@pytest.fixture
def south(known: teams.Known, north: Store) -> Store:
    store = known.store("Bo", "south")
    keep(store, said(3, "the x of ours"))
    return store


@pytest.fixture
def guest(known: teams.Known, north: Store) -> Store:
    """Bo, who was shown the first snapshot of `north`."""
    known.team.share("north", FIRST, "Bo")
    return known.store("Bo", "north")


# --- other tenants -----------------------------------------------------------------------


@pytest.mark.parametrize("typed", HOSTILE)
def test_no_query_reaches_another_project(north, south, typed):
    answer = south.search(typed)
    assert set(found(answer)) <= {"0199-0003"}
    assert SECRET not in repr(answer.found)
    assert SECRET not in answer.suggestion.replace(typed, "")


@pytest.mark.parametrize("typed", HOSTILE)
def test_a_hostile_query_is_answered_as_in_a_folder(tmp_path: Path, south, typed):
    with Store(tmp_path, now=lambda: 1) as folder:
        keep(folder, said(3, "the x of ours"))
        here, there = south.search(typed), folder.search(typed)
    assert (found(here), here.suggestion, here.notes) == (
        found(there),
        there.suggestion,
        there.notes,
    )


@pytest.mark.parametrize("typed", ["nautilis", "nautilu", "nautilusy", "nautlius"])
def test_a_suggestion_comes_from_the_own_project_only(north, south, typed):
    assert (north.search(typed).suggestion, south.search(typed).suggestion) == (SECRET, "")


def test_the_numbers_of_snapshots_do_not_tell_of_other_projects(north, south):
    keep(north, said(4, "more"))
    keep(south, said(5, "more"))
    assert [row.seq for row in south.list()] == [2, 1]


def test_no_statistics_of_the_server_show_a_word(known, north, postgres):
    """Samples of the columns are kept by ANALYZE; they are hidden where rows are."""
    sampled = "select count(*) from pg_stats where schemaname = 'dcb' and tablename <> 'steps'"
    with psycopg.connect(teams.as_superuser(known, postgres), autocommit=True) as other:
        other.execute("analyze")
        kept = other.execute(sampled).fetchone()
    with psycopg.connect(known.address) as other:
        shown = other.execute(sampled).fetchone()
    assert kept[0] > 10
    assert shown == (0,)


# --- guests ------------------------------------------------------------------------------


def test_a_guest_finds_what_was_shared_and_nothing_else(guest):
    assert found(guest.search("harbour")) == [FIRST]
    assert found(guest.search("decision")) == []
    assert found(guest.search("kind:decision")) == [FIRST]
    assert found(guest.search(f"harbour {SECRET}")) == [FIRST]  # some of the words


@pytest.mark.parametrize("typed", HOSTILE)
def test_no_query_shows_a_guest_what_was_not_shared(guest, typed):
    answer = guest.search(typed)
    assert set(found(answer)) <= {FIRST}
    assert SECRET not in repr(answer.found)
    assert SECRET not in answer.suggestion.replace(typed, "")


def test_a_suggestion_for_a_guest_comes_from_what_was_shared(north, guest):
    assert [store.search("harbuor").suggestion for store in (north, guest)] == ["harbour"] * 2
    assert [store.search("nautilis").suggestion for store in (north, guest)] == [SECRET, ""]


def test_what_a_guest_asks_is_not_asked_of_the_index(guest, monkeypatch):
    """How long the index takes would tell what it holds."""

    def refused(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Database, "asking", refused)
    assert found(guest.search("harbour")) == [FIRST]
    assert found(guest.search(SECRET)) == []


@pytest.mark.parametrize(
    "table", ["words", "spellings", "versions", "drafts", "facts", "outbox", "counters", "audit"]
)
def test_a_guest_sees_no_row_of_what_is_for_members(north, guest, table):
    counted = f"select count(*) from {table}"
    assert guest._database.rows(counted) == [(0,)]
    assert north._database.rows(counted)[0][0] >= (table in ("words", "spellings", "versions"))


def test_a_guest_who_looks_for_damage_finds_none(guest):
    assert guest.check().problems == ()


def test_what_is_no_longer_shared_is_no_longer_found(known, guest):
    known.team.unshare("north", FIRST, "Bo")
    assert found(guest.search("harbour")) == []
    assert guest.search("harbuor").suggestion == ""


def test_a_guest_who_becomes_a_reader_searches_the_whole_project(known, guest):
    known.team.set_member("north", "Bo", role="reader")
    assert found(guest.search(SECRET)) == [SECOND]
    known.team.drop_member("north", "Bo")
    assert found(guest.search(SECRET)) == []


# --- readers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "insert into words(seq, said, terms) values (1, ' x ', array_to_tsvector('{x}'))",
        "insert into spellings(word, held) values ('forged', 1)",
        "insert into counters(project, last) values (dcb.project(), 0)",
        "insert into shares(project, snapshot_id, person) values (dcb.project(), 'x', 1)",
    ],
)
def test_a_reader_adds_nothing_to_the_index(known, north, statement):
    database = known.store("Cy")._database
    with pytest.raises(StoreUnwritable) as error, database.writing():
        database.execute(statement)
    assert str(error.value).startswith("You may not change this in postgresql://")


@pytest.mark.parametrize(
    "statement",
    [
        "update words set said = ''",
        "delete from words",
        "update spellings set held = 0",
        "delete from spellings",
        "update counters set last = 0",
        "delete from counters",
    ],
)
def test_a_reader_changes_nothing_in_the_index(known, north, statement):
    database = known.store("Cy")._database
    with database.writing():
        database.execute(statement)
    assert found(north.search(SECRET)) == [SECOND]
    assert north.search("nautilis").suggestion == SECRET


# --- what is left behind -----------------------------------------------------------------


def left_behind(known: teams.Known) -> list[str]:
    """The settings of ours that the connection of the pool still has."""
    with known.shared.transaction() as connection:
        names = ("asked", "person", "project", "admin", "token", "token_id", "action")
        settings = [f"coalesce(current_setting('dcb.{name}', true), '')" for name in names]
        row = connection.execute(f"select {', '.join(settings)}".encode()).fetchone()
    return [value for value in row if value]


def test_a_search_leaves_nothing_behind(known, north):
    north.search(SECRET)
    assert left_behind(known) == []


def test_a_search_that_fails_leaves_nothing_behind(known, north, south, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(expressions, "proposing", lambda *_: "'")
        with pytest.raises(DamagedStore, match="syntax error in tsquery"):
            north.search(SECRET)
    assert left_behind(known) == []
    assert found(south.search("x")) == ["0199-0003"]
    assert found(north.search(SECRET)) == [SECOND]


def test_a_search_that_fails_after_it_has_asked_leaves_nothing_behind(
    known, north, south, monkeypatch
):
    with monkeypatch.context() as broken:
        broken.setattr(expressions, "confirming", lambda _: ("1 / (seq - seq) > 0", []))
        with pytest.raises(DamagedStore, match="division by zero"):
            north.search(SECRET)
    assert left_behind(known) == []
    assert found(south.search("x")) == ["0199-0003"]


def test_a_search_whose_connection_dies_leaves_nothing_behind(known, north, south, monkeypatch):
    dying = "pg_terminate_backend(pg_backend_pid())"
    with monkeypatch.context() as broken:
        broken.setattr(expressions, "confirming", lambda _: (dying, []))
        with pytest.raises(StoreUnwritable, match="was lost; check the server"):
            north.search(SECRET)
    assert left_behind(known) == []
    assert found(south.search("x")) == ["0199-0003"]


def test_what_a_writer_asked_does_not_hide_what_is_then_changed(north):
    """The policy that shows the answer also says which rows can be changed."""
    database = north._database
    with database.writing():
        assert database.words.newest('"harbour"', limit=5) == [1]
        database.words.drop(2)
    assert database.rows("select seq from words") == [(1,)]


def test_a_question_of_one_project_asks_nothing_in_another(known, north, south):
    """Said by hand, as a program might that forgets to take it back."""
    with known.shared.transaction(
        person=str(north._database._settings["dcb.person"]),
        project=str(south._database.project),
        asked=f"''1:{SECRET}''",
    ) as connection:
        assert connection.execute("select count(*) from dcb.words").fetchone() == (0,)


def test_a_question_goes_by_the_index_of_words(north):
    """However small the table is, and however large the project among others."""
    plan = north._database.asking("?::text", ("'1:harbour'",), "explain select said from words", ())
    read = "\n".join(line for (line,) in plan)
    assert "Bitmap Index Scan on words_terms" in read
    assert "words_pkey" not in read
    assert "Seq Scan on words" not in read


# --- the schema --------------------------------------------------------------------------


def catalogue(known: teams.Known, query: str) -> list[str]:
    with psycopg.connect(known.address) as connection:
        return [name for (name,) in connection.execute(query.encode()).fetchall()]


def test_every_table_is_bound_by_forced_policies(known):
    unbound = catalogue(
        known,
        "select relname from pg_class c where relnamespace = 'dcb'::regnamespace "
        "and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity "
        "and exists (select 1 from pg_policy p where p.polrelid = c.oid))",
    )
    assert unbound == ["steps"]


def test_nothing_runs_with_the_rights_of_its_maker(known):
    definers = "select proname from pg_proc where pronamespace = 'dcb'::regnamespace and prosecdef"
    seen_through = (
        "select relname from pg_class where relnamespace = 'dcb'::regnamespace "
        "and relkind in ('v', 'm')"
    )
    assert catalogue(known, definers) == []
    assert catalogue(known, seen_through) == []


def test_another_role_of_the_server_gets_nothing(known, postgres: Server):
    name, password = "curious", postgres.role("curious")
    address = postgres.url(name, password, known.address.rpartition("/")[2])
    with (
        psycopg.connect(address) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="for schema dcb"),
    ):
        connection.execute("select * from dcb.words")


@pytest.fixture
def earlier(postgres: Server) -> str:
    """A database as the second step of the schema left it, with one project in it."""
    address = postgres.fresh()
    with psycopg.connect(address) as connection:
        connection.execute("create schema dcb")
        connection.execute("create table dcb.steps(number integer primary key)")
        for step in STEPS[:2]:
            for statement in step.statements:
                connection.execute(statement.encode())
            connection.execute("insert into dcb.steps values (%s)", (step.number,))
    return address


def test_while_the_schema_changes_nobody_sees_more(earlier):
    """The policies are lifted for a moment, for the transaction alone that rewrites the rows."""
    with psycopg.connect(earlier) as changing, psycopg.connect(earlier) as other:
        for statement in INDEXED[:2]:
            changing.execute(statement.encode())
        other.execute("set lock_timeout = '50ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            other.execute("select * from dcb.words")
        changing.rollback()
        other.rollback()
        forced = other.execute(
            "select relforcerowsecurity from pg_class where oid = 'dcb.words'::regclass"
        )
        assert forced.fetchone() == (True,)


def test_a_schema_of_before_is_brought_up_to_date(earlier):
    with Shared(earlier, size=1), psycopg.connect(earlier) as connection:
        assert connection.execute("select max(number) from dcb.steps").fetchone() == (LATEST,)
