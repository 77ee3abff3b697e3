"""GitHub Copilot Chat in VS Code: exported files and the editor's own store -> the talk.

Where: the command "Chat: Export Chat…" (`chat.json`); on disk `Code`, `Code - Insiders` or
`VSCodium`, `User/workspaceStorage/<hash>/chatSessions/<id>.json` and
`User/globalStorage/emptyWindowChatSessions/`, since 1.109 as a log `.jsonl`.

State: `{sessionId, customTitle, requests: [{requestId, message: {text, parts}, response: […],
responseId, timestamp, isCanceled}]}`. Log: `{kind:0,v}` the whole state, `{kind:1,k,v}` set,
`{kind:2,k,v?,i?}` cut to length `i`, then push, `{kind:3,k}` delete. A log without its first
row is read as far as it goes.

Read in order. The pieces of an answer are joined with nothing between; a reference becomes its
`name`. Only requests have a time; the answer takes it.
Left out: tools, edits, thinking, progress; requests that an undo took back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.content import attachment, join_blocks
from dcb.readers.jsontext import document, rows
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.mutation_log import replayed
from dcb.readers.talk import Talk
from dcb.readers.times import epoch_ms, noted_ms

NAME = "copilot-chat"

MARKS = frozenset({"responderUsername", "requesterUsername", "sessionId", "initialLocation"})

# Kinds of response items -> what they are; without a kind it is a piece of Markdown.
MARKDOWN = frozenset({"", "markdownContent", "markdownVuln", "markdownVulnContent"})
LEFT_OUT = {
    "thinking": "thinking",
    "toolInvocation": "tool",
    "toolInvocationSerialized": "tool",
    "prepareToolInvocation": "tool",
    "mcpServersStarting": "tool",
    "textEdit": "tool",
    "textEditGroup": "tool",
    "notebookEdit": "tool",
    "notebookEditGroup": "tool",
    "codeblockUri": "interface",
    "undoStop": "interface",
    "progressMessage": "interface",
    "progressTask": "interface",
    "progressTaskSerialized": "interface",
    "confirmation": "interface",
    "elicitation": "interface",
    "elicitationSerialized": "interface",
    "command": "interface",
    "warning": "interface",
    "treeData": "interface",
    "multiDiffData": "interface",
    "extensions": "interface",
    "pullRequest": "interface",
    "references": "interface",
    "hook": "interface",
}


def detect(source: Input) -> str | None:
    """An object with `requests`, or rows of the log."""
    if source.shape in ("object", "jsonl"):
        for row in map(fields, source.items):
            if type(row.get("kind")) is int and ("v" in row or "k" in row):
                return "rows of a chat log (`kind`, `v`, `k`)"
        if source.shape == "object" and "requests" in source.keys and source.keys & MARKS:
            return "an object with `requests`"
    return None


def read(source: Input) -> Iterator[Item]:
    """The one session of a file."""
    talk = Talk(source)
    if "requests" in source.keys:
        state = fields(document(source.file, warn=talk.notes.warn))
    else:
        state = replayed(rows(source.file, warn=talk.notes.warn), talk.notes)
    requests = [fields(request) for request in items(state.get("requests"))]
    for request in requests:
        _tell(talk, request)
    times = [time for time in (epoch_ms(each.get("timestamp")) for each in requests) if time]
    yield talk.close(
        NAME,
        id=state.get("sessionId"),
        title=state.get("customTitle"),
        created_at=times[0] if times else state.get("creationDate"),
        updated_at=times[-1] if times else state.get("lastMessageDate"),
    )


def _tell(talk: Talk, request: dict[str, Any]) -> None:
    if request.get("shouldBeRemovedOnSend") or request.get("isHidden"):
        talk.notes.drop("withdrawn")
        return
    at = noted_ms(request.get("timestamp"), talk.notes)
    asked = join_blocks((_asked(request.get("message")), *_attached(request)))
    talk.say("user", asked, id=identity(request.get("requestId")), at=at)
    answer = request.get("response")
    pieces = answer if isinstance(answer, list) else [answer]
    said = "".join(_piece(piece, talk.notes) for piece in pieces)
    if said.strip():
        talk.say("assistant", said, id=identity(request.get("responseId")), at=at)


def _asked(message: Any) -> str:
    if isinstance(message, str):
        return message
    parts = (string(fields(part).get("text")) for part in items(fields(message).get("parts")))
    return string(fields(message).get("text")) or "".join(parts)


def _attached(request: dict[str, Any]) -> Iterator[str]:
    """What the person attached; the editor adds the open file as `implicit`."""
    for variable in map(fields, items(fields(request.get("variableData")).get("variables"))):
        if variable.get("kind") in ("file", "image"):
            kind = "image" if variable["kind"] == "image" else "file"
            yield attachment("image" if kind == "image" else "file", variable.get("name"))


def _piece(piece: Any, notes: Notes) -> str:
    if isinstance(piece, str):
        return piece
    item = fields(piece)
    kind = string(item.get("kind"))
    if kind in MARKDOWN:
        content = item.get("content", item.get("value"))
        return string(content) or string(fields(content).get("value"))
    if kind == "inlineReference":
        name = _reference(item)
        return f"`{name}`" if name else ""
    if kind in LEFT_OUT:
        notes.drop(LEFT_OUT[kind])
    else:
        notes.warn(f"Unknown response item {kind[:60]!r} skipped")
        notes.drop("unknown")
    return ""


def _reference(item: dict[str, Any]) -> str:
    """The name of what an answer points at: its own, or the last part of its path."""
    target = fields(item.get("inlineReference"))
    name = string(item.get("name")) or string(target.get("name"))
    for place in (
        target,
        fields(target.get("uri")),
        fields(fields(target.get("location")).get("uri")),
    ):
        name = name or string(place.get("path")).rstrip("/").rpartition("/")[2]
    return name


READER = Reader(name=NAME, title="VS Code Copilot Chat", detect=detect, read=read)
