"""The new store of simonw/llm (0.36): a tree of messages, shared between threads -> talks.

A thread is read from its tip up `messages.parent_hash`. Hashes are ids inside one thread only,
since threads share them. A turn's time is that of its tip and of all ancestors that no earlier
turn has claimed: `turns.parent_message_hash` is the prompt of that same turn. Long text lies in
`fragments`, and `payload` tells how to put it together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.errors import SourceError
from dcb.readers.base import Database, Input, Item, Notes
from dcb.readers.chain import live_path
from dcb.readers.content import attachment, join_blocks
from dcb.readers.jsontext import loads
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk
from dcb.readers.times import epoch_ms

ROLES = {"system": "system", "user": "user", "assistant": "assistant"}


def read(source: Input, database: Database, format: str) -> Iterator[Item]:
    """One conversation per thread."""
    parents: dict[str, str | None] = {}
    roles: dict[str, Any] = {}
    for hash, parent, role in database.rows("messages", ("hash", "parent_hash", "role")):
        parents[str(hash)] = identity(parent)
        roles[str(hash)] = role
    columns = ("id", "name", "tip_message_hash", "datetime_utc")
    for id, name, tip, created in database.rows("threads", columns, order=("id",)):
        talk = Talk(source)
        times = _times(database, id, parents)
        for hash in live_path(parents, str(tip), talk.notes) if tip is not None else ():
            _say(talk, database, hash, roles[hash], times.get(hash))
        yield talk.close(
            format,
            id=id,
            title=name,
            place=f"thread {id}",
            created_at=created,
            updated_at=max(times.values(), default=None) or created,
        )


def fragments(database: Database, table: str, response: Any) -> list[dict[str, Any]]:
    """The fragments of an old store's row, in order: `source` and `content`."""
    found = []
    where = {"response_id": response}
    for (id,) in database.rows(table, ("fragment_id",), where=where, order=("order",)):
        columns = ("source", "content")
        for source, content in database.rows("fragments", columns, where={"id": id}):
            found.append({"source": source, "content": content})
    return found


def attachments(database: Database, response: Any) -> list[str]:
    """The marks of the attachments of an old store's row, in order."""
    where = {"response_id": response}
    columns = ("attachment_id",)
    rows = database.rows("prompt_attachments", columns, where=where, order=("order",))
    return [_attachment(database, id) for (id,) in rows]


def _times(database: Database, thread: Any, parents: dict[str, str | None]) -> dict[str, int]:
    columns = ("datetime_utc", "id", "tip_message_hash")
    turns = database.rows("turns", columns, where={"thread_id": thread})
    dated = sorted((epoch_ms(time) or 0, str(id), str(tip)) for time, id, tip in turns)
    times: dict[str, int] = {}
    for time, _, tip in dated:
        here: str | None = tip
        while time and here is not None and here in parents and here not in times:
            times[here] = time
            here = parents[here]
    return times


def _say(talk: Talk, database: Database, hash: str, role: Any, at: int | None) -> None:
    if role not in ROLES:
        talk.notes.drop("tool" if role == "tool" else "unknown")
        return
    where = {"message_hash": hash}
    columns = ("type", "text", "payload")
    rows = list(database.rows("parts", columns, where=where, order=("position",)))
    text = join_blocks(_part(database, talk.notes, *row) for row in rows)
    talk.say(ROLES[role], text, id=hash, at=at)


def _part(database: Database, notes: Notes, kind: Any, text: Any, payload: Any) -> str:
    stored = _payload(payload, notes)
    if kind == "text":
        return string(text) or string(stored.get("text")) or _put_together(database, stored)
    if kind == "attachment":
        return _attachment(database, fields(stored.get("attachment")).get("id"))
    notes.drop("thinking" if kind == "reasoning" else "tool")
    return ""


def _payload(payload: Any, notes: Notes) -> dict[str, Any]:
    if not string(payload):
        return {}
    try:
        return fields(loads(payload.encode("utf-8", "replace")))
    except SourceError:
        notes.warn("The payload of a part could not be decoded")
        return {}


def _put_together(database: Database, stored: dict[str, Any]) -> str:
    pieces = []
    for piece in map(fields, items(stored.get("text_ref"))):
        if "fragment" in piece:
            rows = database.rows("fragments", ("content",), where={"id": piece["fragment"]})
            pieces += [string(content) for (content,) in rows]
        else:
            pieces.append(string(piece.get("literal")))
    return "".join(pieces)


def _attachment(database: Database, id: Any) -> str:
    columns = ("type", "path", "url")
    for kind, path, url in database.rows("attachments", columns, where={"id": id}):
        name = string(path or url).replace("\\", "/").rpartition("/")[2]
        return attachment("image" if string(kind).startswith("image/") else "attachment", name)
    return attachment("attachment")
