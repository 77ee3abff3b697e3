"""Encrypted means that no byte of the folder tells what is stored."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dcb.errors import DamagedStore, RequestError, StoreLocked, WrongPassphrase
from dcb.model import Entry, Omitted, Preference, Report, Section, Snapshot
from dcb.store import Source, Store
from dcb.store.keeper import Keeper
from tests.places import Folders, Place

SECRET = "zanzibarquartz"
PASSPHRASE = "纸 船 seven"

# One word for each place in which a snapshot keeps text.
SNAPSHOT = Snapshot(
    id="s-1",
    conversation_id=f"{SECRET}conversation",
    title=f"{SECRET}title",
    description=f"{SECRET}description",
    tags=(f"{SECRET}tag",),
    created_at=1_773_469_800_000,
    checksum=base64.b16encode(SECRET.encode()).decode().lower() * 2,
    verbatim=(
        Entry(id="v-001", kind="decision", content=f"the {SECRET}entry", src=f"{SECRET}src"),
    ),
    summary=(Section(heading=f"{SECRET}heading", bullets=(f"{SECRET}bullet",)),),
    preferences=(Preference(scope="style", key=f"{SECRET}key", value=f"{SECRET}value"),),
)
SOURCE = Source(format=f"{SECRET}format", where=f"/home/{SECRET}file", hash=f"{SECRET}hash")
LEFT_OUT = (
    Omitted(layer="summary", kind="bullet", text=f"{SECRET}dropped", src="", tokens=1, reason="x"),
)
DOCUMENT = f"snapshot_id: s-1\n{SECRET}document\n"


def opened(at: Path | Keeper, passphrase: str = PASSPHRASE) -> Store:
    return Store(at, now=lambda: 7, passphrase=lambda: passphrase)


def fill(store: Store) -> None:
    store.put(SNAPSHOT, DOCUMENT, source=SOURCE, omitted=LEFT_OUT)
    store.put(SNAPSHOT, DOCUMENT + SECRET, action="edit", note=f"{SECRET}note")
    store.save_draft(DOCUMENT, Report(limit=1, needed=1, kept=1, omitted=LEFT_OUT), source=SOURCE)


def traces(place: Place, folder: Path) -> list[str]:
    """Files or tables that hold the secret as text, in hexadecimal, or as the head of base64."""
    raw = SECRET.encode()
    return place.traces(folder, raw, base64.b16encode(raw).lower(), base64.b64encode(raw)[:16])


@pytest.fixture
def store(place: Place, tmp_path: Path) -> Iterator[Store]:
    with opened(place(tmp_path / "data")) as store:
        fill(store)
        store.encrypt(PASSPHRASE)
        yield store


def test_the_search_for_traces_finds_an_open_store(place: Place, tmp_path: Path) -> None:
    with opened(place(tmp_path)) as store:
        fill(store)
        assert traces(place, tmp_path) != []
    assert traces(place, tmp_path) != []


def test_encrypting_leaves_no_trace_while_open_or_closed(place: Place, tmp_path: Path) -> None:
    with opened(place(tmp_path)) as store:
        fill(store)
        assert store.encrypt(PASSPHRASE) == 1
        assert traces(place, tmp_path) == []
    assert traces(place, tmp_path) == []


def test_using_a_sealed_store_leaves_no_trace(store: Store, place: Place, tmp_path: Path) -> None:
    fill(store)
    other = replace(SNAPSHOT, id="s-2")
    store.put(other, DOCUMENT, source=SOURCE, omitted=LEFT_OUT)
    assert [found.row.id for found in store.search(f"{SECRET}entry").found] == ["s-2", "s-1"]
    assert store.search("zanzibarquatrzentry").suggestion == f"{SECRET}entry"
    assert store.find_conversation(SOURCE.format, SNAPSHOT.conversation_id) is not None
    store.remove("s-2")
    assert not store.check().problems
    store.repair(lambda _: SNAPSHOT)
    assert traces(place, tmp_path / "data") == []


def test_a_backup_of_a_sealed_folder_is_sealed(tmp_path: Path) -> None:
    """Of a folder only: a server makes its backups itself."""
    with opened(tmp_path / "data") as store:
        fill(store)
        store.encrypt(PASSPHRASE)
        store.back_up(tmp_path / "copy.db")
    assert traces(Folders(), tmp_path) == []


def test_everything_comes_back_out_of_a_sealed_store(store: Store) -> None:
    got = store.get("s-1")
    assert (got.document, got.row.tags, got.row.sealed) == (DOCUMENT + SECRET, SNAPSHOT.tags, True)
    assert store.load_draft().document == DOCUMENT
    assert [(item.action, item.note) for item in store.versions("s-1")] == [
        ("save", ""),
        ("edit", f"{SECRET}note"),
    ]
    assert [row.title for row in store.list(tags=(f"{SECRET}tag",))] == [SNAPSHOT.title]


def test_decrypting_gives_the_store_as_it_was(place: Place, tmp_path: Path) -> None:
    with opened(place(tmp_path)) as store:
        fill(store)
        before = (store.get("s-1"), store.search(SECRET + "entry"), store.versions("s-1"))
        store.encrypt(PASSPHRASE)
        assert store.decrypt() == 1
        assert (store.get("s-1"), store.search(SECRET + "entry"), store.versions("s-1")) == before
        assert not store.sealed


def test_a_new_passphrase_opens_and_the_old_one_does_not(
    store: Store, place: Place, tmp_path: Path
) -> None:
    store.rekey("another")
    assert store.get("s-1").document == DOCUMENT + SECRET
    store.close()
    with opened(place(tmp_path / "data"), "another") as again:
        assert again.get("s-1").document == DOCUMENT + SECRET
    with opened(place(tmp_path / "data")) as again, pytest.raises(WrongPassphrase) as error:
        again.get("s-1")
    assert str(error.value) == "This passphrase does not open the store; try again"


def test_a_passphrase_opens_however_its_accents_were_typed(
    store: Store, place: Place, tmp_path: Path
) -> None:
    store.rekey("café")
    store.close()
    with opened(place(tmp_path / "data"), "cafe\u0301") as again:
        assert again.get("s-1").row.id == "s-1"


def test_a_sealed_store_without_passphrase_says_how_to_give_one(
    store: Store, place: Place, tmp_path: Path
) -> None:
    with (
        Store(place(tmp_path / "data"), now=lambda: 1) as locked,
        pytest.raises(StoreLocked) as error,
    ):
        locked.list()
    assert str(error.value) == (
        "The store is encrypted; give its passphrase at the prompt, in DCB_PASSPHRASE or with "
        "--passphrase-fd"
    )


def test_the_passphrase_is_asked_once_and_derived_once(
    store: Store, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2, 12):
        store.put(replace(SNAPSHOT, id=f"s-{number}"), f"snapshot_id: s-{number}")
    derived: list[bytes] = []
    from dcb import envelope

    real = envelope.derive

    def counted(passphrase: str, salt: bytes) -> bytes:
        derived.append(salt)
        return real(passphrase, salt)

    monkeypatch.setattr(envelope, "derive", counted)
    asked: list[int] = []
    with Store(
        place(tmp_path / "data"), now=lambda: 1, passphrase=lambda: asked.append(1) or PASSPHRASE
    ) as again:
        assert len(again.list()) == 11
        again.search(SECRET)
        again.get("s-1")
    assert (len(asked), len(derived)) == (1, 1)


def test_another_program_sees_that_the_store_was_sealed(place: Place, tmp_path: Path) -> None:
    with opened(place(tmp_path)) as first, opened(place(tmp_path)) as second:
        fill(first)
        second.encrypt(PASSPHRASE)
        first.put(replace(SNAPSHOT, id="s-9"), DOCUMENT)
        assert first.get("s-9").row.sealed
    assert traces(place, tmp_path) == []


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("again", "The store is encrypted already; change its passphrase: dcb rekey"),
        ("empty", "An empty passphrase protects nothing; give another one"),
    ],
)
def test_a_sealing_that_makes_no_sense_is_refused(store: Store, action: str, message: str) -> None:
    with pytest.raises(RequestError) as error:
        store.encrypt("x") if action == "again" else store.rekey("")
    assert str(error.value) == message


def test_an_open_store_is_neither_opened_nor_rekeyed(place: Place, tmp_path: Path) -> None:
    with opened(place(tmp_path)) as store:
        with pytest.raises(RequestError, match=r"^The store is not encrypted$"):
            store.decrypt()
        with pytest.raises(RequestError, match=r"^The store is not encrypted; do it with: dcb enc"):
            store.rekey("x")


def test_a_sealed_row_in_another_ones_place_is_noticed(store: Store) -> None:
    store.put(replace(SNAPSHOT, id="s-2"), "snapshot_id: s-2")
    database = store._database
    with database.writing():
        rows = database.rows("select document, passages, omitted, sha from bodies order by seq")
        for seq, row in zip((1, 2), reversed(rows), strict=False):
            database.execute(
                "update bodies set document=?, passages=?, omitted=?, sha=? where seq=("
                f"select seq from bodies order by seq limit 1 offset {seq - 1})",
                row,
            )
    for name in ("s-1", "s-2"):
        with pytest.raises(DamagedStore, match=f"Snapshot {name} is damaged"):
            store.get(name)
