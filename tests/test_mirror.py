"""History in git: one commit for each version, none twice, none of what was erased or sealed.

All of it is about a store in a folder: the mirror of its history lies beside it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from dulwich.objects import Blob
from dulwich.repo import Repo

from dcb.errors import NotFound
from dcb.model import Entry, Snapshot
from dcb.store import Store, lock, mirror, outbox
from dcb.store.outbox import LOCK

CANARY = "zanzibarquartz"
SNAPSHOT = Snapshot(
    id="s-1",
    conversation_id="c",
    title="Keys",
    created_at=1,
    verbatim=(Entry(id="v-001", kind="decision", content=f"The launch code is {CANARY}."),),
)


def document(of: Snapshot) -> str:
    return f"snapshot_id: {of.id}\n# {of.title}\n" + "".join(
        f"{item.content}\n" for item in of.verbatim
    )


def parse(text: str) -> Snapshot:
    return replace(SNAPSHOT, id=text.splitlines()[0].removeprefix("snapshot_id: "))


def put(store: Store, of: Snapshot = SNAPSHOT, action: Any = "save", note: str = "") -> None:
    store.put(of, document(of), action=action, note=note)


def opened(folder: Path, *, git: bool = True) -> Store:
    ticks = count(1_773_469_800_000, 60_000)
    return Store(folder, now=lambda: next(ticks), passphrase=lambda: "p", git=git)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def store(data: Path) -> Iterator[Store]:
    with opened(data) as store:
        yield store


def log(data: Path) -> list[str]:
    """First lines of all messages, the oldest first."""
    with Repo(str(data / "git")) as repository:
        walker = repository.get_walker(include=[repository.refs[mirror.BRANCH]])
        messages = [entry.commit.message.decode() for entry in walker]
    return [message.split("\n")[0] for message in reversed(messages)]


def files(data: Path) -> dict[str, str]:
    """Paths and texts of the last commit."""
    with Repo(str(data / "git")) as repository:
        store = repository.object_store
        root: Any = store[store[repository.refs[mirror.BRANCH]].tree]  # type: ignore[attr-defined]
        return {
            f"{shelf.path.decode()}/{item.path.decode()}": store[item.sha].as_raw_string().decode()
            for shelf in root.items()
            for item in store[shelf.sha].items()  # type: ignore[attr-defined]
        }


def traces(folder: Path, needle: str = CANARY) -> list[str]:
    """Files that hold the needle as they are or anywhere inside a zlib stream."""
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(needle.encode() in raw for raw in layers(path.read_bytes()))
    ]


def layers(raw: bytes) -> Iterator[bytes]:
    yield raw
    for pos in range(len(raw) - 1):
        if raw[pos : pos + 2] in (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda"):
            try:
                yield zlib.decompressobj().decompress(raw[pos:])
            except zlib.error:
                continue


def problems(store: Store) -> list[tuple[str, str]]:
    return [(problem.where, problem.what) for problem in store.check().problems]


# --- commits -----------------------------------------------------------------------------


def test_every_version_is_a_commit(store: Store, data: Path) -> None:
    put(store)
    put(store, replace(SNAPSHOT, title="Keys 2"), "edit")
    put(store, SNAPSHOT, "rollback", "to @1")
    store.remove("s-1")
    assert log(data) == ["save: Keys", "edit: Keys 2", "rollback: Keys (to @1)", "remove: Keys"]
    assert files(data) == {}
    assert (store.check().mirror, problems(store)) == ("4 commits, 0 files", [])


def test_a_commit_says_who_when_and_which(store: Store, data: Path) -> None:
    put(store)
    with Repo(str(data / "git")) as repository:
        commit: Any = repository[repository.refs[mirror.BRANCH]]
    assert commit.message == b"save: Keys\n\nSnapshot: s-1@1\n"
    assert (commit.author, commit.committer) == (b"dcb <dcb@localhost>",) * 2
    at = store.versions("s-1")[0].at // 1000
    assert (commit.author_time, commit.commit_time, commit.author_timezone) == (at, at, 0)


def test_a_snapshot_is_one_file_under_its_present_title(store: Store, data: Path) -> None:
    put(store)
    put(store, replace(SNAPSHOT, id="s", title="x/../钥匙: a"))
    named = replace(SNAPSHOT, title="New keys")
    put(store, named, "edit")
    assert files(data) == {
        "6a/s-1 New-keys.md": document(named),
        "04/s x-..-钥匙-a.md": document(replace(SNAPSHOT, id="s", title="x/../钥匙: a")),
    }


@pytest.mark.parametrize("identifier", ["../../x", "a/b", "a:b", "x" * 300, ".git", "CON", "名"])
def test_any_id_is_one_harmless_file_name(store: Store, data: Path, identifier: str) -> None:
    for title in ("one", "two", ""):
        put(store, replace(SNAPSHOT, id=identifier, title=title))
    (name,) = files(data)
    assert name.count("/") == 1
    assert len(name.encode()) < 120
    assert problems(store) == []


def test_ids_that_look_alike_stay_apart(store: Store, data: Path) -> None:
    for identifier in ("a/b", "a:b", "a-b", "a", "b"):
        put(store, replace(SNAPSHOT, id=identifier))
    assert len(files(data)) == 5


def test_git_itself_finds_nothing_wrong(store: Store, data: Path) -> None:
    for number in range(3):
        put(store, replace(SNAPSHOT, id=f"s-{number}"))
    try:
        done = subprocess.run(
            ["git", "-C", str(data / "git"), "fsck", "--strict"], capture_output=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("git is not installed")
    assert (done.returncode, done.stdout) == (0, b"")


def test_saving_the_same_again_commits_nothing(store: Store, data: Path) -> None:
    put(store)
    put(store)
    assert log(data) == ["save: Keys"]


# --- on and off --------------------------------------------------------------------------


def test_without_the_setting_there_is_no_mirror(data: Path) -> None:
    with opened(data, git=False) as store:
        put(store)
        assert (store.check().mirror, store.check().waiting) == ("off", 0)
    assert not (data / "git").exists()


def test_turned_on_later_the_mirror_begins_with_the_first_version(data: Path) -> None:
    with opened(data, git=False) as store:
        put(store)
    with opened(data) as store:
        assert store.check().mirror == "not made yet"
        put(store, replace(SNAPSHOT, title="Keys 2"), "edit")
    assert log(data) == ["save: Keys", "edit: Keys 2"]


def test_what_happens_while_it_is_off_is_caught_up(data: Path) -> None:
    with opened(data) as store:
        put(store)
    with opened(data, git=False) as store:
        put(store, replace(SNAPSHOT, title="Keys 2"), "edit")
        health = store.check()
        assert health.mirror == "1 commits, 1 files; history.git is off, so it does not grow"
        assert (health.waiting, health.problems) == (1, ())
    with opened(data) as store:
        assert log(data) == ["save: Keys", "edit: Keys 2"]
        assert store.check().waiting == 0


def test_many_versions_at_once_are_packed(data: Path) -> None:
    with opened(data, git=False) as store:
        for number in range(60):
            put(store, replace(SNAPSHOT, id=f"s-{number}"))
    with opened(data) as store:
        store.repair(parse)
        assert (store.check().mirror, problems(store)) == ("60 commits, 60 files", [])
        store.erase("s-7")
        assert (store.check().mirror, problems(store)) == ("59 commits, 59 files", [])
    assert len(list((data / "git" / "objects" / "pack").glob("*.pack"))) == 1
    assert traces(data / "git", "s-7@") == []


# --- failures ----------------------------------------------------------------------------


def test_without_the_extra_a_save_stands_and_the_doctor_says_why(
    store: Store, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dulwich.repo", None)
    put(store)
    assert store.get("s-1")
    assert problems(store) == [("git mirror", mirror.MISSING)]
    assert store.repair(parse)[-1] == f"The git mirror was not made anew: {mirror.MISSING}"
    monkeypatch.undo()
    with opened(data) as again:
        assert (log(data), problems(again)) == (["save: Keys"], [])


def test_a_mirror_that_cannot_be_written_fails_no_save(
    store: Store, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(mirror, "extend", full)
    put(store, replace(SNAPSHOT, title="Keys 2"), "edit")
    assert store.get("s-1").row.title == "Keys 2"
    assert problems(store) == [
        (
            "outbox",
            "1 tasks wait to be mirrored: OSError: [Errno 28] No space left on device",
        )
    ]
    monkeypatch.undo()
    put(store, replace(SNAPSHOT, title="Keys 3"), "edit")
    assert log(data) == ["save: Keys", "edit: Keys 2", "edit: Keys 3"]


def test_while_another_program_mirrors_a_save_does_not_wait(
    store: Store, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store)
    monkeypatch.setattr(outbox, "PATIENCE", 0.01)
    with lock.held(data / LOCK):
        put(store, replace(SNAPSHOT, id="s-2"))
    assert log(data) == ["save: Keys"]
    put(store, replace(SNAPSHOT, id="s-3"))
    assert len(log(data)) == 3


def lose_a_commit(data: Path) -> None:
    with Repo(str(data / "git")) as repository:
        commit: Any = repository[repository.refs[mirror.BRANCH]]
        repository.refs[mirror.BRANCH] = commit.parents[0]


def add_a_strange_commit(data: Path) -> None:
    with Repo(str(data / "git")) as repository:
        commit: Any = repository[repository.refs[mirror.BRANCH]]
        commit.message = b"x\n\nSnapshot: s-9@1\n"
        commit.parents = [repository.refs[mirror.BRANCH]]
        repository.object_store.add_object(commit)
        repository.refs[mirror.BRANCH] = commit.id


def change_a_file(data: Path) -> None:
    with Repo(str(data / "git")) as repository:
        store = repository.object_store
        commit: Any = repository[repository.refs[mirror.BRANCH]]
        root: Any = store[commit.tree]
        shelf: Any = store[root.items()[0].sha]
        blob = Blob.from_string(b"changed")
        shelf[shelf.items()[0].path] = (0o100644, blob.id)
        root[root.items()[0].path] = (0o040000, shelf.id)
        commit.tree = root.id
        for item in (blob, shelf, root, commit):
            store.add_object(item)
        repository.refs[mirror.BRANCH] = commit.id


def damage_an_object(data: Path) -> None:
    path = next((data / "git" / "objects").glob("[0-9a-f]?/*"))
    path.chmod(0o600)
    path.write_bytes(b"x\x9c" + b"\0" * 20)


def empty_it(data: Path) -> None:
    (data / "git" / "HEAD").unlink()
    (data / "git" / "objects").rename(data / "git" / "elsewhere")


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        (lose_a_commit, "1 versions are missing from it, 0 are not of the store"),
        (add_a_strange_commit, "0 versions are missing from it, 1 are not of the store"),
        (change_a_file, "its files are not the present documents"),
        (damage_an_object, "1 of its objects are damaged"),
        (empty_it, "it cannot be read (NotGitRepository)"),
    ],
)
def test_damage_is_named_and_the_mirror_made_anew(
    store: Store, data: Path, harm: Any, what: str
) -> None:
    put(store)
    put(store, replace(SNAPSHOT, title="Keys 2"), "edit")
    harm(data)
    assert problems(store) == [("git mirror", what)]
    assert store.repair(parse)[-1] == "The git mirror was made anew from the versions"
    assert problems(store) == []
    assert log(data) == ["save: Keys", "edit: Keys 2"]


def test_a_mirror_made_anew_has_the_same_commits_and_keeps_its_remotes(
    store: Store, data: Path
) -> None:
    put(store)
    put(store, replace(SNAPSHOT, title="Keys 2"), "edit")
    with (data / "git" / "config").open("a") as config:
        config.write('[remote "origin"]\n\turl = /elsewhere\n')
    with Repo(str(data / "git")) as repository:
        before = repository.refs[mirror.BRANCH]
    damage_an_object(data)
    store.repair(parse)
    with Repo(str(data / "git")) as repository:
        assert repository.refs[mirror.BRANCH] == before
    assert "/elsewhere" in (data / "git" / "config").read_text()


def test_a_damaged_version_holds_up_no_other(store: Store, data: Path) -> None:
    put(store)
    with store._database.writing():
        store._database.execute("update versions set body = x'00'")
        store._database.execute("insert into outbox(task, id) values ('commit 1', 's-1')")
    put(store, replace(SNAPSHOT, id="s-2"))
    assert log(data) == ["save: Keys", "save: Keys"]
    assert store.check().waiting == 0


# --- crashes and crowds ------------------------------------------------------------------

_SAVE = """
import os, signal, sys
from pathlib import Path
from dcb.store import Store, mirror, outbox
from tests.test_mirror import SNAPSHOT, document, replace

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

