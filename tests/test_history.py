"""Every state of a snapshot can be had again, until it is erased; then none can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from dcb.errors import DamagedStore, NotFound
from dcb.model import Entry, Section, Snapshot
from dcb.store import Source, Store
from tests.places import Place

NEEDLE = "zanzibarquartz"
SNAPSHOT = Snapshot(
    id="s-1",
    conversation_id="c",
    title="Keys",
    created_at=1,
    verbatim=(Entry(id="v-001", kind="decision", content=f"The launch code is {NEEDLE}."),),
    summary=(Section(heading="Other", bullets=("Shared between both snapshots.",)),),
)


def document(of: Snapshot) -> str:
    return f"snapshot_id: {of.id}\n# {of.title}\n{of.verbatim[0].content}\n"


def put(store: Store, of: Snapshot, action: str = "save") -> None:
    store.put(of, document(of), action=action, source=Source(format="f"))  # type: ignore[arg-type]


@pytest.fixture
def store(place: Place, tmp_path: Path) -> Iterator[Store]:
    ticks = count(100)
    with Store(place(tmp_path / "data"), now=lambda: next(ticks)) as opened:
        yield opened


def test_every_change_is_a_version(store: Store) -> None:
    put(store, SNAPSHOT)
    put(store, replace(SNAPSHOT, title="Keys 2"), "edit")
    put(store, replace(SNAPSHOT, title="Keys 2", weight=3), "weight")
    store.remove("s-1")
    put(store, SNAPSHOT, "rollback")
    # The weight is no part of the invented document, so that save changed nothing.
    assert [(item.number, item.action, item.at, item.title) for item in store.versions("s-1")] == [
        (1, "save", 100, "Keys"),
        (2, "edit", 101, "Keys 2"),
        (3, "remove", 103, "Keys 2"),
        (4, "rollback", 104, "Keys"),
    ]
    assert store.version("s-1", 2)[1] == document(replace(SNAPSHOT, title="Keys 2"))
    assert store.get("s-1").row.version == 4


def test_versions_come_in_order_when_the_clock_goes_back(place: Place, tmp_path: Path) -> None:
    clock = iter([1000, 10, 5])
    with Store(place(tmp_path), now=lambda: next(clock)) as store:
        for title in ("one", "two", "three"):
            put(store, replace(SNAPSHOT, title=title))
        assert [item.title for item in store.versions("s-1")] == ["one", "two", "three"]
        assert [row.title for row in store.list()] == ["three"]


@pytest.mark.parametrize(
    ("identifier", "message"),
    [
        ("s-1", "No version 9 of s-1; it has versions 1 to 1"),
        ("s-9", "No version 9 of s-9; there is no such snapshot"),
    ],
)
def test_a_version_that_is_not_there_is_said(store: Store, identifier: str, message: str) -> None:
    put(store, SNAPSHOT)
    with pytest.raises(NotFound) as error:
        store.version(identifier, 9)
    assert str(error.value) == message


def test_a_damaged_version_is_named(store: Store) -> None:
    put(store, SNAPSHOT)
    with store._database.writing():
        store._database.execute("update versions set body = ?", (b"\0",))
    with pytest.raises(DamagedStore) as error:
        store.versions("s-1")
    assert str(error.value) == (
        "Version 1 of s-1 is damaged (its hash does not match); look at the store with: dcb doctor"
    )


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("removed", [False, True])
def test_erasing_leaves_no_trace(
    place: Place, tmp_path: Path, *, sealed: bool, removed: bool
) -> None:
    with Store(place(tmp_path), now=lambda: 1, passphrase=lambda: "p") as store:
        put(store, SNAPSHOT)
        put(store, replace(SNAPSHOT, title="Keys 2"))
        other = replace(SNAPSHOT, id="s-2", verbatim=(replace(SNAPSHOT.verbatim[0], content="x"),))
        put(store, other)
        if sealed:
            store.encrypt("p")
        if removed:
            store.remove("s-1")
        done = store.erase("s-1")
        assert (done.ids, done.versions, done.remaining) == (("s-1",), 3 if removed else 2, ())
        assert bool(done.searched_bytes) == (store._database.folder is not None)
        assert place.traces(tmp_path, NEEDLE.encode()) == []
        assert store.versions("s-1") == ()
        assert [found.row.id for found in store.search("shared").found] == ["s-2"]
        assert store.search("zanzibarquarts").suggestion == ""
    assert place.traces(tmp_path, NEEDLE.encode()) == []


def test_a_damaged_snapshot_can_be_erased(store: Store, place: Place, tmp_path: Path) -> None:
    put(store, SNAPSHOT)
    with store._database.writing():
        store._database.execute("update snapshots set meta = 'x'")
        store._database.execute("update bodies set passages = 'y'")
    store.erase("s-1")
    assert place.traces(tmp_path / "data", NEEDLE.encode()) == []


def test_erasing_what_never_was_is_said(store: Store) -> None:
    put(store, SNAPSHOT)
    with pytest.raises(NotFound, match="No snapshot 'zzz'"):
        store.erase("zzz")


def test_everything_can_be_erased(store: Store, place: Place, tmp_path: Path) -> None:
    put(store, SNAPSHOT)
    put(store, replace(SNAPSHOT, id="s-2"))
    store.remove("s-2")
    assert set(store.erase_all().ids) == {"s-1", "s-2"}
    assert store.list() == ()
    assert place.traces(tmp_path / "data", NEEDLE.encode()) == []
