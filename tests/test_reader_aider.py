"""Aider's history: what the person typed, told from headings, fences and tool output."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Skipped
from tests.cases import FEWER
from tests.readings import counts, items, said, survives, taken_for, talk

START = "# aider chat started at 2025-04-05 10:15:00\n\n> Aider v0.82.0  \n\n"
LATER = "\n# aider chat started at 2025-04-06 09:00:00\n\n> Aider v0.82.0  \n\n"


def prompt(words: str) -> str:
    return "".join(f"#### {line}  \n" for line in words.split("\n")) + "\n"


def read(text: str, **options: Any) -> list[list[tuple[str, str]]]:
    return [said(one) for one in items(text.encode(), **options)]  # type: ignore[arg-type]


def test_the_lines_of_one_prompt_are_one_message() -> None:
    text = START + prompt("Add a flag.\n\nExit code 3.") + "Done.\n"
    assert read(text) == [[("user", "Add a flag.\n\nExit code 3."), ("assistant", "Done.")]]


def test_two_prompts_without_an_answer_between_stay_two() -> None:
    assert read(START + prompt("a") + prompt("b")) == [[("user", "a"), ("user", "b")]]


def test_a_heading_without_two_blanks_is_the_assistants() -> None:
    text = START + prompt("How?") + "#### Steps\n\n1. parse\n"
    assert read(text) == [[("user", "How?"), ("assistant", "#### Steps\n\n1. parse")]]


def test_where_an_editor_stripped_the_blanks_every_such_line_is_the_persons() -> None:
    text = (START + prompt("How?\n\nWell?")).replace("  \n", "\n").replace("#### \n", "####\n")
    answer = "```md\n#### in code\n```\n"
    assert read(text + answer) == [[("user", "How?\n\nWell?"), ("assistant", answer.strip())]]


def test_tool_output_parts_the_answer_and_is_left_out() -> None:
    text = START + prompt("Go.") + "One.\n\n> Applied edit to a.py  \n> Tokens: 2k  \n\nTwo.\n"
    (read_of,) = items(text.encode())
    assert said(read_of) == [("user", "Go."), ("assistant", "One.\n\nTwo.")]  # type: ignore[arg-type]
    assert counts(read_of) == {"tool": 3}  # type: ignore[arg-type]


def test_commands_are_left_out_and_part_what_stands_around_them() -> None:
    text = START + prompt("a") + "A.\n\n" + prompt("/drop x.py") + "B.\n\n" + prompt("!ls")
    (read_of,) = items(text.encode())
    assert said(read_of) == [("user", "a"), ("assistant", "A."), ("assistant", "B.")]  # type: ignore[arg-type]
    assert counts(read_of) == {"interface": 2, "tool": 1}  # type: ignore[arg-type]


def test_every_session_is_a_conversation_and_times_stay_unknown() -> None:
    first, second = items((START + prompt("a") + LATER + prompt("b")).encode())
    assert first.id.startswith("2025-04-05 10:15:00 ")  # type: ignore[union-attr]
    assert (first.where, second.where) == (
        "input, session of 2025-04-05 10:15:00",
        "input, session of 2025-04-06 09:00:00",
    )  # type: ignore[union-attr]
    assert first.created_at is None  # type: ignore[union-attr]
    assert first.messages[0].created_at is None  # type: ignore[union-attr]


def test_a_session_without_a_word_is_accounted_for() -> None:
    empty, _ = items((START + LATER + prompt("b")).encode())
    assert empty == Skipped(
        where="input, session of 2025-04-05 10:15:00",
        reason="It holds no message (left out: 1 tool)",
    )


def test_a_header_in_a_closed_fence_is_code() -> None:
    answer = "```\n# aider chat started at 2025-01-01 00:00:00\n\n> x\n```\n\nSo it looks."
    assert read(START + prompt("Show.") + answer + "\n\n" + prompt("Ok.")) == [
        [("user", "Show."), ("assistant", answer), ("user", "Ok.")]
    ]


def test_a_fence_left_open_by_an_interruption_hides_nothing_after_it() -> None:
    text = START + prompt("a") + "```python\nx = 1\n" + LATER + prompt("b") + "```\ny\n```\n"
    assert read(text) == [
        [("user", "a"), ("assistant", "```python\nx = 1")],
        [("user", "b"), ("assistant", "```\ny\n```")],
    ]


def test_a_longer_fence_holds_shorter_ones() -> None:
    answer = "````md\n```\n#### x\n```\n# aider chat started at 2025-01-01 00:00:00\n````"
    assert read(START + prompt("a") + answer) == [[("user", "a"), ("assistant", answer)]]


def test_lines_end_at_line_feeds_only() -> None:
    words = "a\x0c#### b\u2028c\x85d"
    assert read(START + prompt(words))[0] == [("user", words)]
    crlf = (START + prompt("a") + "A.\n").replace("\n", "\r\n")
    assert read(crlf) == [[("user", "a"), ("assistant", "A.")]]


def test_a_history_is_known_by_its_name_or_by_its_first_line() -> None:
    assert taken_for(START.encode()) == "aider"
    assert taken_for(prompt("a").encode(), name="x/.aider.chat.history.md") == "aider"
    assert said(talk(prompt("a").encode(), name=".aider.chat.history.md")) == [("user", "a")]


PIECES = st.sampled_from(
    [START, LATER, prompt("a"), prompt("/b"), "#### c\n", "> t  \n", "```\n", "````py\n", "~~~\n",
     "text\n", "\n", "####\n", "# x\n", "\r\n"]
)  # fmt: skip


@settings(max_examples=FEWER)
@given(st.lists(PIECES | st.text(max_size=4)))
def test_any_text_is_read_without_an_error_of_pythons(pieces: list[str]) -> None:
    survives("".join(pieces).encode("utf-8", "replace"), format="aider")


WORDS = st.text(alphabet="ab `~>#", min_size=1).map(str.strip).filter(
    lambda text: text and not text.startswith("/")
)  # fmt: skip


@settings(max_examples=FEWER)
@given(
    st.lists(WORDS, min_size=1), st.lists(st.sampled_from(["```\n", "A.\n", "#### H\n", "~~~\n"]))
)
def test_every_prompt_is_read_once_and_in_order(prompts: list[str], answer: list[str]) -> None:
    text = START + "".join(prompt(words) + "".join(answer) for words in prompts)
    users = [words for role, words in read(text, format="aider")[0] if role == "user"]
    assert users == prompts
