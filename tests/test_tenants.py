"""Two tenants of one server: from the wrong side nothing is seen, nor told apart from nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dcb.cli import cli
from dcb.document import dump
from dcb.errors import NotFound
from dcb.model import Entry
from dcb.store import Source, Store
from tests.postgres_server import Server
from tests.test_store import snapshot

psycopg = pytest.importorskip("psycopg")

from dcb.store.postgres import Shared  # noqa: E402
from dcb.team import Team  # noqa: E402

GUESSES = 1000
OURS = range(1, 31)
REMOVED = 30
THEIRS = 90  # the one snapshot of the other side
NEVER = 60  # of nobody
SOURCE = Source(format="chatgpt-export", where="export.zip", hash="h")
LONG = "steamboat " + " ".join(f"w{number}q" for number in range(90_000))


@dataclass(frozen=True, kw_only=True)
class Known:
    """`north` is Ada's and full; `south` is Bo's and has one snapshot of other words."""

    shared: Shared
    address: str
    ada: int
    bo: int
    north: int
    south: int

    def store(self, person: int, project: int) -> Store:
        return Store(self.shared.open_for(person, project), now=lambda: 1)

    @property
    def ours(self) -> Store:
        return self.store(self.ada, self.north)

    @property
    def theirs(self) -> Store:
        return self.store(self.bo, self.south)


@pytest.fixture(scope="module")
def known(postgres: Server) -> Iterator[Known]:
    address = postgres.fresh()
    # The command is used as the person that the role is.
    role = address.rpartition("/")[2]
    with Shared(address, size=1) as shared:
        team = Team(shared)
        ada, bo = team.add_person("Ada"), team.add_person(role)
        north, south = team.add_project("north"), team.add_project("south")
        team.set_member("north", "Ada", role="owner")
        team.set_member("south", role, role="owner")
        found = Known(shared=shared, address=address, ada=ada, bo=bo, north=north, south=south)
        fill(found)
        yield found


def fill(known: Known) -> None:
    for number in OURS:
        for title in ("泊位调度接口", "第二版"):
            keep(known.ours, number, title=title)
    held = Entry(id="v-001", kind="decision", content=LONG, src="m1")
    keep(known.ours, OURS[0], verbatim=(held,))  # too long for an index of its words
    known.ours.remove(identifier(REMOVED))
    held = Entry(id="v-001", kind="parameter", content="Nothing but a lighthouse.", src="m1")
    keep(
        known.theirs,
        THEIRS,
        title="Lighthouse",
        description="",
        tags=(),
        verbatim=(held,),
        summary=(),
        preferences=(),
    )


def keep(store: Store, number: int, **changes: object) -> None:
    made = replace(snapshot(number), **changes)  # type: ignore[arg-type]
    store.put(made, dump(made), source=SOURCE)


def identifier(number: int) -> str:
    return f"0199-{number:04d}"


# --- the command -------------------------------------------------------------------------

VERBS: tuple[tuple[str, ...], ...] = (
    ("show", "ID"),
    ("show", "ID@1"),
    ("show", "ID", "--json"),
    ("show", "ID", "--markdown"),
    ("history", "ID"),
    ("history", "ID", "--json"),
    ("export", "ID", "--out", "-"),
    ("export", "ID", "--format", "pam", "--out", "-"),
    ("merge", "ID", "0199-0090"),
    ("merge", "0199-0090", "ID", "--save"),
    ("erase", "ID", "--yes"),
    ("weight", "ID", "2"),
    ("diff", "ID@1", "ID@2"),
    ("diff", "0199-0090", "ID"),
    ("rollback", "ID@1"),
    ("brief", "ID"),
    ("edit", "ID", "--drop", "v-001"),
    ("remove", "ID"),
    ("secrets", "ID"),
    ("search", "ID"),
    ("search", "排班"),
    ("search", "redsi"),
    ("search", "tag:api"),
    ("list", "--json"),
    ("inbox", "show", "ID"),
)


def asked(known: Known, project: str, verb: tuple[str, ...], number: int) -> Result:
    environment = {"DCB_STORE": known.address, "DCB_PROJECT": project}
    given = [part.replace("ID", identifier(number)) for part in verb]
    return CliRunner(env=environment).invoke(cli, given)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
@pytest.mark.parametrize("number", [OURS[1], REMOVED], ids=["there", "removed"])
def test_a_snapshot_of_others_is_answered_as_one_that_never_was(
    known: Known, verb: tuple[str, ...], number: int
) -> None:
    before = [known.ours.versions(identifier(each)) for each in OURS]
    foreign, absent = (asked(known, "south", verb, each) for each in (number, NEVER))
    said = [
        (one.exit_code, one.stdout.replace(name, "ID"), one.stderr.replace(name, "ID"))
        for one, name in ((foreign, identifier(number)), (absent, identifier(NEVER)))
    ]
    assert said[0] == said[1]
    assert foreign.exit_code == (0 if verb[0] in ("search", "list") else 1)
    assert "Redis" not in foreign.output
    assert [known.ours.versions(identifier(each)) for each in OURS] == before


def test_the_sentence_is_that_of_a_snapshot_that_is_not_there(known: Known) -> None:
    done = asked(known, "south", ("show", "ID"), OURS[1])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "dcb: No snapshot '0199-0002'; see: dcb list\n"


# --- the store ---------------------------------------------------------------------------

QUERIES = (
    "redis",  # a word that all of ours have
    "排班",
    "泊位 端口",
    '"Redis Streams"',
    "kind:decision redis",
    "kind:preference 简体中文",
    "tag:api",
    "role:user redis",
    "source:chatgpt-export redis",
    "after:2020-01-01 redis",
    "redis -lighthouse",
    "steamboat",  # only in the one that is too long to index
    "w17q",
    "redsi",
)


def nothing(store: Store, number: int) -> int:
    """How many rows of ours one guess at everything showed."""
    name = identifier(OURS[number % len(OURS)])
    rows = bool(store.versions(name))
    for look in (store.get, store.find, store.passages, lambda given: store.version(given, 1)):
        try:
            look(name)
        except NotFound:
            continue
        rows += 1
    return rows


def test_a_thousand_guesses_from_the_wrong_side_find_no_row(known: Known) -> None:
    wrong = (known.theirs, known.store(known.bo, known.north), known.store(known.ada, known.south))
    seen = 0
    for number, store, text in islice(
        zip(range(GUESSES), cycle(wrong), cycle(QUERIES), strict=False), GUESSES
    ):
        if number % 2:
            seen += nothing(store, number)
        else:
            answer = store.search(text)
            seen += len(answer.found) + bool(answer.suggestion) + bool(answer.notes)
    assert seen == 0
    # The same questions have answers on the right side.
    assert all(known.ours.search(text).found or text == "redsi" for text in QUERIES)
    assert known.ours.search("redsi").suggestion == "redis"
    assert nothing(known.ours, 1) == 5


def test_one_connection_used_a_thousand_times_for_both_leaks_nothing(known: Known) -> None:
    """The pool has one connection, which serves both."""
    looks: tuple[Callable[[Store], list[str]], ...] = (
        lambda store: [row.id for row in store.list(limit=None)],
        lambda store: [
            found.row.id for found in store.search("kind:decision redis", limit=50).found
        ],
        lambda store: [found.row.id for found in store.search("lighthouse", limit=50).found],
        lambda store: [found.row.id for found in store.search("-nowhere", limit=50).found],
        lambda store: [store.search("redsi").suggestion],
        lambda store: [item.id for item in store.inbox()],
    )
    sides = (known.ours, known.theirs)
    expected = [[look(side) for look in looks] for side in sides]
    assert len(expected[0][0]) == len(OURS) - 1
    assert expected[1][:3] == [[identifier(THEIRS)], [], [identifier(THEIRS)]]
    leaks = 0
    for turn in range(GUESSES):
        side, look = turn % 2, turn // 2 % len(looks)
        leaks += looks[look](sides[side]) != expected[side][look]
    assert leaks == 0


def test_what_is_looked_for_cannot_be_made_to_show_the_rows_of_others(known: Known) -> None:
    north = known.north
    forged = (f"'{north}:redis'", f"!'{north}:nothing'", "!'x'", f"'{north}:redis' | !'x'")
    told = {"person": str(known.bo), "project": str(known.south)}
    for asked_for in forged:
        with known.shared.transaction(**told) as connection:
            connection.execute("select set_config('dcb.asked', %s, true)", (asked_for,))
            for table in ("words", "snapshots", "bodies", "versions", "spellings"):
                found = connection.execute(
                    f"select count(*) from dcb.{table} where project = %s".encode(), (north,)
                ).fetchone()
                assert found == (0,), (asked_for, table)


def test_numbers_of_ones_own_say_nothing_of_the_others(known: Known) -> None:
    assert [row.seq for row in known.theirs.list()] == [1]
    told = {"person": str(known.bo), "project": str(known.south)}
    with known.shared.transaction(**told) as connection:
        assert connection.execute("select last from dcb.counters").fetchall() == [(1,)]
        lately = connection.execute("select dcb.lately(1024)").fetchone()
    assert lately is not None
    assert f"{known.north}:" not in lately[0].replace(f"{known.south}:", "")


def test_nothing_of_ours_lies_in_a_folder_beside_it(tmp_path: Path, known: Known) -> None:
    done = CliRunner(
        env={"DCB_STORE": known.address, "DCB_PROJECT": "south", "DCB_DATA_DIR": str(tmp_path)}
    ).invoke(cli, ["search", "redis"])
    assert done.exit_code == 0
    assert list(tmp_path.rglob("*")) == []
