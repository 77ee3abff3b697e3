"""LibreChat: flat and nested exports, read up from the newest leaf."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import DamagedSource
from dcb.readers import librechat
from dcb.readers.base import File
from dcb.readers.unnest import unnested
from tests.cases import FEWER
from tests.readings import counts, damaged, items, said, survives, taken_for, talk, talks

Message = dict[str, Any]
ROOT = librechat.ROOT


def message(name: str, parent: Any = ROOT, **more: Any) -> Message:
    return {
        "messageId": name,
        "parentMessageId": parent,
        "isCreatedByUser": True,
        "text": name,
        **more,
    }


def export(*messages: Message, **more: Any) -> dict[str, Any]:
    return {"conversationId": "c", "title": "T", "messages": list(messages), **more}


def read(*messages: Message, **more: Any) -> list[str]:
    return [text for _, text in said(talk(export(*messages, **more)))]


def deep(depth: int) -> bytes:
    """An export whose messages m0, m1 … lie each in the children of the one before."""
    opened = "".join(
        f'{{"messageId":"m{n}","isCreatedByUser":{json.dumps(n % 2 == 0)},'
        f'"text":"m{n} {{\\"children\\": [","content":[],"children":['
        for n in range(depth)
    )
    head = '{"conversationId":"c","recursive":true,"messages":['
    return (head + opened + "]}" * depth + '],"title":"T"}').encode()


def test_of_two_branches_the_newer_is_read() -> None:
    old = message("b", "a", createdAt="2026-03-01T20:02:00.000Z")
    new = message("c", "a", createdAt="2026-03-01T20:05:00.000Z")
    assert read(message("a"), new, old) == ["a", "c"]


def test_of_equally_new_branches_the_last_in_the_file_is_read() -> None:
    assert read(message("a"), message("b", "a"), message("c", "a")) == ["a", "c"]


def test_a_message_without_a_time_is_no_older_than_its_parent() -> None:
    old = message("b", "a", createdAt="2026-03-01T20:02:00.000Z")
    new = message("c", "a", createdAt="2026-03-01T20:05:00.000Z")
    assert read(message("a"), new, message("d", "c"), old) == ["a", "c", "d"]


@pytest.mark.parametrize("name", ["messages", "messagesTree"])
def test_nested_children_are_read_like_flat_messages(name: str) -> None:
    inner = message("b", "a", isCreatedByUser=False, children=[message("c", "b")])
    nested = {"conversationId": "c", name: [message("a", children=[message("x", "a"), inner])]}
    assert taken_for(nested) == "librechat"
    read_of = talk(nested)
    assert said(read_of) == [("user", "a"), ("assistant", "b"), ("user", "c")]
    assert counts(read_of) == {"branch": 1}


def test_children_need_not_repeat_their_parents_name() -> None:
    bare = {"messageId": "b", "text": "b"}
    assert read(message("a", children=[bare])) == ["a", "b"]


def test_content_parts_are_read_where_text_is_empty() -> None:
    content = [
        {"type": "think", "think": "hm"},
        {"type": "text", "text": "Nightly."},
        {"type": "tool_call", "tool_call": {"name": "f"}},
        {"type": "text", "text": {"value": "Kept 14."}},
        {"type": "error", "error": "x"},
    ]
    answer = message("b", "a", isCreatedByUser=False, text="", content=content)
    read_of = talk(export(message("a"), answer))
    assert said(read_of) == [("user", "a"), ("assistant", "Nightly.\n\nKept 14.")]
    assert counts(read_of) == {"interface": 1, "thinking": 1, "tool": 1}


def test_error_answers_are_the_interfaces() -> None:
    read_of = talk(export(message("a"), message("b", "a", isCreatedByUser=False, error=True)))
    assert said(read_of) == [("user", "a")]
    assert counts(read_of) == {"interface": 1}


def test_files_are_marked_by_name() -> None:
    files = [{"filename": "a.png", "type": "image/png"}, {"filename": "b.csv", "type": "text/csv"}]
    assert read(message("a", files=files)) == ["a\n\n[image: a.png]\n\n[file: b.csv]"]


def test_a_message_that_stands_twice_is_read_once() -> None:
    read_of = talk(export(message("a"), message("b", "a"), message("a"), None))  # type: ignore[arg-type]
    assert [text for _, text in said(read_of)] == ["a", "b"]
    assert counts(read_of) == {"damaged": 1, "duplicate": 1}


def test_a_list_of_exports_is_many_conversations() -> None:
    assert len(talks([export(message("a")), {**export(message("b")), "conversationId": "d"}])) == 2


@pytest.mark.parametrize("depth", [40, 400, 3000])
def test_children_nested_as_deep_as_people_talk_are_read(depth: int) -> None:
    read_of = talk(deep(depth))
    assert [message.id for message in read_of.messages] == [f"m{n}" for n in range(depth)]
    assert read_of.messages[0].content == 'm0 {"children": ['
    assert (read_of.id, read_of.title) == ("c", "T")


def test_unnesting_gives_what_decoding_gives() -> None:
    nested = [
        message("a", children=[message("b", children=[]), message("c", note={"children": [1]})])
    ]
    for name in ("messages", "messagesTree"):
        data = json.dumps({"conversationId": "é", name: nested, "options": {"messages": [{}]}})
        file = File(name="x", data=data.encode(), where="x")
        flat = unnested(file)
        assert flat["options"] == {"messages": [{}]}
        assert [each["messageId"] for each in flat["messages"]] == ["a", "b", "c"]
        assert flat["messages"][2]["note"] == {"children": [1]}
        assert flat["messages"][0]["children"] == []


def test_a_deep_export_that_is_cut_is_damaged() -> None:
    with pytest.raises(DamagedSource):
        items(deep(3000)[:-20], format="librechat")


def test_a_cycle_of_parents_ends() -> None:
    read_of = talk(export(message("a", "b"), message("b", "a")))
    assert sorted(text for _, text in said(read_of)) == ["a", "b"]


GOOD = export(
    message("a", createdAt="2026-03-01T20:02:00.000Z", files=[{"filename": "f"}]),
    message("b", "a", isCreatedByUser=False, text="", content=[{"type": "text", "text": "t"}]),
    message("c", "b", children=[message("d", "c", children=[message("e", "d")])]),
)


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(whole: Any) -> None:
    survives(whole, format="librechat")


@settings(max_examples=FEWER)
@given(st.binary(max_size=40) | st.lists(st.sampled_from([b'{"messages":[', b"]", b"}", b"{",
    b'"children":[', b'"a"', b",", b'"\\"', b"1"])).map(b"".join))  # fmt: skip
def test_unnesting_any_bytes_raises_only_our_errors(data: bytes) -> None:
    with pytest.raises(Exception) as caught:
        unnested(File(name="x", data=data, where="x"))
        raise DamagedSource("nothing was wrong")
    assert isinstance(caught.value, DamagedSource) or type(caught.value).__module__ == "dcb.errors"


NAMES = st.sampled_from("abcdef")


@settings(max_examples=FEWER)
@given(st.dictionaries(NAMES, NAMES | st.just(ROOT), min_size=1))
def test_of_any_parents_one_path_is_read_each_message_once(parents: dict[str, str]) -> None:
    read_of = talk(export(*(message(*pair) for pair in parents.items())))
    texts = [text for _, text in said(read_of)]
    assert len(texts) == len(set(texts))
    assert counts(read_of).get("branch", 0) == len(parents) - len(texts)
    for above, below in pairwise(texts):
        assert parents[below] == above
