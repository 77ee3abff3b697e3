"""Backups are whole, folders and locks are guarded, stores of the original are taken over.

All of it is about files: a store on a server has no file, folder, lock or backup of its own.
"""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner

from dcb.cli import main
from dcb.errors import (
    DamagedStore,
    NewerStore,
    NotFound,
    RequestError,
    SourceError,
    StoreLocked,
    StoreUnwritable,
)
from dcb.library import Library
from dcb.migrations import LATEST, STEPS, Step, steps_after
from dcb.settings import Settings
from dcb.store import Store, connection, is_original, lock, read_original, restore
from dcb.store.connection import LOCK, NAME
from tests.places import Folders
from tests.small_snapshots import SNAPSHOT, parse, put
from tests.test_inbox import compiled, submit

ORIGINAL = Path(__file__).parent / "data" / "original-store"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    ticks = count(1)
    with Store(tmp_path / "data", now=lambda: next(ticks)) as opened:
        put(opened, "s-1", "s-2", "s-3")
        yield opened


def problems(store: Store) -> list[tuple[str, str]]:
    return [(problem.where, problem.what) for problem in store.check().problems]


def change(store: Store, statement: str) -> None:
    with store._database.writing():
        store._database.execute(statement)


# --- health ------------------------------------------------------------------------------


def test_its_settings_are_told(store: Store) -> None:
    health = store.check()
    assert (health.engine, health.release) == ("sqlite", apsw.sqlite_lib_version())
    assert dict(health.settings) == {
        "journal_mode": "wal",
        "synchronous": "2",
        "secure_delete": "1",
        "foreign_keys": "1",
        "trusted_schema": "0",
        "busy_timeout": "5000",
        "user_version": str(LATEST),
    }


def test_an_index_that_holds_what_is_not_there_is_named(store: Store) -> None:
    change(store, "insert into words(rowid, title) values (99, 'ghost')")
    assert problems(store) == [
        ("search index", "0 snapshots are missing from it and 1 in it do not exist")
    ]
    store.repair(parse)
    assert problems(store) == []


def test_only_the_index_is_searched_for_words_too(store: Store, tmp_path: Path) -> None:
    for table in ("snapshots", "versions", "spellings"):
        change(store, f"delete from {table}")
    port = (b"5433",)
    assert Folders().traces(tmp_path, *port) != []
    store.erase_all()
    store.repair(lambda _: SNAPSHOT)
    store.erase_all()
    assert Folders().traces(tmp_path, *port) == []


def test_an_item_whose_name_a_damaged_page_lost_is_named_by_the_doctor(tmp_path: Path) -> None:
    with Library(Settings(data_dir=tmp_path)) as library:
        submit(library, compiled())
        change(library.store, "update drafts set name=null")
        (problem,) = library.health().problems
        assert problem.what == (
            "An item of the inbox has lost its name; look at the store with: dcb doctor, mend it "
            "with: dcb doctor --repair"
        )
        library.repair()
        assert [item.id for item in library.inbox()] == ["s-1"]
        assert library.health().problems == ()


def test_the_inbox_of_another_folder_is_named_before_its_verb(tmp_path: Path) -> None:
    with Library(Settings(data_dir=tmp_path)) as library:
        submit(library, compiled())
    reject = ["inbox", "--data-dir", str(tmp_path), "reject", "s-1"]
    done = CliRunner().invoke(main, reject, env={"DCB_DATA_DIR": str(tmp_path / "other")})
    assert done.output == "Rejected s-1\n"


# --- permissions -------------------------------------------------------------------------


def test_folder_and_files_are_private(store: Store, tmp_path: Path) -> None:
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "data").iterdir()} == {0o600}


def test_files_that_others_may_read_are_a_problem(store: Store, tmp_path: Path) -> None:
    (tmp_path / "data" / LOCK).chmod(0o644)
    assert problems(store) == [(str(tmp_path / "data" / LOCK), "others may read it (mode 644)")]


# --- backups -----------------------------------------------------------------------------


def test_a_backup_is_the_store(store: Store, tmp_path: Path) -> None:
    size = store.back_up(tmp_path / "copy.db")
    assert size == (tmp_path / "copy.db").stat().st_size
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    restore(tmp_path / "copy.db", tmp_path / "other")
    with Store(tmp_path / "other", now=lambda: 1) as other:
        assert other.list() == store.list()
        assert other.check().problems == ()


