"""The log of a shared store: who did what to which snapshot, and when; never what is in it.

Whoever asks is shown what row-level security lets them see: the keeper everything, an owner the
projects that are theirs, everyone else nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from dcb.errors import UnknownChoice

if TYPE_CHECKING:
    from dcb.store.postgres.connection import Connection


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """A line of the log. Names are "" where person or project are gone, or were never known."""

    seq: int
    at: datetime
    person: str
    project: str
    action: str
    snapshot: str
    token: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """Which lines: None and "" ask for all. `token` as an action is also `token.new` and so on."""

    project: int | None = None
    person: int | None = None
    action: str = ""
    since: datetime | None = None
    limit: int | None = None


_LINES = """
    select seq from dcb.audit
    where (%(project)s::bigint is null or project = %(project)s)
      and (%(person)s::bigint is null or person = %(person)s)
      and (%(action)s = '' or %(action)s in (action, split_part(action, '.', 1)))
      and (%(since)s::timestamptz is null or at >= %(since)s)
    order by seq desc limit %(limit)s
"""
_EVENTS = """
    select a.seq, a.at, coalesce(p.name, ''), coalesce(j.name, ''), a.action, a.snapshot_id, a.token
    from dcb.audit a left join dcb.people p on p.id = a.person
      left join dcb.projects j on j.id = a.project
    where a.seq = any(%s) order by a.seq desc
"""
_ACTIONS = "select distinct action from dcb.audit order by 1"


def lines(connection: Connection, asked: Asked) -> list[int]:
    """The numbers of the lines that are asked for, the last first.

    Raises UnknownChoice for an action that no line has.
    """
    found = [int(seq) for (seq,) in connection.execute(_LINES, asdict(asked))]
    if not found and asked.action:
        _known(connection, asked.action)
    return found


def events(connection: Connection, seqs: Sequence[int]) -> tuple[Event, ...]:
    """The lines of these numbers, the last first."""
    rows = connection.execute(_EVENTS, (list(seqs),)).fetchall()
    return tuple(Event(**dict(zip(Event.__slots__, row, strict=True))) for row in rows)


def _known(connection: Connection, action: str) -> None:
    found = [str(name) for (name,) in connection.execute(_ACTIONS)]
    if action not in {part for name in found for part in (name, name.partition(".")[0])}:
        raise UnknownChoice("action", action, found)
