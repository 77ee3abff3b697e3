"""OpenWebUI exports: Settings -> Chats -> Export, `chat-export-<milliseconds>.json`.

`[{id, title, chat: {title, models, history: {currentId, messages: {id: {id, parentId,
childrenIds, role, content, timestamp, files, output}}}, messages: […]}, created_at,
updated_at}]`, or one such object; times in seconds.

Read from `history.currentId` up `parentId`; where it is missing or leads nowhere, from the
newest leaf. `chat.messages` is a copy of one path and is read only without a history.
Left out: `<details type="reasoning|tool_calls|code_interpreter">` blocks, answers and edits on
other branches. Where `content` is empty, the message items of `output` are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Reader
from dcb.readers.chain import live_path, newest_leaf, tree
from dcb.readers.content import attachment, join_blocks, text_of
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import epoch_ms

NAME = "openwebui"
ROLES = {"user": "user", "assistant": "assistant", "system": "system"}

HIDDEN_DETAILS = re.compile(
    r"<details\b[^<>]*\btype=[\"']?(?:reasoning|tool_calls|code_interpreter)\b[^<>]*>"
)
_DETAILS = re.compile(r"<details\b|</details>")


def detect(source: Input) -> str | None:
    """Items with `chat.history.messages` or `chat.messages`."""
    for item in source.items:
        chat = fields(fields(item).get("chat"))
        if isinstance(fields(chat.get("history")).get("messages"), dict):
            return "items with `chat.history.messages`"
        if isinstance(chat.get("messages"), list):
            return "items with `chat.messages`"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per chat."""
    for position, item, warnings in each(source):
        if isinstance(item, Skipped):
            yield item
        else:
            yield _conversation(Talk(source, warnings), fields(item), f"item {position}")


def _conversation(talk: Talk, item: dict[str, Any], place: str) -> Item:
    chat = fields(item.get("chat")) or item
    history = fields(chat.get("history"))
    messages = {key: fields(value) for key, value in fields(history.get("messages")).items()}
    if messages:
        path = _path(talk, messages, history.get("currentId"))
    else:
        path = [(None, fields(message)) for message in items(chat.get("messages"))]
    for key, message in path:
        _say(talk, identity(message.get("id")) or key, message)
    talk.notes.drop("branch", max(0, len(messages) - len(path)))
    return talk.close(
        NAME,
        id=item.get("id") or chat.get("id"),
        title=item.get("title") or chat.get("title"),
        place=place,
        created_at=item.get("created_at") or chat.get("timestamp"),
        updated_at=item.get("updated_at"),
        tree=_tree(messages, {key or "" for key, _ in path}) if talk.source.want_tree else (),
    )


def _path(
    talk: Talk, messages: dict[str, dict[str, Any]], current: Any
) -> list[tuple[str | None, dict[str, Any]]]:
    parents = {key: identity(message.get("parentId")) for key, message in messages.items()}
    leaf = current if isinstance(current, str) and current in parents else None
    if leaf is None:
        times = {key: epoch_ms(message.get("timestamp")) for key, message in messages.items()}
        leaf = newest_leaf(parents, times)
        talk.notes.warn("The export names no current message; the newest branch was read")
    return [(key, messages[key]) for key in live_path(parents, leaf or "", talk.notes)]


def _say(talk: Talk, key: str | None, message: dict[str, Any]) -> None:
    role = ROLES.get(string(message.get("role")))
    if role is None:
        talk.notes.drop("tool" if message.get("role") == "tool" else "unknown")
        return
    text = text_of(message.get("content"), talk.notes)
    if role == "assistant":
        text, hidden = without_details(text)
        talk.notes.drop("thinking", hidden)
        text = text or _output(talk, message)
    files = (_file(fields(file)) for file in items(message.get("files")))
    at = epoch_ms(message.get("timestamp"))
    talk.say(role, join_blocks((text, *files)), id=key, at=at)


def _output(talk: Talk, message: dict[str, Any]) -> str:
    parts = []
    for item in map(fields, items(message.get("output"))):
        if item.get("type") == "message":
            parts.append(text_of(item.get("content"), talk.notes))
        else:
            talk.notes.drop("thinking" if item.get("type") == "reasoning" else "tool")
    return join_blocks(parts)


def _file(file: dict[str, Any]) -> str:
    inner = fields(file.get("file"))
    name = file.get("name") or inner.get("filename") or inner.get("name")
    return attachment("image" if file.get("type") == "image" else "file", name)


def without_details(text: str) -> tuple[str, int]:
    """The text without its hidden `<details>` blocks, and how many there were.

    Blocks may nest; one that is never closed, as in an answer cut off, runs to the end.
    """
    kept, position, hidden = [], 0, 0
    while found := HIDDEN_DETAILS.search(text, position):
        kept.append(text[position : found.start()])
        position = _end_of_details(text, found.end())
        hidden += 1
    kept.append(text[position:])
    return "\n\n".join(piece.strip("\n") for piece in kept if piece.strip()), hidden


def _end_of_details(text: str, position: int) -> int:
    depth = 1
    for tag in _DETAILS.finditer(text, position):
        depth += -1 if tag.group() == "</details>" else 1
        if depth == 0:
            return tag.end()
    return len(text)


def _tree(messages: dict[str, dict[str, Any]], shown: set[str]) -> tuple[Any, ...]:
    return tree(
        (
            (key, identity(m.get("parentId")), string(m.get("role")), string(m.get("content")))
            for key, m in messages.items()
        ),
        shown=shown,
    )


READER = Reader(name=NAME, title="OpenWebUI", detect=detect, read=read)