def test_a_backup_made_while_another_writes_is_whole(store: Store, tmp_path: Path) -> None:
    def write() -> None:
        with Store(tmp_path / "data", now=lambda: 1) as other:
            for number in range(40):
                put(other, f"t-{number}")

    writer = threading.Thread(target=write)
    writer.start()
    for number in range(5):
        store.back_up(tmp_path / f"copy-{number}.db")
    writer.join()
    for number in range(5):
        restore(tmp_path / f"copy-{number}.db", tmp_path / f"other-{number}")
        with Store(tmp_path / f"other-{number}", now=lambda: 1) as other:
            assert other.check().problems == ()


def test_a_backup_replaces_nothing(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(RequestError) as error:
        store.back_up(tmp_path / "copy.db")
    assert str(error.value) == f"{tmp_path / 'copy.db'} exists; name a file that does not"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"text", "{0} is not a backup of a store, or is damaged"),
        (b"", "{0} is not a backup of a store"),
        (None, "{0} is not a file"),
    ],
)
def test_what_is_no_backup_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "copy.db"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError) as error:
        restore(path, tmp_path / "other")
    assert str(error.value) == message.format(path)
    assert not (tmp_path / "other" / NAME).exists()


def test_a_restore_overwrites_no_store(store: Store, tmp_path: Path) -> None:
    store.back_up(tmp_path / "copy.db")
    with pytest.raises(RequestError, match="holds a store already"):
        restore(tmp_path / "copy.db", tmp_path / "data")


# --- migrations --------------------------------------------------------------------------


def test_steps_are_numbered_without_gaps() -> None:
    assert [step.number for step in STEPS] == list(range(1, LATEST + 1))
    assert steps_after(0) == STEPS
    assert steps_after(LATEST) == ()


def test_a_migration_backs_up_first(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    following = Step(number=LATEST + 1, name="more", statements=("create table more(x)",))
    monkeypatch.setattr(connection, "LATEST", LATEST + 1)
    monkeypatch.setattr(connection, "steps_after", lambda number: (following,))
    with Store(tmp_path / "data", now=lambda: 1) as newer:
        assert len(newer.list()) == 3
        assert newer.check().problems == ()
    kept = tmp_path / "data" / f"store-before-{LATEST + 1}-from-{LATEST}.db"
    monkeypatch.undo()
    restore(kept, tmp_path / "old")
    with Store(tmp_path / "old", now=lambda: 1) as older:
        assert len(older.list()) == 3


def test_a_migration_that_fails_changes_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    broken = Step(number=LATEST + 1, name="x", statements=("create table more(x)", "nonsense"))
    monkeypatch.setattr(connection, "LATEST", LATEST + 1)
    monkeypatch.setattr(connection, "steps_after", lambda number: (broken,))
    with pytest.raises(DamagedStore):
        Store(tmp_path / "data", now=lambda: 1)
    monkeypatch.undo()
    with Store(tmp_path / "data", now=lambda: 1) as again:
        assert again._database.row("select 1 from sqlite_master where name = 'more'") is None


# --- folders, locks ----------------------------------------------------------------------


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnwritable) as error:
        Store(tmp_path / "file" / "data", now=lambda: 1)
    assert str(error.value) == (
        f"Cannot use the data folder {tmp_path / 'file' / 'data'}: Not a directory; choose "
        "another one with --data-dir"
    )


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path, now=lambda: 1) as store:
        store._database.connection.pragma("user_version", 999)
    with pytest.raises(NewerStore) as error:
        Store(tmp_path, now=lambda: 1)
    assert str(error.value) == (
        f"{tmp_path / NAME} was written by a newer dcb (store version 999; this one knows 1); "
        "install that version, or choose another folder with --data-dir"
    )


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    apsw.Connection(str(tmp_path / NAME)).execute("create table x(y)")
    with pytest.raises(DamagedStore, match="is a database, but not a store of dcb"):
        Store(tmp_path, now=lambda: 1)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("not a database, but long enough to be taken for one" * 9)
    with pytest.raises(DamagedStore) as error:
        Store(tmp_path, now=lambda: 1)
    assert str(error.value) == (
        f"{tmp_path / NAME} is not a database any more; restore a backup with: dcb restore FILE"
    )


