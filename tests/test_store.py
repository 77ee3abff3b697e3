"""What the store promises: kept, found again by id, and unharmed by repetition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from dcb.errors import Ambiguous, DamagedStore, ModelError, NotFound
from dcb.model import Entry, Omitted, Preference, Report, Section, Snapshot
from dcb.store import Source, Store
from tests.places import Place

CHATGPT = Source(format="chatgpt-export", where="export.zip", hash="h1")


def snapshot(number: int = 1, **changes: object) -> Snapshot:
    base = Snapshot(
        id=f"0199-{number:04d}",
        conversation_id=f"conv-{number}",
        title="泊位调度接口",
        description="排班从表格搬到接口",
        tags=("排班", "api"),
        created_at=1_773_469_800_000 + number,
        verbatim=(
            Entry(id="v-001", kind="decision", content="最终采用 Redis Streams。", src="m3"),
            Entry(id="v-002", kind="parameter", content="端口 5433 留给报表", src="m4"),
        ),
        summary=(Section(heading="背景", bullets=("泊位表靠人工维护",)),),
        preferences=(Preference(scope="style", key="language", value="简体中文"),),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def document(of: Snapshot) -> str:
    return f"---\nsnapshot_id: {of.id}\ntitle: {of.title}\n---\n"


@pytest.fixture
def store(place: Place, tmp_path: Path) -> Iterator[Store]:
    ticks = count(1)
    with Store(place(tmp_path / "data"), now=lambda: next(ticks)) as opened:
        yield opened


def put(store: Store, *numbers: int) -> None:
    for number in numbers:
        made = snapshot(number)
        store.put(made, document(made), source=CHATGPT)


def test_what_is_put_is_got(store: Store) -> None:
    left_out = (
        Omitted(layer="summary", kind="bullet", text="x", src="", tokens=1, reason="budget"),
    )
    saved = store.put(snapshot(), document(snapshot()), source=CHATGPT, omitted=left_out)
    got = store.get("0199-0001")
    assert saved.change == "new"
    assert got.document == document(snapshot())
    assert got.omitted == left_out
    assert got.row == saved.row
    assert got.row.tags == ("排班", "api")
    assert (got.row.entries, got.row.bullets, got.row.preferences) == (2, 1, 1)


def test_saving_again_is_a_no_op(store: Store) -> None:
    put(store, 1)
    again = store.put(snapshot(), document(snapshot()), source=CHATGPT)
    assert again.change == "same"
    assert [version.number for version in store.versions("0199-0001")] == [1]


def test_another_document_is_the_next_version(store: Store) -> None:
    put(store, 1)
    changed = snapshot(title="泊位接口")
    saved = store.put(changed, document(changed))
    assert (saved.change, saved.row.version) == ("changed", 2)
    assert saved.row.format == "chatgpt-export"
    assert store.version("0199-0001", 1)[1] == document(snapshot())
    assert store.version("0199-0001", 2)[1] == document(changed)
    assert len(store.list()) == 1


def test_a_unique_beginning_of_an_id_suffices(store: Store) -> None:
    put(store, 1, 12)
    assert store.get("0199-0012").row.id == store.get("0199-001").row.id == "0199-0012"


def test_several_ids_of_one_beginning_are_listed(store: Store) -> None:
    put(store, 1, 2)
    with pytest.raises(Ambiguous) as error:
        store.get("0199")
    assert str(error.value) == (
        "'0199' begins several ids; give more of it:\n"
        "  0199-0001  泊位调度接口\n"
        "  0199-0002  泊位调度接口"
    )


@pytest.mark.parametrize(
    ("identifier", "message"),
    [
        ("0002", "No snapshot '0002'; did you mean 0199-0002?"),
        ("zzz", "No snapshot 'zzz'; see: dcb list"),
        ("", "No snapshot ''; see: dcb list"),
        (
            "0199-0003",
            "Snapshot 0199-0003 was removed; its versions are still there: dcb history 0199-0003",
        ),
    ],
)
def test_an_unknown_id_says_what_to_do(store: Store, identifier: str, message: str) -> None:
    put(store, 1, 2, 3)
    store.remove("0199-0003")
    with pytest.raises(NotFound) as error:
        store.get(identifier)
    assert str(error.value) == message


def test_an_empty_store_says_so(store: Store) -> None:
    with pytest.raises(NotFound) as error:
        store.get("0199")
    assert str(error.value) == "No snapshot '0199': nothing is stored yet"


def test_the_last_saved_is_listed_first(store: Store) -> None:
    put(store, 3, 1, 2)
    assert [row.id[-1] for row in store.list()] == ["2", "1", "3"]
    assert [row.id[-1] for row in store.list(limit=1, offset=1)] == ["1"]


def test_filters_narrow_a_list(store: Store) -> None:
    put(store, 1, 2)
    other = snapshot(3, tags=("API", "灰度"), created_at=5)
    store.put(other, document(other), source=Source(format="codex"))
    assert [row.id[-1] for row in store.list(tags=("api",))] == ["3", "2", "1"]
    assert [row.id[-1] for row in store.list(tags=("api", "排班"))] == ["2", "1"]
    assert [row.id[-1] for row in store.list(format="codex")] == ["3"]
    assert [row.id[-1] for row in store.list(before=6)] == ["3"]
    assert [row.id[-1] for row in store.list(after=6)] == ["2", "1"]
    assert [row.id[-1] for row in store.list(conversation_id="conv-2")] == ["2"]


def test_a_conversation_is_known_again(store: Store) -> None:
    put(store, 1)
    found = store.find_conversation("chatgpt-export", "conv-1")
    assert found is not None
    assert (found.id, found.source_hash) == ("0199-0001", "h1")
    assert store.find_conversation("codex", "conv-1") is None


def test_a_removed_snapshot_keeps_its_versions(store: Store) -> None:
    put(store, 1)
    store.remove("0199")
    assert store.list() == ()
    assert store.search("Redis").found == ()
    assert [item.action for item in store.versions("0199-0001")] == ["save", "remove"]
    assert store.version("0199-0001", 1)[1] == document(snapshot())


def test_a_draft_waits_until_it_is_dropped(store: Store) -> None:
    report = Report(limit=4096, needed=10, kept=9)
    store.save_draft("text", report, source=CHATGPT)
    draft = store.load_draft()
    assert (draft.document, draft.report, draft.format) == ("text", report, "chatgpt-export")
    assert store.drop_draft()
    with pytest.raises(NotFound) as error:
        store.load_draft()
    assert str(error.value) == "There is no draft to save; make one with: dcb compile SOURCE"


def test_a_document_with_nul_is_refused(store: Store) -> None:
    with pytest.raises(ModelError) as error:
        store.put(snapshot(), document(snapshot()) + "\0")
    assert str(error.value) == (
        "Snapshot '0199-0001' holds the character NUL (line 5 of its document), which no store "
        "keeps; take it out and save it again"
    )
    assert store.list() == ()


def test_an_id_with_nul_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound, match="nothing is stored yet"):
        store.get("0199\0")


def test_a_store_is_found_as_it_was_left(place: Place, tmp_path: Path) -> None:
    with Store(place(tmp_path), now=lambda: 1) as store:
        put(store, 1, 2)
    with Store(place(tmp_path), now=lambda: 2) as store:
        assert [row.id[-1] for row in store.list()] == ["2", "1"]


def test_a_changed_document_is_never_served(store: Store) -> None:
    put(store, 1)
    with store._database.writing():
        store._database.execute("update bodies set document = replace(document, 'title', 'Title')")
    with pytest.raises(DamagedStore) as error:
        store.get("0199")
    assert str(error.value) == (
        "Snapshot 0199-0001 is damaged: its content does not match its hash. "
        "Mend the store with: dcb doctor --repair"
    )
