"""ChatGPT: data exports, browser copies of one conversation, and `chat.html`.

Layouts: `conversations.json`; since about March 2026 shards `conversations-000.json` …;
`chat.html`, which holds the same data as `var jsonData = […]`, sometimes as JavaScript
rather than JSON; one object or `{conversations: […]}` from browser exporters.

Conversation: `conversation_id`/`id`, `title`, `create_time`, `update_time` (float seconds),
`mapping {id: {id, parent, children, message}}`, `current_node`. Message: `id`,
`author.role`, `create_time`, `content {content_type, parts | text | …}`, `recipient`,
`channel`, `metadata`. Any of them may be null or missing.

Read from `current_node` up the parents; where it is missing or leads nowhere, from the
newest leaf. Left out: what is hidden, roles system and tool, messages to a tool (canvas
among them), channel `analysis`, thoughts, recaps, tool output. Custom instructions and
memory come as `Instruction`. Citation marks (U+E200 … U+E201) go; entities keep their name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dcb.model import Conversation, Instruction, Skipped
from dcb.readers import javascript
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.chain import live_path, newest_leaf, tree
from dcb.readers.chatgpt_text import DROPPED_TYPES, text_of
from dcb.readers.content import string_in
from dcb.readers.loose import fields, identity, items
from dcb.readers.talk import Talk, each
from dcb.readers.times import epoch_ms, noted_ms

NAME = "chatgpt"

INSTRUCTIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "user_editable_context": (
        ("user_profile", "ChatGPT custom instructions: about the person"),
        ("user_instructions", "ChatGPT custom instructions: how to answer"),
    ),
    "model_editable_context": (("model_set_context", "ChatGPT memory"),),
}

_SIGNS = frozenset({"current_node", "update_time", "create_time"})
_DATA = re.compile(rb"\bjsonData\s{0,9}=\s{0,9}(?=\[)")


def detect(source: Input) -> str | None:
    """Items with a `mapping` and a `current_node` or time, or a page with `jsonData`."""
    if source.shape == "html":
        return "a page with `var jsonData`" if _DATA.search(source.file.data) else None
    if any(map(_is_conversation, source.items)):
        return "conversations with `mapping` and `current_node`"
    if _wrapper(source):
        return "a list of conversations with `mapping` and `current_node`"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per item, then custom instructions and memories, each once."""
    standing: dict[tuple[str, str], None] = {}
    for position, item, warnings in _each(source):
        if isinstance(item, Skipped):
            yield item
        elif not isinstance(fields(item).get("mapping"), dict):
            where = f"{source.file.where}, item {position}"
            yield Skipped(where=where, reason="It is no conversation: it has no `mapping`")
        else:
            talk = Talk(source, warnings)
            yield _conversation(talk, item, position, standing)
    for origin, text in standing:
        yield Instruction(source=origin, text=text, where=source.file.where)


def _each(source: Input) -> Iterator[tuple[int, Any, Any]]:
    if source.shape != "html":
        yield from each(source, key=_wrapper(source))
        return
    start = _DATA.search(source.file.data)
    found = javascript.array_items(source.file, start.end()) if start else ()
    for position, item in enumerate(found, 1):
        yield position, item, ()


def _is_conversation(item: Any) -> bool:
    record = fields(item)
    # DeepSeek's exports have a `mapping` as well, but name its times otherwise.
    return (
        isinstance(record.get("mapping"), dict)
        and not _SIGNS.isdisjoint(record)
        and "inserted_at" not in record
    )


def _wrapper(source: Input) -> str | None:
    """The key of an object under which a list of conversations stands."""
    if source.shape != "object" or not source.items or _is_conversation(source.items[0]):
        return None
    found = fields(source.items[0]).items()
    return next((key for key, value in found if any(map(_is_conversation, items(value)))), None)


def _conversation(
    talk: Talk, record: dict[str, Any], position: int, standing: dict[tuple[str, str], None]
) -> Conversation | Skipped:
    mapping = {key: fields(node) for key, node in record["mapping"].items()}
    path = _path(mapping, record.get("current_node"), talk.notes)
    for key in path:
        message = mapping[key].get("message")
        if isinstance(message, dict):
            _say(talk, key, message)
            _remember(message, standing)
        elif message is not None:
            talk.notes.warn(f"Node {key!r} holds no message object")
            talk.notes.drop("damaged")
    off = mapping.keys() - set(path)
    talk.notes.drop("branch", sum(_speaks(mapping[key].get("message")) for key in off))
    return talk.close(
        NAME,
        id=record.get("conversation_id") or record.get("id"),
        title=record.get("title"),
        place=f"conversation {position}",
        created_at=noted_ms(record.get("create_time"), talk.notes),
        updated_at=noted_ms(record.get("update_time"), talk.notes),
        tree=_tree(mapping, path) if talk.source.want_tree else (),
    )


def _path(mapping: dict[str, dict[str, Any]], current: Any, notes: Notes) -> list[str]:
    parents = {key: identity(node.get("parent")) for key, node in mapping.items()}
    if not isinstance(current, str) or current not in mapping:
        if current is not None:
            notes.warn(f"The current node {current!r} is missing; the newest branch was read")
        times = {key: _time(node) for key, node in mapping.items()}
        current = newest_leaf(parents, times)
    return live_path(parents, current, notes) if current is not None else []


def _say(talk: Talk, key: str, message: dict[str, Any]) -> None:
    role = string_in(message.get("author"), "role")
    reason = _hidden(role, message)
    if reason:
        talk.notes.drop(reason)
        return
    text = text_of(message, talk.notes)
    at = noted_ms(message.get("create_time"), talk.notes)
    talk.say(role, text, id=identity(message.get("id")) or key, at=at)


def _hidden(role: str, message: dict[str, Any]) -> str | None:
    """Why a message was not shown to the person, or None when it was."""
    kind = string_in(message.get("content"), "content_type")
    if kind in DROPPED_TYPES:
        return DROPPED_TYPES[kind]
    if fields(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        return "hidden"
    if message.get("channel") == "analysis":
        return "thinking"
    if role == "tool" or message.get("recipient") not in (None, "", "all"):
        return "tool"
    return None if role in ("user", "assistant") else (role[:40] or "unknown")


def _remember(message: dict[str, Any], standing: dict[tuple[str, str], None]) -> None:
    content = fields(message.get("content"))
    for key, origin in INSTRUCTIONS.get(string_in(content, "content_type"), ()):
        text = string_in(content, key).strip()
        if text:
            standing[origin, text] = None


def _speaks(message: Any) -> bool:
    return string_in(fields(message).get("author"), "role") in ("user", "assistant")


def _time(node: dict[str, Any]) -> int | None:
    return epoch_ms(fields(node.get("message")).get("create_time"))


def _tree(mapping: dict[str, dict[str, Any]], path: list[str]) -> Any:
    nodes = []
    for key, node in mapping.items():
        message = fields(node.get("message"))
        role = string_in(message.get("author"), "role")
        nodes.append((key, identity(node.get("parent")), role, text_of(message, Notes())))
    return tree(nodes, shown=frozenset(path))


READER = Reader(
    name=NAME,
    title="ChatGPT export",
    detect=detect,
    read=read,
    companions=(
        "export_manifest.json",
        "user.json",
        "user_settings.json",
        "message_feedback.json",
        "shared_conversations.json",
        "group_chats.json",
        "shopping.json",
        "sora.json",
        "model_comparisons.json",
        "conversation_asset_file_names.json",
        "library_files.json",
        "file-*",
        "file_*",
    ),
)
