"""Codex CLI rollouts -> the talk, without what the agent did in between.

Where: `$CODEX_HOME` or `~/.codex` (Windows `%USERPROFILE%\\.codex`),
`sessions/YYYY/MM/DD/rollout-<local time>-<uuid>.jsonl`, `archived_sessions/`; `.jsonl.zst`
once it is a week old. Titles given by hand are in `session_index.jsonl`.

Eras, of which one file may hold several, since a resumed session goes on in the era of the day:
-  `rollout-*.json` (early 2025): `{session: {id, timestamp, instructions}, items: […]}`;
a. flat (2025): `{id,timestamp,instructions,git}`, then `{type:message,role,content}`, no times;
b. envelope `{timestamp,type,payload}`: each message twice, as `response_item` and as
   `event_msg` `user_message`/`agent_message`;
c. paginated: `event_msg` `item_completed` with `UserMessage`/`AgentMessage`;
d. `response_item` alone.

Read: all encodings in file order. The same speaker and text in another encoding within a few
rows, with nothing of the other speaker between, is one message; in the same encoding it was
typed twice. `thread_rolled_back` takes the last turns back. The first `session_meta` names the
session: a fork copies its parent's behind it.
Left out: developer and system rows, injected user rows, reasoning, tools, compaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dcb.errors import EmptySource
from dcb.readers.base import File, Input, Item, Notes, Reader
from dcb.readers.codex_turns import Encoding, Sighting, Turns
from dcb.readers.codex_words import content_of
from dcb.readers.content import join_blocks
from dcb.readers.jsontext import document, rows
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk
from dcb.readers.times import epoch_ms

NAME = "codex"
MOST_UNKNOWN = 20  # row types warned of in one file

SPEAKERS = {
    "user": "user",
    "assistant": "assistant",
    "user_message": "user",
    "agent_message": "assistant",
    "UserMessage": "user",
    "AgentMessage": "assistant",
}

NAME_ID = re.compile(r"rollout-.*?([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")

ROLLOUT_TYPES = frozenset({"session_meta", "response_item", "event_msg"})
SILENT_TYPES = frozenset({"turn_context", "world_state", "inter_agent_communication", "state"})
INDEXES = ("../../../../session_index.jsonl", "../session_index.jsonl")
WHOLE_KEYS = frozenset({"session", "items"})
FLAT_KEYS = frozenset({"id", "timestamp", "instructions"})
EXEC_TYPES = frozenset({"thread.started", "turn.started", "turn.completed", "item.completed"})
EXEC_HELP = (
    "{where}: this is the output of `codex exec --json`, which holds no prompts; read the "
    "session's own file, rollout-*.jsonl under ~/.codex/sessions (or $CODEX_HOME/sessions)"
)


class _Place(NamedTuple):
    """Where a message stands: its line, and its time as written (read only where it counts)."""

    line: int
    time: Any


@dataclass(slots=True, kw_only=True)
class _Session:
    """What the rows up to here amount to."""

    notes: Notes
    turns: Turns
    id: str = ""
    started: int | None = None
    unknown: set[str] = field(default_factory=set)


def detect(source: Input) -> str | None:
    """Row types of a rollout or of `codex exec --json`, or an early rollout's first row."""
    if source.shape not in ("jsonl", "object"):
        return None
    kinds = {string(row.get("type")) for row in source.items if isinstance(row, dict)}
    if kinds & ROLLOUT_TYPES:
        return f"rows of a Codex rollout ({', '.join(sorted(kinds & ROLLOUT_TYPES))})"
    if "thread.started" in kinds or len(kinds & EXEC_TYPES) > 1:
        return "events of `codex exec --json`"
    if source.keys >= WHOLE_KEYS and source.shape == "object":
        return "an early Codex rollout (`session` and `items`)"
    if any(row.keys() >= FLAT_KEYS for row in source.items if isinstance(row, dict)):
        return "the first row of an early Codex rollout (id, timestamp, instructions)"
    return None


def read(source: Input) -> Iterator[Item]:
    """The one session of a rollout. Raises EmptySource for the output of `codex exec`."""
    kinds = {string(row.get("type")) for row in source.items if isinstance(row, dict)}
    if kinds & EXEC_TYPES and not kinds & ROLLOUT_TYPES:
        raise EmptySource(EXEC_HELP.format(where=source.file.where))
    talk = Talk(source)
    session = _replay(_records(source, talk.notes), talk.notes)
    for said in session.turns.said:
        talk.say(said.first.role, said.content, id=said.id, at=said.first.at)
    times = [message.created_at for message in talk.messages if message.created_at]
    named = NAME_ID.search(source.file.name)
    name = session.id or (named[1] if named else "")
    yield talk.close(
        NAME,
        id=name,
        title=_renamed(source.file, name) or talk.first_prompt(),
        created_at=times[0] if times else session.started,
        updated_at=times[-1] if times else None,
    )


