"""VS Code Copilot Chat: exports, stored sessions and logs of changes."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import FEWER
from tests.readings import counts, damaged, jsonl, said, survives, taken_for, talk

Row = dict[str, Any]


def request(name: str, response: Any = None, **more: Any) -> Row:
    return {"requestId": name, "message": {"text": name}, "response": response or [], **more}


def session(*requests: Row, **more: Any) -> Row:
    return {"responderUsername": "GitHub Copilot", "requests": list(requests), **more}


def answer(*pieces: Any) -> list[tuple[str, str]]:
    return said(talk(session(request("a", list(pieces)))))[1:]


def test_pieces_are_joined_with_nothing_between() -> None:
    pieces = [{"value": "Sor"}, "ted", {"kind": "markdownContent", "content": {"value": "."}}]
    assert answer(*pieces) == [("assistant", "Sorted.")]


def test_an_old_answer_may_be_one_text() -> None:
    assert said(talk(session(request("a", "b"))))[1:] == [("assistant", "b")]
    assert said(talk(session(request("a", {"value": "b"}))))[1:] == [("assistant", "b")]


@pytest.mark.parametrize(
    "target",
    [
        {"inlineReference": {"path": "/w/src/server.ts"}},
        {"inlineReference": {"uri": {"path": "/w/server.ts"}, "range": {}}},
        {"inlineReference": {"location": {"uri": {"path": "/w/server.ts"}}}},
        {"inlineReference": {"name": "server.ts", "location": {}}},
        {"name": "server.ts"},
    ],
)
def test_a_reference_becomes_its_name(target: Row) -> None:
    pieces = ({"value": "See "}, {"kind": "inlineReference", **target}, {"value": "."})
    assert answer(*pieces) == [("assistant", "See `server.ts`.")]


def test_a_request_taken_back_does_not_come_back() -> None:
    gone = request("b", [{"value": "x"}], shouldBeRemovedOnSend={"requestId": "b"})
    read_of = talk(session(request("a"), gone, request("c", isHidden=False)))
    assert said(read_of) == [("user", "a"), ("user", "c")]
    assert counts(read_of) == {"withdrawn": 1}


def test_what_was_attached_is_marked_and_the_open_file_is_not() -> None:
    variables = [
        {"kind": "file", "name": "a.py"}, {"kind": "image", "name": "b.png"},
        {"kind": "implicit", "name": "c.py"},
    ]  # fmt: skip
    read_of = talk(session(request("look", variableData={"variables": variables})))
    assert said(read_of) == [("user", "look\n\n[file: a.py]\n\n[image: b.png]")]


def test_an_unknown_kind_is_counted_and_told_of() -> None:
    read_of = talk(session(request("a", [{"kind": "hologram"}, {"value": "b"}])))
    assert said(read_of) == [("user", "a"), ("assistant", "b")]
    assert read_of.warnings == ("Unknown response item 'hologram' skipped",)


def test_a_stored_session_has_id_title_and_times() -> None:
    whole = session(request("a"), sessionId="s", customTitle="Ports", creationDate=1770000000000)
    read_of = talk(whole)
    assert (read_of.id, read_of.title, read_of.created_at) == ("s", "Ports", 1770000000000)


def test_a_log_cuts_pushes_sets_and_deletes() -> None:
    rows = [
        {"kind": 0, "v": session(request("a"), request("b"), sessionId="s")},
        {"kind": 2, "k": ["requests"], "i": 1, "v": [request("c")]},
        {"kind": 1, "k": ["requests", 1, "response"], "v": [{"value": "d"}]},
        {"kind": 1, "k": ["customTitle"], "v": "Old"},
        {"kind": 3, "k": ["customTitle"]},
        {"kind": 2, "k": ["requests", 1, "response"], "v": [{"value": "e"}]},
        {"kind": 2, "k": ["requests", 0, "response"], "i": 0},
    ]
    read_of = talk(jsonl(rows))
    assert said(read_of) == [("user", "a"), ("user", "c"), ("assistant", "de")]
    assert (read_of.id, read_of.title, read_of.warnings) == ("s", "", ())


def test_a_log_without_its_first_row_is_read_as_far_as_it_goes() -> None:
    rows = [
        {"kind": 1, "k": ["x", "y"], "v": 1},
        {"kind": 2, "k": ["requests"], "v": [request("a")]},
    ]
    read_of = talk(jsonl(rows))
    assert said(read_of) == [("user", "a")]
    assert read_of.warnings == (
        "The log has no first state (kind 0): what was said before it is lost",
        "1 rows change what is not there, first on line 1; skipped",
    )


@pytest.mark.parametrize(
    "row",
    [
        {"kind": 1, "k": [], "v": 1},
        {"kind": 1, "v": 1},
        {"kind": 1, "k": ["requests", 10**30], "v": 1},
        {"kind": 1, "k": ["requests", -1], "v": 1},
        {"kind": 1, "k": ["requests", True], "v": 1},
        {"kind": 1, "k": [{}], "v": 1},
        {"kind": 2, "k": ["requests", "x"], "v": [1]},
        {"kind": 3, "k": ["nothing"]},
        {"kind": 9, "k": ["requests"]},
        {"kind": [], "k": ["requests"]},
        7,
    ],
)
def test_a_row_that_leads_nowhere_changes_nothing(row: Any) -> None:
    read_of = talk(jsonl([{"kind": 0, "v": session(request("a"))}, row]))
    assert said(read_of) == [("user", "a")]
    assert read_of.warnings == ("1 rows change what is not there, first on line 2; skipped",)


def test_sessions_and_logs_are_known_by_their_content() -> None:
    assert taken_for(session()) == "copilot-chat"
    assert taken_for(jsonl([{"kind": 0, "v": session()}])) == "copilot-chat"
    assert taken_for(jsonl([{"kind": 1, "k": ["a"], "v": False}] * 2)) == "copilot-chat"


GOOD = session(
    request("a", [{"value": "b"}, {"kind": "inlineReference", "inlineReference": {"path": "/x"}}]),
    request(
        "c", [{"kind": "thinking"}], variableData={"variables": [{"kind": "file", "name": "f"}]}
    ),
    sessionId="s",
)
LOG = [
    {"kind": 0, "v": GOOD},
    {"kind": 2, "k": ["requests"], "v": [request("d")], "i": 1},
    {"kind": 1, "k": ["requests", 1, "response"], "v": [{"value": "e"}]},
    {"kind": 3, "k": ["requests", 0, "response"]},
]


@settings(max_examples=FEWER)
@given(damaged(GOOD), damaged(LOG))
def test_whatever_is_damaged_only_our_errors_are_raised(whole: Any, log: Any) -> None:
    survives(whole, format="copilot-chat")
    survives(jsonl(log if isinstance(log, list) else [log]), format="copilot-chat")


@settings(max_examples=FEWER)
@given(st.lists(st.tuples(st.integers(0, 4), st.lists(st.sampled_from("abc"), max_size=2))))
def test_a_log_of_cuts_and_pushes_leaves_what_it_says(changes: list[tuple[int, list[str]]]) -> None:
    rows: list[Row] = [{"kind": 0, "v": session()}]
    names: list[str] = []
    for number, (cut, pushed) in enumerate(changes):
        fresh = [f"{name}{number}{n}" for n, name in enumerate(pushed)]
        rows.append(
            {"kind": 2, "k": ["requests"], "i": cut, "v": [request(each) for each in fresh]}
        )
        names = [*names[:cut], *fresh]
    rows.append({"kind": 2, "k": ["requests"], "v": [request("z")]})
    assert [text for _, text in said(talk(jsonl(copy.deepcopy(rows))))] == [*names, "z"]
