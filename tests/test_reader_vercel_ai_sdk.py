"""Vercel AI SDK: content and parts carry the same words, so one of them is read."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import READABLE, counts, damaged, jsonl, said, survives, taken_for, talk, talks

Part = dict[str, Any]


def text(words: str) -> Part:
    return {"type": "text", "text": words, "state": "done"}


def v5(name: str, role: str, *parts: Part, **more: Any) -> dict[str, Any]:
    return {"id": name, "role": role, "parts": list(parts), **more}


V5 = [
    v5("1", "user", text("Dark by default."), metadata={"createdAt": 1746421505000}),
    v5(
        "2",
        "assistant",
        {"type": "step-start"},
        {"type": "reasoning", "text": "hm"},
        {"type": "tool-css", "toolCallId": "x", "state": "output-available"},
        {"type": "data-weather", "data": {}},
        {"type": "source-url", "url": "https://example.org"},
        text("Dark"),
        text("it is."),
    ),
]
SAID = [("user", "Dark by default."), ("assistant", "Dark\n\nit is.")]


def test_version_5_is_read_from_its_parts() -> None:
    assert taken_for(V5) == "vercel-ai-sdk"
    read_of = talk(V5)
    assert said(read_of) == SAID
    assert [(m.id, m.created_at) for m in read_of.messages] == [("1", 1746421505000), ("2", None)]
    assert counts(read_of) == {"hidden": 2, "thinking": 1, "tool": 1}
    assert read_of.warnings == ()


def test_version_4_without_parts_is_read_from_its_content() -> None:
    first = {"id": "1", "role": "user", "content": "a", "createdAt": "2025-05-05T05:05:05.000Z"}
    tools = {"id": "2", "role": "assistant", "content": "b", "toolInvocations": []}
    assert taken_for([first, tools]) == "vercel-ai-sdk"
    assert said(talk([first, tools])) == [("user", "a"), ("assistant", "b")]


def test_version_4_whose_parts_hold_no_text_keeps_its_content() -> None:
    message = {"role": "assistant", "content": "Here.", "parts": [{"type": "step-start"}]}
    assert said(talk([message])) == [("assistant", "Here.")]


def test_files_become_marks() -> None:
    image = {"type": "file", "mediaType": "image/png", "filename": "a.png", "url": "data:"}
    paper = {"type": "file", "mimeType": "application/pdf", "data": "…"}
    old = [{"name": "b.csv", "contentType": "text/csv", "url": "x"}]
    message = v5("1", "user", text("Look."), image, paper, experimental_attachments=old)
    assert said(talk([message])) == [
        ("user", "Look.\n\n[image: a.png]\n\n[file]\n\n[file: b.csv]"),
    ]


def test_messages_may_lie_in_an_object_or_in_lines() -> None:
    chat = {"id": "c", "title": "Theme", "createdAt": "2025-05-05T05:05:05Z", "messages": V5}
    read_of = talk(chat)
    assert (read_of.id, read_of.title, read_of.created_at) == ("c", "Theme", 1746421505000)
    assert said(read_of) == SAID
    assert said(talk(jsonl(V5))) == SAID
    assert [said(one) for one in talks(jsonl([chat, chat]))] == [SAID, SAID]
    assert [said(one) for one in talks([V5, V5])] == [SAID, SAID]


def test_other_roles_and_what_is_no_message_are_counted() -> None:
    read_of = talk([*V5, {"id": "3", "role": "data", "parts": [text("x")]}, "stray"])
    assert said(read_of) == SAID
    assert counts(read_of) == {"hidden": 3, "thinking": 1, "tool": 1, "unknown": 1}


def test_a_message_that_is_stored_twice_is_read_once() -> None:
    read_of = talk([*V5, V5[1]])
    assert said(read_of) == SAID
    assert counts(read_of)["duplicate"] == 1


@settings(max_examples=FEWER)
@given(damaged([*V5, {"id": "c", "messages": V5}]))
def test_whatever_is_damaged_only_our_errors_are_raised(export: Any) -> None:
    survives(export, format="vercel-ai-sdk")


@settings(max_examples=FEWER)
@given(st.lists(st.lists(st.text(READABLE, max_size=5), max_size=3), min_size=1))
def test_every_message_with_text_is_read_once_and_in_order(messages: Any) -> None:
    rows = [v5(str(n), "user", *map(text, words)) for n, words in enumerate(messages)]
    expected = ["\n\n".join(filter(None, map(str.strip, words))) for words in messages]
    read_of = [text for one in talks(rows, format="vercel-ai-sdk") for _, text in said(one)]
    assert read_of == [text for text in expected if text]
