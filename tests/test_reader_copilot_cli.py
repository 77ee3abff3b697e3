"""Copilot CLI: a chain of events, part of which may have been rewound."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import counts, damaged, items, jsonl, said, survives, taken_for, talk

Row = dict[str, Any]
START: Row = {"type": "session.start", "id": "0", "parentId": None, "data": {"sessionId": "s"}}


def event(name: str, parent: str | None, kind: str = "user.message", **data: Any) -> Row:
    return {"type": kind, "id": name, "parentId": parent, "data": {"content": name, **data}}


def read(*rows: Row) -> list[str]:
    return [text for _, text in said(talk(jsonl([START, *rows])))]


def test_events_that_the_last_one_does_not_lead_back_to_were_rewound() -> None:
    rows = [event("a", "0"), event("b", "a", "assistant.message"), event("c", "a")]
    assert read(*rows) == ["a", "b", "c"]  # an answer beside the chain is no rewind
    rows = [
        event("a", "0"),
        event("b", "a"),
        event("b2", "b", "assistant.message"),
        event("c", "a"),
    ]
    assert read(*rows) == ["a", "c"]
    assert counts(talk(jsonl([START, *rows]))) == {"withdrawn": 2}


def test_in_doubt_the_files_order_counts() -> None:
    assert read(event("a", "0"), event("b", "gone"), event("c", "a")) == ["a", "b", "c"]
    assert read(event("a", "0"), event("a", "0"), event("c", "a")) == ["a", "c"]


def test_what_skills_and_subagents_say_is_not_the_talk() -> None:
    rows = [
        event("a", "0", source="skill-pdf"),
        event("b", "a", source="user"),
        event("c", "b", "assistant.message", parentToolCallId="t"),
        event("d", "c", "assistant.message"),
    ]
    read_of = talk(jsonl([START, *rows]))
    assert said(read_of) == [("user", "b"), ("assistant", "d")]
    assert counts(read_of) == {"hidden": 1, "sidechain": 1}


def test_attachments_are_marked_and_the_title_is_the_last_one() -> None:
    attachments = [
        {"type": "file", "path": "/w/a.py"},
        {"displayName": "b.png", "mimeType": "image/png"},
    ]
    titled = {
        "type": "session.title_changed",
        "id": "t",
        "parentId": "a",
        "data": {"title": "Ports"},
    }
    read_of = talk(jsonl([START, event("a", "0", attachments=attachments), titled]))
    assert said(read_of) == [("user", "a\n\n[file: a.py]\n\n[image: b.png]")]
    assert (read_of.id, read_of.title) == ("s", "Ports")


def test_a_session_is_known_by_its_events() -> None:
    assert taken_for(jsonl([START])) == "copilot-cli"
    assert taken_for(jsonl([event("a", None)])) == "copilot-cli"


GOOD = [START, event("a", "0", attachments=[{"path": "x"}]), event("b", "a", "assistant.message")]
GOOD += [event("c", "a"), event("d", "c", "tool.execution_complete")]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(rows: Any) -> None:
    survives(jsonl(rows if isinstance(rows, list) else [rows]), format="copilot-cli")


NAMES = st.sampled_from("abcdef")


@settings(max_examples=FEWER)
@given(st.dictionaries(NAMES, NAMES | st.just("0"), min_size=1))
def test_of_any_chain_one_path_or_everything_is_read_each_once(parents: dict[str, str]) -> None:
    (read_of,) = items(jsonl([START, *(event(*pair) for pair in parents.items())]))
    texts = [text for _, text in said(read_of)]  # type: ignore[arg-type]
    here, path = list(parents)[-1], list[str]()
    while here in parents and here not in path:
        path.append(here)
        here = parents[here]
    whole = all(parent == "0" or parent in parents for parent in parents.values())
    live = [name for name in parents if name in path] if whole and here == "0" else list(parents)
    assert texts == live
