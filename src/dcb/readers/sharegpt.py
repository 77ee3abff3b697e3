"""ShareGPT JSON, the form in which conversations for training are passed around.

Where: data sets; `[{id, conversations: [{from, value}], system?, tools?}]`, the same as JSON
lines, a bare list of such lists, or `{role, content}` in place of `{from, value}`.

Read in order: no alternation is guaranteed. The item's `system` comes first; ids may be
numbers, messages have none. Left out: `function_call`, `observation` and `tool` turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Reader
from dcb.readers.content import text_of
from dcb.readers.loose import fields, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import epoch_ms

NAME = "sharegpt"

ROLES = {
    "human": "user",
    "user": "user",
    "prompter": "user",
    "gpt": "assistant",
    "assistant": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "bard": "assistant",
    "bing": "assistant",
    "chatgpt": "assistant",
    "claude": "assistant",
    "system": "system",
    "developer": "system",
}
TOOLS = frozenset(
    {"tool", "tool_call", "tool_response", "function", "function_call", "function_response"}
    | {"observation", "ipython"}
)
LISTS = ("conversations", "conversation", "messages", "items")


def detect(source: Input) -> str | None:
    """Turns with `from` and `value`, or a list `conversations` of turns with a role."""
    for item in source.items:
        turns = _turns(item)
        if any("from" in fields(turn) and "value" in fields(turn) for turn in turns):
            return "turns with `from` and `value`"
        if _is_role_list(fields(item).get("conversations")):
            return "a list `conversations` of turns with `role`"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per item, or one in all where the file lists bare turns."""
    if _is_turn(next(iter(source.items), None)):
        collected: list[str] = []
        turns = []
        for _, turn, noted in each(source):
            collected.extend(noted)
            turns.append(turn)
        yield _conversation(source, turns, "", collected)
        return
    for position, item, warnings in each(source):
        if isinstance(item, Skipped):
            yield item
        else:
            yield _conversation(source, item, f"item {position}", warnings)


def _conversation(source: Input, item: Any, place: str, warnings: Sequence[str]) -> Item:
    talk = Talk(source, warnings)
    extra = fields(item)
    if string(extra.get("system")).strip():
        talk.say("system", extra["system"])
    for turn in _turns(item):
        _say(talk, fields(turn))
    return talk.close(
        NAME,
        id=extra.get("id"),
        title=extra.get("title"),
        place=place,
        created_at=extra.get("create_time", extra.get("created_at")),
        updated_at=extra.get("update_time", extra.get("updated_at")),
    )


def _say(talk: Talk, turn: dict[str, Any]) -> None:
    speaker = string(turn.get("from")) or string(turn.get("role"))
    role = ROLES.get(speaker.casefold())
    if role:
        content = turn["value"] if turn.get("value") is not None else turn.get("content")
        at = epoch_ms(turn.get("timestamp", turn.get("created_at")))
        talk.say(role, text_of(content, talk.notes), at=at)
    elif speaker.casefold() in TOOLS:
        talk.notes.drop("tool")
    else:
        talk.notes.warn(f"Unknown speaker {speaker[:60]!r} skipped")
        talk.notes.drop("unknown")


def _turns(item: Any) -> list[Any]:
    if isinstance(item, list):
        return item
    for name in LISTS:
        if items(fields(item).get(name)):
            return items(item[name])
    return [item] if _is_turn(item) else []


def _is_turn(item: Any) -> bool:
    return "from" in fields(item) and "value" in fields(item)


def _is_role_list(value: Any) -> bool:
    return any("role" in fields(turn) and "content" in fields(turn) for turn in items(value))


READER = Reader(name=NAME, title="ShareGPT", detect=detect, read=read)
