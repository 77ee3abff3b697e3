"""LibreChat exports: chat menu -> Export conversation -> JSON.

`{conversationId, endpoint, title, exportAt, branches, recursive, options, messages}`; recursive
exports nest each answer in `children` (under `messages` or `messagesTree`), flat ones name
`parentMessageId`, with an all-zero id above the roots. A message: `{messageId, sender, text,
content: [{type: text|think|tool_call, text: string|{value}}], isCreatedByUser, createdAt}`.

No current message is named: the newest leaf is taken to be it (of equally new ones, or of
messages without a time, the last in the file), and read up to its root. `text` is empty where
`content` holds the parts. `exportAt` is local time and is not read.
Left out: thinking, tool calls, other branches, error messages.

A conversation nested deeper than JSON decoders go is first unnested as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.errors import LimitExceeded
from dcb.model import Skipped
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.chain import live_path, newest_leaf, tree
from dcb.readers.content import attachment, join_blocks, string_in, text_of
from dcb.readers.loose import fields, identity, items
from dcb.readers.talk import Talk, each
from dcb.readers.times import epoch_ms
from dcb.readers.unnest import unnested

NAME = "librechat"
ROOT = "00000000-0000-0000-0000-000000000000"
LISTS = ("messages", "messagesTree")


def detect(source: Input) -> str | None:
    """An object with `conversationId` and `messages` or `messagesTree`."""
    candidates = [source.keys, *(fields(item).keys() for item in source.items)]
    for keys in candidates:
        if "conversationId" in keys and any(name in keys for name in LISTS):
            return "`conversationId` with " + next(name for name in LISTS if name in keys)
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per object."""
    try:
        found = list(each(source)) if source.shape == "object" else each(source)
    except LimitExceeded:
        found = [(1, unnested(source.file), ())]
    for position, item, warnings in found:
        if isinstance(item, Skipped):
            yield item
        else:
            place = "" if source.shape == "object" else f"item {position}"
            yield _conversation(Talk(source, warnings), fields(item), place)


def _conversation(talk: Talk, export: dict[str, Any], place: str) -> Item:
    messages = _flat(export, talk.notes)
    parents = {key: parent for key, (parent, _) in messages.items()}
    leaf = newest_leaf(parents, _times(messages))
    path = live_path(parents, leaf, talk.notes) if leaf else []
    for key in path:
        _say(talk, key, messages[key][1])
    talk.notes.drop("branch", len(messages) - len(path))
    return talk.close(
        NAME,
        id=export.get("conversationId"),
        title=export.get("title"),
        place=place,
        created_at=export.get("createdAt"),
        updated_at=export.get("updatedAt"),
        tree=_tree(messages, path) if talk.source.want_tree else (),
    )


def _times(messages: dict[str, tuple[str | None, dict[str, Any]]]) -> dict[str, int | None]:
    """When each message was made; where that is not said, no earlier than its parent was."""
    times: dict[str, int | None] = {}
    for key, (parent, message) in messages.items():
        times[key] = epoch_ms(message.get("createdAt")) or times.get(parent or "")
    return times


def _flat(export: dict[str, Any], notes: Notes) -> dict[str, tuple[str | None, dict[str, Any]]]:
    """Id -> (parent id, message), in file order, however deep the children are nested."""
    messages: dict[str, tuple[str | None, dict[str, Any]]] = {}
    listed = next((items(export[name]) for name in LISTS if items(export.get(name))), [])
    waiting: list[tuple[Any, str | None]] = [(message, None) for message in reversed(listed)]
    while waiting:
        item, above = waiting.pop()
        message = fields(item)
        key = identity(message.get("messageId"))
        if not message or (key is not None and key in messages):
            notes.drop("duplicate" if message else "damaged")
            continue
        key = key or f"#{len(messages) + 1}"
        parent = above or identity(message.get("parentMessageId"))
        messages[key] = (None if parent == ROOT else parent, message)
        waiting.extend((child, key) for child in reversed(items(message.get("children"))))
    return messages


def _say(talk: Talk, key: str, message: dict[str, Any]) -> None:
    role = "user" if message.get("isCreatedByUser") is True else "assistant"
    if role == "assistant" and message.get("error") is True:
        talk.notes.drop("interface")
        return
    own_id = identity(message.get("messageId"))
    parts = items(message.get("content"))
    text = join_blocks(_part(fields(part), talk.notes) for part in parts)
    text = text or string_in(message, "text")
    files = (_file(fields(file)) for file in items(message.get("files")))
    at = epoch_ms(message.get("createdAt"))
    talk.say(role, join_blocks((text, *files)), id=own_id, at=at)


def _part(part: dict[str, Any], notes: Notes) -> str:
    if part.get("type") in ("think", "error"):
        notes.drop("thinking" if part["type"] == "think" else "interface")
        return ""
    if part.get("type") == "text" and isinstance(part.get("text"), dict):
        return string_in(part["text"], "value")
    return text_of(part, notes)


def _file(file: dict[str, Any]) -> str:
    is_image = str(file.get("type")).startswith("image/")
    return attachment("image" if is_image else "file", file.get("filename"))


def _tree(messages: dict[str, tuple[str | None, dict[str, Any]]], path: list[str]) -> Any:
    return tree(
        (
            (key, parent, "user" if m.get("isCreatedByUser") else "assistant", str(m.get("text")))
            for key, (parent, m) in messages.items()
        ),
        shown=frozenset(path),
    )


READER = Reader(name=NAME, title="LibreChat", detect=detect, read=read)
