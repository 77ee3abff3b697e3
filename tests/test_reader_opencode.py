"""opencode: database, folders of small files and export hold the same session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Skipped
from tests import databases
from tests.cases import FEWER
from tests.databases import database
from tests.folders import items_of, put, talks_of
from tests.readings import counts, damaged, said, survives, taken_for, talk

Part = dict[str, Any]
CREATED = 1767866400000


def text(words: Any, **more: Any) -> Part:
    return {"type": "text", "text": words, **more}


def message(name: str, role: str, *parts: Part, **more: Any) -> dict[str, Any]:
    info = {"id": name, "role": role, "time": {"created": CREATED}, **more}
    numbered = [{"id": f"prt_{name}_{n}", **part} for n, part in enumerate(parts)]
    return {"info": info, "parts": numbered}


MESSAGES = [
    message("msg_1", "user", text("Write it."), text("Called the Read tool", synthetic=True),
            {"type": "file", "mime": "text/plain", "filename": "a.txt"},
            {"type": "file", "mime": "text/plain", "filename": "b.txt", "synthetic": True}),
    message("msg_2", "assistant", {"type": "step-start"}, {"type": "reasoning", "text": "hm"},
            {"type": "tool", "tool": "read"}, text("FROM x"), text("old", ignored=True),
            {"type": "step-finish"}),
    message("msg_3", "user", text("Good."), {"type": "file", "mime": "image/png"}),
    message("msg_4", "assistant", text("What we did so far"), summary=True),
]  # fmt: skip
INFO = {"id": "ses_1", "title": "Dockerfile", "time": {"created": CREATED, "updated": CREATED + 9}}
SAID = [
    ("user", "Write it.\n\n[file: a.txt]"),
    ("assistant", "FROM x"),
    ("user", "Good.\n\n[image]"),
]
COUNTS = {"hidden": 3, "thinking": 1, "tool": 1, "unknown": 1}


def export(*messages: Any, **info: Any) -> dict[str, Any]:
    return {"info": {**INFO, **info}, "messages": list(messages)}


def test_the_text_of_an_export_is_read_and_its_machinery_counted() -> None:
    assert taken_for(export(*MESSAGES)) == "opencode"
    read_of = talk(export(*MESSAGES))
    assert (read_of.id, read_of.title) == ("ses_1", "Dockerfile")
    assert (read_of.created_at, read_of.updated_at) == (CREATED, CREATED + 9)
    assert said(read_of) == SAID
    assert counts(read_of) == COUNTS
    first = read_of.messages[0]
    assert (first.id, first.created_at) == ("msg_1", CREATED)


def test_a_title_that_nobody_gave_gives_way_to_the_first_prompt() -> None:
    title = "New session - 2026-03-22T10:00:00.000Z"
    assert talk(export(*MESSAGES, title=title)).title == "Write it."


def test_what_a_revert_took_back_stays_out() -> None:
    back = talk(export(*MESSAGES, revert={"messageID": "msg_3"}))
    assert said(back) == SAID[:2]
    assert counts(back)["withdrawn"] == 2
    part = {"messageID": "msg_3", "partID": "prt_msg_3_1"}
    assert said(talk(export(*MESSAGES, revert=part))) == [*SAID[:2], ("user", "Good.")]
    assert said(talk(export(*MESSAGES, revert={"messageID": "gone"}))) == SAID


def test_a_message_that_stands_twice_is_read_once() -> None:
    read_of = talk(export(*MESSAGES, MESSAGES[0]))
    assert said(read_of) == SAID
    assert counts(read_of) == {**COUNTS, "duplicate": 1}


def rows(*sessions: tuple[Any, ...]) -> bytes:
    """A database whose rows lie in reverse order."""
    message_rows, part_rows = [], []
    for each in reversed(MESSAGES):
        name = each["info"]["id"]
        message_rows.append((name, "ses_1", CREATED, json.dumps(each["info"])))
        part_rows += [(p["id"], name, "ses_1", json.dumps(p)) for p in reversed(each["parts"])]
    return database(
        {
            "session": (("id", "parent_id", "title", "time_created", "revert"), sessions),
            "message": (("id", "session_id", "time_created", "data"), message_rows),
            "part": (("id", "message_id", "session_id", "data"), part_rows),
        }
    )


def test_the_database_is_read_by_id_and_subagents_are_left_out() -> None:
    sub = ("ses_2", "ses_1", "sub", CREATED, None)
    data = rows(sub, ("ses_1", None, "Dockerfile", CREATED, None))
    read_of, skipped = databases.items(data)
    assert said(read_of) == SAID  # type: ignore[arg-type]
    assert counts(read_of) == COUNTS  # type: ignore[arg-type]
    assert read_of.where == "input.db, session ses_1"
    assert (skipped.where, skipped.reason) == (  # type: ignore[union-attr]
        "input.db, session ses_2",
        "A subagent's session: nobody typed its prompts",
    )


def test_a_revert_lies_in_a_column_of_the_database() -> None:
    revert = json.dumps({"messageID": "msg_2"})
    (read_of,) = databases.talks(rows(("ses_1", None, "t", CREATED, revert)))
    assert said(read_of) == SAID[:1]


def test_damaged_rows_cost_themselves_only() -> None:
    data = database(
        {
            "session": (("id", "parent_id"), [("s", None)]),
            "message": (
                ("id", "session_id", "data"),
                [
                    ("1", "s", '{"role":"user"}'),
                    ("2", "s", "{broken"),
                    ("3", "s", None),
                    (4, "s", 5),
                ],
            ),
            "part": (
                ("id", "message_id", "session_id", "data"),
                [
                    ("p", "1", "s", '{"type":"text","text":"a"}'),
                    ("q", "1", "s", b"{"),
                    (1, 1, 1, 1),
                ],
            ),
        }
    )
    (read_of,) = databases.talks(data)
    assert said(read_of) == [("user", "a")]
    assert counts(read_of) == {"damaged": 2, "unknown": 4}
    assert len(read_of.warnings) == 2


def test_the_older_folders_are_read_from_the_session_file(tmp_path: Path) -> None:
    put(tmp_path, "session/prj/ses_1.json", INFO)
    put(tmp_path, "session/prj/ses_2.json", {**INFO, "id": "ses_2", "parentID": "ses_1"})
    for each in MESSAGES:
        info = each["info"]
        put(tmp_path, f"message/ses_1/{info['id']}.json", info)
        for part in each["parts"]:
            put(tmp_path, f"part/{info['id']}/{part['id']}.json", part)
    (read_of,) = talks_of(tmp_path / "session/prj/ses_1.json")
    assert said(read_of) == SAID
    assert counts(read_of) == COUNTS
    skipped = [item for item in items_of(tmp_path / "session") if isinstance(item, Skipped)]
    assert [each.reason for each in skipped] == ["A subagent's session: nobody typed its prompts"]


def test_a_session_file_cannot_lead_out_of_its_folder(tmp_path: Path) -> None:
    put(tmp_path, "secret/msg_1.json", {"id": "msg_1", "role": "user"})
    put(tmp_path, "storage/session/p/ses_1.json", {**INFO, "id": "../../../secret"})
    assert talks_of(tmp_path / "storage/session/p/ses_1.json") == []


@settings(max_examples=FEWER)
@given(damaged(export(*MESSAGES, revert={"messageID": "msg_4", "partID": "x"})))
def test_whatever_is_damaged_only_our_errors_are_raised(whole: Any) -> None:
    survives(whole, format="opencode")


VALUES = st.none() | st.integers(-5, 5) | st.sampled_from(
    ["s", "m", "p", b"\xff{", '{"role":"user"}', '{"type":"text","text":"t"}', "{", "[]"]
)  # fmt: skip
ROWS = st.lists(st.tuples(VALUES, VALUES, VALUES, VALUES), max_size=6)


@settings(max_examples=FEWER // 4)
@given(ROWS, ROWS, ROWS)
def test_any_rows_raise_only_our_errors(sessions: Any, messages: Any, parts: Any) -> None:
    data = database(
        {
            "session": (("id", "parent_id", "title", "revert"), sessions),
            "message": (("id", "session_id", "time_created", "data"), messages),
            "part": (("id", "message_id", "session_id", "data"), parts),
        }
    )
    databases.survives(data, format="opencode")
