"""opencode sessions: its database, its older folders of small files, and its exports.

Where: from 1.2 `~/.local/share/opencode/opencode.db` (`$XDG_DATA_HOME`), with tables
`session(id, parent_id, title, time_created, …)`, `message(id, session_id, data)` and
`part(id, message_id, session_id, data)`; before, `storage/session/<project>/ses_*.json`,
`storage/message/<session>/msg_*.json`, `storage/part/<message>/prt_*.json`; and
`opencode export <id>`, which prints `{info, messages: [{info, parts}]}`.

Read by id: ids sort by time. Text and file parts are the talk. Left out: `synthetic` and
`ignored` text, reasoning, tools, steps, patches, the summary that a compaction writes, and what
a revert took back. A session with a parent is a subagent's: nobody typed its prompts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from dcb.errors import SourceError
from dcb.model import Skipped
from dcb.readers.base import Database, File, Input, Item, Notes, Reader
from dcb.readers.content import attachment, join_blocks
from dcb.readers.jsontext import document, loads
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, base_name
from dcb.readers.times import epoch_ms

NAME = "opencode"
TABLES = frozenset({"session", "message", "part"})
SESSION_FILE = re.compile(r"ses_[^/]*\.json\Z")
PLACEHOLDER = re.compile(r"(?:New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z\Z")

Stored = Iterable[tuple[dict[str, Any], list[Any]]]
"""Messages in order: what is known about each, and its parts."""

DROPPED = {"text": "hidden", "reasoning": "thinking", "tool": "tool", "subtask": "tool"}
SILENT = frozenset(
    {"step-start", "step-finish", "patch", "snapshot", "compaction", "retry", "agent"}
)


def detect(source: Input) -> str | None:
    """The three tables, `info` with `messages[].parts`, or a session file of a storage folder."""
    if source.shape == "sqlite":
        return "tables session, message and part" if source.tables.keys() >= TABLES else None
    if source.shape != "object":
        return None
    if SESSION_FILE.match(base_name(source.file)) and {"id", "time"} <= source.keys:
        return "a session file of a storage folder"
    whole = fields(source.items[0]) if source.items else {}
    if identity(fields(whole.get("info")).get("id")) and isinstance(whole.get("messages"), list):
        return "`info` with `messages`"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per session; those of subagents come as `Skipped`."""
    if source.database is not None:
        yield from _from_database(source, source.database)
        return
    talk = Talk(source)
    whole = fields(document(source.file, warn=talk.notes.warn))
    if "info" in whole:
        stored = [
            (fields(fields(message).get("info")), items(fields(message).get("parts")))
            for message in items(whole.get("messages"))
        ]
        yield _session(talk, fields(whole["info"]), stored, "")
    else:
        yield _session(talk, whole, _from_folders(source.file, whole, talk.notes), "")


def _from_database(source: Input, database: Database) -> Iterator[Item]:
    columns = ("id", "parent_id", "title", "time_created", "time_updated", "revert")
    for id, parent, title, created, updated, revert in database.rows(
        "session", columns, order=("id",)
    ):
        info = {
            "id": id,
            "parentID": parent,
            "title": title,
            "time": {"created": created, "updated": updated},
            "revert": _decoded(revert, None),
        }
        talk = Talk(source)
        yield _session(talk, info, _from_tables(database, id, talk.notes), f"session {id}")


def _from_tables(database: Database, session: Any, notes: Notes) -> Stored:
    parts: dict[Any, list[Any]] = {}
    of_session = {"session_id": session}
    columns = ("message_id", "id", "data")
    for message, id, data in database.rows("part", columns, where=of_session, order=("id",)):
        parts.setdefault(message, []).append({**_decoded(data, notes), "id": id})
    columns = ("id", "time_created", "data")
    for id, created, data in database.rows("message", columns, where=of_session, order=("id",)):
        info = _decoded(data, notes)
        yield {"time": {"created": created}, **info, "id": id}, parts.get(id, [])


def _from_folders(file: File, info: dict[str, Any], notes: Notes) -> Stored:
    session = f"../../message/{identity(info.get('id'))}/"
    for name in file.listing(session):
        if not name.endswith(".json"):
            continue
        message = _decoded_file(file.sibling(session + name), notes)
        folder = f"../../part/{name.removesuffix('.json')}/"
        names = [part for part in file.listing(folder) if part.endswith(".json")]
        yield message, [_decoded_file(file.sibling(folder + part), notes) for part in names]


def _decoded_file(file: File | None, notes: Notes) -> dict[str, Any]:
    return _decoded(bytes(file.data), notes) if file else {}


def _decoded(data: Any, notes: Notes | None) -> dict[str, Any]:
    """The object in a stored text; {} with a warning where it is none."""
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data
    try:
        return fields(loads(raw)) if isinstance(raw, bytes) and raw else {}
    except SourceError as error:
        if notes:
            notes.warn(f"A stored record could not be decoded and was left out ({error})")
            notes.drop("damaged")
        return {}


def _session(talk: Talk, info: dict[str, Any], stored: Stored, place: str) -> Item:
    if identity(info.get("parentID")):
        where = talk.source.file.where + (f", {place}" if place else "")
        return Skipped(where=where, reason="A subagent's session: nobody typed its prompts")
    seen: set[str] = set()
    for message, parts in _until_reverted(stored, fields(info.get("revert")), talk.notes):
        id = identity(message.get("id"))
        if id is not None and id in seen:
            talk.notes.drop("duplicate")
            continue
        seen.add(id or "")
        _say(talk, message, parts)
    title = string(info.get("title"))
    time = fields(info.get("time"))
    return talk.close(
        NAME,
        id=info.get("id"),
        title=talk.first_prompt() if not title or PLACEHOLDER.match(title) else title,
        place=place,
        created_at=time.get("created"),
        updated_at=time.get("updated"),
    )


def _until_reverted(stored: Stored, revert: dict[str, Any], notes: Notes) -> Stored:
    """The messages before the one that was reverted, and its parts before the reverted one."""
    goes_on = True
    for message, parts in stored:
        if goes_on and revert and message.get("id") == revert.get("messageID"):
            goes_on = False
            cut = revert.get("partID")
            kept = [fields(part).get("id") for part in parts]
            if cut in kept and cut is not None:
                yield message, parts[: kept.index(cut)]
                continue
        if goes_on:
            yield message, parts
        else:
            notes.drop("withdrawn")


def _say(talk: Talk, message: dict[str, Any], parts: list[Any]) -> None:
    role = message.get("role")
    if role not in ("user", "assistant"):
        talk.notes.drop("unknown")
    elif role == "assistant" and message.get("summary") is True:
        talk.notes.drop("hidden")
    else:
        text = join_blocks(_part(fields(part), talk.notes) for part in parts)
        at = epoch_ms(fields(message.get("time")).get("created"))
        talk.say(role, text, id=identity(message.get("id")), at=at)


def _part(part: dict[str, Any], notes: Notes) -> str:
    kind = string(part.get("type"))
    if kind == "text" and not part.get("synthetic") and not part.get("ignored"):
        return string(part.get("text"))
    if kind == "file" and not part.get("synthetic"):
        is_image = string(part.get("mime")).startswith("image/")
        return attachment("image" if is_image else "file", part.get("filename"))
    if kind not in SILENT:
        notes.drop(DROPPED.get(kind, "unknown"))
    return ""


READER = Reader(
    name=NAME,
    title="opencode",
    detect=detect,
    read=read,
    companions=("msg_*.json", "prt_*.json"),
)
