"""AI Studio: chunks whose text and parts say the same, files as chunks of their own."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import counts, damaged, said, survives, talk


def prompt(*chunks: Any, **more: Any) -> dict[str, Any]:
    return {"runSettings": {"model": "m"}, "chunkedPrompt": {"chunks": list(chunks)}, **more}


def chunk(role: str, text: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "text": text, **more}


def test_parts_are_pieces_of_one_text_and_their_thoughts_stay_out() -> None:
    parts = [{"text": "hm", "thought": True}, {"text": "About "}, {"text": "22."}]
    read_of = talk(prompt({"role": "model", "parts": parts}))
    assert said(read_of) == [("assistant", "About 22.")]
    assert counts(read_of) == {"thinking": 1}


def test_a_system_instruction_may_be_parts_or_text() -> None:
    for order in (
        {"parts": [{"text": "SI "}, {"text": "units."}]},
        {"text": "SI units."},
        "SI units.",
    ):
        read_of = talk(prompt(chunk("user", "a"), systemInstruction=order))
        assert said(read_of) == [("system", "SI units."), ("user", "a")]


def test_files_of_every_kind_are_marked() -> None:
    chunks = [
        {"role": "user", "driveImage": {"id": "D1"}},
        {"role": "user", "inlineImage": {"mimeType": "image/png", "data": "AAAA"}},
        {"role": "user", "inlineFile": {"mimeType": "application/pdf", "data": "AAAA"}},
        {"role": "user", "youtubeVideo": {"id": "Y1"}, "text": "watch"},
    ]
    assert [text for _, text in said(talk(prompt(*chunks)))] == [
        "[image: driveImage D1]", "[image]", "[file]", "[file: Y1]\n\nwatch",
    ]  # fmt: skip


def test_code_errors_and_unsent_input_are_counted() -> None:
    whole = prompt(
        chunk("user", "a"),
        {"role": "model", "executableCode": {"code": "1"}, "codeExecutionResult": {"output": "1"}},
        {"role": "model", "errorMessage": "quota"},
        chunk("narrator", "x"),
    )
    whole["chunkedPrompt"]["pendingInputs"] = [{"text": "draft"}, {"text": ""}]
    read_of = talk(whole)
    assert said(read_of) == [("user", "a")]
    assert counts(read_of) == {"empty": 2, "interface": 2, "tool": 2, "unknown": 1}


def test_the_file_name_is_the_title() -> None:
    assert talk(prompt(chunk("user", "a")), name="Drive/River v2.1").title == "River v2.1"
    assert talk(prompt(chunk("user", "a")), name="River.JSON").title == "River"


GOOD = prompt(
    chunk("user", "a", createTime="2026-05-02T09:10:00Z"),
    {"role": "model", "isThought": True, "text": "t"},
    {"role": "model", "parts": [{"text": "b"}, {"text": "c", "thought": True}]},
    {"role": "user", "driveDocument": {"id": "D"}},
    systemInstruction={"parts": [{"text": "s"}]},
)


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(whole: Any) -> None:
    survives(whole, format="aistudio")


@settings(max_examples=FEWER)
@given(st.lists(st.tuples(st.sampled_from(["user", "model"]), st.sampled_from("abc")), min_size=1))
def test_every_chunk_is_read_in_order(turns: list[tuple[str, str]]) -> None:
    roles = {"user": "user", "model": "assistant"}
    assert said(talk(prompt(*(chunk(*turn) for turn in turns)))) == [
        (roles[role], text) for role, text in turns
    ]
