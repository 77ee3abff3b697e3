"""DeepSeek Harness (DSH) sessions -> the talk.

Where: `$DSH_HOME` or `~/.dsh`, `sessions/<project>/session-<uuid>/session.jsonl`, later
`session.v3.jsonl`, `.v4` and on, mostly with `.zstd` behind it (many small frames, of which
the last may be cut in a running session). After an upgrade several generations lie side by
side; the highest number holds everything.

Row 1 is `{type: session, version, id, createdAt, cwd, delegationDepth}`, then events `{type,
seq, time, data}`: `user/message` with `data {id, content, source {kind}}`,
`assistant/message` with `data.message {id, content}`, `session/title`, and
`agent/inbox/spliced` with `data {target, start, removedCount, inserted}`: prompts waiting
their turn, which mostly, not always, come again as `user/message`.

Read in file order; a prompt that stands in the inbox only comes where it left the inbox, or
at the end. One that was edited while it waited is read as edited.
Left out: reasoning, tools, system text, and user messages that no person wrote
(`source.kind` other than `user`). Compaction hides messages from the model only: they stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.content import attachment, join_blocks, string_in
from dcb.readers.jsontext import rows
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, base_name
from dcb.readers.times import noted_ms

NAME = "dsh"
GENERATION = re.compile(r"session(?:\.v(\d{1,6}))?\.jsonl")

Event = dict[str, Any]
LEFT_OUT = {"reasoning": "thinking", "tool-call": "tool", "tool-result": "tool"}
SPOKEN = ("user/message", "assistant/message", "agent/inbox/spliced")
KINDS = frozenset({*SPOKEN, "turn/start"})


def detect(source: Input) -> str | None:
    """A first row of type `session` with `createdAt`, or events like `user/message`."""
    if source.shape not in ("jsonl", "object"):
        return None
    for row in map(fields, source.items):
        if row.get("type") == "session" and {"createdAt", "version"} <= row.keys():
            return "a first row of type `session` with `createdAt`"
        if string(row.get("type")) in KINDS and {"seq", "data"} <= row.keys():
            return f"events of a session (`{row['type']}`)"
    return None


def read(source: Input) -> Iterator[Item]:
    """The one session of a file, unless a later generation of it lies beside the file."""
    newer = _newer(source)
    if newer:
        reason = f"{newer} beside it holds the same session and more"
        yield Skipped(where=source.file.where, reason=reason)
        return
    talk = Talk(source)
    head, title, events = _collected(source, talk)
    depth = head.get("delegationDepth")
    if isinstance(depth, int) and depth > 0:
        talk.notes.warn("This is a subagent's session: its prompts were written by an agent")
    _Inbox(talk, events).tell()
    times = [message.created_at for message in talk.messages if message.created_at]
    yield talk.close(
        NAME,
        id=head.get("id"),
        title=title or talk.first_prompt(),
        created_at=head.get("createdAt"),
        updated_at=times[-1] if times else None,
    )


def _collected(source: Input, talk: Talk) -> tuple[Event, str, list[Event]]:
    """The head, the last title, and the events in which somebody speaks."""
    head: Event = {}
    title = ""
    events = []
    for _, row in rows(source.file, warn=talk.notes.warn):
        event = fields(row)
        kind = event.get("type")
        if kind == "session" and not head:
            head = event
        elif kind == "session/title":
            title = string_in(event.get("data"), "title") or title
        elif kind in SPOKEN:
            events.append(event)
        elif not event:
            talk.notes.drop("damaged")
        else:
            talk.notes.drop("tool", int(kind == "tool/result"))
    return head, title, events


def _newer(source: Input) -> str:
    """The name of a later generation in the same folder, or ""."""
    own = GENERATION.match(base_name(source.file))
    if own is None:
        return ""
    found = filter(None, map(GENERATION.match, source.file.listing("")))
    best = max(found, key=_generation, default=own)
    return best.string if _generation(best) > _generation(own) else ""


def _generation(name: re.Match[str]) -> int:
    return int(name[1] or 0)


class _Inbox:
    """The events of a session, with the prompts that wait in its queues."""

    def __init__(self, talk: Talk, events: list[Event]) -> None:
        self.talk = talk
        self.events = events
        self.queues: dict[str, list[Event]] = {}
        # Messages that have an event of their own are said there, not where they waited.
        own = (event for event in events if event["type"] == "user/message")
        self.said = {identity(fields(event.get("data")).get("id")) for event in own} - {None}

    def tell(self) -> None:
        for event in self.events:
            data = fields(event.get("data"))
            at = noted_ms(event.get("time"), self.talk.notes)
            if event["type"] == "user/message":
                self._prompt(data, at)
            elif event["type"] == "assistant/message":
                message = fields(data.get("message"))
                text = _text(message, self.talk.notes)
                self.talk.say("assistant", text, id=identity(message.get("id")), at=at)
            else:
                self._splice(data, at)
        for waiting in self.queues.values():
            self._leave(waiting)

    def _splice(self, data: Event, at: int | None) -> None:
        queue = self.queues.setdefault(string(data.get("target")), [])
        start = _whole(data.get("start"), len(queue))
        end = start + _whole(data.get("removedCount"), len(queue) - start)
        inserted = [{**fields(each), "time": at} for each in items(data.get("inserted"))]
        removed = queue[start:end]
        queue[start:end] = inserted
        if inserted and removed:
            self.talk.notes.drop("withdrawn", len(removed))
        else:
            self._leave(removed)

    def _leave(self, messages: list[Event]) -> None:
        for message in messages:
            name = identity(message.get("id"))
            if message.get("role") == "user" and name is not None and name not in self.said:
                self.said.add(name)
                self._prompt(message, message.get("time"))

    def _prompt(self, message: Event, at: int | None) -> None:
        kind = fields(message.get("source")).get("kind")
        if kind not in (None, "user"):
            self.talk.notes.drop("hidden")
            return
        text = _text(message, self.talk.notes)
        self.talk.say("user", text, id=identity(message.get("id")), at=at)


def _whole(value: Any, most: int) -> int:
    return max(0, min(value, most)) if isinstance(value, int) else 0


def _text(message: Event, notes: Notes) -> str:
    return join_blocks(_block(fields(block), notes) for block in items(message.get("content")))


def _block(block: Event, notes: Notes) -> str:
    kind = string(block.get("type"))
    if kind == "text":
        return string(block.get("text"))
    if kind in ("image", "file"):
        name = fields(block.get("attachment")).get("name")
        return attachment("image" if kind == "image" else "file", name)
    if kind in LEFT_OUT:
        notes.drop(LEFT_OUT[kind])
    else:
        notes.warn(f"Unknown content block {kind[:60]!r} skipped")
        notes.drop("unknown")
    return ""


READER = Reader(name=NAME, title="DeepSeek Harness session", detect=detect, read=read)
