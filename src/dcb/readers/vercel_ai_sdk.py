"""Vercel AI SDK messages, as applications built on it store them.

- v4: `{id, role, content, createdAt, parts?, toolInvocations?, experimental_attachments?}`;
  `content` and the text parts carry the same words, so one of them is read;
- v5: `{id, role, parts: [{type: text|reasoning|file|step-start|tool-*|data-*|source-*}], metadata}`.

Either as a bare list, as `{messages: […]}` with `id` and `title`, or as JSON lines.
Read in order, from the parts where they hold text. Left out: reasoning, tools, data, sources,
step marks, and messages of role `data`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.content import attachment, join_blocks, text_of
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import epoch_ms

NAME = "vercel-ai-sdk"
ROLES = {"user": "user", "assistant": "assistant", "system": "system"}

# How a part type begins -> the reason under which it is counted; "" for marks that say nothing.
DROPPED = (
    ("reasoning", "thinking"),
    ("tool-", "tool"),
    ("dynamic-tool", "tool"),
    ("data-", "hidden"),
    ("source", "hidden"),
    ("step-", ""),
)


def detect(source: Input) -> str | None:
    """Messages with typed `parts`, or with `toolInvocations` beside their content."""
    for item in source.items:
        for message in map(fields, _messages(item)):
            if "role" not in message:
                continue
            if any(
                isinstance(fields(part).get("type"), str) for part in items(message.get("parts"))
            ):
                return "messages with `role` and typed `parts`"
            if "toolInvocations" in message or "experimental_attachments" in message:
                return "messages with `role` and `toolInvocations`"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation of all messages, or one per item that holds a list of them."""
    bare = Talk(source)
    for position, item, warnings in each(source):
        if isinstance(item, Skipped):
            yield item
        elif _is_holder(item):
            place = "" if source.shape == "object" else f"item {position}"
            yield _conversation(Talk(source, warnings), item, place)
        else:
            for warning in warnings:
                bare.notes.warn(warning)
            _say(bare, fields(item))
    if bare.messages or bare.notes.dropped:
        yield bare.close(NAME)


def _conversation(talk: Talk, item: Any, place: str) -> Item:
    for message in _messages(item):
        _say(talk, fields(message))
    extra = fields(item)
    return talk.close(
        NAME,
        id=extra.get("id") or extra.get("chatId"),
        title=extra.get("title"),
        place=place,
        created_at=extra.get("createdAt"),
        updated_at=extra.get("updatedAt"),
    )


def _is_holder(item: Any) -> bool:
    return isinstance(item, list) or isinstance(fields(item).get("messages"), list)


def _messages(item: Any) -> list[Any]:
    listed = item if isinstance(item, list) else fields(item).get("messages")
    return listed if isinstance(listed, list) else [item]


def _say(talk: Talk, message: dict[str, Any]) -> None:
    role = ROLES.get(string(message.get("role")))
    if role is None:
        talk.notes.drop("hidden" if message.get("role") == "data" else "unknown")
        return
    metadata = fields(message.get("metadata"))
    at = epoch_ms(message.get("createdAt")) or epoch_ms(metadata.get("createdAt"))
    talk.say(role, _content(message, talk.notes), id=identity(message.get("id")), at=at)


def _content(message: dict[str, Any], notes: Notes) -> str:
    parts = items(message.get("parts"))
    text = join_blocks(_part(fields(part), notes) for part in parts)
    if not any(_is_text(part) for part in parts):
        text = join_blocks((text_of(message.get("content"), notes), text))
    return join_blocks((text, *map(_file, items(message.get("experimental_attachments")))))


def _is_text(part: Any) -> bool:
    return fields(part).get("type") == "text" and bool(string(fields(part).get("text")).strip())


def _part(part: dict[str, Any], notes: Notes) -> str:
    kind = string(part.get("type"))
    if kind == "file":
        return _file(part)
    for beginning, reason in DROPPED:
        if kind.startswith(beginning):
            notes.drop(reason, 1 if reason else 0)
            return ""
    return text_of(part, notes)


def _file(part: Any) -> str:
    file = fields(part)
    kind = string(file.get("mediaType") or file.get("mimeType") or file.get("contentType"))
    name = file.get("filename") or file.get("name")
    return attachment("image" if kind.startswith("image/") else "file", name)


READER = Reader(name=NAME, title="Vercel AI SDK", detect=detect, read=read)
