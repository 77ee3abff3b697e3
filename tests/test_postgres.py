"""A store on a PostgreSQL server: kept apart by project and person, and plain when it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dcb.errors import DcbError, NewerStore, NotFound, RequestError, StoreUnwritable
from dcb.store import Store, opened
from tests.postgres_server import Server
from tests.test_store import document, put, snapshot

psycopg = pytest.importorskip("psycopg")

from dcb.store import postgres as stores  # noqa: E402

NOWHERE = Path("no folder")


def one(address: str, project: str = "") -> Store:
    return opened(NOWHERE, address=address, project=project, now=lambda: 1)


@pytest.fixture
def address(postgres: Server) -> str:
    return postgres.fresh()


@pytest.fixture
def shared(address: str) -> Iterator[stores.Shared]:
    with stores.Shared(address, size=1) as found:
        yield found


def member(shared: stores.Shared, name: str, project: str, role: str) -> tuple[int, int]:
    """A person with a role in a project, both made when they are missing."""
    with shared.administering() as transaction:
        numbers = []
        for table, named in (("people", name), ("projects", project)):
            transaction.execute(
                f"insert into dcb.{table}(name) values (%s) on conflict do nothing", (named,)
            )
            found = transaction.execute(f"select id from dcb.{table} where name=%s", (named,))
            numbers.append(found.fetchone()[0])  # type: ignore[index]
        if role:
            transaction.execute(
                "insert into dcb.members(project, person, role) values (%s, %s, %s)",
                (numbers[1], numbers[0], role),
            )
    return numbers[0], numbers[1]


def store_of(shared: stores.Shared, who: tuple[int, int]) -> Store:
    return Store(shared.open_for(*who), now=lambda: 1)


def refusal(address: str) -> str:
    with pytest.raises(DcbError) as error:
        one(address)
    return str(error.value)


def test_what_is_saved_is_there_at_the_next_opening(address: str) -> None:
    with one(address) as store:
        put(store, 1)
    with one(address) as store:
        assert store.get("0199-0001").document == document(snapshot())


def test_the_same_id_in_two_projects_is_two_snapshots(address: str) -> None:
    with one(address, "a") as first, one(address, "b") as second:
        put(first, 1)
        assert second.list() == ()
        put(second, 1)
        second.remove("0199-0001")
        assert len(first.list()) == 1


def test_a_superuser_too_sees_one_project_only(postgres: Server) -> None:
    with one(postgres.superuser, "a") as first, one(postgres.superuser, "b") as second:
        put(first, 1)
        assert second.list() == ()


def test_from_the_wrong_side_nothing_is_seen(shared: stores.Shared) -> None:
    anna, ben = member(shared, "anna", "a", "owner"), member(shared, "ben", "b", "owner")
    put(store_of(shared, anna), *range(1, 6))
    wrong = store_of(shared, (ben[0], anna[1]))
    for number in range(1, 101):
        with pytest.raises(NotFound) as error:
            wrong.get(f"0199-{number:04d}")
        assert str(error.value) == f"No snapshot '0199-{number:04d}': nothing is stored yet"
        assert wrong.search(f"conv-{number} 泊位").found == ()
    assert wrong.list() == ()
    assert wrong.inbox() == ()


def test_a_connection_that_is_used_again_knows_nobody(shared: stores.Shared) -> None:
    anna, ben = member(shared, "anna", "a", "owner"), member(shared, "ben", "b", "owner")
    put(store_of(shared, anna), 1)
    mine, other = store_of(shared, anna), store_of(shared, ben)
    for _ in range(100):
        assert len(mine.list()) == 1
        assert other.list() == ()
    with shared.administering() as transaction:
        transaction.execute("select set_config('dcb.admin', '', true)")
        assert transaction.execute("select count(*) from dcb.snapshots").fetchone() == (0,)
        assert transaction.execute("select count(*) from dcb.people").fetchone() == (0,)


def test_a_reader_changes_nothing(shared: stores.Shared) -> None:
    put(store_of(shared, member(shared, "anna", "a", "owner")), 1)
    reader = store_of(shared, member(shared, "ben", "a", "reader"))
    assert len(reader.list()) == 1
    with pytest.raises(StoreUnwritable) as error:
        put(reader, 2)
    assert str(error.value) == (
        f"You may not change this in {shared.where}; ask its owner for the role of a writer"
    )


def test_one_snapshot_is_shown_to_one_person(shared: stores.Shared) -> None:
    anna = member(shared, "anna", "a", "owner")
    put(store_of(shared, anna), 1, 2)
    ben, project = member(shared, "ben", "a", "")
    with shared.administering() as transaction:
        transaction.execute(
            "insert into dcb.shares(project, snapshot_id, person) values (%s, '0199-0001', %s)",
            (project, ben),
        )
    guest = store_of(shared, (ben, project))
    assert guest.get("0199-0001").document == document(snapshot())
    assert [row.id for row in guest.list()] == ["0199-0001"]
    with pytest.raises(NotFound):
        guest.get("0199-0002")


def test_a_project_of_others_is_not_told_apart_from_none(postgres: Server, address: str) -> None:
    with one(address, "a"):
        pass
    password, name = postgres.role("stranger"), address.rpartition("/")[2]
    with psycopg.connect(address) as owner:
        owner.execute("grant usage on schema dcb to stranger")
        owner.execute("grant all on all tables in schema dcb to stranger")
    with pytest.raises(RequestError) as error:
        one(postgres.url("stranger", password, name), "a")
    assert str(error.value) == (
        f"No project 'a' of yours is on postgresql://127.0.0.1:{postgres.port}/{name}; "
        "see DCB_PROJECT"
    )


def test_a_lost_connection_is_made_anew(address: str) -> None:
    with one(address) as store:
        put(store, 1)
        terminated(address)
        assert len(store.list()) == 1


def terminated(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where application_name = 'dcb' and pid <> pg_backend_pid() and usename = current_user"
        )


def test_a_save_that_was_cut_off_is_not_acknowledged(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with one(address) as store:
        monkeypatch.setattr(type(store._outbox), "note", lambda *_: terminated(address))
        with pytest.raises(StoreUnwritable) as error:
            put(store, 1)
        assert str(error.value) == (
            f"The connection to {store._database.where} was lost; check the server and the "
            "network, and try again"
        )
        assert store.list() == ()


def test_a_save_whose_answer_was_lost_is_looked_up(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = psycopg.Connection.execute

    def deaf(self: object, query: object, *values: object, **options: object) -> object:
        done = execute(self, query, *values, **options)
        if query == "commit":
            monkeypatch.undo()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return done

    with one(address) as store:
        monkeypatch.setattr(psycopg.Connection, "execute", deaf)
        saved = store.put(snapshot(), document(snapshot()))
        assert (saved.change, saved.row) == ("new", store.get("0199-0001").row)


def test_a_sealed_project_opens_again(address: str) -> None:
    with one(address) as store:
        put(store, 1)
        assert store.encrypt("open sesame") == 1
    with psycopg.connect(address) as other:
        # Every row is shown to nobody who does not say who asks.
        assert other.execute("select count(*) from dcb.bodies").fetchone() == (0,)
    with opened(NOWHERE, address=address, now=lambda: 1, passphrase=lambda: "open sesame") as store:
        assert store.get("0199-0001").document == document(snapshot())
        assert [found.row.id for found in store.search("泊位").found] == ["0199-0001"]
        assert store.decrypt() == 1
        assert store.search("泊位").found


def test_a_backup_is_left_to_the_server(address: str, tmp_path: Path) -> None:
    with one(address) as store, pytest.raises(RequestError) as error:
        store.back_up(tmp_path / "copy.db")
    assert str(error.value) == (
        "A backup into one file is for a store in a folder; this one lies on a PostgreSQL server, "
        "whose own tools do that (see docs/postgres.md)"
    )


def test_what_is_erased_is_gone_from_every_table(address: str) -> None:
    with one(address) as store:
        put(store, 1, 2)
        assert store.erase("0199-0001").ids == ("0199-0001",)
        assert store.check().problems == ()
        for table in ("snapshots", "bodies", "words", "versions"):
            assert store._database.rows(f"select count(*) from {table}") == [(1,)]


def test_a_server_for_several_refuses_a_superuser(postgres: Server) -> None:
    with pytest.raises(StoreUnwritable) as error:
        stores.Shared(postgres.superuser)
    assert str(error.value) == (
        f"The role for postgresql://127.0.0.1:{postgres.port}/postgres is a superuser or has "
        "BYPASSRLS, so nothing would keep projects apart; give a role without these"
    )


def test_a_store_of_a_newer_dcb_is_refused(address: str) -> None:
    with one(address):
        pass
    with psycopg.connect(address) as other:
        other.execute("insert into dcb.steps values (999)")
    with pytest.raises(NewerStore, match="store version 999; this one knows"):
        one(address)


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    assert refusal("postgresql://x:secret@127.0.0.1:1/db") == (
        "postgresql://127.0.0.1:1/db cannot be reached; check that the server runs and the "
        "address in DCB_STORE"
    )


def test_a_wrong_password_is_one_sentence(postgres: Server, address: str) -> None:
    role = address.rpartition("/")[2]
    assert refusal(postgres.url(role, "secret", role)) == (
        f"postgresql://127.0.0.1:{postgres.port}/{role} refuses this role or its password; "
        "check both in DCB_STORE"
    )


def test_an_address_that_is_none_is_not_repeated() -> None:
    assert refusal("postgresql://x:secret@[::1/db") == (
        "DCB_STORE is not an address of PostgreSQL; give it as postgresql://ROLE@HOST/DATABASE"
    )