where, folder, *names = sys.argv[1:]
if where == "before the commit":
    mirror.extend = die
if where == "while objects are written":
    mirror._commit_of = die
if where == "between objects and branch":
    real = mirror._forced
    mirror._forced = lambda write, *what: die() if what[0] == mirror.BRANCH else real(write, *what)
if where == "with locks held":
    import dulwich.file
    dulwich.file._GitFile.close = die
if where == "after the commit":
    real_extend = mirror.extend
    mirror.extend = lambda *a, **k: (real_extend(*a, **k), die())
if where == "while it is made":
    mirror.remake = lambda folder, states: (mirror._empty(folder), die())
with Store(Path(folder), now=lambda: 1_773_469_900_000, git=True) as store:
    for name in names:
        made = replace(SNAPSHOT, id=name, title=name)
        store.put(made, document(made))
        print(name, flush=True)
"""


def run(where: str, data: Path, *names: str) -> subprocess.Popen[bytes]:
    root = Path(__file__).parent.parent
    return subprocess.Popen(
        [sys.executable, "-c", _SAVE, where, str(data), *names],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
        cwd=root,
    )


@pytest.mark.skipif(os.name == "nt", reason="killed by a signal")
@pytest.mark.parametrize(
    "where",
    [
        *("before the commit", "while objects are written", "between objects and branch"),
        *("with locks held", "after the commit", "while it is made"),
    ],
)
def test_what_a_killed_program_owed_is_done_by_the_next(data: Path, where: str) -> None:
    if where != "while it is made":
        with opened(data) as store:
            put(store)
    killed = run(where, data, "s-2")
    assert killed.communicate() == (b"", None)
    assert killed.returncode == -signal.SIGKILL
    with opened(data) as store:
        assert store.get("s-2")
        assert log(data)[-1] == "save: s-2"
        assert len(log(data)) == len(store.list())
        assert problems(store) == []
        store._outbox.settle()
    assert log(data).count("save: s-2") == 1


def test_two_programs_at_once_make_one_line_of_commits(data: Path) -> None:
    with opened(data) as store:
        put(store)
    names = [[f"{who}-{number}" for number in range(15)] for who in "ab"]
    running = [run("", data, *mine) for mine in names]
    for program, mine in zip(running, names, strict=True):
        assert program.communicate()[0].decode().split() == mine
        assert program.returncode == 0
    with opened(data) as store:
        assert problems(store) == []
        assert store.check().mirror == "31 commits, 31 files"
    made = [f"save: {name}" for mine in names for name in mine]
    assert sorted(log(data)) == sorted(["save: Keys", *made])


# --- erasing -----------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("removed", [False, True])
def test_erasing_rewrites_the_mirror(
    store: Store, data: Path, *, packed: bool, removed: bool
) -> None:
    put(store)
    other = replace(SNAPSHOT, id="s-2", title="Other", verbatim=())
    put(store, other)
    plain = replace(SNAPSHOT.verbatim[0], content="nothing")
    put(store, replace(SNAPSHOT, verbatim=(plain,)), "edit", f"without {CANARY}")
    if removed:
        store.remove("s-1")
    if packed:
        store.repair(parse)
        damage_an_object(data)
        store.repair(parse)
        pack_everything(data)
    assert traces(data / "git")
    done = store.erase("s-1")
    assert (done.remaining, store.check().mirror) == ((), "1 commits, 1 files")
    assert traces(data) == []
    assert traces(data, "s-1") == []
    assert problems(store) == []
    assert log(data) == ["save: Other"]


def pack_everything(data: Path) -> None:
    """As `git gc` does, so that deltas are there too."""
    with Repo(str(data / "git")) as repository:
        repository.object_store.pack_loose_objects()


def test_erasing_everything_leaves_an_empty_mirror(store: Store, data: Path) -> None:
    put(store)
    store.erase_all()
    assert store.check().mirror == "0 commits, 0 files"
    assert traces(data) == []
    put(store, replace(SNAPSHOT, id="s-2"))
    assert log(data) == ["save: Keys"]


@pytest.mark.parametrize("ending", ["loose", "packed"])
def test_the_search_after_erasing_looks_into_git_objects(
    store: Store, data: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    put(store)
    if ending == "packed":
        pack_everything(data)
    monkeypatch.setattr(store._outbox.__class__, "settle", lambda *_, **__: None)
    remaining = store.erase("s-1").remaining
    folders = {path.split(os.sep)[2] for path in remaining}
    assert ("pack" in folders) == (ending == "packed")
    assert len(remaining) == (1 if ending == "packed" else 3)  # blob, folder of names, commit
    monkeypatch.undo()
    with opened(data):
        assert traces(data) == []


def test_without_the_extra_erasing_empties_the_mirror_at_once(
    store: Store, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store)
    put(store, replace(SNAPSHOT, id="s-2", verbatim=()))
    monkeypatch.setitem(sys.modules, "dulwich.repo", None)
    assert store.erase("s-1").remaining == ()
    assert traces(data) == []
    monkeypatch.undo()
    with opened(data):
        assert log(data) == ["save: Keys"]


def test_with_the_setting_off_erasing_reaches_the_mirror_too(data: Path) -> None:
    with opened(data) as store:
        put(store)
        put(store, replace(SNAPSHOT, id="s-2", verbatim=()))
    with opened(data, git=False) as store:
        assert store.erase("s-1").remaining == ()
    assert traces(data) == []
    assert log(data) == ["save: Keys"]


def test_what_was_never_there_changes_no_mirror(store: Store, data: Path) -> None:
    put(store)
    with pytest.raises(NotFound):
        store.erase("s-9")
    assert log(data) == ["save: Keys"]


# --- encryption --------------------------------------------------------------------------


def test_an_encrypted_store_has_no_mirror(store: Store, data: Path) -> None:
    put(store)
    assert traces(data / "git")
    store.encrypt("p")
    assert not store.mirrored
    put(store, replace(SNAPSHOT, id="s-2"))
    store.remove("s-1")
    assert traces(data) == []
    assert store.check().mirror == "refused"
    assert problems(store) == [
        (
            "git mirror",
            "history.git is on, but the store is encrypted and a mirror would lie in plain text",
        )
    ]
    store.repair(parse)
    assert (traces(data), (data / "git").exists()) == ([], False)


def test_a_mirror_that_outlived_the_encryption_is_removed_by_the_next_run(
    store: Store, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store)
    monkeypatch.setattr(store._outbox.__class__, "settle", lambda *_, **__: None)
    store.encrypt("p")
    assert [what for _, what in problems(store)] == [
        "the store is encrypted, and a mirror of it still lies in plain text"
    ]
    monkeypatch.undo()
    with opened(data, git=False):
        assert traces(data) == []


def test_a_store_that_lies_open_again_is_mirrored_again(store: Store, data: Path) -> None:
    put(store)
    store.encrypt("p")
    put(store, replace(SNAPSHOT, title="Keys 2"), "edit")
    store.rekey("q")
    assert not store.mirrored
    store.decrypt()
    assert log(data) == ["save: Keys", "edit: Keys 2"]
    assert problems(store) == []


def test_a_restored_backup_makes_its_mirror_anew(store: Store, data: Path, tmp_path: Path) -> None:
    from dcb.store import restore

    put(store)
    store.back_up(tmp_path / "copy.db")
    restore(tmp_path / "copy.db", tmp_path / "other")
    with opened(tmp_path / "other") as other:
        put(other, replace(SNAPSHOT, id="s-2"))
        assert problems(other) == []
    assert len(log(tmp_path / "other")) == 2
