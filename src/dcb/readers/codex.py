"""Codex CLI rollouts -> the talk, without what the agent did in between.

Where: `$CODEX_HOME` or `~/.codex` (Windows `%USERPROFILE%\\.codex`),
`sessions/YYYY/MM/DD/rollout-<local time>-<uuid>.jsonl`, `archived_sessions/`; `.jsonl.zst`
once it is a week old. Titles given by hand are in `session_index.jsonl`.

Eras, of which one file may hold several, since a resumed session goes on in the era of the day:
a. flat (2025): `{id,timestamp,instructions,git}`, then `{type:message,role,content}`, no times;
   before that the same as one object, `{session: {…}, items: […]}`;
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
from collections.abc import Iterator
from typing import Any

from dcb.errors import EmptySource
from dcb.readers.base import File, Input, Item, Notes, Reader
from dcb.readers.codex_rows import FLAT_KEYS, replay
from dcb.readers.jsontext import document, rows
from dcb.readers.loose import fields, items, string
from dcb.readers.talk import Talk

NAME = "codex"
NAME_ID = re.compile(r"rollout-.*?([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")

ROLLOUT_TYPES = frozenset({"session_meta", "response_item", "event_msg"})
INDEXES = ("../../../../session_index.jsonl", "../session_index.jsonl")
WHOLE_KEYS = frozenset({"session", "items"})
EXEC_TYPES = frozenset({"thread.started", "turn.started", "turn.completed", "item.completed"})
EXEC_HELP = (
    "{where}: this is the output of `codex exec --json`, which holds no prompts; read the "
    "session's own file, rollout-*.jsonl under ~/.codex/sessions (or $CODEX_HOME/sessions)"
)


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
    session = replay(_records(source, talk.notes), talk.notes)
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


READER = Reader(
    name=NAME,
    title="Codex CLI rollout",
    detect=detect,
    read=read,
    companions=("session_index.jsonl", "history.jsonl"),
)
