"""llm: the old store, the new one, both in one file, and what the command prints."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests import databases
from tests.cases import FEWER
from tests.databases import database, talks
from tests.readings import counts, damaged, jsonl, said, survives, taken_for, talk
from tests.readings import talks as json_talks

RESPONSES = ("id", "prompt", "system", "response", "conversation_id", "datetime_utc", "reasoning")
OLD: dict[str, Any] = {
    "conversations": (("id", "name"), [("c1", "Release")]),
    "responses": (
        RESPONSES,
        [
            ("r2", "Next?", "Short.", "Beech.", "c1", "2025-02-20T11:02:00.500000+00:00", "hm"),
            ("r1", "Name it.", "Short.", "Alder.", "c1", "2025-02-20T11:00:00.123000", None),
            ("r3", "Longer.", "Long.", None, "c1", "2025-02-20 11:03:00", None),
        ],
    ),
}
OLD_SAID = [
    ("system", "Short."),
    ("user", "Name it."),
    ("assistant", "Alder."),
    ("user", "Next?"),
    ("assistant", "Beech."),
    ("system", "Long."),
    ("user", "Longer."),
]


def test_the_old_store_is_read_by_time_and_system_where_it_changes() -> None:
    (read_of,) = talks(database(OLD))
    assert said(read_of) == OLD_SAID
    assert [m.id for m in read_of.messages] == [
        "r1:s",
        "r1:p",
        "r1:r",
        "r2:p",
        "r2:r",
        "r3:s",
        "r3:p",
    ]
    assert read_of.messages[0].created_at == 1740049200123
    assert (read_of.title, read_of.created_at) == ("Release", 1740049200123)
    assert counts(read_of) == {"empty": 1, "thinking": 1}


def test_equal_times_are_ordered_by_id() -> None:
    moment = "2025-02-20T11:00:00"
    rows = [(f"r{n}", str(n), None, None, "c1", moment, None) for n in (3, 1, 2)]
    (read_of,) = talks(database({**OLD, "responses": (RESPONSES, rows)}))
    assert [words for _, words in said(read_of)] == ["1", "2", "3"]


def test_a_row_without_a_conversation_is_one_by_itself() -> None:
    rows = [(id, "a", None, "b", None, None, None) for id in ("r1", "r2", None, None)]
    read_of = talks(database({**OLD, "responses": (RESPONSES, rows)}))
    assert [said(one) for one in read_of] == [[("user", "a"), ("assistant", "b")]] * 4
    assert sorted(one.id for one in read_of)[2:] == ["r1", "r2"]


def test_a_conversation_whose_own_row_is_missing_is_read_whole_and_once() -> None:
    rows = [(f"r{n}", str(n), None, None, "gone", None, None) for n in (1, 2)]
    (read_of,) = talks(database({**OLD, "responses": (RESPONSES, rows)}))
    assert (read_of.id, said(read_of)) == ("gone", [("user", "1"), ("user", "2")])


def test_fragments_and_attachments_of_the_old_store_go_with_their_prompt() -> None:
    rows = [("r1", "Sum up.", None, "Ok.", "c1", None, None)]
    more = {
        "fragments": (
            ("id", "content", "source"),
            [(1, "Line one.", "/tmp/a.txt"), (2, "S.", None)],
        ),
        "prompt_fragments": (("response_id", "fragment_id", "order"), [("r1", 1, 0)]),
        "system_fragments": (("response_id", "fragment_id", "order"), [("r1", 2, 0)]),
        "attachments": (("id", "type", "path", "url"), [("x", "image/png", "/home/r/a.png", None)]),
        "prompt_attachments": (("response_id", "attachment_id", "order"), [("r1", "x", 0)]),
    }
    (read_of,) = talks(database({**OLD, "responses": (RESPONSES, rows), **more}))
    assert said(read_of) == [
        ("system", "[attachment]\n\nS."),
        ("user", "[attachment: /tmp/a.txt]\n\nLine one.\n\nSum up.\n\n[image: a.png]"),
        ("assistant", "Ok."),
    ]


PARTS = ("id", "message_hash", "position", "type", "text", "payload")
FRAGMENTS = {"text_ref": [{"literal": "Read: "}, {"fragment": 7}, {"literal": " End."}]}
NEW: dict[str, Any] = {
    "threads": (
        ("id", "name", "tip_message_hash", "datetime_utc"),
        [("t1", "Retry", "d", "2026-06-06 06:06:06.250000+00:00"), ("t2", "Fork", "e", None)],
    ),
    "turns": (
        ("id", "thread_id", "parent_message_hash", "tip_message_hash", "datetime_utc"),
        [
            ("u2", "t1", "c", "d", "2026-06-06T06:08:00.500000+00:00"),
            ("u1", "t1", "a", "b", "2026-06-06T06:06:06+00:00"),
        ],
    ),
    "messages": (
        ("hash", "parent_hash", "role"),
        [("d", "c", "assistant"), ("a", None, "user"), ("c", "b", "user"), ("b", "a", "assistant"),
         ("e", "b", "user"), ("f", "b", "tool")],
    ),
    "parts": (
        PARTS,
        [
            (1, "a", 0, "text", "Only 429.", None),
            (2, "b", 1, "text", "Only 429 it is.", None),
            (3, "b", 0, "reasoning", "hm", None),
            (4, "b", 2, "tool_call", None, "{}"),
            (5, "c", 0, "text", None, json.dumps(FRAGMENTS)),
            (6, "c", 1, "attachment", None, '{"attachment": {"id": "x"}}'),
            (7, "d", 0, "text", "Read.", None),
            (8, "e", 0, "text", "Forked.", None),
        ],
    ),
    "fragments": (("id", "content"), [(7, "three times")]),
    "attachments": (("id", "type", "path", "url"), [("x", "text/csv", None, "https://e.org/a.csv")]),
}  # fmt: skip
NEW_SAID = [
    ("user", "Only 429."),
    ("assistant", "Only 429 it is."),
    ("user", "Read: three times End.\n\n[attachment: a.csv]"),
    ("assistant", "Read."),
]


def test_the_new_store_is_read_from_the_tip_of_each_thread() -> None:
    first, second = talks(database(NEW))
    assert said(first) == NEW_SAID
    assert counts(first) == {"thinking": 1, "tool": 1}
    assert [m.created_at for m in first.messages] == [1780725966000] * 2 + [1780726080500] * 2
    assert (first.created_at, first.updated_at) == (1780725966250, 1780726080500)
    assert said(second) == [*NEW_SAID[:2], ("user", "Forked.")]
    assert [m.created_at for m in second.messages] == [None] * 3


def test_an_upgraded_file_is_read_from_both_stores() -> None:
    read_of = talks(database({**OLD, **NEW}))
    assert [one.id for one in read_of] == ["c1", "t1", "t2"]
    assert said(read_of[0]) == OLD_SAID


def test_a_ring_of_messages_ends() -> None:
    ring = (
        ("hash", "parent_hash", "role"),
        [("a", "b", "user"), ("b", "a", "user"), ("d", "d", "user")],
    )
    first, _ = databases.items(database({**NEW, "messages": ring}))
    assert first.warnings == (  # type: ignore[union-attr]
        "The parents of message 'd' lead back to it; the chain was cut there",
    )


def test_what_the_command_prints_is_read_like_the_old_store() -> None:
    columns, rows = OLD["responses"]
    printed = [dict(zip(columns, row, strict=True), conversation_name="Release") for row in rows]
    assert taken_for(printed) == "llm-logs"
    for data in (printed, printed[::-1], jsonl(printed)):
        read_of = talk(data)
        assert said(read_of) == OLD_SAID
        assert (read_of.id, read_of.title) == ("c1", "Release")


def test_fragments_that_are_printed_are_read() -> None:
    row = {"id": "r", "prompt": "", "response": "b", "datetime_utc": "2025-02-20T11:00:00",
           "prompt_fragments": [{"source": "a.txt", "content": "Words."}, {"hash": "x"}]}  # fmt: skip
    assert said(talk([row])) == [
        ("user", "[attachment: a.txt]\n\nWords.\n\n[attachment]"),
        ("assistant", "b"),
    ]


@settings(max_examples=FEWER)
@given(damaged([dict(zip(RESPONSES, row, strict=True)) for row in OLD["responses"][1]]))
def test_whatever_is_damaged_only_our_errors_are_raised(rows: Any) -> None:
    survives(rows, format="llm-logs")
    for one in json_talks(rows, format="llm-logs") if isinstance(rows, list) else ():
        assert one.id


VALUES = st.none() | st.integers(-3, 3) | st.sampled_from(
    ["a", "b", "c1", "user", "text", "2025-02-20T11:00:00", b"\xff", '{"text_ref":[{"fragment":1},2]}']
)  # fmt: skip


def some_rows(columns: Any) -> Any:
    return st.lists(st.tuples(*[VALUES] * len(columns)), max_size=5).map(
        lambda rows: (columns, rows)
    )


@settings(max_examples=FEWER // 4)
@given(st.fixed_dictionaries({name: some_rows(table[0]) for name, table in {**OLD, **NEW}.items()}))
def test_any_rows_raise_only_our_errors(tables: Any) -> None:
    databases.survives(database(tables), format="llm-logs")
