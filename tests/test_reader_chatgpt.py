"""ChatGPT: exports of all ages, browser copies, `chat.html`."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.model import Conversation, Instruction, Skipped
from tests.cases import FEWER
from tests.readings import counts, damaged, items, said, survives, taken_for, talk, talks

Node = dict[str, Any]


def node(name: str, parent: Any, text: Any = None, role: str = "user", **more: Any) -> Node:
    message = None
    if text is not None:
        content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
        message = {"id": name, "author": {"role": role}, "content": content, **more}
    return {"id": name, "parent": parent, "children": [], "message": message}


def export(*nodes: Node, current: Any = None, **more: Any) -> dict[str, Any]:
    mapping = {each["id"]: each for each in nodes}
    return {
        "id": "c",
        "title": "t",
        "create_time": 1767225600.0,
        "mapping": mapping,
        "current_node": current or nodes[-1]["id"],
        **more,
    }


def answered(text: Any, **more: Any) -> Conversation:
    """A question and one answer that holds `text`."""
    return talk([export(node("q", None, "q"), node("a", "q", text, "assistant", **more))])


def answer(text: Any, **more: Any) -> str:
    return answered(text, **more).messages[1].content


def test_citation_marks_go_and_names_of_entities_stay() -> None:
    marked = (
        "It rains\ue200cite\ue202turn0search1\ue202turn0search2\ue201 in "
        '\ue200entity\ue202["city","Lisbon",0]\ue201\ue203.【11†source】'
    )
    assert answer(marked) == "It rains in Lisbon."


def test_a_citation_that_is_never_closed_takes_no_text_with_it() -> None:
    assert answer("a \ue200cite b") == "a cite b"
    assert answer('\ue200entity\ue202[["x"\ue201b') == "b"


def test_a_content_type_that_is_not_even_a_word_is_told_of() -> None:
    talk_of = answered({"content_type": ["text"], "parts": ["a"]})
    assert said(talk_of) == [("user", "q"), ("assistant", "a")]
    assert talk_of.warnings == ("Unknown content type '': its text was kept",)


def test_daggers_in_text_stay() -> None:
    assert answer("†1 【注】 stays") == "†1 【注】 stays"


def test_images_and_files_become_marks_with_their_names() -> None:
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}, "Look."]
    attachments = [
        {"id": "file_1", "name": "cat.png", "mime_type": "image/png"},
        {"id": "file_2", "name": "a b.csv", "mime_type": "text/csv"},
        None,
    ]
    content = {"content_type": "multimodal_text", "parts": parts}
    assert answer(content, metadata={"attachments": attachments}) == (
        "[image: cat.png]\n\nLook.\n\n[file: a b.csv]"
    )


def test_an_image_without_a_name_is_a_mark() -> None:
    part = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-9"}
    assert answer({"content_type": "multimodal_text", "parts": [part]}) == "[image]"


def test_what_the_person_did_not_see_is_left_out_and_counted() -> None:
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    found = talk(
        [
            export(
                node("s", None, "be nice", "system"),
                node("h", "s", "hidden", "user", **hidden),
                node("q", "h", "question"),
                node("n", "q", "plan", "assistant", channel="analysis"),
                node("t", "n", "call", "assistant", recipient="python"),
                node("r", "t", "result", "tool"),
                node("m", "r", {"content_type": "thoughts", "thoughts": []}, "assistant"),
                node("c", "m", "a comment", "assistant", channel="commentary"),
                node("a", "c", "answer", "assistant", channel="final", recipient=None),
            )
        ]
    )
    assert said(found) == [
        ("user", "question"),
        ("assistant", "a comment"),
        ("assistant", "answer"),
    ]
    assert counts(found) == {"system": 1, "hidden": 1, "thinking": 2, "tool": 2}


def test_other_branches_are_counted() -> None:
    found = talk(
        [
            export(
                node("q", None, "q"),
                node("old", "q", "old", "assistant"),
                node("a", "q", "a", "assistant"),
            )
        ]
    )
    assert said(found) == [("user", "q"), ("assistant", "a")]
    assert counts(found) == {"branch": 1}


def test_the_tree_shows_every_branch() -> None:
    nodes = (node("q", None, "q"), node("old", "q", "old", "assistant"), node("a", "q", "a"))
    found = talk([export(*nodes)], tree=True)
    assert [(each.id, each.parent, each.shown, each.preview) for each in found.tree] == [
        ("q", None, True, "q"),
        ("old", "q", False, "old"),
        ("a", "q", True, "a"),
    ]


def test_custom_instructions_and_memory_come_beside_the_messages() -> None:
    content = {
        "content_type": "user_editable_context",
        "user_profile": "I sail.",
        "user_instructions": "Be brief.",
    }
    memory = {"content_type": "model_editable_context", "model_set_context": "Has a boat."}
    nodes = (node("p", None, content), node("m", "p", memory, "assistant"), node("q", "m", "q"))
    found = items([export(*nodes), export(*nodes)])
    assert [(item.source, item.text) for item in found if isinstance(item, Instruction)] == [
        ("ChatGPT custom instructions: about the person", "I sail."),
        ("ChatGPT custom instructions: how to answer", "Be brief."),
        ("ChatGPT memory", "Has a boat."),
    ]
    assert said(next(item for item in found if isinstance(item, Conversation))) == [("user", "q")]


def test_an_item_that_is_no_conversation_is_named_and_the_rest_read() -> None:
    found = items([export(node("q", None, "q")), {"mapping": 3}, "x"])
    assert found[1:] == [
        Skipped(where="input, item 2", reason="It is no conversation: it has no `mapping`"),
        Skipped(where="input, item 3", reason="It is no conversation: it has no `mapping`"),
    ]


def test_a_file_that_is_cut_is_read_up_to_the_cut() -> None:
    whole = json.dumps([export(node("q", None, "q")), export(node("r", None, "r"))]).encode()
    found = items(whole[:-40])
    assert [type(item) for item in found] == [Conversation, Skipped]
    start = whole.index(b", {", 50) + 2
    start = whole.index(b'{"id": "c"', 10)
    assert found[1] == Skipped(
        where="input, item 2",
        reason=f"The file is cut: it ends inside this item, which begins at byte {start}",
    )


def page(script: str) -> bytes:
    return f"<html><body><script>var jsonData = {script}\n</script></body></html>".encode()


def test_a_page_in_loose_javascript_is_read_like_json() -> None:
    script = """[{id: 'c', 'title': "it\\'s", update_time: 1, // a comment
      mapping: {q: {parent: null, message: {id: `q`, author: {role: 'user'}, content:
      {content_type: 'text', parts: ['a ] "quoted" \\x41\\u0042\\nline', undefined,]}}}},
      current_node: 'q', extra: true, n: -1.5e3,},
    ];"""
    found = talk(page(script))
    assert (found.title, said(found)) == ("it's", [("user", 'a ] "quoted" AB\nline')])


def test_a_page_that_is_cut_is_read_up_to_the_cut() -> None:
    whole = json.dumps([export(node("q", None, "q")), export(node("r", None, "r"))])
    found = items(page(whole[:-30]))
    assert [type(item) for item in found] == [Conversation, Skipped]


def test_exports_of_deepseek_are_not_taken_for_chatgpt() -> None:
    other = {"id": "d", "inserted_at": "2026-01-01", "mapping": {"root": {"message": None}}}
    assert taken_for([other]) == "deepseek"


NAMES = st.sampled_from([f"n{number}" for number in range(12)])


@st.composite
def trees(draw: st.DrawFn) -> dict[str, Any]:
    """Conversations whose parents are right, missing, null, later nodes or the node itself."""
    count = draw(st.integers(1, 10))
    nodes = []
    for number in range(count):
        parent = draw(st.one_of(st.none(), NAMES, st.just("gone"), st.just(3)))
        role = draw(st.sampled_from(["user", "assistant", "tool", "system"]))
        text = draw(st.one_of(st.none(), st.just(f"text {number}"), st.just(" ")))
        times = draw(st.one_of(st.none(), st.floats(0, 2e9), st.just("x")))
        nodes.append(node(f"n{number}", parent, text, role, create_time=times))
    return export(*nodes, current=draw(st.one_of(NAMES, st.just("gone"))))


def reachable(record: dict[str, Any], leaf: str) -> list[str]:
    """What the parents of a leaf lead through, from the root down."""
    mapping = record["mapping"]
    path: list[str] = []
    here: Any = leaf
    while isinstance(here, str) and here in mapping and here not in path:
        path.append(here)
        here = mapping[here]["parent"]
    return path[::-1]


@settings(max_examples=FEWER)
@given(trees())
def test_every_message_that_the_current_node_reaches_is_read_once_in_order(
    record: dict[str, Any],
) -> None:
    current = record["current_node"]
    if current not in record["mapping"]:
        survives([record], format="chatgpt")
        return
    wanted = []
    for name in reachable(record, current):
        message = record["mapping"][name]["message"]
        role = message and message["author"]["role"]
        text = message and message["content"]["parts"][0].strip()
        if role in ("user", "assistant") and text:
            wanted.append((role, text))
    found = talks([record], format="chatgpt")
    assert [pair for each in found for pair in said(each)] == wanted


@settings(max_examples=FEWER)
@given(damaged([export(node("q", None, "q"), node("a", "q", "a", "assistant"), gizmo_id=None)]))
def test_whatever_is_damaged_only_our_errors_are_raised(record: Any) -> None:
    survives(record, format="chatgpt")


@settings(max_examples=FEWER)
@given(st.text(st.characters(categories=["L", "P", "Zs", "Cs", "Co"]), max_size=60))
def test_a_page_of_any_script_never_breaks_the_reader(script: str) -> None:
    survives(page("[" + script.encode("utf-8", "replace").decode()), format="chatgpt")
