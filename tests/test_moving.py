"""A store that is moved is the same store, wherever it goes and however often it is begun."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dcb.cli import main
from dcb.errors import DamagedStore, RequestError
from dcb.model import Report
from dcb.settings import shown
from dcb.store import Draft, Store, Waiting
from dcb.store.keeper import Keeper
from tests.places import Databases, Place
from tests.test_store import CHATGPT, document, put, snapshot

Source = Callable[[], Store]
MANY = 200
_TABLES = (
    "select id, origin, created_at, meta, meta_sha from snapshots order by seq",
    "select s.id, b.document, b.passages, b.omitted, b.sha from snapshots s "
    "join bodies b on b.seq = s.seq order by s.seq",
    "select id, number, body, sha from versions order by rowid",
    "select name, body, sha from drafts order by rowid",
    "select name, value from facts order by name",
)


def opened(place: Path | Keeper, **options: Any) -> Store:
    return Store(place, now=lambda: 1, **options)


def everything(store: Store) -> list[Any]:
    """All rows of a store, in their order."""
    return [store._database.rows(sql) for sql in _TABLES]


def fill(store: Store, count: int) -> None:
    put(store, *range(1, count + 1))
    for number in range(1, count + 1, 10):
        changed = snapshot(number, title="第二版", weight=2)
        store.put(changed, document(changed), source=CHATGPT, action="edit", note="by hand")
    store.remove("0199-0002")
    report = Report(limit=1, needed=1, kept=1, omitted=())
    store.save_draft(document(snapshot()), report, source=CHATGPT)
    for number in (9, 8, 7):
        draft = Draft(
            document=document(snapshot(number)),
            report=report,
            format="mcp",
            where="agent",
            source_hash="h",
            at=number,
        )
        store.submit(Waiting(id=f"w{number}", title="泊位", by="agent", note="", draft=draft))


@pytest.fixture(scope="module")
def source(lasting_place: Place, tmp_path_factory: pytest.TempPathFactory) -> Source:
    """A store in each place, opened anew by each test."""
    folder = tmp_path_factory.mktemp("source")
    with opened(lasting_place(folder)) as store:
        fill(store, 30)
    return lambda: opened(lasting_place(folder))


def test_what_is_moved_is_what_was_there(place: Place, source: Source, tmp_path: Path) -> None:
    with source() as old, opened(place(tmp_path / "new")) as new:
        fates = [moved.fate for moved in old.move_to(new)]
        assert everything(new) == everything(old)
        assert fates.count("copied") == fates.count("verified") == len(fates) / 2
        assert new.get("0199-0001").document == old.get("0199-0001").document
        assert [item.id for item in new.inbox()] == ["w9", "w8", "w7"]
        assert new.load_draft() == old.load_draft()
        for text in ("排班", "kind:decision redis", "tag:api 第二版", "5433"):
            assert ids(new, text) == ids(old, text)
        assert new.check().problems == ()


def ids(store: Store, text: str) -> list[str]:
    return [found.row.id for found in store.search(text, limit=50).found]


def test_there_and_back_again_nothing_changes(databases: Databases, tmp_path: Path) -> None:
    with (
        opened(tmp_path / "a") as first,
        opened(databases(tmp_path / "server")) as between,
        opened(tmp_path / "b") as last,
    ):
        fill(first, MANY)
        list(first.move_to(between))
        list(between.move_to(last))
        assert everything(last) == everything(first)
        assert last.check().problems == ()


def test_a_sealed_store_moves_without_its_passphrase(place: Place, tmp_path: Path) -> None:
    with opened(tmp_path / "sealed") as store:
        fill(store, 12)
        store.encrypt("the passphrase")
    with opened(tmp_path / "sealed") as old, opened(place(tmp_path / "new")) as new:
        list(old.move_to(new))
        assert everything(new) == everything(old)
    with opened(place(tmp_path / "new"), passphrase=lambda: "the passphrase") as new:
        assert new.get("0199-0003").document == document(snapshot(3))
        assert new.find_conversation("chatgpt-export", "conv-3") is not None


def test_a_second_run_copies_nothing(place: Place, source: Source, tmp_path: Path) -> None:
    with source() as old, opened(place(tmp_path / "new")) as new:
        list(old.move_to(new))
        assert {moved.fate for moved in old.move_to(new)} == {"there", "verified"}


@pytest.mark.parametrize("stop", [1, 29, 30, 62, 64])
def test_a_run_that_stops_is_gone_on_with(
    place: Place, source: Source, tmp_path: Path, stop: int
) -> None:
    with source() as old, opened(place(tmp_path / "new")) as new:
        running = old.move_to(new)
        list(islice(running, stop))
        running.close()  # type: ignore[attr-defined]
    with source() as old, opened(place(tmp_path / "new")) as new:
        list(old.move_to(new))
        assert everything(new) == everything(old)
        assert new.check().problems == ()


_KILLED = """
import os, signal, sys
from pathlib import Path
from dcb.store import moving, opened
moving._BATCH = 3
old, new = (
    opened(Path(folder), address=address, now=lambda: 1)
    for folder, address in (sys.argv[1:3], sys.argv[3:5])
)
with old, new:
    left = int(sys.argv[5])
    def counted(write):
        def run(*what):
            global left
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
            return write(*what)
        return run
    database = new._database
    database.execute = counted(database.execute)
    database.execute_many = counted(database.execute_many)
    list(old.move_to(new))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing here is killed so")
