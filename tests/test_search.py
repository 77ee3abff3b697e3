"""Search finds the passage meant, says where it stands, and orders as a person would."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Entry, Preference, Section, Snapshot
from dcb.store import Answer, Source, Store
from tests.cases import FEWER
from tests.places import Place

PASSPHRASE = "correct horse"


def entry(number: int, kind: str, content: str, role: str = "user", **more: object) -> Entry:
    return Entry(
        id=f"v-{number:03d}", kind=kind, content=content, role=role, src=f"m{number}", **more
    )  # type: ignore[arg-type]


HARBOUR = Snapshot(
    id="harbour",
    conversation_id="c1",
    title="泊位调度接口",
    description="排班从表格搬到接口",
    tags=("排班", "api"),
    created_at=1_767_225_600_000,  # 2026-01-01
    verbatim=(
        entry(1, "decision", "最终采用 Redis Streams，端口 5433 留给报表。"),
        entry(2, "directive", "不要动 audit_log 表。", role="user"),
        entry(3, "code", "def loadBerth(maxTokens):\n    return maxTokens * 2", role="assistant"),
        entry(4, "decision", "用 Kafka 做队列。", status="superseded", by="v-001"),
    ),
    summary=(Section(heading="背景", bullets=("表格由人工维护，the scheduler keeps a clock",)),),
    preferences=(Preference(scope="style", key="language", value="回复请用简体中文"),),
)
REPORTS = Snapshot(
    id="reports",
    conversation_id="c2",
    title="Report export",
    description="CSV that spreadsheets open",
    tags=("export",),
    created_at=1_772_323_200_000,  # 2026-03-01
    verbatim=(
        entry(1, "parameter", "page size 50", role="user"),
        entry(2, "decision", "We export with the streaming writer.", role="assistant"),
    ),
    summary=(Section(heading="Goal", bullets=("Reports 的端口 is 8081",)),),
)
ALERTS = Snapshot(
    id="alerts",
    conversation_id="c3",
    title="夜班告警",
    created_at=1_774_000_000_000,
    verbatim=(entry(1, "directive", "告警在三次失败后才叫人，泊位不算。"),),
)


def fill(store: Store) -> Store:
    for made, format in ((HARBOUR, "chatgpt-export"), (REPORTS, "codex"), (ALERTS, "codex")):
        store.put(made, f"snapshot_id: {made.id}", source=Source(format=format))
    return store


@pytest.fixture(scope="module", params=["open", "sealed"])
def store(
    request: pytest.FixtureRequest, lasting_place: Place, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    ticks = count(1)
    folder = tmp_path_factory.mktemp(request.param)
    with Store(
        lasting_place(folder), now=lambda: next(ticks), passphrase=lambda: PASSPHRASE
    ) as opened:
        fill(opened)
        if request.param == "sealed":
            opened.encrypt(PASSPHRASE)
        yield opened


def ids(answer: Answer) -> list[str]:
    return [found.row.id for found in answer.found]


def first(answer: Answer) -> str:
    """The best hit, its matches in brackets."""
    hit = answer.found[0].hits[0]
    marked = hit.snippet
    for start, end in reversed(hit.highlights):
        marked = f"{marked[:start]}[{marked[start:end]}]{marked[end:]}"
    return marked


@pytest.mark.parametrize(
    ("typed", "expected", "best"),
    [
        ("排班", ["harbour"], "[排班]从表格搬到接口"),
        ("端口", ["harbour", "reports"], "最终采用 Redis Streams，[端口] 5433 留给报表。"),
        ("泊位", ["harbour", "alerts"], "[泊位]调度接口"),
        ("班", ["alerts", "harbour"], "夜[班]告警"),
        ("redis streams", ["harbour"], "最终采用 [Redis] [Streams]，端口 5433 留给报表。"),
        ("page size", ["reports"], "[page] [size] 50"),
        ('"page size"', ["reports"], "[page size] 50"),
        ("泊位 告警", ["alerts"], "[告警]在三次失败后才叫人，[泊位]不算。"),
        ("泊位 -告警", ["harbour"], "[泊位]调度接口"),
        ("tokens", ["harbour"], "def loadBerth(max[Tokens]):\n    return max[Tokens] * 2"),
        ("audit", ["harbour"], "不要动 [audit]_log 表。"),
        ("kind:directive 表", ["harbour"], "不要动 audit_log [表]。"),
        ("role:assistant export", ["reports"], "We [export] with the streaming writer."),
        ("kind:style 简体", ["harbour"], "[style] language: 回复请用[简体]中文"),
        ("tag:export 端口", ["reports"], "Reports 的[端口] is 8081"),
        ("-tag:export 端口", ["harbour"], "最终采用 Redis Streams，[端口] 5433 留给报表。"),
        ("source:codex 端口", ["reports"], "Reports 的[端口] is 8081"),
        ("端口 before:2026-02", ["harbour"], "最终采用 Redis Streams，[端口] 5433 留给报表。"),
        ("端口 after:2026-02", ["reports"], "Reports 的[端口] is 8081"),
        ("端口 -after:2026-02", ["harbour"], "最终采用 Redis Streams，[端口] 5433 留给报表。"),
    ],
)
def test_the_passage_meant_comes_first(
    store: Store, typed: str, expected: list[str], best: str
) -> None:
    answer = store.search(typed)
    assert (ids(answer), first(answer)) == (expected, best)
    assert (answer.loose, answer.bounded, answer.suggestion) == (False, False, "")


def test_a_hit_names_its_source(store: Store) -> None:
    passage = store.search("5433").found[0].hits[0].passage
    assert (passage.id, passage.kind, passage.role, passage.src) == (
        "v-001",
        "decision",
        "user",
        "m1",
    )


def test_what_was_superseded_comes_last(store: Store) -> None:
    kafka = store.search("队列 kind:decision").found[0].hits[0].passage
    assert kafka.superseded


def test_filters_alone_list_what_passes_them(store: Store) -> None:
    assert ids(store.search("source:codex")) == ["alerts", "reports"]
    assert ids(store.search("")) == ["alerts", "reports", "harbour"]
    assert ids(store.search("kind:code")) == ["harbour"]


def test_a_literal_sign_is_found_literally(store: Store) -> None:
    assert ids(store.search("%")) == []
    assert ids(store.search("_")) == ["harbour"]


def test_where_nothing_holds_all_words_some_will_do(store: Store) -> None:
    answer = store.search("Which writer does the exporting of spreadsheets use?")
    assert ids(answer)[0] == "reports"
    assert answer.loose
    assert answer.notes == (
        "No snapshot holds all of these words; shown are those that hold some of them",
    )


def test_a_typing_error_is_suggested_away(store: Store) -> None:
    assert store.search("shceduler 端口").suggestion == "scheduler 端口"
    assert store.search("stremaing").suggestion == "streaming"
    assert store.search("无此词").suggestion == ""


def test_a_filter_not_understood_is_noted(store: Store) -> None:
    assert store.search("kind:song 端口").notes[0].startswith("kind:song is not understood")


def test_a_limit_holds_and_says_what_is_left(store: Store) -> None:
    answer = store.search("端口", limit=1, hits=1)
    assert ids(answer) == ["harbour"]
    (found,) = store.search("表", limit=1, hits=1).found
    assert len(found.hits) == 1
    assert found.more == 3


@given(st.text(max_size=40))
@settings(max_examples=FEWER)
def test_no_query_raises(shared: Store, typed: str) -> None:
    shared.search(typed)


@pytest.fixture(scope="module")
def shared(lasting_place: Place, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(lasting_place(tmp_path_factory.mktemp("shared")), now=lambda: 1) as opened:
        yield fill(opened)


@pytest.fixture(scope="module")
def crowded(lasting_place: Place, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Three hundred snapshots that all hold one word; the oldest decided on it."""
    with Store(lasting_place(tmp_path_factory.mktemp("crowded")), now=lambda: 1) as opened:
        yield crowd(opened)


