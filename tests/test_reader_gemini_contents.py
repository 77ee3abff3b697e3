"""Gemini contents: checkpoints, bare histories and requests to the API."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import counts, damaged, items, jsonl, said, survives, taken_for, talk


def turn(role: str, *texts: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text} for text in texts]}


def test_a_bare_list_is_a_history() -> None:
    history = [turn("user", "a", "b"), turn("model", "c")]
    assert said(talk(history)) == [("user", "a\n\nb"), ("assistant", "c")]
    assert said(talk(jsonl(history))) == [("user", "a\n\nb"), ("assistant", "c")]


def test_the_system_instruction_of_a_request_is_the_persons() -> None:
    order = {"parts": [{"text": "SI units."}]}
    request = {"systemInstruction": order, "contents": [turn("user", "a"), turn("function", "x")]}
    read_of = talk(request)
    assert said(read_of) == [("system", "SI units."), ("user", "a")]
    assert counts(read_of) == {"tool": 1}
    two = items(jsonl([request, {"contents": [turn("user", "b")]}]))
    assert [said(each) for each in two] == [  # type: ignore[arg-type]
        [("system", "SI units."), ("user", "a")], [("user", "b")],
    ]  # fmt: skip


def test_an_unknown_part_is_skipped_and_its_neighbours_stay() -> None:
    history = [{"role": "user", "parts": [{"text": "a"}, {"hologram": 1}, {"text": "b"}]}]
    read_of = talk({"history": history})
    assert said(read_of) == [("user", "a\n\nb")]
    assert read_of.warnings == ("Unknown part 'hologram' skipped",)


def test_lists_of_other_products_are_not_taken() -> None:
    parts = [{"role": "user", "parts": [{"type": "text", "text": "a"}]}]
    assert taken_for(parts) != "gemini-contents"
    assert taken_for([turn("user", "a")]) == "gemini-contents"
    assert taken_for({"history": [turn("user", "a")], "authType": "x"}) == "gemini-contents"


GOOD = {
    "systemInstruction": {"parts": [{"text": "s"}]},
    "history": [
        turn("user", "This is the Gemini CLI. x"),
        turn("model", "Got it. Thanks for the context!"),
        {"role": "model", "parts": [{"text": "t", "thought": True}, {"functionCall": {}}]},
        {"role": "user", "parts": [{"inlineData": {"mimeType": "image/png"}}, {"text": "a"}]},
    ],
}


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(whole: Any) -> None:
    survives(whole, format="gemini-contents")


@settings(max_examples=FEWER)
@given(st.lists(st.tuples(st.sampled_from(["user", "model"]), st.sampled_from("abc")), min_size=1))
def test_every_turn_is_read_in_order(turns: list[tuple[str, str]]) -> None:
    roles = {"user": "user", "model": "assistant"}
    assert said(talk({"history": [turn(*each) for each in turns]})) == [
        (roles[role], text) for role, text in turns
    ]
