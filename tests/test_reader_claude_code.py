"""Claude Code: sessions after rewinds, compaction, forks and queued prompts."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import DcbError
from dcb.model import Skipped
from tests.cases import FEWER
from tests.readings import counts, damaged, items, jsonl, said, survives, talk, talks

Row = dict[str, Any]
SESSION = "d9a6c85a-fd12-52b8-addd-f1bf0f789ada"


def row(kind: str, uuid: str | None, parent: str | None, text: Any = None, **more: Any) -> Row:
    content = [{"type": "text", "text": text}] if kind == "assistant" and text else text
    message = {"role": kind, "content": content}
    found = {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": "s",
        "message": message,
        "timestamp": "2026-03-03T03:00:01.000Z",
        **more,
    }
    return {key: value for key, value in found.items() if key != "uuid" or value is not None}


def test_a_session_is_named_by_its_file() -> None:
    rows = jsonl([row("user", "u", None, "hi")])
    assert talk(rows, name=f"projects/x/{SESSION}.jsonl").id == SESSION
    assert talk(rows, name="copy.jsonl").id == "s"


def test_the_strongest_title_wins_and_a_foreign_summary_does_not() -> None:
    rows: list[Row] = [
        {"type": "summary", "summary": "Of another", "leafUuid": "elsewhere"},
        row("user", "u", None, "first prompt\nmore"),
    ]
    assert talk(jsonl(rows)).title == "first prompt"
    rows.append({"type": "summary", "summary": "Of this", "leafUuid": "u"})
    assert talk(jsonl(rows)).title == "Of this"
    rows.append({"type": "ai-title", "aiTitle": "By the model", "sessionId": "s"})
    assert talk(jsonl(rows)).title == "By the model"
    rows.append({"type": "custom-title", "customTitle": "By the person", "sessionId": "s"})
    assert talk(jsonl(rows)).title == "By the person"


def test_a_subagents_file_is_passed_over_with_the_reason() -> None:
    rows = [row("user", "u", None, "list files", isSidechain=True)]
    assert items(jsonl(rows)) == [
        Skipped(where="input", reason="A subagent's session, not the person's")
    ]


def test_parallel_tool_calls_are_no_rewind() -> None:
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]
    rows = [
        row("user", "u1", None, "do two things"),
        row("assistant", "a1", "u1", "first"),
        row("assistant", "a2", "a1", "second"),
        row("user", "r1", "a1", result),
        row("assistant", "a3", "r1", "on the first"),
        row("user", "r2", "a2", result),
        row("assistant", "a4", "r2", "done"),
    ]
    assert [text for _, text in said(talk(jsonl(rows)))] == [
        "do two things",
        "first",
        "second",
        "on the first",
        "done",
    ]


def test_a_rewind_is_left_out_and_counted() -> None:
    rows = [
        row("user", "u1", None, "one"),
        row("assistant", "a1", "u1", "1"),
        row("user", "u2", "a1", "wrong"),
        row("assistant", "a2", "u2", "2"),
        row("user", "u3", "a1", "right"),
    ]
    found = talk(jsonl(rows), tree=True)
    assert [text for _, text in said(found)] == ["one", "1", "right"]
    assert counts(found) == {"branch": 2}
    assert [node.shown for node in found.tree] == [True, True, False, False, True]


def test_in_doubt_nothing_is_dropped() -> None:
    rows = [
        row("user", "u1", None, "one"),
        row("user", "u2", "gone", "two"),
        row("user", "u3", "u1", "three"),
        row("user", "u4", "u1", "four"),
    ]
    assert [text for _, text in said(talk(jsonl(rows)))] == ["one", "two", "three", "four"]


def test_rows_of_early_versions_have_no_ids() -> None:
    rows = [row("user", None, None, "one"), row("assistant", None, None, "1")]
    found = talk(jsonl(rows))
    assert [(message.id, message.content) for message in found.messages] == [
        (None, "one"),
        (None, "1"),
    ]


def queued(text: Any, uuid: str, parent: str, **more: Any) -> Row:
    attachment = {"type": "queued_command", "prompt": text, **more}
    return {"type": "attachment", "uuid": uuid, "parentUuid": parent, "attachment": attachment}


def enqueued(text: str) -> Row:
    return {"type": "queue-operation", "operation": "enqueue", "content": text, "sessionId": "s"}


def test_a_queued_prompt_counts_once_wherever_it_is_found_last() -> None:
    start = [row("user", "u1", None, "go"), enqueued("more"), row("assistant", "a1", "u1", "ok")]
    assert [text for _, text in said(talk(jsonl(start)))] == ["go", "more", "ok"]
    handed = [*start, queued("more", "q1", "a1"), row("assistant", "a2", "q1", "ok too")]
    assert [text for _, text in said(talk(jsonl(handed)))] == ["go", "ok", "more", "ok too"]
    typed = [*handed, row("user", "u2", "a2", "more")]
    assert [text for _, text in said(talk(jsonl(typed)))] == ["go", "ok", "ok too", "more"]


def test_a_prompt_queued_twice_counts_twice() -> None:
    rows = [
        row("user", "u1", None, "go"),
        enqueued("continue"),
        enqueued("continue"),
        row("user", "u2", "u1", "continue"),
        row("user", "u3", "u2", "continue"),
    ]
    assert [text for _, text in said(talk(jsonl(rows)))] == ["go", "continue", "continue"]


def test_what_is_queued_but_no_prompt_is_left_out() -> None:
    rows = [
        row("user", "u1", None, "go"),
        enqueued("/compact now"),
        enqueued("<task-notification>x</task-notification>"),
        queued("ls", "q1", "u1", commandMode="bash"),
        queued([{"type": "text", "text": "with parts"}], "q2", "q1", commandMode="prompt"),
    ]
    assert [text for _, text in said(talk(jsonl(rows)))] == ["go", "with parts"]


def test_what_the_tool_put_into_a_prompt_is_taken_out() -> None:
    content = [
        {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
        {"type": "text", "text": "Fix <system-reminder>x</system-reminder>it. <system-reminder>"},
        {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
        {"type": "tool_result", "content": "out"},
    ]
    found = talk(jsonl([row("user", "u", None, content)]))
    assert said(found) == [("user", "Fix it. <system-reminder>\n\n[image]")]


def test_answers_of_the_tool_itself_are_left_out() -> None:
    rows = [
        row("user", "u", None, "hi"),
        row("user", "o", "u", "from a hook", origin={"kind": "hook"}),
        row("assistant", "e", "o", "API Error", isApiErrorMessage=True),
    ]
    rows.append(row("assistant", "s", "e", "No response requested."))
    rows[-1]["message"]["model"] = "<synthetic>"
    found = talk(jsonl(rows))
    assert said(found) == [("user", "hi")]
    assert counts(found) == {"hidden": 1, "interface": 2}


@st.composite
def sessions(draw: st.DrawFn) -> list[Row]:
    """Rows with right, missing, later, own and repeated links."""
    count = draw(st.integers(1, 9))
    names = st.sampled_from([f"n{number}" for number in range(count + 1)])
    found = []
    for number in range(count):
        earlier = st.sampled_from([f"n{each}" for each in range(number)] or [None])
        parent = draw(st.one_of(earlier, earlier, names, st.none()))
        kind = draw(st.sampled_from(["user", "assistant", "system", "attachment"]))
        uuid = draw(st.sampled_from([f"n{number}", f"n{number}", f"n{number}", "n0"]))
        found.append(row(kind, uuid, parent, f"text {number}"))
    return found


@settings(max_examples=FEWER)
@given(sessions())
def test_every_row_on_the_live_branch_is_read_once(rows: list[Row]) -> None:
    first: dict[str, Row] = {}
    for each in rows:
        first.setdefault(each["uuid"], each)
    speaking = [each for each in first.values() if each["type"] in ("user", "assistant")]
    try:
        found = [pair for each in talks(jsonl(rows), format="claude-code") for pair in said(each)]
    except DcbError:
        found = []
    assert len(found) == len(set(found))
    texts = {text for _, text in found}
    here: Any = speaking[-1]["uuid"] if speaking else None
    seen: set[str] = set()
    while here in first and here not in seen:
        seen.add(here)
        each = first[here]
        if each in speaking:
            content = each["message"]["content"]
            assert (content if isinstance(content, str) else content[0]["text"]) in texts
        here = each["parentUuid"]


GOOD = [
    row("user", "u1", None, "go"),
    enqueued("more"),
    row("assistant", "a1", "u1", "ok"),
    queued("more", "q1", "a1"),
    row("user", "u2", "q1", "next", isMeta=False, origin={"kind": "human"}),
    {"type": "system", "subtype": "compact_boundary", "uuid": "b", "logicalParentUuid": "u2"},
    {"type": "summary", "summary": "x", "leafUuid": "u1"},
]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(rows: Any) -> None:
    survives(jsonl(rows if isinstance(rows, list) else [rows]), format="claude-code")
