"""Gemini `contents`: a history in the form of Google's API -> the talk.

Where: `checkpoint-<tag>.json` of Gemini CLI (`/chat save`) in `~/.gemini/tmp/<project>/`, as
`{history: [{role, parts}], authType}` or, older, the bare list; a request to the API,
`{contents: […], systemInstruction}`, as one object or as rows.

Read in order; there are no ids and no times. An API request's `systemInstruction` was written
by the person and comes first. Left out: thoughts, function calls and their responses, and the
pair of messages with which Gemini CLI opens a history.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Reader
from dcb.readers.gemini_parts import ACKNOWLEDGED, parts_text
from dcb.readers.jsontext import document, rows
from dcb.readers.loose import fields, items, string
from dcb.readers.talk import Talk, each

NAME = "gemini-contents"

ROLES = {"user": "user", "model": "assistant"}
LISTS = ("history", "contents")


def detect(source: Input) -> str | None:
    """Turns of `user` and `model` with `parts`, bare or under `history` or `contents`."""
    if _are_turns(list(source.items)):
        return "a list of `user` and `model` turns with `parts`"
    for item in map(fields, source.items):
        for key in LISTS:
            if _are_turns(items(item.get(key))):
                return f"`{key}` with turns of `role` and `parts`"
    head = source.head
    if source.keys & set(LISTS) and all(mark in head for mark in ('"role"', '"parts"', '"text"')):
        return "`history` or `contents` with `role` and `parts`"
    return None


def read(source: Input) -> Iterator[Item]:
    """The one history of a file, or one of each row."""
    if not _are_turns(list(source.items)):
        for number, item, warnings in each(source):
            if isinstance(item, Skipped):
                yield item
            else:
                place = f"item {number}" if source.shape != "object" else ""
                yield _conversation(Talk(source, warnings), item, place)
        return
    talk = Talk(source)
    if source.shape == "jsonl":
        turns = [row for _, row in rows(source.file, warn=talk.notes.warn)]
    else:
        turns = items(document(source.file, warn=talk.notes.warn))
    yield _conversation(talk, turns, "")


def _conversation(talk: Talk, whole: Any, place: str) -> Item:
    request = fields(whole)
    turns = whole if isinstance(whole, list) else _turns(request)
    order = request.get("systemInstruction", request.get("system_instruction"))
    told = parts_text(fields(order).get("parts", order), talk.notes) if order else ""
    if told:
        talk.say("system", told)
    context = False
    for turn in map(fields, turns):
        context = _say(talk, turn, context)
    return talk.close(NAME, place=place)


def _say(talk: Talk, turn: dict[str, Any], context: bool) -> bool:
    """Say one turn; whether it was context that the program put in."""
    name = string(turn.get("role")) or "user"  # the API's default
    role = ROLES.get(name)
    if role is None:
        tool = name in ("function", "tool")
        talk.notes.drop("tool" if tool else "unknown")
        if not tool:
            talk.notes.warn(f"Unknown role {name[:60]!r} skipped")
        return False
    text = parts_text(turn.get("parts"), talk.notes, person=role == "user")
    if context and text.startswith(ACKNOWLEDGED):
        talk.notes.drop("hidden")
        return False
    talk.say(role, text)
    return role == "user" and not text


def _turns(request: dict[str, Any]) -> list[Any]:
    return next((items(request[key]) for key in LISTS if items(request.get(key))), [])


def _are_turns(values: list[Any]) -> bool:
    """Turns of Gemini: `parts` whose items carry no `type`, which other lists of parts do."""
    for value in map(fields, values[:20]):
        parts = value.get("parts")
        if value.get("role") in ("user", "model") and isinstance(parts, list):
            return bool(parts) and not any("type" in fields(part) for part in parts)
    return False


READER = Reader(name=NAME, title="Gemini contents or checkpoint", detect=detect, read=read)
