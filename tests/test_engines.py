"""Whoever compiles an archive, the store and the account are the same."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dcb import engines
from dcb.account import Account
from dcb.cli import main
from dcb.engines import TRIES, Engine
from dcb.engines.processes import Processes
from dcb.errors import DcbError, EngineError, RequestError
from dcb.ingest import ingest
from dcb.library import Library
from dcb.settings import Settings
from tests.dying import Dying
from tests.places import Place
from tests.postgres_server import Server

# In continuous integration a missing Ray is a failure.
with_ray = pytest.mark.skipif(
    find_spec("ray") is None and not os.environ.get("CI"), reason="the extra 'ray' is not installed"
)
TALKS = 24


class Counting(Library):
    """A library whose ids and times are counted, so that two stores can be compared."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._numbers = itertools.count(1)

    def stamp(self) -> Mapping[str, Any]:
        number = next(self._numbers)
        return {
            "snapshot_id": f"0198f000-0000-7000-8000-{number:012x}",
            "now": 1_770_000_000_000 + number,
        }


def talk(number: int, *more: str) -> dict[str, Any]:
    said = (
        f"We'll use queue {number} for the import; never restart it before ticket {number} closes.",
        f"超时设为 {number} 毫秒，其余不变。",
        *more,
    )
    return {
        "uuid": f"talk-{number}",
        "name": f"Talk {number}",
        "chat_messages": [
            {
                "uuid": f"{number}-{place}",
                "sender": "assistant" if place % 2 else "human",
                "text": text,
            }
            for place, text in enumerate(said)
        ],
    }


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Exports with copies of conversations, grown ones, and what cannot be read."""
    folder = tmp_path_factory.mktemp("sources")
    first = [talk(number) for number in range(TALKS)]
    first.insert(5, {"uuid": "odd", "name": "Odd", "chat_messages": [{"sender": "martian"}]})
    later = [talk(number, f"Decided: port {number}.") for number in range(0, TALKS, 4)]
    files = {"a.json": first, "b.json": later, "c.json": first[:3]}
    for name, talks in files.items():
        (folder / name).write_text(json.dumps(talks, ensure_ascii=False), "utf-8")
    (folder / "d.json").write_text('{"what": [', "utf-8")
    names = [*files, "d.json", "missing.json"]
    return tuple(str(folder / name) for name in names)


def taken(library: Library, sources: tuple[str, ...], engine: Engine | None) -> dict[str, Any]:
    """The account of an ingest, and its outcomes one by one."""
    account = Account()
    outcomes = list(ingest(library, sources, engine=engine, max_tokens=400))
    for outcome in outcomes:
        account.take(outcome)
    return {**account.as_json(), "outcomes": outcomes}


def kept(library: Library) -> list[tuple[Any, ...]]:
    """All that a store holds, but for the times of saving."""
    return [
        (
            *(row.id, row.seq, row.format, row.where, row.source_hash),
            *(held.document, held.omitted),
            *(
                (version.number, version.action, library.store.version(row.id, version.number)[1])
                for version in library.store.versions(row.id)
            ),
        )
        for row in library.list(limit=None)
        for held in [library.get(row.id)]
    ]


@pytest.fixture(scope="module")
def alone(
    sources: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """What one process makes of the sources."""
    with Counting(Settings(data_dir=tmp_path_factory.mktemp("alone"))) as library:
        return taken(library, sources, None), kept(library)


@pytest.fixture(scope="module")
def processes() -> Iterator[Engine]:
    with engines.opened("local", workers=2) as engine:
        assert engine is not None
        yield engine


@pytest.fixture(scope="module")
def ray() -> Iterator[Engine]:
    with engines.opened("ray", workers=2) as engine:
        assert engine is not None
        yield engine


@pytest.fixture(params=["processes", pytest.param("ray", marks=with_ray)])
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.getfixturevalue(request.param)
    return found


def test_one_process_reads_all_of_it(alone: tuple[dict[str, Any], Any]) -> None:
    account, _ = alone
    assert account["new"] == TALKS
    assert account["grown"] == TALKS // 4 + 1
    assert account["unchanged"] == 2
    assert account["skipped"] == 4


def test_an_engine_changes_nothing(
    engine: Engine, alone: object, sources: tuple[str, ...], place: Place, tmp_path: Path
) -> None:
    with Counting(place.settings(tmp_path / "data")) as library:
        assert (taken(library, sources, engine), kept(library)) == alone


def test_a_worker_killed_half_way_changes_nothing(
    engine: Engine, alone: object, sources: tuple[str, ...], place: Place, tmp_path: Path
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    dying = Dying(engine, marks, at=TALKS // 2)
    with Counting(place.settings(tmp_path / "data")) as library:
        assert (taken(library, sources, dying), kept(library)) == alone
    assert dying.deaths == 1


def test_a_run_that_is_given_up_is_gone_on_with(
    alone: tuple[dict[str, Any], list[Any]],
    sources: tuple[str, ...],
    place: Place,
    tmp_path: Path,
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    with Library(place.settings(tmp_path / "data")) as library:
        with (
            Processes(2) as engine,
            pytest.raises(EngineError, match=f"^Worker processes died {TRIES} times in a row"),
        ):
            taken(library, sources, Dying(engine, marks, at=TALKS // 2, times=100))
        before = len(kept(library))
        assert 0 < before < TALKS
        account = taken(library, sources, None)
        assert account["read"] == alone[0]["read"]
        assert account["new"] == alone[0]["new"] - before
        assert len(kept(library)) == len(alone[1])


_KILLED = """
import os, signal, sys
from dcb.cli import main
from dcb.store.postgres.patience import Patient
when, left = sys.argv[1], int(sys.argv[2])
execute = Patient.execute
def counted(self, query, *values, **options):
    global left
    left -= query == "commit"
    if not left and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    done = execute(self, query, *values, **options)
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return done
Patient.execute = counted
main(["ingest", *sys.argv[3:]])
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_ingest_killed_over_a_save_on_a_server_is_gone_on_with(
    alone: tuple[dict[str, Any], list[Any]],
    sources: tuple[str, ...],
    tmp_path: Path,
    postgres: Server,
    when: str,
) -> None:
    address = postgres.fresh()
    killed = [sys.executable, "-c", _KILLED, when, str(TALKS // 2), *sources, "--workers", "2"]
    done = subprocess.run(killed, check=False, env={**os.environ, "DCB_STORE": address})
    assert done.returncode == -signal.SIGKILL
    with Library(Settings(data_dir=tmp_path, store=address)) as library:
        before = len(library.list(limit=None))
        assert before == TALKS // 2 - (when == "before")
        account = taken(library, sources, None)
        assert account["read"] == alone[0]["read"]
        assert account["new"] == alone[0]["new"] - before
        rows = library.list(limit=None)
        assert len({row.conversation_id for row in rows}) == len(rows) == len(alone[1])


def test_what_a_call_raises_is_raised_here(engine: Engine) -> None:
    with pytest.raises(RequestError, match=r"^no such thing$"):
        engine.value(engine.submit(refuse, "no such thing"))


def refuse(text: str) -> None:
    raise RequestError(text)


def test_the_command_takes_an_engine(tmp_path: Path, sources: tuple[str, ...]) -> None:
    counts = []
    for number, options in enumerate(([], ["--engine", "local", "--workers", "2"])):
        data = ["--data-dir", str(tmp_path / str(number))]
        done = CliRunner().invoke(main, ["ingest", *sources, *options, *data, "--json"])
        counts.append(json.loads(done.output))
    assert counts[0] == counts[1]


def test_an_address_needs_ray(tmp_path: Path) -> None:
    arguments = ["ingest", "x", "--address", "10.0.0.1:6379", "--data-dir", str(tmp_path)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code
    assert "--address names a Ray cluster; give --engine ray with it" in done.output


def test_without_ray_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(RequestError) as refused:
        engines.opened("ray")
    assert str(refused.value) == (
        "--engine ray needs Ray; install it with: pip install 'dialogue-context-bridge[ray]'"
    )


@with_ray
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:1", "No Ray cluster answers at 127.0.0.1:1: Connection refused"),
        ("here", "'here' is no address of a Ray cluster; write HOST:PORT"),
        ("here:99999", "'here:99999' is no address of a Ray cluster; write HOST:PORT"),
    ],
)
def test_a_cluster_that_is_not_there_is_told_of(address: str, said: str) -> None:
    with pytest.raises(DcbError) as refused:
        engines.opened("ray", address=address)
    assert str(refused.value) == said
