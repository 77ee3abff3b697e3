"""Grok's export: chains where they are whole, the file's order where they are not."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import counts, damaged, said, survives, taken_for, talk, talks

Turn = dict[str, Any]


def turn(name: str, parent: str | None = None, sender: str = "human", **more: Any) -> Turn:
    response = {
        "_id": name,
        "message": name,
        "sender": sender,
        "parent_response_id": parent,
        **more,
    }
    return {"response": response}


def export(*turns: Turn) -> dict[str, Any]:
    about = {"id": "g", "title": "Tides", "create_time": "2026-03-04T05:00:00Z"}
    return {"conversations": [{"conversation": about, "responses": list(turns)}], "projects": []}


def read(*turns: Turn) -> list[str]:
    return [text for _, text in said(talk(export(*turns)))]


def test_an_answer_asked_for_again_replaces_the_one_before() -> None:
    turns = [turn("a"), turn("b", "a", "assistant"), turn("c", "a", "ASSISTANT")]
    assert read(*turns) == ["a", "c"]
    assert counts(talk(export(*turns))) == {"branch": 1}


def test_without_parents_or_with_missing_ones_the_files_order_counts() -> None:
    assert read(turn("a"), turn("b"), turn("c")) == ["a", "b", "c"]
    assert read(turn("a"), turn("b", "a"), turn("c", "gone"), turn("d", "c")) == list("abcd")


def test_responses_in_no_order_are_put_in_that_of_their_parents() -> None:
    assert read(turn("c", "b"), turn("a"), turn("b", "a"), turn("d", "c")) == list("abcd")


def test_cards_between_the_words_are_left_out() -> None:
    card = '<grok:render card_id="1" type="citation"><argument name="id">5</argument></grok:render>'
    assert read(turn("a", message=f"Metres.{card} No feet.{card}")) == ["Metres. No feet."]
    assert read(turn("a", message="Open <grok:render x>")) == ["Open <grok:render x>"]


def test_files_are_marked_and_unknown_senders_counted() -> None:
    read_of = talk(export(turn("a", file_attachments=["f-1"]), turn("b", sender="tool")))
    assert said(read_of) == [("user", "a\n\n[file: f-1]")]
    assert counts(read_of) == {"unknown": 1}


def test_the_export_is_known_and_so_is_a_bare_list() -> None:
    whole = export(turn("a"))
    assert taken_for(whole) == "grok"
    assert said(talk(whole["conversations"])) == [("user", "a")]


GOOD = export(turn("a"), turn("b", "a", "assistant"), turn("c", "a", "ASSISTANT"), turn("d", "c"))


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(whole: Any) -> None:
    survives(whole, format="grok")


NAMES = st.sampled_from("abcdef")


@settings(max_examples=FEWER)
@given(st.dictionaries(NAMES, NAMES | st.none(), min_size=1))
def test_of_any_tree_one_path_or_everything_is_read_each_once(
    parents: dict[str, str | None],
) -> None:
    (read_of,) = talks(export(*(turn(*pair) for pair in parents.items())))
    texts = [text for _, text in said(read_of)]
    roots = [name for name, parent in parents.items() if parent not in parents]
    if roots == [name for name, parent in parents.items() if parent is None] and len(roots) == 1:
        inner = {parent for name, parent in parents.items() if parent != name}
        leaf = [name for name in parents if name not in inner][-1]
        path: list[str] = []
        here: str | None = leaf
        while here is not None and here not in path:
            path.append(here)
            here = parents[here]
        assert texts == (path[::-1] if path[-1] == roots[0] else list(parents))
    else:
        assert texts == list(parents)
