"""simonw/llm logs: the database of the `llm` command, and what `llm logs --json` prints.

Where: `llm logs path`; Linux `~/.config/io.datasette.llm/logs.db`, macOS
`~/Library/Application Support/io.datasette.llm/`, Windows `%APPDATA%\\io.datasette.llm`,
or `$LLM_USER_PATH`. Times are UTC, with or without saying so.

- old store: `conversations(id, name)`, `responses(id, prompt, system, response,
  conversation_id, datetime_utc)`: each row a prompt and its answer, read by time, then id (ids
  are ULIDs); `system` is read when it changes. Message ids are `<row id>:s`, `:p`, `:r`;
- new store (0.36): `threads(id, name, tip_message_hash, datetime_utc)`, `turns`, `messages(hash,
  parent_hash, role)`, `parts(message_hash, position, type, text, payload)`: read from the tip
  up, see `llm_threads`;
- an upgraded file holds both and copies nothing: both are read;
- `llm logs -n 0 --json`: rows of the old store in a flat list, newest or oldest first.

A row without a conversation is one by itself. Fragments (`-f`) are read as attachments with
their text. Left out: reasoning, tool calls and results, branches that no thread ends in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers import llm_threads
from dcb.readers.base import Database, Input, Item, Reader
from dcb.readers.content import attachment, join_blocks
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import epoch_ms

NAME = "llm-logs"
OLD = frozenset({"conversations", "responses"})
NEW = frozenset({"threads", "turns", "messages", "parts"})
ROW = frozenset({"prompt", "response", "datetime_utc"})
COLUMNS = ("id", "prompt", "system", "response", "datetime_utc", "reasoning")


def detect(source: Input) -> str | None:
    """The tables of one store or both, or rows with `prompt`, `response`, `datetime_utc`."""
    stores = [
        name for name, tables in (("old", OLD), ("new", NEW)) if tables <= source.tables.keys()
    ]
    if stores and "prompt" in source.tables.get("responses", {"prompt"}):
        return f"tables of the {' and the '.join(stores)} store"
    if any(fields(item).keys() >= ROW for item in source.items):
        return "rows with `prompt`, `response` and `datetime_utc`"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per conversation or thread."""
    if source.database is None:
        yield from _from_json(source)
        return
    if source.tables.keys() >= OLD:
        yield from _old_store(source, source.database)
    if source.tables.keys() >= NEW:
        yield from llm_threads.read(source, source.database, NAME)


def _old_store(source: Input, database: Database) -> Iterator[Item]:
    names: dict[Any, Any] = dict(database.rows("conversations", ("id", "name"), order=("id",)))
    for (id,) in database.rows("responses", ("conversation_id",), order=("id",)):
        # Where a conversation's own row is missing, what was said in it is still there.
        names.setdefault(id, "")
    names.pop(None, None)
    for id, name in names.items():
        yield _conversation(source, id, name, _rows(database, {"conversation_id": id}))
    # A row that names no conversation is one by itself.
    for row in _rows(database, {"conversation_id": None}):
        yield _conversation(source, row["id"], "", [row])


def _rows(database: Database, where: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for values in database.rows("responses", COLUMNS, where=where, order=("id",)):
        row = dict(zip(COLUMNS, values, strict=True))
        for key in ("prompt", "system"):
            row[f"{key}_fragments"] = llm_threads.fragments(database, f"{key}_fragments", row["id"])
        row["attachments"] = llm_threads.attachments(database, row["id"])
        yield row


def _from_json(source: Input) -> Iterator[Item]:
    rows: dict[str, list[dict[str, Any]]] = {}
    names: dict[str, Any] = {}
    for _, item, _ in each(source):
        if isinstance(item, Skipped):
            yield item
            continue
        row = fields(item)
        key = identity(row.get("conversation_id")) or identity(row.get("id")) or ""
        rows.setdefault(key, []).append(row)
        names[key] = row.get("conversation_name") or names.get(key)
    for key, found in rows.items():
        yield _conversation(source, key, names[key], found)


def _conversation(source: Input, id: Any, name: Any, rows: Iterable[dict[str, Any]]) -> Item:
    talk = Talk(source)
    rows = sorted(rows, key=lambda row: (_at(row) or 0, str(row.get("id"))))
    system = ""
    for row in rows:
        given = join_blocks((*_fragments(row, "system_fragments"), string(row.get("system"))))
        if given and given != system:
            system = given
            _say(talk, row, "system", "s", given)
        marks = (string(mark) for mark in items(row.get("attachments")))
        prompt = (*_fragments(row, "prompt_fragments"), string(row.get("prompt")), *marks)
        _say(talk, row, "user", "p", join_blocks(prompt))
        _say(talk, row, "assistant", "r", row.get("response"))
        talk.notes.drop("thinking", 1 if row.get("reasoning") else 0)
    times = [at for row in rows if (at := _at(row))]
    return talk.close(
        NAME,
        id=id,
        title=name,
        place=f"conversation {id}",
        created_at=times[0] if times else None,
        updated_at=times[-1] if times else None,
    )


def _fragments(row: dict[str, Any], key: str) -> Iterator[str]:
    for fragment in map(fields, items(row.get(key))):
        yield attachment("attachment", fragment.get("source"), fragment.get("content"))


def _at(row: dict[str, Any]) -> int | None:
    return epoch_ms(row.get("datetime_utc"))


def _say(talk: Talk, row: dict[str, Any], role: str, mark: str, text: Any) -> None:
    own = identity(row.get("id"))
    talk.say(role, string(text), id=f"{own}:{mark}" if own else None, at=_at(row))


READER = Reader(name=NAME, title="llm (command line)", detect=detect, read=read)
