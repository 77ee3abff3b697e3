"""Claude.ai: exports of all ages, browser copies, and what stands beside conversations."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import EmptySource
from dcb.model import Instruction, Skipped
from tests.cases import FEWER
from tests.readings import counts, damaged, items, said, survives, taken_for, talk, talks

ZERO = "00000000-0000-4000-8000-000000000000"
Message = dict[str, Any]


def message(name: str, sender: str = "human", **more: Any) -> Message:
    content = [{"type": "text", "text": name}]
    return {"uuid": name, "sender": sender, "text": "", "content": content, **more}


def chat(*messages: Message, **more: Any) -> dict[str, Any]:
    return {"uuid": "c", "name": "Harbour", "chat_messages": list(messages), **more}


def child(name: str, parent: str) -> Message:
    return message(name, parent_message_uuid=parent)


def read(*messages: Message, **more: Any) -> list[str]:
    return [text for _, text in said(talk(chat(*messages, **more)))]


def test_exports_of_2024_have_text_and_no_blocks() -> None:
    rows = [{"uuid": "1", "sender": "human", "text": "a"}]
    rows.append({"uuid": "2", "sender": "assistant", "text": "b", "content": []})
    assert said(talk([chat(*rows)])) == [("user", "a"), ("assistant", "b")]


def test_a_block_with_null_text_is_no_text_and_the_flat_text_stays_out() -> None:
    content = [{"type": "text", "text": None}, {"type": "text", "text": "Here."}]
    flat = "Here.\n\nViewing artifacts is not supported."
    assert read({**message("x"), "content": content, "text": flat}) == ["Here."]


def test_attachments_come_with_their_text_and_files_with_their_names() -> None:
    more = {
        "attachments": [{"file_name": "a.csv", "extracted_content": "x,y\n1,2\n"}],
        "files": [{"file_name": "b.pdf"}, {"file_name": "c.png", "file_kind": "image"}, {}],
    }
    expected = (
        "look\n\n[attachment: a.csv]\n\nx,y\n1,2\n\n[file: b.pdf]\n\n[image: c.png]\n\n[file]"
    )
    assert read(message("look", **more)) == [expected]


def test_without_a_current_leaf_the_last_message_is_it() -> None:
    tree = [child("a", ZERO), child("b", "a"), child("c", "a"), child("d", "c")]
    assert read(*tree) == ["a", "c", "d"]
    assert read(*tree, current_leaf_message_uuid="b") == ["a", "b"]


def test_a_leaf_that_is_missing_is_told_of() -> None:
    read_of = talk(chat(child("a", ZERO), child("b", "a"), current_leaf_message_uuid="gone"))
    assert said(read_of) == [("user", "a"), ("user", "b")]
    assert read_of.warnings == (
        "The current message is missing; the last one in the file was taken for it",
    )


def test_one_message_without_a_parent_means_the_order_of_the_file() -> None:
    assert read(child("a", ZERO), message("b"), child("c", "a")) == ["a", "b", "c"]


def test_a_ring_and_a_missing_parent_end_the_chain_with_a_warning() -> None:
    ring = talk(chat(child("a", "b"), child("b", "a")))
    assert said(ring) == [("user", "a"), ("user", "b")]
    assert ring.warnings == ("The parents of message 'b' lead back to it; the chain was cut there",)
    orphan = talk(chat(child("a", ZERO), child("b", "gone"), child("c", "b")))
    assert said(orphan) == [("user", "b"), ("user", "c")]
    assert orphan.warnings == ("Parent 'gone' is missing; what comes before it is lost",)


def test_a_conversation_by_itself_is_read_like_one_of_an_array() -> None:
    one = chat(message("a"), created_at="2026-02-02T02:00:00.123456+00:00")
    read_of = talk(one, name="conversations/c.json")
    assert (read_of.id, read_of.title, read_of.created_at) == ("c", "Harbour", 1769997600123)


def test_a_broken_conversation_costs_itself() -> None:
    found = items([chat(message("a")), 7, {"uuid": "x"}, chat(message("b"))], name="c.json")
    assert [type(each).__name__ for each in found] == [
        "Conversation", "Skipped", "Skipped", "Conversation",
    ]  # fmt: skip
    assert found[1] == Skipped(where="c.json, item 2", reason="It has no `chat_messages`")


def test_an_unknown_sender_is_counted_and_told_of() -> None:
    read_of = talk(chat(message("a"), message("b", "robot")))
    assert said(read_of) == [("user", "a")]
    assert counts(read_of) == {"unknown": 1}
    assert read_of.warnings == ("Unknown sender 'robot' skipped",)


def test_the_manifest_is_explained_and_its_links_stay_secret() -> None:
    links = [{"export_url": "https://storage.example.org/k?signature=SECRET", "name": "b0"}] * 2
    with pytest.raises(EmptySource) as caught:
        items({"data_files": links}, name="manifest.json")
    assert str(caught.value) == (
        "manifest.json: this is the manifest of a Claude export, a list of 2 download links and "
        "no conversation. Open the mail again, download each part (a zip) while the links last, "
        "and read those; the links are private and are not shown here"
    )


def test_prompts_of_projects_and_memories_are_instructions() -> None:
    projects = [
        {"uuid": "p", "name": "Harbour", "prompt_template": " SI units only. ", "docs": []},
        {"uuid": "q", "name": "Empty", "prompt_template": "", "docs": []},
    ]
    assert items(projects, name="projects.json") == [
        Instruction(source="Claude project: Harbour", text="SI units only.", where="projects.json")
    ]
    memories = [{"conversations_memory": "Likes metres.", "project_memories": {"p": "Port 80."}}]
    assert [(each.source, each.text) for each in items(memories)] == [  # type: ignore[union-attr]
        ("Claude memory", "Likes metres."),
        ("Claude memory of project p", "Port 80."),
    ]


def test_the_tree_shows_what_was_left() -> None:
    nodes = talk(chat(child("a", ZERO), child("b", "a"), child("c", "a")), tree=True).tree
    assert [(node.id, node.parent, node.shown) for node in nodes] == [
        ("a", ZERO, True), ("b", "a", False), ("c", "a", True),
    ]  # fmt: skip


def test_the_export_is_known_by_its_content() -> None:
    assert taken_for([{}, chat(message("a"))]) == "claude-ai"
    assert taken_for(chat(message("a"))) == "claude-ai"


GOOD = [
    chat(
        child("a", ZERO),
        message("b", "assistant", parent_message_uuid="a", files=[{"file_name": "f"}]),
        {**child("c", "b"), "content": [{"type": "thinking"}, {"type": "voice_note", "text": "v"}]},
        current_leaf_message_uuid="c",
        created_at="2026-02-02T02:00:00Z",
    ),
    {"name": "p", "prompt_template": "t", "docs": []},
    chat(message("d", attachments=[{"file_name": "g", "extracted_content": "h"}])),
]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(export: Any) -> None:
    survives(export, format="claude-ai")


NAMES = st.sampled_from("abcdef")


@settings(max_examples=FEWER)
@given(st.dictionaries(NAMES, NAMES | st.just(ZERO), min_size=1), NAMES)
def test_of_any_tree_the_path_to_the_leaf_is_read_each_message_once(
    parents: dict[str, str], leaf: str
) -> None:
    export = chat(*(child(*pair) for pair in parents.items()), current_leaf_message_uuid=leaf)
    here = leaf if leaf in parents else list(parents)[-1]
    path: list[str] = []
    while here in parents and here not in path:
        path.append(here)
        here = parents[here]
    (read_of,) = talks(export)
    assert [text for _, text in said(read_of)] == path[::-1]
    assert counts(read_of).get("branch", 0) == len(parents) - len(path)
