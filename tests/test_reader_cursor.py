"""Cursor: databases of all ages and the transcripts of its agent."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Skipped
from tests import databases
from tests.cases import FEWER
from tests.databases import database, talks
from tests.readings import counts, damaged, items, jsonl, said, survives, taken_for, talk

PAIRS = ("key", "value")
CHAT = "workbench.panel.aichat.view.aichat.chatdata"


def bubble(kind: Any, words: str = "", **more: Any) -> dict[str, Any]:
    return {"type": kind, "text": words, **more}


def kv(composer: Any, **bubbles: Any) -> bytes:
    rows = [(f"bubbleId:k:{name}", json.dumps(value)) for name, value in bubbles.items()]
    rows.append(("composerData:k", json.dumps(composer)))
    return database({"cursorDiskKV": (PAIRS, rows), "ItemTable": (PAIRS, [])})


def headers(*names: str, **more: Any) -> dict[str, Any]:
    listed = [{"bubbleId": name, "type": 1 if name.startswith("u") else 2} for name in names]
    return {"composerId": "k", "fullConversationHeadersOnly": listed, **more}


def one(data: bytes) -> Any:
    (read_of,) = talks(data)
    return read_of


def test_the_header_list_gives_order_and_membership() -> None:
    data = kv(
        headers("u1", "a2", "a1", name="Port", createdAt=1770000000000, lastUpdatedAt=1770000009000),
        a1=bubble(2, "Done."), u1=bubble(1, "Go.", createdAt="2026-02-02T02:40:01.000Z"),
        a2=bubble(2, "So."), u0=bubble(1, "a draft nobody sent"),
    )  # fmt: skip
    read_of = one(data)
    assert said(read_of) == [("user", "Go."), ("assistant", "So."), ("assistant", "Done.")]
    assert [m.id for m in read_of.messages] == ["u1", "a2", "a1"]
    assert [m.created_at for m in read_of.messages] == [1770000001000, None, None]
    assert (read_of.id, read_of.title) == ("k", "Port")
    assert (read_of.created_at, read_of.updated_at) == (1770000000000, 1770000009000)


def test_tool_and_thinking_bubbles_are_counted() -> None:
    read_of = one(
        kv(
            headers("u1", "a1", "a2", "a3"),
            u1=bubble(1, "Go."),
            a1=bubble(2, toolFormerData={"name": "read_file"}),
            a2=bubble(2, thinking={"text": "hm"}),
            a3=bubble(2, "Read.", toolFormerData={"name": "x"}),
        )
    )
    assert said(read_of) == [("user", "Go."), ("assistant", "Read.")]
    assert counts(read_of) == {"thinking": 1, "tool": 1}
    assert read_of.title == "Go."


def test_a_bubble_that_is_missing_or_broken_costs_itself() -> None:
    rows = [
        ("composerData:k", json.dumps(headers("u1", "a1", "a2", "u1"))),
        ("bubbleId:k:u1", json.dumps(bubble(1, "Go."))),
        ("bubbleId:k:a1", "{broken"),
    ]
    read_of = one(database({"cursorDiskKV": (PAIRS, rows)}))
    assert said(read_of) == [("user", "Go.")]
    assert counts(read_of) == {"damaged": 2, "duplicate": 1}
    assert len(read_of.warnings) == 2


def test_older_composers_hold_their_bubbles_themselves() -> None:
    inline = {"composerId": "k", "conversation": [bubble(1, "Go.", bubbleId="x"), bubble(2, "So.")]}
    assert said(one(kv(inline))) == [("user", "Go."), ("assistant", "So.")]
    mapped = headers("u1", conversationMap={"u1": bubble(1, "Go.")})
    assert said(one(kv(mapped))) == [("user", "Go.")]


def test_the_words_of_a_rich_text_are_read_where_there_is_no_text() -> None:
    words = [
        {"type": "paragraph", "children": [{"type": "text", "text": "Use "}, {"text": "pnpm."}]},
        {"type": "paragraph", "children": [{"type": "text", "text": "Never npm."}]},
    ]
    rich = json.dumps({"root": {"type": "root", "children": words}})
    read_of = one(kv(headers("u1"), u1={"type": 1, "richText": rich, "images": [{}]}))
    assert said(read_of) == [("user", "Use pnpm.\nNever npm.\n\n[image]")]


def test_tabs_of_the_older_chat_panel_are_read() -> None:
    tabs = [
        {
            "tabId": "t1",
            "chatTitle": "Imports",
            "lastSendTime": 1700000000000,
            "bubbles": [
                {"type": "user", "id": "b1", "text": "Why?"},
                {"type": "ai", "id": "b2", "rawText": "Because."},
            ],
        },
        {"tabId": "t2", "bubbles": []},
    ]
    rows = [(CHAT, json.dumps({"tabs": tabs})), ("aiService.prompts", '[{"text": "Why?"}]')]
    read_of, skipped = databases.items(database({"ItemTable": (PAIRS, rows)}))
    assert said(read_of) == [("user", "Why?"), ("assistant", "Because.")]  # type: ignore[arg-type]
    assert (read_of.id, read_of.title, read_of.updated_at) == ("t1", "Imports", 1700000000000)  # type: ignore[union-attr]
    assert isinstance(skipped, Skipped)


def test_composers_of_a_workspace_are_read_unless_the_main_table_holds_them() -> None:
    old = {"composerId": "w", "conversation": [bubble(1, "Old.")]}
    twice = {"composerId": "k", "conversation": [bubble(1, "Twice.")]}
    index = {"composerId": "i", "name": "only an index"}
    value = json.dumps({"allComposers": [old, twice, index, 3]})
    rows = [("composerData:k", json.dumps(twice))]
    data = {"cursorDiskKV": (PAIRS, rows), "ItemTable": (PAIRS, [("composer.composerData", value)])}
    assert [(each.id, said(each)) for each in talks(database(data))] == [
        ("k", [("user", "Twice.")]),
        ("w", [("user", "Old.")]),
    ]


def test_what_holds_nothing_is_accounted_for() -> None:
    rows = [("composerData:a", None), ("composerData:b", "[]"), ("composerData:c", "{}")]
    found = databases.items(database({"cursorDiskKV": (PAIRS, rows)}))
    assert [item.reason for item in found] == [  # type: ignore[union-attr]
        "Its row is empty: Cursor deleted the conversation",
        "Its row is damaged: it is not a JSON object",
        "Its row is damaged: it is not a JSON object",
    ]


# --- transcripts -------------------------------------------------------------------------


def row(role: str, *texts: str, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text} for text in texts]
    return {"role": role, "message": {"content": content}, **more}


NAME = "projects/p/agent-transcripts/ab/ab.jsonl"


def test_of_a_prompt_what_stands_in_its_query_is_read() -> None:
    info = "<user_info>\nOS: linux\n</user_info>"
    query = "<user_query>\nUse pnpm.\n</user_query>"
    data = jsonl([row("user", info, query), row("assistant", "Switching.")])
    assert taken_for(data) == "cursor"
    read_of = talk(data, name=NAME)
    assert said(read_of) == [("user", "Use pnpm."), ("assistant", "Switching.")]
    assert (read_of.id, read_of.title) == ("ab", "Use pnpm.")


def test_a_prompt_without_a_query_is_what_is_no_context() -> None:
    data = jsonl(
        [row("user", "<open_files>\na\n</open_files>", "Use <b>pnpm</b>."), row("system", "s")]
    )
    read_of = talk(data, name=NAME)
    assert said(read_of) == [("user", "Use <b>pnpm</b>.")]
    assert counts(read_of) == {"hidden": 1, "unknown": 1}


def test_a_transcript_may_be_text() -> None:
    text = (
        "user:\n<user_query>\nGo.\n</user_query>\n\nassistant:\nI read.\n\n[Thinking] hm\nmore\n\n"
        "[Tool call] Read\n  path: a\n\n[Tool result] Read\n\nDone.\n\nassistant:\nuser: is text\n"
    )
    read_of = talk(text.encode(), name="projects/p/agent-transcripts/ab.txt", format="cursor")
    assert said(read_of) == [
        ("user", "Go."),
        ("assistant", "I read.\n\nDone."),
        ("assistant", "user: is text"),
    ]
    assert counts(read_of) == {"thinking": 1, "tool": 2}


def test_the_transcript_of_a_subagent_is_left_out() -> None:
    data = jsonl([row("user", "Find it."), row("assistant", "Found.")])
    (skipped,) = items(data, name="agent-transcripts/ab/subagents/cd.jsonl")
    assert skipped == Skipped(
        where="agent-transcripts/ab/subagents/cd.jsonl",
        reason="A subagent's transcript: nobody typed its prompts",
    )


@settings(max_examples=FEWER)
@given(
    damaged([row("user", "<user_query>a</user_query>"), row("assistant", "b"), row("user", "c")])
)
def test_whatever_is_damaged_in_a_transcript_only_our_errors_are_raised(rows: Any) -> None:
    survives(jsonl(rows if isinstance(rows, list) else [rows]), format="cursor")


COMPOSER = headers("u1", "a1", conversationMap={"a1": bubble(2, "x")}, createdAt=1)
BUBBLES = {
    "u1": bubble(1, "Go.", images=[{}]),
    "tabs": [{"tabId": "t", "bubbles": [bubble("ai", "y")]}],
}


@settings(max_examples=FEWER // 2)
@given(damaged([COMPOSER, BUBBLES]))
def test_whatever_is_damaged_in_a_database_only_our_errors_are_raised(values: Any) -> None:
    composer, bubbles = (*values, None, None)[:2] if isinstance(values, list) else (None, None)
    rows = [
        ("composerData:k", json.dumps(composer)),
        ("bubbleId:k:u1", json.dumps(bubbles.get("u1") if isinstance(bubbles, dict) else bubbles)),
    ]
    chat = [
        (CHAT, json.dumps(bubbles)),
        ("composer.composerData", json.dumps({"allComposers": values})),
    ]
    data = database({"cursorDiskKV": (PAIRS, rows), "ItemTable": (PAIRS, chat)})
    databases.survives(data, format="cursor")


@settings(max_examples=FEWER // 2)
@given(st.permutations("abcdef"), st.sets(st.sampled_from("abcdef")))
def test_every_listed_bubble_is_read_once_in_the_order_of_the_list(
    order: Any, kept: set[str]
) -> None:
    listed = {"fullConversationHeadersOnly": [{"bubbleId": n, "type": 1} for n in [*order, *order]]}
    found = talks(kv(listed, **{name: bubble(1, name) for name in kept}))
    texts = [words for each in found for _, words in said(each)]
    assert texts == [name for name in order if name in kept]
