"""ShareGPT: lists of turns in all the shapes in which data sets write them."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Skipped
from tests.cases import FEWER
from tests.readings import (
    READABLE,
    counts,
    damaged,
    items,
    jsonl,
    said,
    survives,
    taken_for,
    talk,
    talks,
)

Turn = dict[str, Any]


def turn(speaker: str, value: Any) -> Turn:
    return {"from": speaker, "value": value}


PAIR = [turn("human", "Use tabs."), turn("gpt", "Tabs.")]
SAID = [("user", "Use tabs."), ("assistant", "Tabs.")]


def test_an_item_is_a_conversation_with_its_id_and_system() -> None:
    item = {"id": 7, "system": "Be brief.", "tools": "[]", "conversations": PAIR}
    (read_of,) = talks([item])
    assert (read_of.id, read_of.where) == ("7", "input, item 1")
    assert said(read_of) == [("system", "Be brief."), *SAID]


def test_the_same_is_read_from_json_lines_lists_of_lists_and_bare_turns() -> None:
    assert [said(one) for one in talks(jsonl([{"conversations": PAIR}] * 2))] == [SAID, SAID]
    assert [said(one) for one in talks([PAIR, PAIR])] == [SAID, SAID]
    assert said(talk(PAIR)) == SAID
    assert said(talk(jsonl(PAIR))) == SAID
    assert said(talk({"conversations": PAIR})) == SAID


def test_turns_may_have_role_and_content() -> None:
    roles = [{"role": "user", "content": "Use tabs."}, {"role": "assistant", "content": "Tabs."}]
    assert said(talk([{"id": "a", "conversations": roles}])) == SAID
    assert taken_for([{"conversations": roles}]) == "sharegpt"


def test_every_name_of_a_speaker_is_known_whatever_its_case() -> None:
    people = ["human", "User"]
    models = ["gpt", "assistant", "model", "bard", "ChatGPT"]
    turns = [turn(name, name) for name in (*people, *models, "system")]
    roles = [role for role, _ in said(talk(turns))]
    assert roles == ["user"] * 2 + ["assistant"] * 5 + ["system"]


def test_tool_turns_are_counted_and_no_alternation_is_asked_for() -> None:
    turns = [turn("human", "a"), turn("function_call", "f"), turn("observation", "o")]
    read_of = talk([*turns, turn("tool", "t"), turn("human", "b"), turn("human", "b")])
    assert said(read_of) == [("user", "a"), ("user", "b"), ("user", "b")]
    assert counts(read_of) == {"tool": 3}


def test_an_unknown_speaker_is_counted_and_told_of() -> None:
    read_of = talk([*PAIR, turn("narrator", "Meanwhile."), turn("human", None)])
    assert said(read_of) == SAID
    assert counts(read_of) == {"empty": 1, "unknown": 1}
    assert read_of.warnings == ("Unknown speaker 'narrator' skipped",)


def test_conversations_without_ids_have_different_ids_that_do_not_change() -> None:
    other = [turn("human", "Use tabs."), turn("gpt", "No.")]
    first, second = talks([PAIR, other])
    assert first.id != second.id
    assert talk(PAIR).id == first.id


def test_an_item_that_says_nothing_is_skipped_and_the_next_one_read() -> None:
    skipped, read_of = items([{"id": "x", "conversations": [turn("tool", "t")]}, PAIR])
    assert skipped == Skipped(
        where="input, item 1", reason="It holds no message (left out: 1 tool)"
    )
    assert said(read_of) == SAID  # type: ignore[arg-type]


def test_a_broken_line_costs_that_line_only() -> None:
    lines = jsonl([{"conversations": PAIR}]) + b'{"conversations": [{"fr\n'
    read_of, lost = items(lines + jsonl([{"conversations": PAIR}])[:0])
    assert said(read_of) == SAID  # type: ignore[arg-type]
    assert lost == Skipped(
        where="input", reason="Line 2: A record is cut or damaged and was left out"
    )


GOOD = [
    {"id": 1, "system": "s", "conversations": [*PAIR, turn("tool", "t")]},
    {"conversations": [{"role": "user", "content": [{"type": "text", "text": "u"}]}]},
    PAIR,
]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(export: Any) -> None:
    survives(export, format="sharegpt")


TURNS = st.lists(
    st.tuples(st.sampled_from(["human", "gpt", "system"]), st.text(READABLE, max_size=5))
)


@settings(max_examples=FEWER)
@given(st.lists(TURNS, min_size=1, max_size=4))
def test_every_turn_with_text_is_read_once_and_in_order(conversations: Any) -> None:
    export = [{"id": f"c{n}", "conversations": [turn(*t) for t in turns]}
              for n, turns in enumerate(conversations)]  # fmt: skip
    read_of = {one.id: [text for _, text in said(one)] for one in talks(export, format="sharegpt")}
    for number, turns in enumerate(conversations):
        texts = [text.strip() for _, text in turns if text.strip()]
        assert read_of.get(f"c{number}", []) == texts
