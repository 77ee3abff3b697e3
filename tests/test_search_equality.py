"""A store in a folder and one on a server give the same answer to the same question."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Entry, Snapshot
from dcb.store import Source, Store
from tests.cases import CASES
from tests.postgres_server import Server
from tests.test_search import shape

WORDS = (
    "redis", "redis", "redis", "stream", "streams", "pageSize", "page_size", "page", "size",
    "C++", "50%", "泊位", "泊位调度", "调度接口", "接口", "班", "夜班", "端口5433", "utf8", "timeouts",
    "audit_log", "Größe", "naïve", "x", "#3",
)  # fmt: skip
FILTERS = ("tag:api", "-tag:api", "kind:decision", "kind:preference", "role:user", "source:codex",
           "after:2026-03-14", "before:2026-03-14", "kind:code", "-role:user")  # fmt: skip
DAY = 86_400_000
SOME = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)

CONTENTS = st.tuples(
    SOME,
    st.lists(st.tuples(st.sampled_from(("decision", "code", "parameter")), SOME), max_size=4),
    st.sampled_from(((), ("api",), ("api", "redis"))),
    st.sampled_from(("codex", "chatgpt-export")),
    st.integers(0, 3),
)
QUERIES = st.lists(
    st.one_of(
        st.sampled_from(WORDS),
        st.sampled_from(FILTERS),
        SOME.map(lambda words: f'"{words}"'),
        st.sampled_from(WORDS).map(lambda word: f"-{word}"),
        st.sampled_from(("reids", "steams", "audits", "nothing")),
    ),
    min_size=1,
    max_size=4,
).map(" ".join)


@pytest.fixture(scope="module")
def both(
    postgres: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Store, Store]]:
    from dcb.store.postgres import connect

    folder = Store(tmp_path_factory.mktemp("folder"), now=lambda: 1)
    with folder, Store(connect(postgres.fresh()), now=lambda: 1) as server:
        yield folder, server


@given(st.lists(CONTENTS, min_size=1, max_size=8), st.lists(QUERIES, min_size=1, max_size=8))
@settings(max_examples=min(CASES, 200) // 4)
def test_both_give_the_same_answer(
    both: tuple[Store, Store], contents: list[tuple[object, ...]], queries: list[str]
) -> None:
    for number, content in enumerate(contents):
        for store in both:
            save(store, number, *content)  # type: ignore[arg-type]
    for query in queries:
        first, second = (shape(store.search(query)) for store in both)
        assert first == second, query


def test_both_give_the_same_answer_where_very_many_match(both: tuple[Store, Store]) -> None:
    for number in range(100, 300):
        for store in both:
            kind = "decision" if number % 50 == 0 else "code"
            save(
                store, number, f"title {number}", [(kind, f"redis stream {number}")], (), "codex", 0
            )
    for query in ("redis", "redis stream", "redis 泊位", "kind:decision redis", "redis -stream"):
        first, second = (shape(store.search(query)) for store in both)
        assert first == second, query


def save(
    store: Store,
    number: int,
    title: str,
    passages: list[tuple[str, str]],
    tags: tuple[str, ...],
    format: str,
    day: int,
) -> None:
    made = Snapshot(
        id=f"s-{number:03d}",
        conversation_id=str(number),
        title=title,
        tags=tags,
        created_at=1_773_273_600_000 + day * DAY,
        verbatim=tuple(
            Entry(id=f"v-{place:03d}", kind=kind, content=text, src="m1", role="user")  # type: ignore[arg-type]
            for place, (kind, text) in enumerate(passages, 1)
        ),
    )
    store.put(made, f"{title}{passages}{tags}", source=Source(format=format, hash=str(day)))
