"""Codex rollouts: four eras, two encodings of everything, turns taken back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import EmptySource
from tests.cases import FEWER
from tests.readings import counts, damaged, items, jsonl, said, survives, taken_for, talk

Row = dict[str, Any]
META: Row = {"type": "session_meta", "payload": {"id": "s1", "timestamp": "2026-01-02T03:04:05Z"}}
NOISE: Row = {"type": "event_msg", "payload": {"type": "token_count", "info": {}}}


def response(role: str, text: str, **more: Any) -> Row:
    kind = "input_text" if role == "user" else "output_text"
    body = {"type": "message", "role": role, "content": [{"type": kind, "text": text}], **more}
    return {"type": "response_item", "payload": body}


def event(role: str, text: str, **more: Any) -> Row:
    kind = "user_message" if role == "user" else "agent_message"
    return {"type": "event_msg", "payload": {"type": kind, "message": text, **more}}


def item(role: str, text: str) -> Row:
    kind = "UserMessage" if role == "user" else "AgentMessage"
    body = {"type": kind, "content": [{"type": "Text", "text": text}]}
    return {"type": "event_msg", "payload": {"type": "item_completed", "item": body}}


def rolled_back(turns: Any) -> Row:
    return {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": turns}}


def read(*rows: Row) -> list[tuple[str, str]]:
    return said(talk(jsonl([META, *rows])))


def test_both_encodings_are_one_message_whichever_comes_first() -> None:
    rows = (response("user", "a"), event("user", "a"), event("assistant", "b"))
    assert read(*rows, response("assistant", "b")) == [("user", "a"), ("assistant", "b")]


def test_the_same_words_typed_twice_stay_twice_in_every_encoding() -> None:
    twice = [("user", "go on"), ("user", "go on")]
    for encode in (response, event, item):
        assert read(encode("user", "go on"), encode("user", "go on")) == twice
    pairs = [response("user", "go on"), response("user", "go on")]
    assert read(*pairs, event("user", "go on"), event("user", "go on")) == twice


def test_a_session_resumed_in_another_era_loses_nothing() -> None:
    rows = [response("user", "continue"), response("assistant", "Done.")]
    rows += [event("user", "continue"), event("assistant", "Done.")]
    rows += [item("user", "continue"), item("assistant", "Done.")]
    assert read(*rows) == [("user", "continue"), ("assistant", "Done.")] * 3


def test_encodings_far_apart_are_two_messages() -> None:
    rows = [response("assistant", "Done."), *[NOISE] * 10, event("assistant", "Done.")]
    assert read(event("user", "a"), *rows) == [("user", "a"), *[("assistant", "Done.")] * 2]


def test_turns_rolled_back_do_not_come_back() -> None:
    rows = [event("user", "1"), event("assistant", "one"), event("user", "2")]
    rows += [event("assistant", "two"), event("user", "3"), event("assistant", "three")]
    kept = [("user", "1"), ("assistant", "one"), ("user", "4")]
    read_of = talk(jsonl([META, *rows, rolled_back(2), event("user", "4")]))
    assert said(read_of) == kept
    assert counts(read_of) == {"withdrawn": 4}


@pytest.mark.parametrize("turns", [9, 10**30])
def test_a_rollback_of_more_turns_than_there_are_leaves_what_stood_before_the_first(
    turns: int,
) -> None:
    rows = [event("assistant", "Welcome."), event("user", "1"), event("assistant", "one")]
    assert read(*rows, rolled_back(turns)) == [("assistant", "Welcome.")]


@pytest.mark.parametrize("turns", [None, 0, -1, "1", [], True and 0.5])
def test_a_rollback_of_no_number_of_turns_is_ignored_with_a_warning(turns: Any) -> None:
    read_of = talk(jsonl([META, event("user", "1"), rolled_back(turns)]))
    assert said(read_of) == [("user", "1")]
    assert read_of.warnings == (f"Line 3 rolls back {turns} turns; ignored",)


def test_an_injected_block_is_dropped_and_the_prompt_beside_it_kept() -> None:
    blocks = ["# AGENTS.md instructions for /w", "<environment_context>\n</environment_context>"]
    content = [{"type": "input_text", "text": text} for text in [*blocks, "Pin Node 22."]]
    row = {"type": "message", "role": "user", "content": content}
    assert read({"type": "response_item", "payload": row}) == [("user", "Pin Node 22.")]


@pytest.mark.parametrize(
    "text",
    [
        "<user_instructions>x</user_instructions>",
        "<INSTRUCTIONS>x",
        "<turn_aborted>\nx",
        "<skill>x</skill>",
        "<subagent_notification>{}",
        "<goal_context>x",
        "<codex_internal_context source='a'>x",
        "<recommended_plugins>x",
        "<user_shell_command>ls",
        "  <environment_context>x",
    ],
)
def test_what_the_product_says_in_the_persons_name_is_hidden(text: str) -> None:
    read_of = talk(jsonl([META, response("user", text), event("user", "Mine.")]))
    assert said(read_of) == [("user", "Mine.")]
    assert counts(read_of) == {"hidden": 1}


def test_a_tag_that_only_begins_alike_is_the_persons() -> None:
    assert read(event("user", "<skills> is a tag")) == [("user", "<skills> is a tag")]


def test_the_marker_inside_a_line_is_no_marker() -> None:
    text = "What does `## My request for Codex:` mean?"
    assert read(event("user", text)) == [("user", text)]


def test_images_are_marked_once_and_do_not_hide_the_pair() -> None:
    content = [
        {"type": "input_text", "text": "<image name=[Image #1]>"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        {"type": "input_text", "text": "</image>"},
        {"type": "input_text", "text": "What is this?"},
    ]
    row = {"type": "response_item", "payload": {"type": "message", "role": "user"}}
    row["payload"] |= {"content": content}  # type: ignore[operator]
    both = read(row, event("user", "What is this?", local_images=["/tmp/shots/a.png"]))
    assert both == [("user", "What is this?\n\n[image: a.png]")]


def test_the_plan_of_an_answer_is_read_once() -> None:
    plan = {"type": "item_completed", "item": {"type": "Plan", "id": "p", "text": "1. Cut\n2. Sew"}}
    row = {"type": "event_msg", "payload": plan}
    kept = [("user", "plan it"), ("assistant", "1. Cut\n2. Sew")]
    assert read(event("user", "plan it"), row) == kept
    whole = response("assistant", "<proposed_plan>\n1. Cut\n2. Sew\n</proposed_plan>")
    assert len(read(event("user", "plan it"), whole, row)) == 2


def test_an_item_may_be_spelled_like_an_event_and_hold_bare_text() -> None:
    row = {"type": "item_completed", "item": {"type": "agent_message", "text": "Pinned."}}
    whole = [event("user", "a"), {"type": "event_msg", "payload": row}]
    assert read(*whole) == [("user", "a"), ("assistant", "Pinned.")]


def test_the_first_meta_names_a_fork_and_a_subagent_is_told_of() -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}
    fork = {"type": "session_meta", "payload": {"id": "child", "source": source}}
    read_of = talk(jsonl([fork, META, event("user", "a")]))
    assert read_of.id == "child"
    assert read_of.warnings == (
        "This is a subagent's session: its prompts were written by an agent",
    )


def test_the_file_name_names_a_session_without_meta() -> None:
    name = "rollout-2026-01-15T13-00-00-2f22b880-b4f0-5d4a-8274-7db3cb32da5b.jsonl"
    read_of = talk(jsonl([event("user", "a")]), name=f"sessions/2026/{name}")
    assert read_of.id == "2f22b880-b4f0-5d4a-8274-7db3cb32da5b"


def test_the_last_title_given_by_hand_counts() -> None:
    rows = [{"id": "s1", "thread_name": "Old"}, {"id": "s2", "thread_name": "Other"}]
    index = jsonl([*rows, {"id": "s1", "thread_name": " Ports "}, {"id": "s1", "thread_name": ""}])
    for place in ("../../../../session_index.jsonl", "../session_index.jsonl"):
        assert talk(jsonl([META, event("user", "a")]), beside={place: index}).title == "Ports"


def test_the_earliest_layout_is_one_object() -> None:
    session = {"id": "old", "timestamp": "2025-04-20T10:00:00Z", "instructions": ""}
    flat = [row["payload"] for row in (response("user", "a"), response("assistant", "b"))]
    read_of = talk({"session": session, "items": flat})
    assert (read_of.id, said(read_of)) == ("old", [("user", "a"), ("assistant", "b")])


def test_an_unknown_row_type_is_named_once_with_its_line() -> None:
    row = {"type": "hologram", "payload": {}}
    read_of = talk(jsonl([META, row, event("user", "a"), row]))
    assert read_of.warnings == ("Unknown row of type 'hologram' skipped, first on line 2",)
    assert counts(read_of) == {"unknown": 2}


def test_the_output_of_codex_exec_is_explained() -> None:
    rows = [{"type": "thread.started", "thread_id": "x"}, {"type": "turn.started"}]
    with pytest.raises(EmptySource) as caught:
        items(jsonl(rows), name="out.jsonl")
    assert str(caught.value) == (
        "out.jsonl: this is the output of `codex exec --json`, which holds no prompts; read the "
        "session's own file, rollout-*.jsonl under ~/.codex/sessions (or $CODEX_HOME/sessions)"
    )


def test_a_damaged_row_costs_itself() -> None:
    data = jsonl([META, event("user", "a")]) + b'{"type":"event_msg","payl\n'
    data += jsonl([event("assistant", "b")])[:-1] + jsonl([event("user", "c")])
    data += b"\0\0\0\n" + jsonl([event("assistant", "d\u2028e")]) + b'[1]\n"x"\n' + b'{"type":"ev'
    assert [text for _, text in said(talk(data))] == ["a", "b", "c", "d\u2028e"]


@pytest.mark.parametrize("rows", [[META], [event("user", "a")], [response("user", "a")]])
def test_one_row_is_enough_to_know_a_rollout(rows: list[Row]) -> None:
    assert taken_for(jsonl(rows)) == "codex"


GOOD = [
    META,
    response("user", "a"),
    event("user", "a"),
    item("assistant", "b"),
    rolled_back(1),
    {"type": "compacted", "payload": {"message": "s", "replacement_history": [{}]}},
    {"type": "response_item", "payload": {"type": "reasoning", "summary": []}},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "flat"}]},
    event("user", "c", images=["x"], local_images=["y/z.png"]),
]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(rows: Any) -> None:
    survives(jsonl(rows if isinstance(rows, list) else [rows]), format="codex")


ENCODINGS = st.sampled_from(["R", "E", "I", "RE", "ER", "REI"])
ENCODERS = {"R": response, "E": event, "I": item}
TURN = st.tuples(st.sampled_from(["user", "assistant"]), st.sampled_from("abc"), ENCODINGS)


@settings(max_examples=FEWER)
@given(st.lists(TURN | st.integers(1, 4), max_size=12))
def test_a_talk_written_in_any_mix_of_eras_is_read_back(turns: list[Any]) -> None:
    rows: list[Row] = [META]
    expected: list[tuple[str, str]] = []
    speaker = ""
    for turn in turns:
        if isinstance(turn, int):
            prompts = [n for n, (role, _) in enumerate(expected) if role == "user"]
            if prompts:
                del expected[prompts[-min(turn, len(prompts))] :]
            rows.append(rolled_back(turn))
            speaker = expected[-1][0] if expected else ""
            continue
        role, text, encodings = turn
        # Two messages of one speaker in a row are told apart by their words only.
        if role == speaker:
            continue
        speaker = role
        rows += [ENCODERS[one](role, text) for one in encodings]
        expected.append((role, text))
    found = [each for each in items(jsonl(rows), format="codex") if hasattr(each, "messages")]
    assert (said(found[0]) if found else []) == expected  # type: ignore[arg-type]
