"""Damage is named and mended, wherever the store lies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from dcb.store import Store
from dcb.store.keeper import Value
from tests.places import Place
from tests.small_snapshots import SNAPSHOT, document, parse, put

ORIGINAL = Path(__file__).parent / "data" / "original-store"


@pytest.fixture
def store(place: Place, tmp_path: Path) -> Iterator[Store]:
    ticks = count(1)
    with Store(place(tmp_path / "data"), now=lambda: next(ticks)) as opened:
        put(opened, "s-1", "s-2", "s-3")
        yield opened


def problems(store: Store) -> list[tuple[str, str]]:
    return [(problem.where, problem.what) for problem in store.check().problems]


def change(store: Store, statement: str, *values: Value) -> None:
    with store._database.writing():
        store._database.execute(statement, values)


# --- health ------------------------------------------------------------------------------


def test_a_healthy_store_has_no_problems(store: Store) -> None:
    health = store.check()
    assert health.problems == ()
    assert (health.snapshots, health.versions, health.drafts, health.waiting) == (3, 3, 0, 0)


DAMAGE = [
    ("update bodies set document = 'x' where seq = 2", "snapshot s-2"),
    ("update bodies set passages = '[]' where seq = 2", "snapshot s-2"),
    ("update snapshots set meta = '{}' where seq = 2", "snapshot s-2"),
    (
        "update snapshots set meta = null_of.meta from snapshots null_of where null_of.seq = 1 "
        "and snapshots.seq = 2",
        "snapshot s-2",
    ),
    ("delete from bodies where seq = 2", "snapshot s-2"),
    ("delete from snapshots where seq = 2", "snapshot s-2"),
]


@pytest.mark.parametrize(("statement", "where"), DAMAGE)
def test_damage_is_named_and_mended(store: Store, statement: str, where: str) -> None:
    change(store, statement)
    assert where in [place for place, _ in problems(store)]
    store.repair(parse)
    assert problems(store) == []
    assert store.get("s-2").document == document(replace(SNAPSHOT, id="s-2"))
    assert [found.row.id for found in store.search("5433", limit=9).found if found.row.id == "s-2"]


def test_a_snapshot_that_the_index_lost_is_named_and_found_again(store: Store) -> None:
    with store._database.writing():
        store._database.words.drop(2)
    assert problems(store) == [
        ("search index", "1 snapshots are missing from it and 0 in it do not exist")
    ]
    store.repair(parse)
    assert problems(store) == []
    assert "s-2" in [found.row.id for found in store.search("5433", limit=9).found]


def test_what_nothing_can_mend_is_said(store: Store, place: Place) -> None:
    change(store, "update bodies set document = 'x' where seq = 2")
    change(store, "update versions set body = ? where id = 's-2'", b"\0")
    assert store.repair(parse)[0] == (
        f"Snapshot s-2 cannot be mended: no version of it is whole; {place.restoring}"
    )


def test_a_damaged_draft_is_a_problem(store: Store) -> None:
    change(
        store,
        "insert into drafts(name, sealed, body, sha) values ('last', ?, 'x', ?)",
        False,
        b"\0",
    )
    assert problems(store) == [
        ("draft", "The draft is damaged; make it anew with: dcb compile SOURCE")
    ]
