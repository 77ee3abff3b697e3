"""The hash of a token -> whose it is and what they may do, as it stands at this moment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dcb.team import audit
from dcb.team.audit import Asked, Event
from dcb.team.words import Role, Scope, lesser

if TYPE_CHECKING:
    from dcb.store.postgres import Shared
    from dcb.store.postgres.connection import Connection


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """Whose token it is. `project` is the only one it is for, 0 for all of the person's."""

    token: int
    label: str
    person: int
    name: str
    scope: Scope
    project: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A project as one person with one token may use it."""

    project: int
    name: str
    role: Role


# A token that is used is remembered once a minute: no more often than anyone looks.
_HOLDER = """
    select t.id, t.label, t.person, p.name, t.scope, coalesce(t.project, 0),
           coalesce(t.last_used_at < now() - interval '1 minute', true)
    from dcb.tokens t join dcb.people p on p.id = t.person
    where t.hash = %s and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
"""
_PERSON = "select person from dcb.tokens where hash = %s"
_PLACES = """
    select j.id, j.name, m.role from dcb.members m join dcb.projects j on j.id = m.project
    where m.person = %(person)s
    union
    select j.id, j.name, 'guest' from dcb.shares s join dcb.projects j on j.id = s.project
    where s.person = %(person)s and not exists (
      select 1 from dcb.members m where m.project = s.project and m.person = s.person)
    order by 2
"""


class Gate:
    """What a server asks. It sees the rows of one person at a time."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def admit(self, hash: bytes) -> tuple[Holder, tuple[Place, ...]] | None:
        """Who holds a token, and the projects it opens, by name.

        None for one that is unknown, revoked or too old. Raises StoreError.
        """
        with self._shared.transaction(token=hash.hex()) as connection:
            holder = _holder(connection, hash)
            if holder is None:
                return None
            rows = connection.execute(_PLACES, {"person": holder.person}).fetchall()
        places = (
            Place(project=project, name=name, role=lesser(role, holder.scope))
            for project, name, role in rows
        )
        return holder, tuple(p for p in places if holder.project in (0, p.project))

    def note(self, holder: Holder, place: Place, action: str, identifier: str = "") -> None:
        """Log what somebody did that leaves no trace in the store itself."""
        told = {"person": str(holder.person), "project": str(place.project)}
        with self._shared.transaction(**told) as connection:
            # A line of the log that is lost with the power is not worth a wait for the disk.
            connection.execute("set local synchronous_commit = off")
            connection.execute(
                "insert into dcb.audit(person, project, action, snapshot_id, token) "
                "values (%s, %s, %s, %s, %s)",
                (holder.person, place.project, action, identifier, holder.token),
            )

    def log(
        self, holder: Holder, place: Place, asked: Asked, *, person: str = ""
    ) -> tuple[Event, ...]:
        """What was done in a project, as far as its owners may know; to others nothing.

        `asked` is about that project, and about the person of that name if one is given.
        """
        told = {"person": str(holder.person), "project": str(place.project)}
        asked = replace(asked, project=place.project)
        if person:
            asked = replace(asked, person=self._number(person))
        with self._shared.transaction(**told) as connection:
            seqs = audit.lines(connection, asked)
        # The lines are those that the person may see; whose names stand in them is for the keeper
        # to say, since people do not see each other.
        with self._shared.administering() as connection:
            return audit.events(connection, seqs)

    def _number(self, person: str) -> int:
        """The number of a person; of one that is not there, that of nobody."""
        with self._shared.administering() as connection:
            found = connection.execute(
                "select id from dcb.people where name = %s", (person,)
            ).fetchone()
        return int(found[0]) if found else 0

    def answers(self) -> bool:
        """Whether the database answers. Raises StoreError."""
        with self._shared.transaction() as connection:
            return connection.execute("select 1").fetchone() is not None


def _holder(connection: Connection, hash: bytes) -> Holder | None:
    found = connection.execute(_PERSON, (hash,)).fetchone()
    if found is None:
        return None
    # Only now is it known whose name may be read.
    connection.execute("select set_config('dcb.person', %s, true)", (str(found[0]),))
    row = connection.execute(_HOLDER, (hash,)).fetchone()
    if row is None:
        return None
    token, label, person, name, scope, project, stale = row
    if stale:
        connection.execute("update dcb.tokens set last_used_at = now() where hash = %s", (hash,))
    return Holder(token=token, label=label, person=person, name=name, scope=scope, project=project)