@pytest.mark.parametrize("at", [2, 17, 60, 90])
def test_a_run_that_is_killed_is_gone_on_with(place: Place, tmp_path: Path, at: int) -> None:
    source, new = place.settings(tmp_path / "old"), place.settings(tmp_path / "new")
    with opened(place(tmp_path / "old")) as old:
        fill(old, 30)
    arguments = [str(source.data_dir), source.store, str(new.data_dir), new.store, str(at)]
    done = subprocess.run([sys.executable, "-c", _KILLED, *arguments], check=False)
    assert done.returncode == -signal.SIGKILL
    with opened(place(tmp_path / "old")) as old, opened(place(tmp_path / "new")) as new:
        assert everything(new) != everything(old)
        list(old.move_to(new))
        assert everything(new) == everything(old)
        assert new.check().problems == ()


def test_another_snapshot_of_the_same_id_is_refused(
    place: Place, source: Source, tmp_path: Path
) -> None:
    with source() as old, opened(place(tmp_path / "new")) as new:
        other = snapshot(3, title="mine")
        new.put(other, document(other))
        before = everything(new)
        with pytest.raises(RequestError) as refused:
            list(old.move_to(new))
        assert str(refused.value) == (
            f"{new.where} holds another snapshot 0199-0003 than {old.where}; "
            "move into an empty store"
        )
        assert everything(new) == before


def test_a_store_with_another_key_is_refused(place: Place, source: Source, tmp_path: Path) -> None:
    with source() as old, opened(place(tmp_path / "new")) as new:
        put(new, 50)
        new.encrypt("another")
        with pytest.raises(RequestError) as refused:
            list(old.move_to(new))
        assert str(refused.value) == (
            f"{new.where} is not empty, and not encrypted with the same key as {old.where}; "
            "move into an empty store"
        )


def test_what_is_damaged_is_not_moved_on(place: Place, tmp_path: Path) -> None:
    with opened(place(tmp_path / "old")) as old:
        put(old, 1)
    place.change(tmp_path / "old", "update bodies set document='another'")
    with opened(place(tmp_path / "old")) as old, opened(place(tmp_path / "new")) as new:
        with pytest.raises(DamagedStore) as refused:
            list(old.move_to(new))
        assert str(refused.value) == (
            f"In {old.where} snapshot 0199-0001 is damaged (its hash does not match); mend the "
            "store with: dcb doctor --repair"
        )
        assert new.list() == ()


def test_the_command_tells_what_it_moved(place: Place, tmp_path: Path) -> None:
    old, new = place.variables(tmp_path / "old"), place.settings(tmp_path / "new")
    with opened(place(tmp_path / "old")) as store:
        fill(store, 30)
    target = new.store or str(new.data_dir)
    done = CliRunner().invoke(main, ["move", "--to", target], env=old)
    told = shown("store", target) if new.store else target
    variable = "DCB_STORE" if new.store else "DCB_DATA_DIR"
    assert done.output == (
        f"29 snapshots, 34 versions, 4 drafts (with the inbox): 67 rows copied to {told}, 0 were "
        f"there already, 67 verified by their hashes\n"
        f"The source is as it was. To use the new store: {variable}={told}\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--to", "{source}"], "{source}/store.db is both the source and the target"),
        (["--to", "{new}", "--from", "{new}"], "{new} holds no store; name one with --from"),
    ],
)
def test_a_move_that_cannot_be_is_refused(tmp_path: Path, options: list[str], said: str) -> None:
    opened(tmp_path / "old").close()
    places = {"source": str(tmp_path / "old"), "new": str(tmp_path / "new")}
    given = [option.format(**places) for option in options]
    done = CliRunner().invoke(main, ["move", *given, "--data-dir", places["source"]])
    assert done.exit_code
    assert said.format(**places) in done.output
    assert not (tmp_path / "new").exists()