def _records(source: Input, notes: Notes) -> Iterator[tuple[int, Any]]:
    if not (source.keys >= WHOLE_KEYS and source.shape == "object"):
        return rows(source.file, warn=notes.warn)
    whole = fields(document(source.file, warn=notes.warn))
    return iter(enumerate([fields(whole.get("session")), *items(whole.get("items"))]))


def _renamed(file: File, name: str) -> str:
    """The title that the person gave the session; the index is appended to, the last one counts."""
    title = ""
    for place in INDEXES:
        index = file.sibling(place)
        for _, row in rows(index) if index is not None else ():
            if name and fields(row).get("id") == name:
                title = string(row.get("thread_name")).strip() or title
    return title


def _replay(records: Iterable[tuple[int, Any]], notes: Notes) -> _Session:
    session = _Session(notes=notes, turns=Turns(notes))
    for number, row in records:
        if not isinstance(row, dict):
            _strange(session, "row that is no record", number)
            continue
        kind = row.get("type")
        place = _Place(number, row.get("timestamp"))
        payload = fields(row.get("payload"))
        if kind == "session_meta":
            _name(session, payload, place)
        elif kind == "response_item":
            _response(session, payload, place)
        elif kind == "event_msg":
            _event(session, payload, place)
        elif kind == "compacted":
            notes.drop("hidden")
        elif kind is None and FLAT_KEYS & row.keys():
            _name(session, row, place)
        else:
            _flat(session, row, place)
    return session


def _name(session: _Session, meta: dict[str, Any], place: _Place) -> None:
    if session.id:
        return
    session.id = identity(meta.get("id")) or ""
    session.started = epoch_ms(meta.get("timestamp")) or epoch_ms(place.time)
    if "subagent" in fields(meta.get("source")):
        session.notes.warn("This is a subagent's session: its prompts were written by an agent")


def _flat(session: _Session, row: dict[str, Any], place: _Place) -> None:
    """A row of the first era, which is a bare response item; or a row type not known yet."""
    kind = string(row.get("type"))
    if kind in ("message", "reasoning") or kind.endswith(("_call", "_call_output")):
        _response(session, row, place)
    elif kind and kind not in SILENT_TYPES and "record_type" not in row:
        _strange(session, f"row of type {kind[:60]!r}", place.line)


def _response(session: _Session, item: dict[str, Any], place: _Place) -> None:
    kind = item.get("type")
    if kind == "message":
        role = item.get("role")
        if role in ("user", "assistant"):
            _say(session, role, item, "response", place)
        else:
            session.notes.drop("system")
    else:
        session.notes.drop("thinking" if kind == "reasoning" else "tool")


def _event(session: _Session, event: dict[str, Any], place: _Place) -> None:
    kind = event.get("type")
    if kind in ("user_message", "agent_message"):
        _say(session, SPEAKERS[kind], event, "event", place)
    elif kind == "item_completed":
        _item(session, fields(event.get("item")), place)
    elif kind == "thread_rolled_back":
        session.turns.roll_back(event.get("num_turns"), place.line)


def _item(session: _Session, item: dict[str, Any], place: _Place) -> None:
    kind = string(item.get("type"))
    if kind in ("UserMessage", "AgentMessage"):
        _say(session, SPEAKERS[kind], item, "item", place)
    elif kind == "Plan" and string(item.get("text")).strip():
        # A plan stands in the answer too, where the answer was recorded whole.
        said = session.turns.said
        if not (said and item["text"].strip() in said[-1].content):
            _say(session, "assistant", {**item, "message": item["text"]}, "item", place)
    else:
        session.notes.drop("thinking" if kind == "Reasoning" else "tool")


def _say(
    session: _Session, role: str, item: dict[str, Any], encoding: Encoding, place: _Place
) -> None:
    words, marks = content_of(
        item, person=role == "user", unknown=lambda what: _strange(session, what, place.line)
    )
    content = join_blocks([*words, *marks])
    if not content:
        session.notes.drop("hidden" if role == "user" else "empty")
        return
    session.turns.see(
        Sighting(
            role=role,
            words=join_blocks(words),
            content=content,
            encoding=encoding,
            row=place.line,
            id=identity(item.get("id")),
            at=epoch_ms(place.time),
        )
    )


def _strange(session: _Session, what: str, line: int) -> None:
    session.notes.drop("unknown")
    if what not in session.unknown and len(session.unknown) < MOST_UNKNOWN:
        session.unknown.add(what)
        session.notes.warn(f"Unknown {what} skipped, first on line {line}")


READER = Reader(
    name=NAME,
    title="Codex CLI rollout",
    detect=detect,
    read=read,
    companions=("session_index.jsonl", "history.jsonl"),
)
