"""Claude Code: `~/.claude/projects/<slug>/<session>.jsonl`, or below `CLAUDE_CONFIG_DIR`.

Rows have a `type` (user, assistant, system, attachment, progress, summary, custom-title,
queue-operation …), `uuid`, `parentUuid`, `sessionId`, `timestamp`, `isSidechain`, `isMeta`
and others; early ones have no `uuid`. `message.content` is a text or blocks (text, thinking,
tool_use, tool_result, image); rarely the message is an object of numbered characters.

The first row of a `uuid` wins: resuming and branching repeat rows. Sidechain rows are a
subagent's talk; a file of nothing else is passed over. Links run through rows of every type;
a compaction boundary is linked by `logicalParentUuid`. With one root and every parent in
place, the way up from the last user or assistant row is what remained after rewinds; side
branches without a prompt of their own (parallel tool calls) stay. In any doubt all rows are
kept in file order. Rows with one `message.id` are one answer.

A prompt typed while the agent worked is a later user row, else a `queued_command`, else an
`enqueue`; it counts once. Left out: injected, local-command and tool-result rows, reminders
inside prompts, compaction summaries, error and synthetic answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dcb.model import Node, Skipped
from dcb.readers import chain
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.claude_prompts import said
from dcb.readers.claude_rows import Row, answers, live, once
from dcb.readers.content import string_in
from dcb.readers.jsontext import rows
from dcb.readers.loose import fields, identity, string
from dcb.readers.talk import Talk, stem
from dcb.readers.times import epoch_ms

NAME = "claude-code"

TITLES: tuple[tuple[str, str], ...] = (
    ("custom-title", "customTitle"),
    ("ai-title", "aiTitle"),
    ("summary", "summary"),
)
"""(row type, field) of titles, the strongest first."""

TURNS = frozenset({"user", "assistant"})
OWN_TYPES = frozenset({"file-history-snapshot", "queue-operation", "last-prompt", "custom-title"})
"""Row types that no other tool writes; a session may begin with some of them."""

_IDS = frozenset({"sessionId", "uuid", "parentUuid"})
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)


def detect(source: Input) -> str | None:
    """Rows of type user or assistant with a `message` and a `sessionId` or `uuid`."""
    if source.shape not in ("jsonl", "object"):
        return None
    found = [fields(item) for item in source.items]
    if any(
        string(row.get("type")) in TURNS and "message" in row and _IDS & row.keys() for row in found
    ):
        return "rows of type user and assistant with `message` and `sessionId`"
    if any(string(row.get("type")) in OWN_TYPES and _IDS & row.keys() for row in found):
        return "rows of Claude Code's own types"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per file; a subagent's file is passed over."""
    talk = Talk(source)
    session = _Session(talk.notes)
    for number, row in rows(source.file, warn=talk.notes.warn):
        session.take(number, fields(row))
    if session.sidechain and not any(row.turn for row in session.rows):
        yield Skipped(where=source.file.where, reason="A subagent's session, not the person's")
        return
    remaining = live(session.rows, talk.notes)
    for row in answers(once(remaining, talk.notes)):
        role = "assistant" if row.kind == "assistant" else "user"
        talk.say(role, "\n\n".join(row.blocks), id=row.uuid, at=row.at)
    times = [message.created_at for message in talk.messages if message.created_at]
    name = stem(source.file)
    yield talk.close(
        NAME,
        id=name if _UUID.match(name) else session.id,
        title=session.title() or talk.first_prompt(),
        created_at=times[0] if times else None,
        updated_at=times[-1] if times else None,
        tree=_tree(session.rows, remaining) if source.want_tree else (),
    )


class _Session:
    """What is gathered in one pass over the rows."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.rows: list[Row] = []
        self.id: str | None = None
        self.sidechain = 0
        self._uuids: dict[str, str] = {}
        self._titles: dict[str, tuple[str, str | None]] = {}

    def take(self, number: int, row: dict[str, Any]) -> None:
        """File one row."""
        kind = string(row.get("type"))
        for name, key in TITLES:
            if kind == name and string_in(row, key):
                self._titles[name] = (string_in(row, key), identity(row.get("leafUuid")))
        if row.get("isSidechain") is True:
            self.sidechain += 1
            self.notes.drop("sidechain", int(kind in TURNS))
        elif identity(row.get("uuid")) in self._uuids:
            self.notes.drop("duplicate", int(kind in TURNS))
        elif "uuid" in row or kind in TURNS or kind == "queue-operation":
            self._keep(number, row, turn=kind in TURNS)

    def title(self) -> str:
        """The strongest title; one that names a leaf of another session is not this one's."""
        for name, _ in TITLES:
            title, leaf = self._titles.get(name, ("", None))
            if title and (leaf is None or leaf in self._uuids):
                return title
        return ""

    def _keep(self, number: int, row: dict[str, Any], *, turn: bool) -> None:
        if turn and self.id is None:
            self.id = identity(row.get("sessionId"))
        uuid = identity(row.get("uuid"))
        parent = identity(row.get("parentUuid")) or identity(row.get("logicalParentUuid"))
        if uuid is not None:
            self._uuids[uuid] = uuid
        kind, blocks = said(row, self.notes)
        if uuid is None and not kind:
            return
        self.rows.append(
            Row(
                number=number,
                uuid=uuid,
                parent=self._uuids.get(parent, parent) if parent else None,  # one copy of each id
                turn=turn,
                kind=kind,
                blocks=blocks,
                answer=identity(fields(row.get("message")).get("id")),
                at=epoch_ms(row.get("timestamp")),
            )
        )


def _tree(found: list[Row], remaining: list[Row]) -> tuple[Node, ...]:
    nodes = ((row.uuid, row.parent, row.kind, " ".join(row.blocks)) for row in found if row.uuid)
    return chain.tree(nodes, shown={row.uuid for row in remaining if row.kind and row.uuid})


READER = Reader(
    name=NAME,
    title="Claude Code session",
    detect=detect,
    read=read,
    companions=("*.meta.json", "sessions-index.json"),
)
