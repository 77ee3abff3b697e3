"""The rows of a Codex rollout, in whatever era -> the session: its name, start and turns.

Rows of a type not known yet are counted and told of, once for each type; nothing stops at them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dcb.readers.base import Notes
from dcb.readers.codex_turns import Encoding, Sighting, Turns
from dcb.readers.codex_words import content_of
from dcb.readers.content import join_blocks
from dcb.readers.loose import fields, identity, string
from dcb.readers.times import epoch_ms, noted_ms

MOST_UNKNOWN = 20  # row types warned of in one file

SPEAKERS = {
    "user_message": "user",
    "agent_message": "assistant",
    "UserMessage": "user",
    "AgentMessage": "assistant",
}

SILENT_TYPES = frozenset({"turn_context", "world_state", "inter_agent_communication", "state"})
FLAT_KEYS = frozenset({"id", "timestamp", "instructions"})


class _Place(NamedTuple):
    """Where a message stands: its line, and its time as written (read only where it counts)."""

    line: int
    time: Any


@dataclass(slots=True, kw_only=True)
class Session:
    """What the rows up to here amount to."""

    notes: Notes
    turns: Turns
    named: bool = False
    id: str = ""
    started: int | None = None
    unknown: set[str] = field(default_factory=set)


def replay(records: Iterable[tuple[int, Any]], notes: Notes) -> Session:
    """What all rows of a file amount to."""
    session = Session(notes=notes, turns=Turns(notes))
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


def _name(session: Session, meta: dict[str, Any], place: _Place) -> None:
    if session.named:
        return
    session.named = True
    session.id = identity(meta.get("id")) or ""
    session.started = epoch_ms(meta.get("timestamp")) or epoch_ms(place.time)
    if "subagent" in fields(meta.get("source")):
        session.notes.warn("This is a subagent's session: its prompts were written by an agent")


def _flat(session: Session, row: dict[str, Any], place: _Place) -> None:
    """A row of the first era, which is a bare response item; or a row type not known yet."""
    kind = string(row.get("type"))
    if kind in ("message", "reasoning") or kind.endswith(("_call", "_call_output")):
        _response(session, row, place)
    elif kind and kind not in SILENT_TYPES and "record_type" not in row:
        _strange(session, f"row of type {kind[:60]!r}", place.line)


def _response(session: Session, item: dict[str, Any], place: _Place) -> None:
    kind = item.get("type")
    if kind == "message":
        role = item.get("role")
        if role in ("user", "assistant"):
            _say(session, role, item, "response", place)
        else:
            session.notes.drop("system")
    else:
        session.notes.drop("thinking" if kind == "reasoning" else "tool")


def _event(session: Session, event: dict[str, Any], place: _Place) -> None:
    kind = event.get("type")
    if kind in ("user_message", "agent_message"):
        _say(session, SPEAKERS[kind], event, "event", place)
    elif kind == "item_completed":
        _item(session, fields(event.get("item")), place)
    elif kind == "thread_rolled_back":
        session.turns.roll_back(event.get("num_turns"), place.line)


def _item(session: Session, item: dict[str, Any], place: _Place) -> None:
    kind = string(item.get("type"))
    if kind in SPEAKERS:
        _say(session, SPEAKERS[kind], item, "item", place)
    elif kind == "Plan" and string(item.get("text")).strip():
        # A plan stands in the answer too, where the answer was recorded whole.
        said = session.turns.said
        if not (said and item["text"].strip() in said[-1].content):
            _say(session, "assistant", item, "item", place)
    else:
        session.notes.drop("thinking" if kind == "Reasoning" else "tool")


def _say(
    session: Session, role: str, item: dict[str, Any], encoding: Encoding, place: _Place
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
            at=noted_ms(place.time, session.notes),
        )
    )


def _strange(session: Session, what: str, line: int) -> None:
    session.notes.drop("unknown")
    if what not in session.unknown and len(session.unknown) < MOST_UNKNOWN:
        session.unknown.add(what)
        session.notes.warn(f"Unknown {what} skipped, first on line {line}")
