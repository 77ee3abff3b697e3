"""Cursor's conversations: the databases of the editor, and the transcripts of its agent.

Where: `Cursor/User/globalStorage/state.vscdb` in `~/.config`, `~/Library/Application Support` or
`%APPDATA%`, and `workspaceStorage/<hash>/state.vscdb` beside it; transcripts in
`~/.cursor/projects/<slug>/agent-transcripts/<id>/<id>.jsonl` or `.txt`.

- table `cursorDiskKV`: `composerData:<id>` names the conversation and its bubbles, in order
  (`fullConversationHeadersOnly`, or whole in `conversation`), `bubbleId:<composer>:<bubble>`
  holds each (`type` 1 the person, 2 the assistant; `text`, or `richText`);
- table `ItemTable` of older workspaces: `workbench.panel.aichat.view.aichat.chatdata` holds
  `tabs[].bubbles`, `composer.composerData` may hold whole conversations. (`aiService.prompts`
  are prompts without answers, repeated elsewhere.)
- transcripts: see `cursor_transcript`.

The header list gives order and membership: rows lie in no order, and one bubble in six belongs
to no list. `createdAt` is missing on many. Left out: tool and thinking bubbles, drafts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.errors import SourceError
from dcb.model import Skipped
from dcb.readers import cursor_transcript
from dcb.readers.base import Database, Input, Item, Notes, Reader
from dcb.readers.content import attachment, join_blocks, string_in
from dcb.readers.jsontext import loads
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk
from dcb.readers.times import epoch_ms

NAME = "cursor"
KV = "cursorDiskKV"
ITEMS = "ItemTable"
COMPOSER = "composerData:"
CHAT = "workbench.panel.aichat.view.aichat.chatdata"
OLD_COMPOSERS = "composer.composerData"

ROLES = {1: "user", 2: "assistant", "1": "user", "2": "assistant", "user": "user"}
ROLES |= {"ai": "assistant", "assistant": "assistant"}
RICH_TEXT_NODES = 100_000  # of one message; more is no message


def detect(source: Input) -> str | None:
    """A key-value table of Cursor, or rows of an agent transcript."""
    if source.database is not None:
        if "key" in source.tables.get(KV, ()):
            return f"an SQLite table `{KV}`"
        if "key" in source.tables.get(ITEMS, ()):
            chats = source.database.rows(ITEMS, ("key",), where={"key": CHAT})
            return f"`{CHAT}` in `{ITEMS}`" if next(chats, None) else None
        return None
    return cursor_transcript.detect(source)


def read(source: Input) -> Iterator[Item]:
    """One conversation per composer, chat tab or transcript."""
    if source.database is None:
        yield cursor_transcript.read(source, NAME)
        return
    database = source.database
    done: set[str] = set()
    for key, value in database.rows(KV, ("key", "value"), prefix=("key", COMPOSER), order=("key",)):
        id = string(key).removeprefix(COMPOSER)
        done.add(id)
        yield _composer(source, database, id, value)
    for (value,) in database.rows(ITEMS, ("value",), where={"key": OLD_COMPOSERS}):
        for composer in map(fields, items(_decoded(value).get("allComposers"))):
            id = identity(composer.get("composerId")) or ""
            if id not in done and _bubbles(composer):
                yield _conversation(source, database, id, composer)
    for (value,) in database.rows(ITEMS, ("value",), where={"key": CHAT}):
        for tab in map(fields, items(_decoded(value).get("tabs"))):
            yield _conversation(source, database, identity(tab.get("tabId")) or "", tab)


def _composer(source: Input, database: Database, id: str, value: Any) -> Item:
    where = f"{source.file.where}, composer {id}"
    if value is None:
        return Skipped(where=where, reason="Its row is empty: Cursor deleted the conversation")
    data = _decoded(value)
    if not data:
        return Skipped(where=where, reason="Its row is damaged: it is not a JSON object")
    return _conversation(source, database, id, data)


def _conversation(source: Input, database: Database, id: str, data: dict[str, Any]) -> Item:
    talk = Talk(source)
    seen: set[str] = set()
    for entry in map(fields, _bubbles(data)):
        own = identity(entry.get("bubbleId")) or identity(entry.get("id"))
        if own is not None and own in seen:
            talk.notes.drop("duplicate")
            continue
        seen.add(own or "")
        bubble = _stored(database, id, own, data, talk.notes) if _is_header(entry) else entry
        if bubble is not None:
            _say(talk, own, {**entry, **bubble})
    times = [message.created_at for message in talk.messages if message.created_at]
    return talk.close(
        NAME,
        id=id,
        title=string(data.get("name")) or string(data.get("chatTitle")) or talk.first_prompt(),
        place=f"composer {id}" if id else "",
        created_at=data.get("createdAt") or (times[0] if times else None),
        updated_at=data.get("lastUpdatedAt") or data.get("lastSendTime"),
    )


def _bubbles(data: dict[str, Any]) -> list[Any]:
    """The header list; where it is empty, the bubbles that lie in the conversation itself."""
    for key in ("fullConversationHeadersOnly", "conversation", "bubbles"):
        if items(data.get(key)):
            return items(data[key])
    return []


def _is_header(entry: dict[str, Any]) -> bool:
    return not any(key in entry for key in ("text", "richText", "rawText", "initText"))


def _stored(
    database: Database, composer: str, own: str | None, data: dict[str, Any], notes: Notes
) -> dict[str, Any] | None:
    """A bubble by its id, from its row or from the map that some versions kept."""
    inline = fields(fields(data.get("conversationMap")).get(own or ""))
    if inline:
        return inline
    key = f"bubbleId:{composer}:{own}"
    for (value,) in database.rows(KV, ("value",), where={"key": key}):
        bubble = _decoded(value)
        if bubble:
            return bubble
        notes.warn("A message is damaged in the database and was left out")
    notes.warn("The conversation lists messages that are not in the database")
    notes.drop("damaged")
    return None


def _say(talk: Talk, own: str | None, bubble: dict[str, Any]) -> None:
    kind = bubble.get("type")
    role = ROLES.get(kind) if isinstance(kind, (int, str)) else None
    if role is None:
        talk.notes.drop("unknown")
        return
    text = string_in(bubble, "text", "rawText") or _rich_text(bubble)
    if not text.strip() and bubble.get("toolFormerData"):
        talk.notes.drop("tool")
        return
    if not text.strip() and bubble.get("thinking"):
        talk.notes.drop("thinking")
        return
    images = (attachment("image") for _ in items(bubble.get("images")))
    at = epoch_ms(bubble.get("createdAt")) or epoch_ms(fields(bubble.get("timingInfo")).get("x"))
    talk.say(role, join_blocks((text, *images)), id=own, at=at)


def _rich_text(bubble: dict[str, Any]) -> str:
    """The words of a Lexical editor state: its text nodes, one line per paragraph."""
    lines: list[str] = []
    waiting: list[Any] = [_decoded(string_in(bubble, "richText", "initText")).get("root")]
    for _ in range(RICH_TEXT_NODES):
        if not waiting:
            break
        node = fields(waiting.pop())
        if node.get("type") in ("paragraph", "linebreak") or not lines:
            lines.append("")
        lines[-1] += string(node.get("text"))
        waiting.extend(reversed(items(node.get("children"))))
    return "\n".join(lines).strip()


def _decoded(value: Any) -> dict[str, Any]:
    raw = value.encode("utf-8", "replace") if isinstance(value, str) else value
    try:
        return fields(loads(raw)) if isinstance(raw, bytes) and raw else {}
    except SourceError:
        return {}


READER = Reader(name=NAME, title="Cursor", detect=detect, read=read)