def crowd(store: Store) -> Store:
    for number in range(300):
        kind = "decision" if number == 0 else "code"
        made = Snapshot(
            id=f"s{number:03d}",
            conversation_id=str(number),
            title="title",
            created_at=1,
            verbatim=(entry(1, kind, f"cache number {number}"),),
        )
        store.put(made, f"snapshot_id: {made.id}")
    return store


def test_a_common_word_is_ranked_among_a_bounded_number(crowded: Store) -> None:
    answer = crowded.search("cache")
    assert answer.bounded
    assert ids(answer)[:2] == ["s000", "s299"]
    assert answer.notes == (
        "Very many snapshots match; ranked are the 120 last saved and those with a match in "
        "title, tags, decisions or directives. Another word or a filter shows others",
    )
    assert not crowded.search("cache 17").bounded


def test_an_open_and_a_sealed_store_answer_alike(
    crowded: Store, lasting_place: Place, tmp_path: Path
) -> None:
    with Store(lasting_place(tmp_path), now=lambda: 1, passphrase=lambda: PASSPHRASE) as other:
        crowd(other).encrypt(PASSPHRASE)
        for typed in ("cache", "cache 17", "number kind:decision", "cachee", "number 29"):
            assert shape(other.search(typed)) == shape(crowded.search(typed))


def shape(answer: Answer) -> object:
    return (
        [(found.row.id, found.hits, round(found.score, 6)) for found in answer.found],
        answer.bounded,
        answer.loose,
        answer.suggestion,
        answer.notes,
    )
