"""DeepSeek: the export's two ages and copies of the API."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import counts, damaged, said, survives, taken_for, talk

Node = dict[str, Any]


def node(name: str, parent: str | None, children: list[str], message: Any = None) -> Node:
    return {"id": name, "parent": parent, "children": children, "message": message}


def fragments(*pairs: str, **more: Any) -> dict[str, Any]:
    parts = [{"type": kind, "content": text} for kind, _, text in (p.partition(":") for p in pairs)]
    return {"fragments": parts, **more}


def export(*nodes: Node) -> dict[str, Any]:
    mapping = {each["id"]: each for each in nodes}
    return {
        "id": "d",
        "title": "缓存",
        "inserted_at": "2026-01-01T08:00:00+08:00",
        "mapping": mapping,
    }


def copy(*messages: dict[str, Any], **session: Any) -> dict[str, Any]:
    inner = {"chat_session": {"id": "s", **session}, "chat_messages": list(messages)}
    return {"code": 0, "data": {"biz_data": inner}}


def test_early_2025_has_roles_and_content() -> None:
    asked = {"role": "USER", "content": "a", "inserted_at": "2025-02-01T08:00:00.000000+08:00"}
    told = {"role": "ASSISTANT", "content": "b", "reasoning_content": "hm", "search_results": []}
    nodes = [node("root", None, ["1"]), node("1", "root", ["2"], asked), node("2", "1", [], told)]
    read_of = talk([export(*nodes)])
    assert said(read_of) == [("user", "a"), ("assistant", "b")]
    assert counts(read_of) == {"thinking": 1}
    assert read_of.messages[0].created_at == 1738368000000


def test_without_any_role_speakers_take_turns_from_the_person_on() -> None:
    nodes = [node("root", None, ["1"]), node("1", "root", ["2"], {"content": "a"})]
    nodes.append(node("2", "1", [], {"content": "b"}))
    assert said(talk([export(*nodes)])) == [("user", "a"), ("assistant", "b")]


def test_a_missing_last_child_gives_way_to_the_one_before() -> None:
    nodes = [node("root", None, ["1", "gone"]), node("1", "root", [], fragments("REQUEST:a"))]
    assert said(talk([export(*nodes)])) == [("user", "a")]


def test_a_child_that_its_parent_does_not_list_is_found() -> None:
    nodes = [node("root", None, []), node("1", "root", [], fragments("REQUEST:a"))]
    assert said(talk([export(*nodes)])) == [("user", "a")]


def test_an_answer_keeps_its_text_and_loses_its_search() -> None:
    told = fragments("SEARCH:x", "THINK:y", "RESPONSE:b", "TEMPLATE_RESPONSE:c", "GLOW:z")
    read_of = talk([export(node("root", None, ["1"]), node("1", "root", [], told))])
    assert said(read_of) == [("assistant", "b\n\nc")]
    assert counts(read_of) == {"thinking": 1, "tool": 1, "unknown": 1}
    assert read_of.warnings == ("Unknown fragment 'GLOW' skipped",)


def test_files_are_marked() -> None:
    asked = fragments("REQUEST:a", files=[{"file_name": "pipes.csv"}])
    read_of = talk([export(node("root", None, ["1"]), node("1", "root", [], asked))])
    assert said(read_of) == [("user", "a\n\n[file: pipes.csv]")]


def test_a_copy_without_a_current_message_ends_with_its_last() -> None:
    rows = [
        {"message_id": 1, "parent_id": None, "role": "USER", **fragments("REQUEST:a")},
        {"message_id": 2, "parent_id": 1, "role": "ASSISTANT", **fragments("RESPONSE:b")},
        {"message_id": 3, "parent_id": 1, "role": "ASSISTANT", **fragments("RESPONSE:c")},
    ]
    assert said(talk(copy(*rows))) == [("user", "a"), ("assistant", "c")]
    read_of = talk(copy(*rows, current_message_id=2))
    assert said(read_of) == [("user", "a"), ("assistant", "b")]
    assert counts(read_of) == {"branch": 1}


def test_the_export_is_not_taken_for_chatgpt() -> None:
    nodes = [node("root", None, ["1"]), node("1", "root", [], fragments("REQUEST:a"))]
    whole = export(*nodes)
    assert taken_for([whole]) == "deepseek"
    assert taken_for(whole) == "deepseek"
    del whole["inserted_at"]
    assert taken_for([whole]) == "deepseek"


GOOD = [
    export(
        node("root", None, ["1"]),
        node("1", "root", ["2", "3"], fragments("REQUEST:a", files=[{"file_name": "f"}])),
        node("2", "1", [], fragments("RESPONSE:b")),
        node("3", "1", [], {"role": "ASSISTANT", "content": "c", "reasoning_content": "r"}),
    ),
    copy(
        {"message_id": 1, "parent_id": None, "role": "USER", **fragments("REQUEST:a")},
        {"message_id": 2, "parent_id": 1, "role": "ASSISTANT", **fragments("RESPONSE:b")},
        current_message_id=2,
    ),
]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(whole: Any) -> None:
    survives(whole, format="deepseek")


NAMES = st.sampled_from(["root", *"abcde"])


@settings(max_examples=FEWER)
@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=3), min_size=1))
def test_of_any_tree_the_last_children_are_read_each_once(tree: dict[str, list[str]]) -> None:
    nodes = [
        node(name, None, children, fragments(f"REQUEST:{name}")) for name, children in tree.items()
    ]
    (read_of,) = [talk([export(*nodes)])]
    here: str | None = "root" if "root" in tree else next(iter(tree))
    path: list[str] = []
    while here is not None:
        path.append(here)
        listed = list(dict.fromkeys(tree[here]))
        here = next((each for each in reversed(listed) if each in tree and each not in path), None)
    assert [text for _, text in said(read_of)] == path
    assert counts(read_of).get("branch", 0) == len(tree) - len(path)
