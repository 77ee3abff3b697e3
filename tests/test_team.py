"""People, projects, roles, tokens, and the log of a shared store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from dcb.errors import NotFound, RequestError, StoreUnwritable
from dcb.store import Store
from tests.postgres_server import Server
from tests.test_store import document, put, snapshot

psycopg = pytest.importorskip("psycopg")

from dcb.store.postgres import Shared  # noqa: E402
from dcb.team import Gate, Holder, Place, Team, audit  # noqa: E402
from dcb.team import tokens as secrets  # noqa: E402


@dataclass
class Known:
    """A store with two projects: Ada owns `north`, Bo owns `south`, Cy reads `north`."""

    shared: Shared
    team: Team
    gate: Gate
    address: str

    def enter(self, person: str, **options) -> tuple[Holder, tuple[Place, ...]]:
        _, secret = self.team.new_token(person, **options)
        found = self.admit(secret)
        assert found is not None
        return found

    def admit(self, secret: str):
        hash = secrets.hashed(secret)
        return hash and self.gate.admit(hash)

    def store(self, person: str, project: str = "") -> Store:
        holder, places = self.enter(person)
        place = next(place for place in places if place.name == project or not project)
        return Store(self.shared.open_for(holder.person, place.project), now=lambda: 1)


@pytest.fixture(scope="module")
def database(postgres: Server) -> str:
    return postgres.fresh()


@pytest.fixture
def known(postgres: Server, database: str) -> Iterator[Known]:
    address = postgres.emptied(database)
    with Shared(address, size=1) as shared:
        team = Team(shared)
        for person in ("Ada", "Bo", "Cy"):
            team.add_person(person)
        for project, owner in (("north", "Ada"), ("south", "Bo")):
            team.add_project(project)
            team.set_member(project, owner, role="owner")
        team.set_member("north", "Cy", role="reader")
        yield Known(shared, team, Gate(shared), address)


def done(known: Known, project: str = "north") -> list[tuple[str, str, str]]:
    events = reversed(known.team.audit(project=project))
    return [(event.person, event.action, event.snapshot) for event in events]


# --- tokens ------------------------------------------------------------------------------


def test_a_token_opens_the_projects_of_its_person(known):
    holder, places = known.enter("Ada", scope="owner")
    assert (holder.name, [(p.name, p.role) for p in places]) == ("Ada", [("north", "owner")])


def test_a_token_of_another_project_opens_nothing(known):
    assert known.enter("Ada", project="south")[1] == ()


@pytest.mark.parametrize(
    ("scope", "role"), [("read", "reader"), ("write", "writer"), ("owner", "owner")]
)
def test_the_scope_of_a_token_limits_the_role(known, scope, role):
    assert [place.role for place in known.enter("Ada", scope=scope)[1]] == [role]


def test_a_token_gives_no_role_that_its_person_has_not(known):
    assert [place.role for place in known.enter("Cy", scope="owner")[1]] == ["reader"]


def test_a_revoked_token_opens_nothing(known):
    number, secret = known.team.new_token("Ada")
    assert known.admit(secret)
    known.team.revoke(number)
    assert known.admit(secret) is None


def test_a_token_past_its_days_opens_nothing(known):
    assert known.admit(known.team.new_token("Ada", days=0)[1]) is None
    assert known.admit(known.team.new_token("Ada", days=1)[1])


@pytest.mark.parametrize("given", ["", "dcb_", "dcb_" + "A" * 43, "x" * 47, "dcb_" + "é" * 43])
def test_a_token_that_was_never_made_opens_nothing(known, given):
    assert not known.admit(given)


def test_the_store_keeps_no_token_but_its_hash(known, postgres):
    _, secret = known.team.new_token("Ada")
    with psycopg.connect(as_superuser(known, postgres)) as connection:
        row = connection.execute("select t::text from dcb.tokens t").fetchone()
    assert secret not in row[0]
    assert secret.removeprefix("dcb_") not in row[0]
    assert secrets.hashed(secret).hex() in row[0]


def test_when_a_token_was_used_is_remembered(known):
    known.enter("Ada")
    assert known.team.tokens()[0].last_used_at is not None


def test_a_token_that_is_unknown_cannot_be_revoked(known):
    with pytest.raises(NotFound, match=r"^There is no token 99; see: dcb team token list$"):
        known.team.revoke(99)


# --- people, projects, roles --------------------------------------------------------------


def test_a_name_is_given_once(known):
    with pytest.raises(RequestError) as error:
        known.team.add_person("Ada")
    assert str(error.value) == "There is a person 'Ada' already; take another name"


def test_an_unknown_person_is_named_with_the_way_to_make_them(known):
    with pytest.raises(NotFound) as error:
        known.team.set_member("north", "Dee", role="reader")
    assert str(error.value) == "There is no person 'Dee'; make it with: dcb team person add Dee"


@pytest.mark.parametrize("name", ["", "North", "a/b", "../x", "-a", "a" * 65, "a b"])
def test_a_project_has_a_name_that_can_stand_in_an_address(known, name):
    with pytest.raises(RequestError) as error:
        known.team.add_project(name)
    assert str(error.value) == (
        f"{name!r} cannot be the name of a project; take up to 64 of a-z, 0-9, . _ - "
        "and begin with a letter or digit"
    )


def test_who_is_taken_out_of_a_project_sees_nothing_of_it(known):
    put(known.store("Ada"), 1)
    reader = known.store("Cy")
    assert len(reader.list()) == 1
    known.team.drop_member("north", "Cy")
    assert reader.list() == ()
    assert known.enter("Cy")[1] == ()


def test_a_reader_cannot_write(known):
    put(known.store("Ada"), 1)
    reader = known.store("Cy")
    with pytest.raises(StoreUnwritable) as error:
        put(reader, 2)
    assert str(error.value).startswith("You may not change this in postgresql://")
    assert len(reader.list()) == 1


# --- sharing -----------------------------------------------------------------------------


def test_a_shared_snapshot_is_read_by_a_guest_and_nothing_beside_it(known):
    ours = known.store("Ada")
    put(ours, 1)
    put(ours, 2)
    shown, hidden = (row.id for row in ours.list())
    known.team.share("north", shown, "Bo")
    guest = known.store("Bo", "north")
    assert [(p.name, p.role) for p in known.enter("Bo", scope="owner")[1]] == [
        ("north", "guest"),
        ("south", "owner"),
    ]
    assert [row.id for row in guest.list()] == [shown]
    assert guest.get(shown).document == ours.get(shown).document
    with pytest.raises(NotFound):
        guest.get(hidden)
    with pytest.raises(StoreUnwritable):
        put(guest, 3)
    known.team.unshare("north", shown, "Bo")
    assert guest.list() == ()


# --- the log -----------------------------------------------------------------------------


def test_what_is_written_removed_and_erased_is_logged_by_the_database(known):
    store = known.store("Ada")
    put(store, 1)
    identifier = store.list()[0].id
    store.remove(identifier)
    store.erase(identifier)
    assert done(known)[-3:] == [
        ("Ada", "save", identifier),
        ("Ada", "remove", identifier),
        ("Ada", "erase", identifier),
    ]


def test_the_log_says_which_token_and_action_it_was(known):
    holder, (place,) = known.enter("Ada")
    database = known.shared.open_for(holder.person, place.project)
    database.tell(token_id=str(holder.token))
    made = snapshot()
    Store(database, now=lambda: 1).put(made, document(made), action="merge")
    event = known.team.audit()[0]
    assert (event.action, event.token) == ("merge", holder.token)


def test_what_is_only_read_is_logged_when_it_is_told(known):
    holder, (place,) = known.enter("Cy")
    known.gate.note(holder, place, "read", "s-1")
    assert done(known)[-1] == ("Cy", "read", "s-1")


def test_nobody_writes_the_log_in_the_name_of_another(known):
    ada, (north,) = known.enter("Ada")
    bo, (south,) = known.enter("Bo")
    with (
        pytest.raises(StoreUnwritable),
        known.shared.transaction(person=str(bo.person), project=str(south.project)) as connection,
    ):
        connection.execute(
            "insert into dcb.audit(person, project, action) values (%s, %s, 'read')",
            (ada.person, north.project),
        )


def test_the_log_cannot_be_changed_even_by_who_keeps_the_store(known):
    before = known.team.audit()
    with known.shared.administering() as connection:
        assert connection.execute("update dcb.audit set action = 'x'").rowcount == 0
        assert connection.execute("delete from dcb.audit").rowcount == 0
    assert known.team.audit() == before


def test_the_log_of_a_project_is_for_its_owners(known):
    put(known.store("Ada"), 1)
    put(known.store("Bo"), 2)
    read = {}
    for person, project in (("Ada", "north"), ("Cy", "north"), ("Bo", "north"), ("Bo", "south")):
        with known.shared.transaction(**numbers(known, person, project)) as connection:
            found = audit.events(connection, audit.lines(connection, audit.Asked()))
        read[person, project] = {event.snapshot for event in found if event.snapshot}
    assert read == {
        ("Ada", "north"): {"0199-0001"},
        ("Cy", "north"): set(),
        ("Bo", "north"): set(),
        ("Bo", "south"): {"0199-0002"},
    }


def numbers(known: Known, person: str, project: str) -> dict[str, str]:
    with known.shared.administering() as connection:
        row = connection.execute(
            "select p.id::text, j.id::text from dcb.people p, dcb.projects j "
            "where p.name = %s and j.name = %s",
            (person, project),
        ).fetchone()
    return dict(zip(("person", "project"), row, strict=True))


# --- without a person ---------------------------------------------------------------------


def test_without_settings_the_role_of_the_server_sees_no_row(known):
    put(known.store("Ada"), 1)
    with psycopg.connect(known.address) as connection:
        named = connection.execute(
            "select tablename from pg_tables where schemaname = 'dcb' and tablename <> 'steps'"
        ).fetchall()
        seen = {
            name: connection.execute(f"select count(*) from dcb.{name}").fetchone()[0]
            for (name,) in named
        }
    assert len(seen) >= 14
    assert set(seen.values()) == {0}


def as_superuser(known: Known, postgres: Server) -> str:
    return postgres.superuser.rpartition("/")[0] + "/" + known.address.rpartition("/")[2]
