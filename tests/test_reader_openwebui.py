"""OpenWebUI: the path to the current message, without hidden blocks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.readers.openwebui import without_details
from tests.cases import FEWER
from tests.readings import counts, damaged, items, said, survives, taken_for, talk, talks

Message = dict[str, Any]
THOUGHT = '<details type="reasoning" done="true" duration="4">\n<summary>Thought</summary>\n'


def message(name: str, parent: str | None, *, role: str = "user", **more: Any) -> Message:
    return {
        "id": name,
        "parentId": parent,
        "childrenIds": [],
        "role": role,
        "content": name,
        **more,
    }


def chat(*messages: Message, current: Any = None, **more: Any) -> dict[str, Any]:
    history = {"currentId": current, "messages": {each["id"]: each for each in messages}}
    chat = {"title": "T", "history": history, "messages": [], **more}
    return {
        "id": "o1",
        "title": "T",
        "chat": chat,
        "created_at": 1770000000,
        "updated_at": 1770000005,
    }


def read(*messages: Message, current: Any = None) -> list[str]:
    return [text for _, text in said(talk([chat(*messages, current=current)]))]


def test_the_path_to_the_current_message_is_read_and_the_others_counted() -> None:
    messages = (message("a", None), message("b", "a"), message("c", "a", timestamp=99))
    read_of = talk([chat(*messages, current="b")])
    assert [text for _, text in said(read_of)] == ["a", "b"]
    assert counts(read_of) == {"branch": 1}
    assert (read_of.created_at, read_of.updated_at) == (1770000000000, 1770000005000)


@pytest.mark.parametrize("current", [None, "gone", 7, {}])
def test_without_a_current_message_the_newest_branch_is_read(current: Any) -> None:
    messages = (
        message("a", None, timestamp=1770000000),
        message("b", "a", timestamp=1770000002),
        message("c", "a", timestamp=1770000001),
    )
    read_of = talk([chat(*messages, current=current)])
    assert [text for _, text in said(read_of)] == ["a", "b"]
    assert read_of.warnings == ("The export names no current message; the newest branch was read",)


def test_the_copy_of_one_path_is_read_only_without_a_history() -> None:
    copy = [{"role": "user", "content": "stale"}]
    assert said(talk([chat(message("a", None), current="a", messages=copy)])) == [("user", "a")]
    flat = {"id": "f", "title": "Flat", "chat": {"messages": copy}}
    assert taken_for([flat]) == "openwebui"
    assert said(talk([flat])) == [("user", "stale")]


def test_one_chat_may_stand_alone_and_be_wrapped_or_not() -> None:
    whole = chat(message("a", None), current="a")
    assert said(talk(whole)) == [("user", "a")]
    assert said(talk(whole["chat"], format="openwebui")) == [("user", "a")]


@pytest.mark.parametrize(
    ("text", "shown", "hidden"),
    [
        (f"{THOUGHT}> hooks\n</details>\nRuff.", "Ruff.", 1),
        ("<details type='tool_calls' done=\"true\">x</details>", "", 1),
        (f"A\n{THOUGHT}\n<details>in</details>\n</details>\n    B", "A\n\n    B", 1),
        (f"A\n{THOUGHT}never closed", "A", 1),
        ("<details><summary>More</summary>x</details>", None, 0),
        ('<details type="other">x</details>', None, 0),
        (f"{THOUGHT}</details>{THOUGHT}</details>", "", 2),
    ],
)
def test_hidden_details_are_removed_and_others_stay(
    text: str, shown: str | None, hidden: int
) -> None:
    assert without_details(text) == (text if shown is None else shown, hidden)


def test_what_the_person_typed_keeps_its_details() -> None:
    typed = f"Why does it show {THOUGHT}?"
    assert said(talk([chat(message("a", None, content=typed), current="a")])) == [("user", typed)]


def test_where_content_is_empty_the_output_is_read() -> None:
    words = [{"type": "output_text", "text": "CI only."}]
    output = [
        {"type": "reasoning", "content": words},
        {"type": "message", "content": words},
        {"type": "function_call", "name": "f"},
        {"type": "message", "content": [{"type": "output_text", "text": "Yes."}]},
    ]
    answer = message("b", "a", role="assistant", content="", output=output)
    read_of = talk([chat(message("a", None), answer, current="b")])
    assert said(read_of) == [("user", "a"), ("assistant", "CI only.\n\nYes.")]
    assert counts(read_of) == {"thinking": 1, "tool": 1}


def test_files_are_marked_by_name() -> None:
    files = [{"type": "image", "url": "data:"}, {"type": "file", "file": {"filename": "a.yml"}}]
    assert read(message("a", None, files=files), current="a") == ["a\n\n[image]\n\n[file: a.yml]"]


def test_cycles_end_and_are_told_of() -> None:
    read_of = talk([chat(message("a", "b"), message("b", "a"), current="b")])
    assert [text for _, text in said(read_of)] == ["a", "b"]
    assert read_of.warnings == (
        "The parents of message 'b' lead back to it; the chain was cut there",
    )


def test_a_chain_of_thousands_is_read() -> None:
    names = [f"m{n}" for n in range(3000)]
    chain = [message(name, parent) for name, parent in zip(names, [None, *names], strict=False)]
    assert read(*chain, current=names[-1]) == names


def test_the_tree_shows_what_was_left() -> None:
    messages = (message("a", None), message("b", "a"), message("c", "a"))
    nodes = talk([chat(*messages, current="c")], tree=True).tree
    assert [(node.id, node.shown) for node in nodes] == [("a", True), ("b", False), ("c", True)]


def test_one_bad_chat_does_not_lose_the_others() -> None:
    good = chat(message("a", None), current="a")
    found = items([{"id": "x", "chat": {"history": {"messages": {}}}}, good, 3])
    assert [type(item).__name__ for item in found] == ["Skipped", "Conversation", "Skipped"]


GOOD = [
    chat(
        message("a", None, timestamp=1, files=[{"type": "file", "name": "f"}]),
        message("b", "a", role="assistant", content=f"{THOUGHT}x</details>y"),
        message(
            "c", "b", role="assistant", content="", output=[{"type": "message", "content": []}]
        ),
        message("d", "b", content=[{"type": "text", "text": "t"}]),
        current="d",
    ),
    {"id": "f", "chat": {"messages": [{"role": "user", "content": "stale"}]}},
]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(export: Any) -> None:
    survives(export, format="openwebui")


NAMES = st.sampled_from("abcdef")


@settings(max_examples=FEWER)
@given(st.dictionaries(NAMES, NAMES | st.none(), min_size=1), NAMES)
def test_of_any_tree_the_path_to_the_leaf_is_read_each_message_once(
    parents: dict[str, str | None], leaf: str
) -> None:
    (read_of,) = talks([chat(*(message(*pair) for pair in parents.items()), current=leaf)])
    texts = [text for _, text in said(read_of)]
    assert len(texts) == len(set(texts))
    if leaf in parents:
        here: str | None = leaf
        path: list[str] = []
        while here in parents and here not in path:
            path.append(here)
            here = parents[here]
        assert texts == path[::-1]
    assert counts(read_of).get("branch", 0) == len(parents) - len(texts)


@settings(max_examples=FEWER)
@given(st.lists(st.sampled_from([THOUGHT, "</details>", "<details>", "a", "\n", "<"])).map("".join))
def test_removing_details_never_invents_text(text: str) -> None:
    shown, hidden = without_details(text)
    letters = shown.replace("\n", "")
    rest = iter(text)
    assert all(letter in rest for letter in letters)
    assert hidden or shown in (text, text.strip("\n"))
