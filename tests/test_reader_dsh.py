"""DeepSeek Harness: events, an inbox of waiting prompts, generations of one file."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Skipped
from tests.cases import FEWER
from tests.readings import counts, damaged, items, jsonl, said, survives, taken_for, talk

Row = dict[str, Any]
HEAD: Row = {"type": "session", "version": 4, "id": "session-1", "createdAt": 1760000000000}


def event(kind: str, data: Any) -> Row:
    return {"type": kind, "seq": 1, "time": 1760000001000, "data": data}


def prompt(name: str, kind: str = "user") -> Row:
    source = {"kind": kind}
    return {
        "id": name,
        "role": "user",
        "content": [{"type": "text", "text": name}],
        "source": source,
    }


def asked(name: str, kind: str = "user") -> Row:
    return event("user/message", prompt(name, kind))


def told(name: str, *blocks: Row) -> Row:
    content = [{"type": "text", "text": name}, *blocks]
    return event("assistant/message", {"turn": 1, "message": {"id": name, "content": content}})


def splice(start: int = 0, removed: int = 0, *inserted: str, target: str = "next-turn") -> Row:
    data = {"target": target, "start": start, "removedCount": removed}
    return event("agent/inbox/spliced", {**data, "inserted": [prompt(each) for each in inserted]})


def read(*rows: Row) -> list[str]:
    return [text for _, text in said(talk(jsonl([HEAD, *rows])))]


def test_prompts_and_answers_are_read_in_order() -> None:
    blocks = [{"type": "reasoning", "text": "hm"}, {"type": "tool-call", "id": "t"}]
    blocks.append({"type": "image", "attachment": {"name": "shot.png"}})  # type: ignore[dict-item]
    rows = [HEAD, asked("a"), asked("rules", "agent-instructions"), told("b", *blocks)]
    read_of = talk(jsonl([*rows, event("session/title", {"title": "端口"})]))
    assert said(read_of) == [("user", "a"), ("assistant", "b\n\n[image: shot.png]")]
    assert counts(read_of) == {"hidden": 1, "thinking": 1, "tool": 1}
    assert (read_of.id, read_of.title, read_of.created_at) == ("session-1", "端口", 1760000000000)


def test_a_prompt_that_waited_is_read_once_where_it_was_answered() -> None:
    rows = [asked("a"), splice(0, 0, "b"), told("x"), splice(0, 1), asked("b"), told("y")]
    assert read(*rows) == ["a", "x", "b", "y"]


def test_a_prompt_that_stands_in_the_inbox_only_is_not_lost() -> None:
    rows = [asked("a"), splice(0, 0, "b", "c"), told("x"), splice(0, 1), told("y")]
    assert read(*rows) == ["a", "x", "b", "y", "c"]


def test_a_prompt_edited_while_it_waited_is_read_as_edited() -> None:
    rows = [HEAD, asked("a"), splice(0, 0, "b"), splice(0, 1, "B"), told("x")]
    read_of = talk(jsonl(rows))
    assert [text for _, text in said(read_of)] == ["a", "x", "B"]
    assert counts(read_of) == {"withdrawn": 1}


def test_an_older_generation_beside_a_newer_one_is_not_read_again() -> None:
    names = ("session.jsonl", "session.v3.jsonl.zstd", "session.v10.jsonl.zstd")
    old = items(
        jsonl([HEAD, asked("a")]), name="s/session.v3.jsonl.zstd", listing=lambda folder: names
    )
    reason = "session.v10.jsonl.zstd beside it holds the same session and more"
    assert old == [Skipped(where="s/session.v3.jsonl.zstd", reason=reason)]
    options: Any = {"name": "s/session.v10.jsonl.zstd", "listing": lambda folder: names}
    assert said(talk(jsonl([HEAD, asked("a")]), **options)) == [("user", "a")]


def test_a_subagents_session_is_told_of() -> None:
    read_of = talk(jsonl([{**HEAD, "delegationDepth": 1}, asked("a")]))
    assert read_of.warnings == (
        "This is a subagent's session: its prompts were written by an agent",
    )


def test_a_session_is_known_by_its_head_or_its_events() -> None:
    assert taken_for(jsonl([HEAD])) == "dsh"
    assert taken_for(jsonl([asked("a"), told("b")])) == "dsh"


GOOD = [HEAD, asked("a"), splice(0, 0, "b", "c"), splice(1, 1, "d"), told("x"), splice(0, 1)]
GOOD += [asked("b"), event("tool/result", {}), event("session/title", {"title": "t"})]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(rows: Any) -> None:
    survives(jsonl(rows if isinstance(rows, list) else [rows]), format="dsh")


SPLICE = st.tuples(st.integers(-1, 4), st.integers(-1, 3), st.booleans())


@settings(max_examples=FEWER)
@given(st.lists(SPLICE, max_size=8), st.sets(st.integers(0, 8)))
def test_every_prompt_is_read_once_unless_edited(splices: list[Any], events: set[int]) -> None:
    rows, inserted = [HEAD], list[str]()
    for number, (start, removed, insert) in enumerate(splices):
        names = (f"p{number}",) if insert else ()
        inserted += names
        # A splice that removes and inserts is an edit; it is claimed elsewhere.
        rows.append(splice(start, 0 if insert else removed, *names))
        if number in events and insert:
            rows.append(asked(f"p{number}"))
    rows.append(told("end"))
    texts = read(*rows[1:])
    assert sorted(texts) == sorted([*inserted, "end"])
