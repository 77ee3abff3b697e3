"""Two snapshots become one; whatever lost is told."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from dcb.errors import DcbError, UnknownChoice
from dcb.matters import matter, same
from dcb.merge import POLICIES, about, merge
from dcb.model import Entry, Preference, Section, Snapshot, tokens_of
from tests.cases import FEWER
from tests.snapshots import SNAPSHOTS

VECTORS = Path(__file__).parent.parent / "vectors" / "merges"
PREFERENCES = json.loads((VECTORS / "preferences.json").read_text(encoding="utf-8"))


def snapshot(name: str, *entries: Entry, **more) -> Snapshot:
    fields = {"id": name, "conversation_id": name, "title": name, "created_at": 0}
    return Snapshot(**fields | {"verbatim": entries} | more)


def entry(name: str, content: str, **more) -> Entry:
    return Entry(**{"id": name, "kind": "decision", "content": content, "src": "m1"} | more)


def merged(base: Snapshot, current: Snapshot, **more):
    return merge(base, current, **{"new_id": lambda: "new", "now": 7} | more)


def of(rows) -> list[dict]:
    return [{name: getattr(row, name) for name in row.__slots__} for row in rows]


def outcome(base: Snapshot, current: Snapshot, policy: str) -> dict:
    """What a vector holds: the preferences and conflicts, or the error."""
    try:
        result, conflicts = merged(base, current, policy=policy)
    except DcbError as error:
        return {"error": str(error)}
    return {"preferences": of(result.preferences), "conflicts": of(conflicts)}


# --- preferences -----------------------------------------------------------------------


def test_there_are_vectors():
    assert len(PREFERENCES) == 14


@pytest.mark.parametrize("case", PREFERENCES, ids=lambda case: case["name"])
def test_preferences_merge_as_the_vectors_say(case):
    def side(name):
        found = [Preference(**item) for item in case[name]["preferences"]]
        return snapshot(name, weight=case[name]["weight"], preferences=tuple(found))

    assert outcome(side("base"), side("current"), case["policy"]) == case["expected"]


def test_an_unknown_policy_lists_the_known_ones():
    with pytest.raises(UnknownChoice) as error:
        merged(snapshot("b"), snapshot("c"), policy="newest")
    assert str(error.value) == (
        "Unknown merge policy 'newest'; choose one of: new-wins, snapshot-wins, timestamp, weighted"
    )


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("stated", ["base", "current"])
def test_a_stated_preference_beats_an_inferred_one_under_every_policy(policy, stated):
    def side(name, at):
        item = Preference(scope="style", key="tone", value=name, explicit=name == stated, at=at)
        return snapshot(name, preferences=(item,))

    result, (conflict,) = merged(side("base", 5), side("current", 1), policy=policy)
    assert result.preferences[0].value == conflict.winner == stated
    assert conflict.reason == "stated-over-inferred"


# --- layer 1 ---------------------------------------------------------------------------

SAME_MATTER = [
    ("数据库用 MySQL", "数据库改用 PostgreSQL", "decision"),
    ("We decided to use MySQL", "We decided to use PostgreSQL.", "decision"),
    ("Let's go with Redis.", "Use Memcached instead of Redis", "decision"),
    ("用 MySQL", "算了，改用 Postgres。", "decision"),
    ("每周三发版", "改成每周五发版", "decision"),
    ("重试 3 次", "重试 5 次", "parameter"),
    ("超时 1.5s", "超时 15s", "parameter"),
    ("def f(x):\n  return 1", "def f(x):\n    return 1", "code"),
]
OTHER_MATTER = [
    ("缓存用 Redis", "队列用 Kafka", "decision"),
    ("日志库用 PostgreSQL", "业务库用 MySQL", "decision"),
    ("We decided to use PostgreSQL", "We decided to use TypeScript", "decision"),
    ("The orders service uses Java", "The billing service uses Python", "decision"),
    ("Use MySQL", "Use MySQL with InnoDB", "decision"),
    ("采用微服务架构", "不再支持 IE", "decision"),
    ("重试 3 次", "超时 5 秒", "parameter"),
    ("x = 1", "x = 2", "code"),
]


@pytest.mark.parametrize(("old", "new", "kind"), SAME_MATTER)
def test_the_current_passage_supersedes_the_stored_one_on_the_same_matter(old, new, kind):
    result, (conflict,) = merged(
        snapshot("b", entry("e1", old, kind=kind)), snapshot("c", entry("e1", new, kind=kind))
    )
    stored, current = result.verbatim
    assert (stored.content, stored.status, stored.by) == (old, "superseded", "e1~2")
    assert (current.id, current.content, current.status) == ("e1~2", new, "")
    assert (conflict.scope, conflict.base, conflict.current) == (kind, old, new)
    assert (conflict.winner, conflict.reason) == ("current", "new-wins")
    assert conflict.key


@pytest.mark.parametrize(("old", "new", "kind"), OTHER_MATTER)
def test_passages_on_other_matters_both_hold(old, new, kind):
    result, conflicts = merged(
        snapshot("b", entry("e1", old, kind=kind)), snapshot("c", entry("e2", new, kind=kind))
    )
    assert [item.status for item in result.verbatim] == ["", ""]
    assert conflicts == ()


def test_a_directive_is_never_taken_for_a_decision():
    old, new = entry("a", "用 MySQL", kind="directive"), entry("b", "改用 Postgres")
    assert same(matter(new), matter(old)) == ""


def test_a_whole_table_stands_when_a_sentence_corrects_one_cell_of_it():
    table = "| Opening temperature | Zone 1 | Zone 2 |\n|---|---|---|\n| above | 26 °C | 24 °C |"
    change = "Make zone 2's opening temperature 25 °C instead of 24."
    result, _ = merged(snapshot("b", entry("e1", table)), snapshot("c", entry("e1", change)))
    assert {(one.content, one.status) for one in result.verbatim} == {(table, ""), (change, "")}


def test_what_the_policy_lets_lose_is_superseded_and_told():
    base = snapshot("b", entry("e1", "数据库用 MySQL", at=9))
    current = snapshot("c", entry("e2", "数据库改用 PostgreSQL", at=1))
    for policy, reason in (("snapshot-wins", "snapshot-wins"), ("timestamp", "timestamp-newer")):
        result, (conflict,) = merged(base, current, policy=policy)
        assert [(item.status, item.by) for item in result.verbatim] == [
            ("", ""),
            ("superseded", "e1"),
        ]
        assert (conflict.winner, conflict.reason) == ("base", reason)


def test_what_says_the_same_is_kept_once_and_stays_pinned():
    base = snapshot("b", entry("e1", "不许动外键", kind="directive"))
    current = snapshot("c", entry("e9", "不许动外键。", kind="directive", pin=True))
    result, conflicts = merged(base, current)
    assert [(item.id, item.content, item.pin) for item in result.verbatim] == [
        ("e1", "不许动外键", True)
    ]
    assert conflicts == ()


def test_what_the_current_snapshot_says_twice_is_kept_once_as_well():
    current = snapshot(
        "c",
        entry("e1", "不许动外键", kind="directive"),
        entry("e2", "不许动外键。", kind="directive", pin=True),
        entry("e3", "用 MySQL", status="superseded", by="e2"),
    )
    result, conflicts = merged(snapshot("b"), current)
    assert [(item.id, item.content, item.pin, item.by) for item in result.verbatim] == [
        ("e1", "不许动外键", True, ""),
        ("e3", "用 MySQL", False, "e1"),
    ]
    assert conflicts == ()


def test_code_that_differs_in_indentation_is_not_the_same():
    base = snapshot("b", entry("e1", "if a:\n  b()", kind="code"))
    current = snapshot("c", entry("e2", "if a:\n    b()", kind="code"))
    assert len(merged(base, current)[0].verbatim) == 2


def test_ids_are_unique_and_references_follow():
    base = snapshot("b", entry("e1", "甲"), entry("e1~2", "乙"))
    current = snapshot("c", entry("e1", "丙", status="superseded", by="e2"), entry("e2", "丁"))
    result, _ = merged(base, current)
    assert [(item.id, item.by) for item in result.verbatim] == [
        ("e1", ""),
        ("e1~2", ""),
        ("e1~3", "e2"),
        ("e2", ""),
    ]


def test_entries_say_which_conversation_they_came_from_when_there_are_two():
    result, _ = merged(snapshot("b", entry("e1", "甲")), snapshot("c", entry("e2", "乙")))
    assert result.conversation_id == "b+c"
    assert [item.extra for item in result.verbatim] == [(("conv", "b"),), (("conv", "c"),)]
    again, _ = merged(result, snapshot("c", entry("e2", "乙")))
    assert again.conversation_id == "b+c"
    assert again.verbatim == result.verbatim


def test_a_snapshot_of_the_same_conversation_adds_only_what_is_new():
    base = snapshot("b", entry("e1", "甲"))
    current = replace(base, verbatim=(entry("e1", "甲"), entry("e2", "乙")))
    assert merged(base, current)[0].verbatim == current.verbatim


# --- layer 2 and header ----------------------------------------------------------------


def test_sections_are_united_by_heading_and_bullets_once():
    base = snapshot("b", summary=(Section(heading="背景", bullets=("甲", "乙 1.5")),))
    current = snapshot(
        "c",
        summary=(
            Section(heading="待办", bullets=("丙",)),
            Section(heading="背景", bullets=("甲。", "乙 15")),
        ),
    )
    assert [(item.heading, item.bullets) for item in merged(base, current)[0].summary] == [
        ("背景", ("甲", "乙 1.5", "乙 15")),
        ("待办", ("丙",)),
    ]


def test_the_header_is_of_both_and_tokens_are_counted():
    base = snapshot("b", entry("e1", "三个字"), tags=("a", "b"), weight=2, token_estimate=99)
    current = snapshot("c", entry("e2", "四个字吧"), tags=("b", "c"), weight=1)
    result, _ = merged(base, current)
    assert (result.id, result.created_at, result.title) == ("new", 7, "b")
    assert (result.tags, result.weight, result.token_estimate) == (("a", "b", "c"), 2, 7)


# --- properties ------------------------------------------------------------------------


@settings(max_examples=FEWER)
@given(SNAPSHOTS, SNAPSHOTS)
def test_nothing_is_lost_by_merging(base, current):
    result, _ = merged(base, current)
    assert result.token_estimate == tokens_of(result)
    kept = {(item.kind, item.content) for item in result.verbatim}
    assert {(item.kind, item.content) for item in base.verbatim} <= kept
    assert {(item.scope, item.key) for item in (*base.preferences, *current.preferences)} == {
        (item.scope, item.key) for item in result.preferences
    }
    assert merged(base, current)[0] == result


@settings(max_examples=FEWER)
@given(SNAPSHOTS)
def test_merging_a_snapshot_with_itself_changes_no_preference_and_reports_no_conflict(whole):
    result, conflicts = merged(whole, whole)
    assert result.preferences == whole.preferences
    assert [item for item in conflicts if item.scope in ("style", "role", "constraint")] == []


def test_ten_thousand_entries_merge_in_seconds():
    def side(name, word):
        rows = (entry(f"e{n}", f"模块 {n} 用 {word} 处理第 {n} 类消息") for n in range(5_000))
        return snapshot(name, *rows)

    began = time.process_time()
    merged(side("b", "MySQL"), side("c", "PostgreSQL"))
    assert time.process_time() - began < 20


def test_what_a_person_chose_goes_before_the_policy():
    base = snapshot("a", entry("v1", "Use Redis as the cache."))
    current = snapshot("b", entry("v1", "Use Memcached as the cache."))
    base = replace(base, preferences=(Preference(scope="style", key="tone", value="dry"),))
    current = replace(current, preferences=(Preference(scope="style", key="tone", value="warm"),))
    _, conflicts = merged(base, current)
    assert [item.winner for item in conflicts] == ["current", "current"]
    whole, told = merged(base, current, chosen={about(item): "base" for item in conflicts})
    assert [(item.winner, item.reason) for item in told] == [("base", "chosen")] * 2
    assert [item.value for item in whole.preferences] == ["dry"]
    assert [(item.content, item.status) for item in whole.verbatim] == [
        ("Use Redis as the cache.", ""),
        ("Use Memcached as the cache.", "superseded"),
    ]


def test_choosing_as_the_policy_does_changes_nothing():
    base = snapshot("a", entry("v1", "Use Redis as the cache."))
    current = snapshot("b", entry("v1", "Use Memcached as the cache."))
    _, conflicts = merged(base, current)
    chosen = {about(item): item.winner for item in conflicts}
    assert merged(base, current, chosen=chosen) == merged(base, current)
