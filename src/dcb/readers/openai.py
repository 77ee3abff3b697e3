"""OpenAI API objects beyond plain message lists: Responses, batches and fine-tuning files.

- Responses: `{object: "response", instructions, input: string|items, output: [items]}`, one,
  a list of them, or JSON lines; a request without its output is read as far as it goes;
- chat completions: `{object: "chat.completion", choices: [{message}]}`;
- batch files: `{custom_id, body: {messages}}` and `{custom_id, response: {body}}`;
- preference fine-tuning: `{input: {messages}, preferred_output, non_preferred_output}`: the
  preferred answer is read;
- the first fine-tuning files: `{prompt, completion}`.

Read in order. `instructions` and `developer` items are the system's. `created_at` belongs to
the output. Left out: reasoning, tool calls and their results, answers not preferred.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Reader
from dcb.readers.content import DROPPED_TYPES, text_of
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import epoch_ms

NAME = "openai"

ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
SIGNS: tuple[tuple[str, frozenset[str]], ...] = (
    ("a list of preferred answers", frozenset({"input", "preferred_output"})),
    ("prompt and completion", frozenset({"prompt", "completion"})),
    ("a batch request", frozenset({"custom_id", "body"})),
    ("a batch answer", frozenset({"custom_id", "response"})),
    ("Responses input and output", frozenset({"input", "output", "model"})),
    ("Responses input", frozenset({"input", "instructions"})),
)
OBJECTS = {"response": "a Responses object", "chat.completion": "a chat completion"}


def detect(source: Input) -> str | None:
    """`object: response|chat.completion`, or one of the key sets of `SIGNS`."""
    for item in source.items:
        record = fields(item)
        kind = OBJECTS.get(string(record.get("object")))
        if kind:
            return kind
        for name, keys in SIGNS:
            if keys <= record.keys():
                return name
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per object."""
    for position, item, warnings in each(source):
        if isinstance(item, Skipped):
            yield item
            continue
        record = fields(item)
        talk = Talk(source, warnings)
        _record(talk, record)
        body = _body(record)
        yield talk.close(
            NAME,
            id=record.get("custom_id") or body.get("id") or record.get("id"),
            place="" if source.shape == "object" else f"item {position}",
            created_at=body.get("created_at") or body.get("created"),
        )


def _body(record: dict[str, Any]) -> dict[str, Any]:
    """The request or answer inside a batch line; any other record is its own."""
    answer = fields(fields(record.get("response")).get("body"))
    return fields(record.get("body")) or answer or record


def _record(talk: Talk, record: dict[str, Any]) -> None:
    body = _body(record)
    at = epoch_ms(body.get("created_at")) or epoch_ms(body.get("created"))
    if string(body.get("prompt")) and "completion" in body:
        talk.say("user", body["prompt"])
        talk.say("assistant", text_of(body["completion"], talk.notes))
    _say_all(talk, "system", body.get("instructions"))
    _say_all(talk, "user", body.get("messages"))
    given = body.get("input")
    _say_all(talk, "user", fields(given).get("messages", given))
    _say_all(talk, "assistant", body.get("preferred_output"))
    talk.notes.drop("branch", len(items(body.get("non_preferred_output"))))
    _say_all(talk, "assistant", body.get("output"), at=at)
    _choices(talk, items(body.get("choices")), at)


def _choices(talk: Talk, choices: list[Any], at: int | None) -> None:
    """The first of several answers to one request; the others were never gone on from."""
    for choice in choices[:1]:
        _say(talk, "assistant", fields(fields(choice).get("message")), at)
    talk.notes.drop("branch", max(0, len(choices) - 1))


def _say_all(talk: Talk, role: str, value: Any, *, at: int | None = None) -> None:
    """A bare string is said by `role`; so are items that name no role of their own."""
    if isinstance(value, str):
        talk.say(role, value, at=at)
    for item in items(value):
        if isinstance(item, str):
            talk.say(role, item, at=at)
        else:
            _say(talk, role, fields(item), at)


def _say(talk: Talk, role: str, item: dict[str, Any], at: int | None) -> None:
    kind = item.get("type", "message")
    if kind != "message":
        _other(talk, role, item, string(kind), at)
        return
    speaker = ROLES.get(string(item.get("role")) or role)
    if speaker is None:
        talk.notes.drop("tool" if item.get("role") in ("tool", "function") else "unknown")
        return
    talk.say(speaker, text_of(item.get("content"), talk.notes), id=identity(item.get("id")), at=at)


def _other(talk: Talk, role: str, item: dict[str, Any], kind: str, at: int | None) -> None:
    """An input may be a bare list of parts; everything else that is no message is left out."""
    if kind in ("input_text", "input_image", "input_file", "text", "image_url"):
        talk.say(role, text_of(item, talk.notes), at=at)
    else:
        talk.notes.drop(DROPPED_TYPES.get(kind, "tool"))


READER = Reader(name=NAME, title="OpenAI API", detect=detect, read=read)
