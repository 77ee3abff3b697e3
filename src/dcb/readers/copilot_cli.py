"""GitHub Copilot CLI sessions -> the talk.

Where: `~/.copilot/session-state/<id>/events.jsonl` (older: `session-state/<id>.jsonl`):
`{type, data, id, timestamp, parentId}`. `user.message` has what was typed in `data.content`
and what was sent in `transformedContent`; `assistant.message` has `data.content`, empty where
it only calls tools.

Read: a row names the one before it. Where all those parents are there, rows that the last one
does not lead back to, with a prompt among them, were rewound; in any doubt the file's order
counts and nothing is taken back.
Left out: notices, hooks, tools, prompts that skills put in, what subagents say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.chain import live_path
from dcb.readers.content import attachment, join_blocks, string_in
from dcb.readers.jsontext import rows
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk
from dcb.readers.times import epoch_ms, noted_ms

NAME = "copilot-cli"

ROLES = {"user.message": "user", "assistant.message": "assistant"}
KINDS = frozenset({"session.start", "session.resume", "assistant.turn_start"} | ROLES.keys())

Event = dict[str, Any]


def detect(source: Input) -> str | None:
    """Rows of `session.start`, `user.message` and the like, with `data`."""
    if source.shape not in ("jsonl", "object"):
        return None
    kinds = {string(row.get("type")) for row in map(fields, source.items) if "data" in row}
    return f"session events ({', '.join(sorted(kinds & KINDS))})" if kinds & KINDS else None


def read(source: Input) -> Iterator[Item]:
    """The one session of a file."""
    talk = Talk(source)
    start, title, events = _collected(source, talk)
    live = _live(events, talk.notes)
    for event in events:
        if identity(event.get("id")) in live or not live:
            _tell(talk, event)
    times = [message.created_at for message in talk.messages if message.created_at]
    yield talk.close(
        NAME,
        id=start.get("sessionId"),
        title=title,
        created_at=epoch_ms(start.get("startTime")) or next(iter(times), None),
        updated_at=times[-1] if times else None,
    )


def _collected(source: Input, talk: Talk) -> tuple[Event, str, list[Event]]:
    """The data of the start, the last title, and every event."""
    start: Event = {}
    title = ""
    events = []
    for _, row in rows(source.file, warn=talk.notes.warn):
        event = fields(row)
        talk.notes.drop("damaged", int(not event))
        kind = event.get("type")
        if kind == "session.start" and not start:
            start = fields(event.get("data"))
        elif kind == "session.title_changed":
            title = string_in(event.get("data"), "title") or title
        events.append(_slim(event))
    return start, title, events


def _slim(event: Event) -> Event:
    """The event, without the data where nobody speaks: tool results are large."""
    if event.get("type") in ("user.message", "assistant.message"):
        return event
    return {key: event.get(key) for key in ("type", "id", "parentId")}


def _live(events: list[Event], notes: Notes) -> set[str]:
    """The ids that were not rewound, or nothing where that cannot be told."""
    parents = {identity(event.get("id")) or "": identity(event.get("parentId")) for event in events}
    tops = [name for name, parent in parents.items() if parent not in parents]
    whole = "" not in parents and len(parents) == len(events)
    if not whole or len(tops) != 1 or parents[tops[0]] is not None:
        return set()
    doubts = Notes()
    path = set(live_path(parents, next(reversed(parents)), doubts))
    dead = [event for event in events if identity(event.get("id")) not in path]
    rewound = any(event.get("type") == "user.message" for event in dead)
    if doubts.warnings or not rewound:
        return set()
    notes.drop("withdrawn", sum(event.get("type") in tuple(ROLES) for event in dead))
    return path


def _tell(talk: Talk, event: Event) -> None:
    kind = string(event.get("type"))
    data = fields(event.get("data"))
    if kind not in ROLES:
        talk.notes.drop("tool", int(kind.startswith("tool.execution_complete")))
    elif kind == "user.message" and string(data.get("source")) not in ("", "user"):
        talk.notes.drop("hidden")
    elif string(data.get("parentToolCallId")):
        talk.notes.drop("sidechain")
    else:
        text = join_blocks((string(data.get("content")), *_attached(data)))
        at = noted_ms(event.get("timestamp"), talk.notes)
        talk.say(ROLES[kind], text, id=identity(event.get("id")), at=at)


def _attached(data: Event) -> Iterator[str]:
    for item in map(fields, items(data.get("attachments"))):
        name = string_in(item, "displayName") or string_in(item, "path").rpartition("/")[2]
        image = string(item.get("mimeType")).startswith("image/")
        yield attachment("image" if image else "file", name)


READER = Reader(name=NAME, title="GitHub Copilot CLI session", detect=detect, read=read)
