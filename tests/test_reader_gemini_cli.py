"""Gemini CLI: sessions as JSON and as rows that change each other, and prompt logs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Skipped
from tests.cases import FEWER
from tests.readings import counts, damaged, items, jsonl, said, survives, taken_for, talk

Row = dict[str, Any]
HEAD: Row = {"sessionId": "g-1", "projectHash": "h", "startTime": "2026-05-05T05:00:00.000Z"}


def message(name: str, text: Any = None, kind: str = "user", **more: Any) -> Row:
    return {"id": name, "type": kind, "content": name if text is None else text, **more}


def session(*messages: Row, **more: Any) -> Row:
    return {**HEAD, "messages": list(messages), **more}


def read(*messages: Row) -> list[tuple[str, str]]:
    return said(talk(session(*messages)))


def test_a_message_of_a_known_id_replaces_it_in_its_place() -> None:
    rows = [HEAD, message("a"), message("b", kind="gemini"), message("a", "edited")]
    read_of = talk(jsonl(rows))
    assert said(read_of) == [("user", "edited"), ("assistant", "b")]
    assert counts(read_of) == {"duplicate": 1}
    assert read(message("a"), message("a", "again")) == [("user", "again")]


def test_a_rewind_to_an_unknown_id_takes_everything_back() -> None:
    read_of = talk(jsonl([HEAD, message("a"), message("b"), {"$rewindTo": "x"}, message("c")]))
    assert said(read_of) == [("user", "c")]
    assert counts(read_of) == {"withdrawn": 2}


def test_changes_of_the_head_name_the_session() -> None:
    change = {"$set": {"summary": "Ports", "lastUpdated": "2026-05-05T06:00:00Z"}}
    read_of = talk(jsonl([HEAD, message("a"), change]))
    assert (read_of.id, read_of.title, read_of.updated_at) == ("g-1", "Ports", 1777960800000)


def test_a_session_on_one_row_may_carry_its_messages() -> None:
    rows = [session(message("a")), message("b", kind="gemini")]
    assert said(talk(jsonl(rows))) == [("user", "a"), ("assistant", "b")]


@pytest.mark.parametrize("text", ["/chat save x", "/quit", "?", "/mcp:list"])
def test_commands_are_left_out(text: str) -> None:
    assert read(message("1", text), message("a")) == [("user", "a")]


@pytest.mark.parametrize("text", ["/etc/hosts is wrong", "// todo", "/*", "/ 2", "a /quit"])
def test_a_slash_alone_makes_no_command(text: str) -> None:
    assert read(message("1", text)) == [("user", text)]


def test_injected_context_goes_with_its_acknowledgement() -> None:
    rows = [
        message("1", [{"text": "<session_context>\nToday\n</session_context>"}]),
        message("2", "Got it. Thanks for the context!", "gemini"),
        message("3", [{"text": "Pin it."}, {"text": "<hook_context>x</hook_context>"}]),
        message("4", "Got it. Thanks for the context, pinned.", "gemini"),
    ]
    read_of = talk(session(*rows))
    assert said(read_of) == [("user", "Pin it."), ("assistant", rows[3]["content"])]
    assert counts(read_of) == {"hidden": 3, "empty": 1}


def test_what_was_typed_is_read_rather_than_what_it_was_expanded_to() -> None:
    expanded = [{"text": "Fix @a.py"}, {"text": "--- Content from referenced files ---\nx = 1"}]
    assert read(message("1", expanded, displayContent="Fix @a.py")) == [("user", "Fix @a.py")]


def test_files_are_marked_and_thoughts_and_calls_left_out() -> None:
    parts = [
        {"text": "hm", "thought": True},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
        {"fileData": {"fileUri": "gs://b/a.pdf", "mimeType": "application/pdf"}},
        {"functionCall": {"name": "ls"}},
        {"text": "Done."},
    ]
    read_of = talk(session(message("1", parts, "gemini", toolCalls=[{}], thoughts=[{}])))
    assert said(read_of) == [("assistant", "[image]\n\n[file: gs://b/a.pdf]\n\nDone.")]
    assert counts(read_of) == {"thinking": 2, "tool": 2}


def test_a_subagents_session_is_told_of() -> None:
    assert talk(session(message("a"), kind="subagent")).warnings == (
        "This is a subagent's session: its prompts were written by an agent",
    )


def test_an_unknown_type_is_counted_and_told_of() -> None:
    read_of = talk(session(message("a"), message("b", kind="oracle")))
    assert said(read_of) == [("user", "a")]
    assert read_of.warnings == ("Unknown message type 'oracle' skipped",)


def test_a_prompt_log_is_read_only_for_sessions_without_a_file() -> None:
    log = [
        {"sessionId": "11111111-aaaa", "messageId": 0, "type": "user", "message": "one"},
        {"sessionId": "22222222-bbbb", "messageId": 0, "type": "user", "message": "two"},
        {"sessionId": "22222222-bbbb", "messageId": 1, "type": "user", "message": "/quit"},
    ]
    there = ("session-2025-10-09T15-00-11111111.json",)
    found = items(log, name="logs.json", listing=lambda folder: there if folder == "chats" else ())
    assert found[0] == Skipped(
        where="logs.json, session 11111111-aaaa",
        reason="These prompts stand in the session's own file",
    )
    assert said(found[1]) == [("user", "two")]  # type: ignore[arg-type]
    assert found[1].warnings == (  # type: ignore[union-attr]
        "A log of prompts: the answers are not in this file",
    )


def test_sessions_are_known_as_object_and_as_rows() -> None:
    assert taken_for(session(message("a"))) == "gemini-cli"
    assert taken_for(jsonl([HEAD])) == "gemini-cli"
    assert taken_for(jsonl([HEAD, message("a")])) == "gemini-cli"
    assert taken_for(jsonl([{"$rewindTo": "x"}, message("a")])) == "gemini-cli"


GOOD = [
    HEAD,
    message("a", displayContent=[{"text": "typed"}]),
    message("b", [{"text": "x"}, {"functionCall": {}}], "gemini", toolCalls=[{}], thoughts=[]),
    {"$set": {"summary": "s", "messages": [message("a"), message("c", kind="info")]}},
    message("d"),
    {"$rewindTo": "d"},
    message("e"),
]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(rows: Any) -> None:
    survives(jsonl(rows if isinstance(rows, list) else [rows]), format="gemini-cli")


NAMES = st.sampled_from("abcd")
CHANGE = st.one_of(
    st.tuples(st.just("say"), NAMES),
    st.tuples(st.just("rewind"), NAMES),
    st.tuples(st.just("refill"), st.lists(NAMES, max_size=3)),
)


@settings(max_examples=FEWER)
@given(st.lists(CHANGE, max_size=12))
def test_rows_replayed_leave_what_the_program_would_show(changes: list[Any]) -> None:
    rows, shown = [HEAD], dict[str, str]()
    for number, (what, name) in enumerate(changes):
        text = f"{name}{number}"
        if what == "say":
            rows.append(message(name, text))
            shown[name] = text
        elif what == "rewind":
            rows.append({"$rewindTo": name})
            names = list(shown)
            for gone in names[names.index(name) :] if name in names else names:
                del shown[gone]
        else:
            rows.append({"$set": {"messages": [message(each, text) for each in name]}})
            shown = dict.fromkeys(name, text)
    found = items(jsonl([*rows, message("z")]), format="gemini-cli")
    shown["z"] = "z"
    assert [text for _, text in said(found[0])] == list(shown.values())  # type: ignore[arg-type]
