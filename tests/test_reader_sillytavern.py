"""SillyTavern: role play, read as role play, with times only where they are times."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import READABLE, counts, damaged, jsonl, said, survives, taken_for, talk

HEAD = {"user_name": "R", "character_name": "Archivist", "create_date": "2026-02-14@10h20m30s"}
WARNING = "Role play: do not take what is said here as facts about the person"


def row(words: Any, *, user: bool = True, **more: Any) -> dict[str, Any]:
    return {"name": "R", "is_user": user, "is_system": False, "mes": words, **more}


def test_a_chat_is_named_after_its_character_and_known_by_its_file() -> None:
    data = jsonl([HEAD, row("Sort by sender.")])
    read_of = talk(data, name="chats/Archivist/Archivist - 2026-02-14@10h20m30s.jsonl")
    assert read_of.id == "Archivist - 2026-02-14@10h20m30s"
    assert (read_of.title, read_of.warnings) == ("Archivist", (WARNING,))
    assert talk(data, name="chat.jsonl").id == "chat 2026-02-14@10h20m30s"


def test_a_group_chat_is_named_after_its_file() -> None:
    data = jsonl([{**HEAD, "character_name": "unused"}, row("Hello all.")])
    assert talk(data, name="group chats/17.jsonl").title == "17"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (1771064525000, 1771064525000),
        ("1771064525000", 1771064525000),
        ("2026-02-14T10:21:40.500Z", 1771064500500),
        ("2026-02-14T11:21:40.500+01:00", 1771064500500),
        ("2026-02-14T10:21:40.500", None),
        ("2024-9-28 @12h 30m 15s 123ms", None),
        ("September 28, 2024 12:30pm", None),
        (None, None),
        (0, None),
    ],
)
def test_local_time_is_no_time(written: Any, read: int | None) -> None:
    (message,) = talk(jsonl([HEAD, row("x", send_date=written)])).messages
    assert message.created_at == read


def test_the_chosen_swipe_is_read_and_the_others_counted() -> None:
    swipes = ["By date.", "By sender."]
    chosen = row("By sender.", user=False, swipes=swipes, swipe_id=1)
    lost = row(None, user=False, swipes=swipes, swipe_id=0)
    read_of = talk(jsonl([HEAD, chosen, lost]))
    assert said(read_of) == [("assistant", "By sender."), ("assistant", "By date.")]
    assert counts(read_of) == {"branch": 2}


def test_system_rows_and_reasoning_are_left_out_and_files_marked() -> None:
    extra = {"reasoning": "hm", "image": "/a.png", "file": {"name": "b.txt"}, "files": [{}, 3]}
    rows = [row("Branch created.", is_system=True), row("Look.", extra=extra), {"odd": 1}]
    read_of = talk(jsonl([HEAD, *rows]))
    assert said(read_of) == [("user", "Look.\n\n[image]\n\n[file: b.txt]\n\n[file]")]
    assert counts(read_of) == {"system": 1, "thinking": 1, "unknown": 1}


def test_a_chat_whose_first_row_is_broken_is_still_one() -> None:
    data = b'{"user_name": "R", "chara\n' + jsonl([row("a"), row("b", user=False)])
    assert taken_for(data) == "sillytavern"
    read_of = talk(data)
    assert said(read_of) == [("user", "a"), ("assistant", "b")]
    assert "Line 1: A record is cut or damaged and was left out" in read_of.warnings


GOOD = [HEAD, row("a", send_date=1), row("b", user=False, swipes=["x", "b"], swipe_id=1, extra={})]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(rows: Any) -> None:
    survives(jsonl(rows if isinstance(rows, list) else [rows]), format="sillytavern")


@settings(max_examples=FEWER)
@given(st.lists(st.tuples(st.text(READABLE, max_size=5), st.booleans()), min_size=1))
def test_every_message_with_text_is_read_once_and_in_order(rows: Any) -> None:
    data = jsonl([HEAD, *(row(words, user=user) for words, user in rows), row("end")])
    expected = [words.strip() for words, _ in rows if words.strip()]
    assert [words for _, words in said(talk(data))] == [*expected, "end"]
