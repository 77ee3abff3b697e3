"""Gemini CLI sessions -> the talk.

Where: `~/.gemini/tmp/<hash or slug of the project>/chats/session-*.json`, or `.jsonl` from
0.39 on; subagents in `chats/<parent>/<id>.jsonl`; `logs.json` beside `chats` holds prompts
only. (`checkpoint-<tag>.json` is read by `gemini-contents`.)

JSON: `{sessionId, projectHash, startTime, lastUpdated, summary, messages: [{id, timestamp,
type: user|gemini|info|warning|error, content: string|Part|Part[], displayContent}]}`.
JSONL: row 1 the same without messages; a message row (of an id seen before: in its place);
`{"$set": …}` changes the head and, with `messages`, clears and refills; `{"$rewindTo": id}`
takes that message and all behind it back, all of them if it does not know the id.
`logs.json` is read for a session that has no file of its own in `chats`.

Left out: notices, commands, injected context with its acknowledgement, thoughts, tool calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.gemini_parts import ACKNOWLEDGED, COMMAND, parts_text
from dcb.readers.jsontext import document, rows
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk
from dcb.readers.times import noted_ms

NAME = "gemini-cli"

ROLES = {"user": "user", "gemini": "assistant"}
NOTICES = frozenset({"info", "warning", "error"})
SESSION_KEYS = frozenset({"sessionId", "projectHash"})
LOG_KEYS = frozenset({"sessionId", "messageId", "message"})

Record = dict[str, Any]


def detect(source: Input) -> str | None:
    """`sessionId` and `projectHash`; or a prompt log, `sessionId` and `messageId`."""
    seen = [source.keys, *(item.keys() for item in source.items if isinstance(item, dict))]
    if source.shape in ("object", "jsonl") and any(keys >= SESSION_KEYS for keys in seen):
        return "a session with `sessionId` and `projectHash`"
    if source.shape == "jsonl" and any("$rewindTo" in keys or "$set" in keys for keys in seen):
        return "session rows with `$set` or `$rewindTo`"
    if source.shape == "array" and any(keys >= LOG_KEYS for keys in seen):
        return "a log of prompts (`sessionId`, `messageId`, `message`)"
    return None


def read(source: Input) -> Iterator[Item]:
    """The session of a file, or each session of a prompt log that has no file of its own."""
    if source.shape == "array":
        yield from _logged(source)
        return
    talk = Talk(source)
    if source.shape == "jsonl":
        head, messages = _replay(rows(source.file, warn=talk.notes.warn), talk.notes)
    else:
        whole = document(source.file, warn=talk.notes.warn)
        head, messages = _replay([(1, whole)], talk.notes)
    _tell(talk, messages)
    if head.get("kind") == "subagent":
        talk.notes.warn("This is a subagent's session: its prompts were written by an agent")
    yield talk.close(
        NAME,
        id=head.get("sessionId"),
        title=string(head.get("summary")) or talk.first_prompt(),
        created_at=head.get("startTime"),
        updated_at=head.get("lastUpdated"),
    )


def _replay(records: Iterable[tuple[int, Any]], notes: Notes) -> tuple[Record, list[Record]]:
    """The head and the messages as they stand after the last row."""
    head: Record = {}
    messages: dict[str, Record] = {}
    for _, row in records:
        if not isinstance(row, dict):
            notes.warn("Rows that are no records were skipped")
            notes.drop("damaged")
        elif "$rewindTo" in row:
            _rewind(messages, identity(row["$rewindTo"]), notes)
        elif "$set" in row:
            _change(head, messages, fields(row["$set"]), notes)
        elif "type" in row or "content" in row:
            _put(messages, row, notes)
        else:
            _change(head, messages, row, notes)
    return head, list(messages.values())


def _put(messages: dict[str, Record], record: Record, notes: Notes) -> None:
    name = identity(record.get("id")) or f"#{len(messages)}"
    if name in messages:
        notes.drop("duplicate")
    messages[name] = record


def _rewind(messages: dict[str, Record], name: str | None, notes: Notes) -> None:
    count = len(messages)
    known = name in messages
    while messages and (messages.popitem()[0] != name or not known):
        pass
    notes.drop("withdrawn", count - len(messages))


def _change(head: Record, messages: dict[str, Record], change: Record, notes: Notes) -> None:
    head.update((key, value) for key, value in change.items() if key != "messages")
    refill = change.get("messages")
    if not isinstance(refill, list):
        return
    before = set(messages)
    messages.clear()
    for record in refill:
        if isinstance(record, dict):
            _put(messages, record, notes)
        else:
            notes.drop("damaged")
    notes.drop("withdrawn", len(before - messages.keys()))


def _tell(talk: Talk, messages: list[Record]) -> None:
    context = False  # whether the last thing the person said was put there by the program
    for record in messages:
        kind = string(record.get("type"))
        person = kind == "user"
        if kind in NOTICES:
            talk.notes.drop("interface")
            continue
        if kind not in ROLES:
            talk.notes.warn(f"Unknown message type {kind[:60]!r} skipped")
            talk.notes.drop("unknown")
            continue
        text = _text(record, person, talk.notes)
        if (person and COMMAND.match(text)) or (context and text.startswith(ACKNOWLEDGED)):
            talk.notes.drop("interface" if person else "hidden")
            text = ""
        else:
            at = noted_ms(record.get("timestamp"), talk.notes)
            talk.say(ROLES[kind], text, id=identity(record.get("id")), at=at)
        context = person and not text


def _text(record: Record, person: bool, notes: Notes) -> str:
    """What was typed rather than what it was expanded to, where the record has both."""
    notes.drop("tool", len(items(record.get("toolCalls"))))
    notes.drop("thinking", len(items(record.get("thoughts"))))
    typed = parts_text(record.get("displayContent"), Notes(), person=person) if person else ""
    return typed or parts_text(record.get("content"), notes, person=person)


def _logged(source: Input) -> Iterator[Item]:
    sessions: dict[str, list[Record]] = {}
    for record in map(fields, items(document(source.file))):
        sessions.setdefault(identity(record.get("sessionId")) or "", []).append(record)
    files = source.file.listing("chats")
    for name, prompts in sessions.items():
        if any(name[:8] in file for file in files):
            where = f"{source.file.where}, session {name}"
            yield Skipped(where=where, reason="These prompts stand in the session's own file")
        else:
            yield _prompts(source, name, prompts)


def _prompts(source: Input, name: str, prompts: list[Record]) -> Item:
    talk = Talk(source)
    talk.notes.warn("A log of prompts: the answers are not in this file")
    _tell(talk, [{**record, "id": None, "content": record.get("message")} for record in prompts])
    return talk.close(NAME, id=name, title=talk.first_prompt(), place=f"session {name}")


READER = Reader(name=NAME, title="Gemini CLI session", detect=detect, read=read)