def test_wide_permissions_are_narrowed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    before = os.umask(0)
    try:
        with Store(folder, now=lambda: 1) as store:
            put(store, "s-1")
            modes = {stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    finally:
        os.umask(before)
    assert modes == {0o700, 0o600}


def test_a_writer_that_holds_on_is_named(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.05)
    with lock.held(tmp_path / "data" / LOCK), pytest.raises(StoreLocked) as error:
        put(store, "s-9")
    assert str(error.value) == (
        f"Another program (process {os.getpid()}) is writing to {tmp_path / 'data'}; wait for "
        "it to finish, or stop it, and try again"
    )
    with pytest.raises(NotFound):
        store.get("s-9")


def test_what_a_dead_holder_left_does_not_lock(store: Store, tmp_path: Path) -> None:
    (tmp_path / "data" / LOCK).write_text("99999999")
    put(store, "s-9")
    assert store.get("s-9")


# --- the original's stores ---------------------------------------------------------------


def test_a_store_of_the_original_is_taken_over() -> None:
    known = json.loads((ORIGINAL / "store.json").read_text("utf-8"))
    found = read_original(ORIGINAL / "store.sqlite", lambda: known["passphrase"])
    assert [(item.id, item.problem) for item in found] == [
        (row["snapshotId"], "") for row in known["rows"]
    ]
    open_rows = [row["markdown"] for row in known["rows"] if not row["encrypted"]]
    assert [item.document for item in found][: len(open_rows)] == open_rows
    assert all(item.document.startswith("---\ndcb_schema") for item in found)


def test_a_wrong_passphrase_costs_only_what_is_sealed() -> None:
    found = read_original(ORIGINAL / "store.sqlite", lambda: "wrong")
    assert [bool(item.document) for item in found] == [True] * 5 + [False] * 2
    assert found[-1].problem == (
        "Wrong passphrase, or the sealed data was altered: the envelope does not open"
    )


def test_sealed_rows_of_an_original_store_ask_for_a_passphrase() -> None:
    path = ORIGINAL / "store.sqlite"
    with pytest.raises(StoreLocked) as error:
        read_original(path)
    assert str(error.value) == (
        f"{path} holds encrypted snapshots; give the passphrase of that store"
    )


def test_an_original_store_is_told_from_other_files(store: Store, tmp_path: Path) -> None:
    assert is_original(ORIGINAL / "store.sqlite")
    assert not is_original(tmp_path / "data" / NAME)
    assert not is_original(ORIGINAL / "README.md")
    assert not is_original(tmp_path)
    apsw.Connection(str(tmp_path / "x.db")).execute("create table y(z)")
    with pytest.raises(SourceError, match="is not a store that can be read"):
        read_original(tmp_path / "x.db")


def test_the_original_store_is_left_as_it_is(tmp_path: Path) -> None:
    copy = tmp_path / "store.sqlite"
    copy.write_bytes((ORIGINAL / "store.sqlite").read_bytes())
    read_original(copy, lambda: "x")
    assert [path.name for path in tmp_path.iterdir()] == ["store.sqlite"]
    assert copy.read_bytes() == (ORIGINAL / "store.sqlite").read_bytes()


def test_a_store_of_the_original_is_added_once(tmp_path: Path) -> None:
    known = json.loads((ORIGINAL / "store.json").read_text("utf-8"))
    with Library(Settings(data_dir=tmp_path / "mine")) as library:
        path = str(ORIGINAL / "store.sqlite")
        first = list(library.add([path], passphrase=lambda: known["passphrase"]))
        again = list(library.add([path], passphrase=lambda: known["passphrase"]))
        stored = {row.id for row in library.list()}
    assert [(item.change, item.problem) for item in first] == [("new", "")] * 7
    assert [item.change for item in again] == ["same"] * 7
    assert stored == {row["snapshotId"] for row in known["rows"]}


def test_a_wrong_passphrase_adds_what_lies_open(tmp_path: Path) -> None:
    with Library(Settings(data_dir=tmp_path / "mine"), passphrase=lambda: "wrong") as library:
        added = list(library.add([str(ORIGINAL / "store.sqlite")]))
        assert len(library.list()) == 5
    assert [bool(item.problem) for item in added] == [False] * 5 + [True] * 2


def test_a_file_that_is_missing_costs_itself_only(tmp_path: Path) -> None:
    with Library(Settings(data_dir=tmp_path / "mine")) as library:
        (added,) = library.add([str(tmp_path / "none.md")])
    assert added.problem == "No such file or directory"
