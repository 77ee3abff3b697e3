"""LangChain messages, in the four ways in which its library writes them.

- `messages_to_dict`: `{type: human|ai|system|tool|function|chat|AIMessageChunk, data: {…}}`;
- `model_dump`: `{type, content, id}`;
- `dumps` and LangSmith: `{"lc": 1, "type": "constructor", "id": […, "HumanMessage"], "kwargs"}`;
- any of these in an object (`messages`, a prompt value's `kwargs.messages`), as a list of
  lists (each a conversation), or as JSON lines (one message or one conversation per row).

Read in order. `chat` messages carry their `role`. `content` is a string, or a list of strings
and blocks. Left out: tool and function messages, messages that ask for tools only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Reader
from dcb.readers.content import text_of
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each

NAME = "langchain"

ROLES = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}
TOOLS = frozenset({"tool", "function", "remove"})


def detect(source: Input) -> str | None:
    """Constructors named `…Message`, or `type: human|ai` with `data` or `content`."""
    for item in source.items:
        for message in map(fields, _messages(item)):
            if message.get("lc") == 1:
                return "LangChain constructors (`lc: 1`)"
            if _is_message(message) and _speaker(message) in ("human", "ai"):
                return "messages of type `human` and `ai`"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation of all messages, or one per item that holds a list of them."""
    bare = Talk(source)
    for position, item, warnings in each(source):
        if isinstance(item, Skipped):
            yield item
        elif _is_message(item) or not isinstance(item, (dict, list)):
            for warning in warnings:
                bare.notes.warn(warning)
            _say(bare, fields(item))
        elif source.shape == "object":
            yield _conversation(Talk(source, warnings), item, "")
        else:
            yield _conversation(Talk(source, warnings), item, f"item {position}")
    if bare.messages or bare.notes.dropped:
        yield bare.close(NAME)


def _conversation(talk: Talk, item: Any, place: str) -> Item:
    for message in _messages(item):
        _say(talk, fields(message))
    extra = fields(item)
    return talk.close(
        NAME,
        id=extra.get("session_id") or extra.get("id"),
        title=extra.get("title") or extra.get("name"),
        place=place,
    )


def _messages(item: Any) -> list[Any]:
    """The messages in a list, in an object or in a prompt value; a message is its own list."""
    if _is_message(item):
        return [item]
    holder = fields(item)
    found = item if isinstance(item, list) else holder.get("messages")
    if found is None:
        found = fields(holder.get("kwargs")).get("messages")
    flat: list[Any] = []
    for message in items(found):
        flat.extend(message if isinstance(message, list) else [message])
    return flat


def _is_message(item: Any) -> bool:
    message = fields(item)
    if message.get("lc") == 1:
        return _class_name(message).endswith(("Message", "MessageChunk"))
    return isinstance(message.get("type"), str) and ("data" in message or "content" in message)


def _say(talk: Talk, message: dict[str, Any]) -> None:
    body = fields(message.get("kwargs")) or fields(message.get("data")) or message
    speaker = _speaker(message)
    if speaker == "chat":
        speaker = string(body.get("role")).casefold()
    role = ROLES.get(speaker)
    if role:
        talk.say(role, text_of(body.get("content"), talk.notes), id=identity(body.get("id")))
    elif speaker in TOOLS:
        talk.notes.drop("tool")
    else:
        talk.notes.warn(f"Unknown message type {speaker[:60]!r} skipped")
        talk.notes.drop("unknown")


def _speaker(message: dict[str, Any]) -> str:
    """`human`, `ai`, …: `AIMessageChunk` and `AIMessage` say what `ai` says."""
    name = _class_name(message) if message.get("lc") == 1 else string(message.get("type"))
    return name.removesuffix("Chunk").removesuffix("Message").casefold()


def _class_name(message: dict[str, Any]) -> str:
    path = items(message.get("id"))
    return string(path[-1]) if path else ""


READER = Reader(name=NAME, title="LangChain", detect=detect, read=read)
