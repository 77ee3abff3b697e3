"""OpenAI: Responses, completions, batches and fine-tuning files."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import READABLE, counts, damaged, jsonl, said, survives, taken_for, talk, talks

Item = dict[str, Any]


def message(role: str, text: str, **more: Any) -> Item:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text}]
    return {"type": "message", "role": role, "content": content, **more}


ANSWER = message("assistant", "25.40 mm.", id="msg_1")
RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1772000000,
    "instructions": "SI units.",
    "input": [{"role": "developer", "content": "Tables."}, message("user", "Convert.")],
    "output": [
        {"id": "rs", "type": "reasoning", "summary": []},
        {"type": "function_call", "name": "read", "arguments": "{}"},
        {"type": "function_call_output", "output": "…"},
        {"type": "web_search_call", "status": "completed"},
        ANSWER,
    ],
}
SAID = [
    ("system", "SI units."),
    ("system", "Tables."),
    ("user", "Convert."),
    ("assistant", "25.40 mm."),
]


def test_a_response_is_read_with_what_it_answers() -> None:
    read_of = talk(RESPONSE)
    assert said(read_of) == SAID
    assert read_of.id == "resp_1"
    assert [m.created_at for m in read_of.messages] == [None, None, None, 1772000000000]
    assert counts(read_of) == {"thinking": 1, "tool": 3}


def test_responses_come_one_by_one_in_a_list_or_in_lines() -> None:
    other = {**RESPONSE, "id": "resp_2"}
    assert [one.id for one in talks([RESPONSE, other])] == ["resp_1", "resp_2"]
    assert [said(one) for one in talks(jsonl([RESPONSE, other]))] == [SAID, SAID]


def test_input_may_be_a_string_parts_or_instructions_messages() -> None:
    assert said(talk({**RESPONSE, "instructions": None, "input": "Hi."}))[0] == ("user", "Hi.")
    parts = [{"type": "input_text", "text": "See."}, {"type": "input_image", "image_url": "x"}]
    read_of = talk({**RESPONSE, "instructions": [message("system", "S")], "input": parts})
    assert said(read_of)[:3] == [("system", "S"), ("user", "See."), ("user", "[image]")]


def test_a_completion_is_read_with_its_first_choice() -> None:
    choices = [{"message": {"role": "assistant", "content": text}} for text in "ab"]
    read_of = talk({"id": "c", "object": "chat.completion", "created": 1, "choices": choices})
    assert said(read_of) == [("assistant", "a")]
    assert counts(read_of) == {"branch": 1}


def test_batches_are_read_as_requests_and_as_answers() -> None:
    asked = {"custom_id": "q1", "method": "POST", "body": {"messages": [message("user", "Q?")]}}
    body = {"choices": [{"message": {"role": "assistant", "content": "A."}}]}
    answered = {"custom_id": "q1", "response": {"status_code": 200, "body": body}}
    assert said(talk([asked])) == [("user", "Q?")]
    read_of = talk(jsonl([answered]))
    assert (read_of.id, said(read_of)) == ("q1", [("assistant", "A.")])


def test_of_two_answers_the_preferred_one_is_read() -> None:
    row = {
        "input": {"messages": [message("user", "Q?")], "tools": []},
        "preferred_output": [message("assistant", "Good.")],
        "non_preferred_output": [message("assistant", "Bad.")],
    }
    read_of = talk(jsonl([row]))
    assert said(read_of) == [("user", "Q?"), ("assistant", "Good.")]
    assert counts(read_of) == {"branch": 1}


def test_prompt_and_completion_are_a_question_and_its_answer() -> None:
    rows = [{"prompt": "Q", "completion": " A"}, {"prompt": "R", "completion": " B"}]
    assert [said(one) for one in talks(jsonl(rows))] == [
        [("user", "Q"), ("assistant", "A")],
        [("user", "R"), ("assistant", "B")],
    ]


@pytest.mark.parametrize(
    "record",
    [RESPONSE, {"prompt": "Q", "completion": "A"}, {"custom_id": "1", "body": {}, "method": "P"}],
)
def test_each_is_known_by_its_content(record: Item) -> None:
    assert taken_for([record, record]) == "openai"
    assert taken_for(jsonl([record, record])) == "openai"


@settings(max_examples=FEWER)
@given(
    damaged([RESPONSE, {"prompt": "Q", "completion": "A"}, {"custom_id": "1", "body": RESPONSE}])
)
def test_whatever_is_damaged_only_our_errors_are_raised(export: Any) -> None:
    survives(export, format="openai")


@settings(max_examples=FEWER)
@given(
    st.lists(st.text(READABLE, min_size=1, max_size=5)),
    st.lists(st.text(READABLE, min_size=1, max_size=5)),
)
def test_every_message_with_text_is_read_once_and_in_order(asked: Any, answered: Any) -> None:
    response = {
        "object": "response",
        "input": [message("user", text) for text in asked],
        "output": [message("assistant", text) for text in answered],
    }
    read_of = [text for one in talks(response) for _, text in said(one)]
    assert read_of == [text.strip() for text in asked + answered if text.strip()]
