"""Transcripts of Cursor's agent -> the talk; poorer than the database, with no ids or times.

`.jsonl`: rows `{role, message: {content: [blocks]}}`; what the person typed stands in
`<user_query>`, other tagged blocks are context. `.txt`: `user:` and `assistant:` alone on a
line before each turn, and `[Thinking]`, `[Tool call]`, `[Tool result]` blocks inside.
"""

from __future__ import annotations

import re
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Notes
from dcb.readers.content import join_blocks, text_of
from dcb.readers.jsontext import rows
from dcb.readers.loose import fields, string
from dcb.readers.talk import Talk, stem

ROLES = {"user": "user", "assistant": "assistant"}
FOLDER = "agent-transcripts/"
SUBAGENTS = "/subagents/"
QUERY = re.compile(r"<user_query>(.*?)(?:</user_query>|\Z)", re.DOTALL)
_CONTEXT = re.compile(r"\s*<([a-z][a-z_]*)\b[^<>]*>")
_TURN = re.compile(r"^(user|assistant):[ \t]*$", re.MULTILINE)
_MACHINE = re.compile(r"^\[(Thinking|Tool call|Tool result)\]", re.MULTILINE)


def detect(source: Input) -> str | None:
    """Rows of `role` and `message.content`, or text in a transcripts folder."""
    for item in source.items if source.shape in ("jsonl", "object") else ():
        row = fields(item)
        if string(row.get("role")) in ROLES and "content" in fields(row.get("message")):
            return None if "type" in row or "sessionId" in row else "rows of `role` and `message`"
    if source.shape == "text" and FOLDER in source.file.name and _TURN.search(source.head):
        return "a text in an agent-transcripts folder"
    return None


def read(source: Input, format: str) -> Item:
    """The one conversation of a transcript; a subagent's is `Skipped`."""
    if SUBAGENTS in source.file.name:
        reason = "A subagent's transcript: nobody typed its prompts"
        return Skipped(where=source.file.where, reason=reason)
    talk = Talk(source)
    if source.shape == "text":
        _read_text(talk, bytes(source.file.data).decode("utf-8", "replace"))
    else:
        for _, row in rows(source.file, warn=talk.notes.warn):
            _row(talk, fields(row))
    return talk.close(format, id=stem(source.file), title=talk.first_prompt())


def _row(talk: Talk, row: dict[str, Any]) -> None:
    role = string(row.get("role"))
    if role not in ROLES:
        talk.notes.drop("unknown")
        return
    content = fields(row.get("message")).get("content")
    if role == "assistant":
        talk.say(role, text_of(content, talk.notes))
        return
    blocks = content if isinstance(content, list) else [content]
    texts = [text_of(block, talk.notes) for block in blocks]
    talk.say(role, typed(texts, talk.notes))


def typed(texts: list[str], notes: Notes) -> str:
    """What stands in `<user_query>`; without any, the blocks that are no tagged context."""
    queries = [query for text in texts for query in QUERY.findall(text)]
    if queries:
        return join_blocks(queries)
    kept = [text for text in texts if not _is_context(text)]
    notes.drop("hidden", len(texts) - len(kept))
    return join_blocks(kept)


def _is_context(text: str) -> bool:
    opened = _CONTEXT.match(text)
    return opened is not None and text.rstrip().endswith(f"</{opened[1]}>")


def _read_text(talk: Talk, text: str) -> None:
    turns = list(_TURN.finditer(text))
    ends = [*(turn.start() for turn in turns[1:]), len(text)]
    for turn, end in zip(turns, ends, strict=False):
        said = text[turn.end() : end]
        if turn[1] == "user":
            talk.say("user", typed([said], talk.notes))
        else:
            talk.say("assistant", _without_machinery(said, talk.notes))


def _without_machinery(text: str, notes: Notes) -> str:
    """The text before the first block of thinking or tools, and after each one's blank line."""
    kept = []
    for paragraphs in re.split(r"\n[ \t]*\n", text):
        found = _MACHINE.search(paragraphs)
        if found:
            notes.drop("thinking" if found[1] == "Thinking" else "tool")
        kept.append(paragraphs[: found.start()] if found else paragraphs)
    return join_blocks(kept)
