"""Message lists: arrays, objects, JSON lines and tables, with parts of several APIs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Skipped
from tests.cases import FEWER
from tests.readings import counts, damaged, items, jsonl, said, survives, taken_for, talk, talks

HI = {"role": "user", "content": "hi"}
HELLO = {"role": "assistant", "content": "hello"}
SAID = [("user", "hi"), ("assistant", "hello")]


@pytest.mark.parametrize(
    "data",
    [
        [HI, HELLO],
        jsonl([HI, HELLO]),
        {"messages": [HI, HELLO]},
        [{"messages": [HI, HELLO]}],
        jsonl([{"messages": [HI, HELLO]}]),
        {"data": [{"messages": [HI, HELLO]}]},
        [[HI, HELLO]],
        jsonl([[HI, HELLO]]),
    ],
    ids=["array", "lines", "object", "objects", "lines of objects", "key", "lists", "lines of []"],
)
def test_every_layout_is_read(data: Any) -> None:
    assert taken_for(data) == "message-list"
    assert said(talk(data)) == SAID


@pytest.mark.parametrize("key", ["at", "createdAt", "created_at", "timestamp"])
def test_times_and_ids_are_taken_where_they_are(key: str) -> None:
    (message,) = talk([{**HI, "id": 7, key: "2026-01-01T00:00:00Z"}]).messages
    assert (message.id, message.created_at) == ("7", 1767225600000)


def test_an_object_names_its_conversation() -> None:
    found = talk({"id": "c", "title": "T", "created_at": 1767225600, "messages": [HI]})
    assert (found.id, found.title, found.created_at) == ("c", "T", 1767225600000)


def test_parts_of_several_apis_are_joined_by_a_blank_line() -> None:
    content = [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "AAAA"}},
        {"type": "input_text", "text": "and this"},
        {"type": "refusal", "refusal": "no"},
        {"type": "thinking", "thinking": "hm"},
        {"type": "tool_use", "name": "x", "input": {}},
        "bare",
    ]
    found = talk([{"role": "user", "content": content}])
    assert said(found) == [("user", "Look:\n\n[image]\n\n[file: a.pdf]\n\nand this\n\nno\n\nbare")]
    assert counts(found) == {"thinking": 1, "tool": 1}


def test_a_call_between_two_prompts_does_not_merge_them() -> None:
    rows = [HI, {"role": "assistant", "tool_calls": [{}]}, {"role": "tool", "content": "x"}, HI]
    found = talk(rows)
    assert said(found) == [("user", "hi"), ("user", "hi")]
    assert counts(found) == {"tool": 2}


def test_roles_are_known_by_other_names_and_unknown_ones_are_named() -> None:
    rows = [
        {"role": "Human", "content": "a"},
        {"role": "AI", "content": "b"},
        {"role": "developer", "content": "c"},
        {"role": "narrator", "content": "d"},
    ]
    found = talk(rows)
    assert said(found) == [("user", "a"), ("assistant", "b"), ("system", "c")]
    assert found.warnings == ("A message with the unknown role 'narrator' was left out",)


def test_messages_that_name_their_session_are_told_apart() -> None:
    rows = [{**HI, "session_id": "1"}, {**HI, "session_id": "2"}, {**HELLO, "session_id": "1"}]
    assert [(found.id, said(found)) for found in talks(jsonl(rows))] == [
        ("1", SAID),
        ("2", SAID[:1]),
    ]


def test_a_damaged_line_costs_itself_and_is_named() -> None:
    found = talk(jsonl([HI]) + b'{"role": "user", "content": "cut\n' + jsonl([HELLO]))
    assert said(found) == SAID
    assert found.warnings == ("Line 2: A record is cut or damaged and was left out",)


def test_an_array_that_is_cut_is_read_up_to_the_cut() -> None:
    found = talk(b'[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hel')
    assert said(found) == SAID[:1]
    assert found.warnings == (
        "Message 2: The file is cut: it ends inside this item, which begins at byte 36",
    )


def test_an_object_without_messages_among_others_is_named() -> None:
    assert items([{"messages": [HI]}, {"x": 1}])[1] == Skipped(
        where="input, conversation 2",
        reason="It is no conversation: it has no list of messages",
    )


MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system"])},
        optional={
            "content": st.none() | st.text("ab \n", max_size=4),
            "id": st.sampled_from(["1", "2", 3, None]),
        },
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=FEWER)
@given(MESSAGES, st.sampled_from(["array", "lines", "object"]))
def test_every_message_with_text_is_read_in_order(rows: list[Any], layout: str) -> None:
    data = {"array": rows, "lines": jsonl(rows), "object": {"messages": rows}}[layout]
    wanted: list[Any] = []
    for each in rows:
        text = (each.get("content") or "").strip()
        key = (each.get("id"), each["role"], text)
        if text and (key[0] is None or key not in wanted):
            wanted.append(key)
    found = talks(data, format="message-list")
    assert [pair for each in found for pair in said(each)] == [key[1:] for key in wanted]


GOOD = [{"id": "c", "title": "t", "system": "s", "messages": [{**HI, "id": "1", "at": 1}, HELLO]}]


@settings(max_examples=FEWER)
@given(damaged(GOOD), st.booleans())
def test_whatever_is_damaged_only_our_errors_are_raised(data: Any, lines: bool) -> None:
    inside = data if isinstance(data, list) else [data]
    survives(jsonl(inside) if lines else data, format="message-list")
