"""Cline and Roo Code: the interface's file where there is one, else the model's, by its tags."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.folders import put, talks_of
from tests.readings import counts, damaged, said, survives, taken_for, talk

Row = dict[str, Any]
ENVIRONMENT = "<environment_details>\n# Files\nsrc/<task>x</task>.py\n</environment_details>"


def say(ts: int, kind: str, text: Any = "", **more: Any) -> Row:
    return {"ts": ts, "type": "say", "say": kind, "text": text, **more}


def ask(ts: int, kind: str, text: Any = "", **more: Any) -> Row:
    return {"ts": ts, "type": "ask", "ask": kind, "text": text, **more}


def row(role: str, *texts: str, **more: Any) -> Row:
    return {"role": role, "content": [{"type": "text", "text": text} for text in texts], **more}


UI = [
    say(1754654400000, "checkpoint_created"),
    say(1754654400001, "text", "Build it.", images=["data:"], files=["/home/r/spec.md"]),
    say(1754654400002, "api_req_started", "{}"),
    say(1754654400003, "reasoning", "hm"),
    say(1754654400004, "text", "I start."),
    say(1754654400005, "text", "I am being", partial=True),
    ask(1754654400006, "tool", "{}"),
    ask(1754654400007, "followup", '{"question":"Which port?","options":["1","2"]}'),
    say(1754654400008, "user_feedback", "5433."),
    say(1754654400009, "user_feedback_diff", "{}"),
    ask(1754654400010, "plan_mode_respond", '{"response":"A plan."}'),
    say(1754654400011, "completion_result", "Done."),
    ask(1754654400012, "completion_result", "Done."),
]
SAID = [
    ("user", "Build it.\n\n[image]\n\n[file: spec.md]"),
    ("assistant", "I start."),
    ("assistant", "Which port?"),
    ("user", "5433."),
    ("assistant", "A plan."),
    ("assistant", "Done."),
]


def test_person_and_agent_are_told_apart_by_the_interface() -> None:
    assert taken_for(UI) == "cline"
    read_of = talk(UI, name="tasks/1754654400000/ui_messages.json")
    assert said(read_of) == SAID
    assert (read_of.id, read_of.title) == ("1754654400000", "Build it.")
    assert (read_of.created_at, read_of.updated_at) == (1754654400001, 1754654400011)
    assert read_of.messages[0].id == "1754654400001"
    assert counts(read_of) == {"damaged": 1, "duplicate": 1, "thinking": 1, "tool": 4}


API = [
    row("user", "<task>\nBuild it.\n</task>", ENVIRONMENT, ts=1),
    row("assistant", "<thinking>hm</thinking>\n\nI start.\n\n<read_file>\n<path>a</path>\n</read_file>"),
    row("user", "[read_file for 'a'] Result:", "def f():\n    '''<feedback>no</feedback>'''", ENVIRONMENT),
    row("assistant", "<ask_followup_question><question>Which port?</question></ask_followup_question>"),
    row("user", "[ask_followup_question for 'x'] Result:", "<answer>\n5433.\n</answer>", ENVIRONMENT),
    row("assistant", "<write_to_file><path>a</path><content>x</content></write_to_file>"),
    row(
        "user",
        "[write_to_file for 'a'] Result:",
        "The user denied this operation and provided the following feedback:\n"
        "<feedback>\nStream it.\n</feedback>",
    ),
    row("user", "[ERROR] You did not use a tool in your previous response!"),
    row("assistant", "<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>"),
]  # fmt: skip
API_SAID = [
    ("user", "Build it."),
    ("assistant", "I start."),
    ("assistant", "Which port?"),
    ("user", "5433."),
    ("user", "Stream it."),
    ("assistant", "Done."),
]


def test_the_models_file_alone_is_read_by_its_tags() -> None:
    read_of = talk(API, name="tasks/17/api_conversation_history.json")
    assert said(read_of) == API_SAID
    assert read_of.id == "17"
    assert taken_for(API, name="pasted.json") == "cline"


def test_native_tool_calls_speak_too_and_feedback_lies_in_their_results() -> None:
    call = {"type": "tool_use", "name": "attempt_completion", "input": {"result": "Done."}}
    other = {"type": "tool_use", "name": "read_file", "input": {"path": "a"}}
    words = "The user provided feedback:\n<feedback>\nNot yet.\n</feedback>"
    result = {"type": "tool_result", "content": [{"type": "text", "text": words}]}
    rows = [
        row("user", "<task>Go.</task>"),
        {"role": "assistant", "content": [{"type": "text", "text": "So."}, other, call]},
        {"role": "user", "content": [{"type": "tool_result", "content": "<feedback"}]},
        {"role": "user", "content": [result]},
    ]
    read_of = talk(rows)
    assert said(read_of) == [("user", "Go."), ("assistant", "So.\n\nDone."), ("user", "Not yet.")]
    assert counts(read_of) == {"empty": 1, "tool": 2}


def test_plain_copies_of_third_parties_are_read_as_they_are() -> None:
    rows = [
        {"role": "user", "timestamp": "2026-01-02T03:04:05Z", "content": "Hello <b>you</b>."},
        {"role": "assistant", "timestamp": "2026-01-02T03:04:06Z", "content": "Hi."},
    ]
    read_of = talk(rows, name="9/api_conversation_history.json")
    assert said(read_of) == [("user", "Hello <b>you</b>."), ("assistant", "Hi.")]
    assert read_of.messages[0].created_at == 1767323045000


def test_a_session_of_the_command_line_is_read() -> None:
    wrapped = '<user_input mode="act">Build it.</user_input>'
    messages = [row("user", wrapped, id="u1", ts=1754654400000), row("assistant", "So.", id="a1")]
    session = {"version": 1, "sessionId": "s9", "agent": "lead", "messages": messages}
    read_of = talk(session, name="s9/s9.messages.json")
    assert said(read_of) == [("user", "Build it."), ("assistant", "So.")]
    assert (read_of.id, read_of.messages[0].id) == ("s9", "u1")


def test_a_folder_with_both_files_is_one_task(tmp_path: Path) -> None:
    put(tmp_path, "tasks/17/ui_messages.json", UI)
    put(tmp_path, "tasks/17/api_conversation_history.json", API)
    (read_of,) = talks_of(tmp_path)
    assert (read_of.id, said(read_of)) == ("17", SAID)
    (alone,) = talks_of(tmp_path / "tasks/17/api_conversation_history.json")
    assert (alone.id, said(alone)) == ("17", SAID)


def test_roo_names_its_tasks_beside_them(tmp_path: Path) -> None:
    put(tmp_path, "tasks/ab-cd/ui_messages.json", UI)
    put(tmp_path, "tasks/ab-cd/history_item.json", {"id": "ab-cd", "task": "The build"})
    (read_of,) = talks_of(tmp_path)
    assert (read_of.id, read_of.title) == ("ab-cd", "The build")


def test_the_prompt_of_a_subtask_is_not_the_persons(tmp_path: Path) -> None:
    put(tmp_path, "tasks/a/ui_messages.json", UI)
    put(tmp_path, "tasks/a/history_item.json", {"id": "a", "parentTaskId": "b"})
    (read_of,) = talks_of(tmp_path)
    assert said(read_of) == SAID[1:]
    assert counts(read_of)["hidden"] == 1


@pytest.mark.parametrize("text", ["{broken", '{"question": 3}', "[]"])
def test_a_question_that_cannot_be_read_costs_the_question(text: str) -> None:
    read_of = talk([say(1, "text", "a"), ask(2, "followup", text), say(3, "text", "b")])
    assert [words for _, words in said(read_of)][-1] == "b"


@settings(max_examples=FEWER)
@given(damaged(UI))
def test_whatever_is_damaged_in_the_interfaces_file_only_our_errors_are_raised(rows: Any) -> None:
    survives(rows, format="cline")


@settings(max_examples=FEWER)
@given(damaged(API))
def test_whatever_is_damaged_in_the_models_file_only_our_errors_are_raised(rows: Any) -> None:
    survives(rows, format="cline")


TAGS = st.sampled_from(
    ["<task>", "</task>", "<feedback>", "</feedback>", "<thinking>", "</thinking>", "<result>",
     "<attempt_completion>", "</attempt_completion>", "[read_file for 'a'] Result:", "a", "\n", "<"]
)  # fmt: skip


@settings(max_examples=FEWER)
@given(st.lists(TAGS).map("".join), st.sampled_from(["user", "assistant"]))
def test_reading_tags_never_invents_or_repeats_words(text: str, role: str) -> None:
    rows = [row("user", "<task>start</task>"), row(role, text)]
    for _, words in said(talk(rows))[1:]:
        letters = words.replace("\n", "")
        rest = iter(text)
        assert all(letter in rest for letter in letters)
