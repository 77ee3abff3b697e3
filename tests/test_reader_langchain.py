"""LangChain: the same messages in each way in which its library writes them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import READABLE, counts, damaged, jsonl, said, survives, taken_for, talk, talks

Message = dict[str, Any]
CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "system": "SystemMessage"}


def to_dict(kind: str, content: Any, **more: Any) -> Message:
    return {"type": kind, "data": {"content": content, "type": kind, **more}}


def dump(kind: str, content: Any, **more: Any) -> Message:
    return {"type": kind, "content": content, "additional_kwargs": {}, **more}


def constructor(kind: str, content: Any, **more: Any) -> Message:
    path = ["langchain", "schema", "messages", CLASSES.get(kind, kind)]
    kwargs = {"content": content, **more}
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": kwargs}


FORMS = [to_dict, dump, constructor]


def some(form: Any) -> list[Message]:
    return [
        form("system", "Short."),
        form("human", ["Chunks of 800.", {"type": "text", "text": "No overlap."}], id="h-1"),
        form("ai", "", id="run-0", tool_calls=[{"name": "ls", "args": {}}]),
        form("ai", [{"type": "text", "text": "Done.", "index": 0}], id="run-1"),
    ]


SAID = [("system", "Short."), ("user", "Chunks of 800.\n\nNo overlap."), ("assistant", "Done.")]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_known_and_read(form: Any) -> None:
    assert taken_for(some(form)) == "langchain"
    read_of = talk(some(form))
    assert said(read_of) == SAID
    assert [message.id for message in read_of.messages] == [None, "h-1", "run-1"]
    assert counts(read_of) == {"empty": 1}


@pytest.mark.parametrize("form", FORMS)
def test_messages_may_lie_in_an_object_in_lists_or_in_lines(form: Any) -> None:
    assert said(talk({"session_id": "s", "messages": some(form)})) == SAID
    assert talk({"session_id": "s", "messages": some(form)}).id == "s"
    assert said(talk({"messages": [some(form)]})) == SAID
    assert [said(one) for one in talks([some(form), some(form)])] == [SAID, SAID]
    assert said(talk(jsonl(some(form)))) == SAID
    assert [said(one) for one in talks(jsonl([{"messages": some(form)}] * 2))] == [SAID, SAID]


def test_a_prompt_value_holds_its_messages_in_kwargs() -> None:
    path = ["langchain", "prompts", "chat", "ChatPromptValue"]
    value = {"lc": 1, "type": "constructor", "id": path, "kwargs": {"messages": some(constructor)}}
    assert taken_for(value) == "langchain"
    assert said(talk(value)) == SAID


@pytest.mark.parametrize(
    "message",
    [
        to_dict("AIMessageChunk", "x"),
        constructor("AIMessageChunk", "x"),
        to_dict("chat", "x", role="assistant"),
        constructor("ChatMessage", "x", role="assistant"),
    ],
)
def test_chunks_and_chat_messages_say_who_speaks(message: Message) -> None:
    assert said(talk([dump("human", "a"), message])) == [("user", "a"), ("assistant", "x")]


def test_tools_and_strangers_are_left_out() -> None:
    read_of = talk(
        [dump("human", "a"), dump("tool", "t"), to_dict("function", "f"), dump("oracle", "o"), 3]
    )
    assert said(read_of) == [("user", "a")]
    assert counts(read_of) == {"tool": 2, "unknown": 2}
    assert "Unknown message type 'oracle' skipped" in read_of.warnings


GOOD = [*some(to_dict), *some(dump), *some(constructor), {"messages": some(dump)}]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(export: Any) -> None:
    survives(export, format="langchain")


@settings(max_examples=FEWER)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(CLASSES)), st.text(READABLE, min_size=1)), min_size=1
    ),
    st.sampled_from(FORMS),
)
def test_every_message_with_text_is_read_once_and_in_order(messages: Any, form: Any) -> None:
    read_of = talks([form(*message) for message in messages], format="langchain")
    texts = [text for one in read_of for _, text in said(one)]
    assert texts == [text.strip() for _, text in messages if text.strip()]
