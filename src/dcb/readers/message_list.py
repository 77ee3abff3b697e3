"""Plain message lists, as APIs take them and as scripts write them.

- an array of `{role, content, id?, at|createdAt|created_at|timestamp?}`, or JSON lines of it;
- an object `{id?, title?, system?, messages: […]}`, an array, JSON lines or a list under a
  key of such objects: one conversation each;
- an array or JSON lines of arrays of messages;
- an SQLite table `messages(role, content, …)`.

`content` is a text, null, missing, or parts of OpenAI's or Anthropic's kinds. Messages that
carry a `conversation_id` or `session_id` are told apart by it. Roles `developer` and
`system` are the system's, `human` and `ai` and the like count as user and assistant. Left
out: roles tool and function, tool calls and results, thinking. Nothing is merged, whatever
lies between two messages. A generic reader: asked when no other knows the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Reader
from dcb.readers.content import text_of
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import noted_ms

NAME = "message-list"

ROLES: Mapping[str, str] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
}
TOOL_ROLES = frozenset({"tool", "function", "ipython", "observation"})

TIMES = ("at", "createdAt", "created_at", "timestamp", "create_time")
UPDATES = ("updatedAt", "updated_at", "update_time")
IDS = ("id", "uuid", "message_id", "messageId")
GROUPS = ("conversation_id", "conversationId", "session_id", "sessionId", "thread_id")
TITLES = ("title", "name")
TABLE = "messages"


def detect(source: Input) -> str | None:
    """Messages with a known role, or objects with a list of them under `messages`."""
    if source.shape == "sqlite":
        known = {"role", "content"} <= source.tables.get(TABLE, frozenset())
        return "a table `messages` with `role` and `content`" if known else None
    if any(map(_is_message, source.items)):
        return "messages with `role` and `content`"
    if any(_messages(item) is not None for item in source.items):
        return "objects with a list of `messages`"
    return "a list of lists of messages" if _wrapper(source) else None


def read(source: Input) -> Iterator[Item]:
    """One conversation per object or inner list; messages side by side are one."""
    if source.shape == "sqlite":
        yield from _grouped(source, _table(source))
    elif any(map(_is_message, source.items)):
        yield from _grouped(source, each(source))
    else:
        for position, item, warnings in each(source, key=_wrapper(source)):
            yield _one(source, position, item, warnings)


def _one(source: Input, position: int, item: Any, warnings: Any) -> Item:
    if isinstance(item, Skipped):
        return item
    place = f"conversation {position}"
    messages = _messages(item)
    if messages is None:
        where = f"{source.file.where}, {place}"
        return Skipped(where=where, reason="It is no conversation: it has no list of messages")
    record = fields(item)
    talk = Talk(source, warnings)
    if record.get("system"):
        talk.say("system", text_of(record["system"], talk.notes))
    for message in messages:
        _say(talk, message)
    return talk.close(
        NAME,
        id=_first(record, (*IDS, *GROUPS)),
        title=_first(record, TITLES),
        place=place,
        created_at=noted_ms(_first(record, TIMES), talk.notes),
        updated_at=noted_ms(_first(record, UPDATES), talk.notes),
    )


def _grouped(source: Input, found: Iterator[tuple[int, Any, Any]]) -> Iterator[Item]:
    """Messages that stand side by side: one conversation, or one per id that they carry."""
    talks: dict[str | None, Talk] = {}
    for position, message, warnings in found:
        group = identity(_first(fields(message), GROUPS))
        talk = talks.setdefault(group, Talk(source))
        for warning in warnings:
            talk.notes.warn(warning)
        if isinstance(message, Skipped):
            place = f"Message {position}: " if position else ""
            talk.notes.warn(place + message.reason)
            talk.notes.drop("damaged")
        else:
            _say(talk, message)
    for group, talk in talks.items():
        yield talk.close(NAME, id=group, place=f"conversation {group}" if group else "")


def _say(talk: Talk, message: Any) -> None:
    record = fields(message)
    name = string(record.get("role")).lower()
    role = ROLES.get(name)
    if role is None:
        talk.notes.drop("tool" if name in TOOL_ROLES else "unknown")
        if name not in TOOL_ROLES:
            talk.notes.warn(f"A message with the unknown role {name[:40]!r} was left out")
        return
    text = text_of(record.get("content", record.get("text")), talk.notes)
    if not text and (record.get("tool_calls") or record.get("function_call")):
        talk.notes.drop("tool")
        return
    at = noted_ms(_first(record, TIMES), talk.notes)
    talk.say(role, text, id=identity(_first(record, IDS)), at=at)


def _is_message(item: Any) -> bool:
    role = string(fields(item).get("role")).lower()
    return (role in ROLES or role in TOOL_ROLES) and "messages" not in item


def _messages(item: Any) -> list[Any] | None:
    """The list of messages that a conversation is or holds."""
    found = item if isinstance(item, list) else fields(item).get("messages")
    if isinstance(found, list) and (not found or any(map(_is_message, found))):
        return found
    return None


def _wrapper(source: Input) -> str | None:
    """The key of an object under which a list of conversations stands."""
    if source.shape != "object" or not source.items or _messages(source.items[0]) is not None:
        return None
    found = fields(source.items[0]).items()
    return next(
        (key for key, value in found if any(_messages(item) for item in items(value))), None
    )


def _table(source: Input) -> Iterator[tuple[int, Any, Any]]:
    known = source.tables[TABLE]
    wanted = ("role", "content", *TIMES, *IDS, *GROUPS)
    columns = tuple(name for name in wanted if name in known)
    rows = source.database.rows(TABLE, columns, order=("rowid",)) if source.database else ()
    for position, row in enumerate(rows, 1):
        yield position, dict(zip(columns, row, strict=True)), ()


def _first(record: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


READER = Reader(name=NAME, title="List of messages", detect=detect, read=read, generic=True)
