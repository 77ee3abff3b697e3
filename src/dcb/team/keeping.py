"""What the keeper of a shared store does: make people, projects, roles, tokens and shares.

Whoever holds the address of the database may do all of this; everything that changes
something is logged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from dcb.errors import NotFound, RequestError
from dcb.team import audit, tokens
from dcb.team.audit import Asked, Event
from dcb.team.words import Role, Scope, person_name, project_name

if TYPE_CHECKING:
    from dcb.store.postgres import Shared
    from dcb.store.postgres.connection import Connection


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A token without its secret. `project` is "" where it is for all of the person's."""

    id: int
    person: str
    project: str
    label: str
    scope: Scope
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Member:
    """A person in a project; a guest where single snapshots are shared with them."""

    project: str
    person: str
    role: Role


class Team:
    """The verbs over people, projects and tokens."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    # --- people and projects -------------------------------------------------------------

    def add_person(self, name: str) -> int:
        """Make a person; its number. Raises RequestError for a name that is taken."""
        return self._add("people", "person", person_name(name))

    def add_project(self, name: str) -> int:
        """Make a project; its number. Raises RequestError for a name that is taken."""
        return self._add("projects", "project", project_name(name))

    def _add(self, table: str, what: str, name: str) -> int:
        with self._keeping() as connection:
            found = connection.execute(
                f"insert into dcb.{table}(name) values (%s) on conflict do nothing returning id",
                (name,),
            ).fetchone()
            if found is None:
                raise RequestError(f"There is a {what} {name!r} already; take another name")
            _log(connection, f"{what}.add")
        return int(found[0])

    def set_member(self, project: str, person: str, *, role: Role) -> None:
        """Give a person a role in a project, in place of the one they had."""
        with self._keeping() as connection:
            there, who = _project(connection, project), _person(connection, person)
            connection.execute(
                "insert into dcb.members(project, person, role) values (%s, %s, %s) "
                "on conflict (project, person) do update set role = excluded.role",
                (there, who, role),
            )
            _log(connection, f"member.{role}", project=there, person=who)

    def drop_member(self, project: str, person: str) -> None:
        """Take a person's role away. Raises NotFound where they have none."""
        with self._keeping() as connection:
            there, who = _project(connection, project), _person(connection, person)
            gone = connection.execute(
                "delete from dcb.members where project = %s and person = %s", (there, who)
            )
            if not gone.rowcount:
                raise NotFound(f"{person!r} has no role in {project!r}")
            _log(connection, "member.remove", project=there, person=who)

    def members(self) -> tuple[Member, ...]:
        """Everyone's roles, by project and person."""
        with self._keeping() as connection:
            rows = connection.execute(_MEMBERS).fetchall()
        return tuple(Member(project=j, person=p, role=role) for j, p, role in rows)

    def owner(self, project: str) -> tuple[int, int]:
        """The numbers of an owner and of the project. Raises NotFound where it has none."""
        with self._keeping() as connection:
            there = _project(connection, project)
            found = connection.execute(
                "select person from dcb.members where project = %s and role = 'owner' "
                "order by person limit 1",
                (there,),
            ).fetchone()
        if found is None:
            raise NotFound(f"{project!r} has no owner; give it one: dcb team member add")
        return int(found[0]), there

    # --- sharing -------------------------------------------------------------------------

    def share(self, project: str, snapshot: str, person: str) -> None:
        """Show one snapshot, by its whole id, to a person who may read it and no more."""
        with self._keeping() as connection:
            there, who = _project(connection, project), _person(connection, person)
            connection.execute(
                "insert into dcb.shares(project, snapshot_id, person) values (%s, %s, %s) "
                "on conflict do nothing",
                (there, snapshot, who),
            )
            _log(connection, "share", project=there, person=who, snapshot=snapshot)

    def unshare(self, project: str, snapshot: str, person: str) -> None:
        """Show it no longer. Raises NotFound where it is not shared."""
        with self._keeping() as connection:
            there, who = _project(connection, project), _person(connection, person)
            gone = connection.execute(
                "delete from dcb.shares where project = %s and snapshot_id = %s and person = %s",
                (there, snapshot, who),
            )
            if not gone.rowcount:
                raise NotFound(f"{snapshot!r} is not shared with {person!r}")
            _log(connection, "unshare", project=there, person=who, snapshot=snapshot)

    # --- tokens --------------------------------------------------------------------------

    def new_token(
        self,
        person: str,
        *,
        project: str = "",
        scope: Scope = "write",
        days: int | None = None,
        label: str = "",
    ) -> tuple[int, str]:
        """A new token: its number, and the secret, which nobody will see again."""
        secret = tokens.new()
        with self._keeping() as connection:
            who = _person(connection, person)
            there = _project(connection, project) if project else None
            row = connection.execute(
                "insert into dcb.tokens(person, project, label, hash, scope, expires_at) "
                "values (%s, %s, %s, %s, %s, now() + make_interval(days => %s::int)) returning id",
                (who, there, label, tokens.hashed(secret), scope, days),
            ).fetchone()
            assert row is not None
            _log(connection, "token.new", project=there, person=who, token=row[0])
        return int(row[0]), secret

    def tokens(self) -> tuple[Token, ...]:
        """All tokens, the oldest first."""
        with self._keeping() as connection:
            rows = connection.execute(_TOKENS).fetchall()
        return tuple(Token(**dict(zip(Token.__slots__, row, strict=True))) for row in rows)

    def revoke(self, number: int) -> None:
        """Let a token open nothing from now on. Raises NotFound."""
        with self._keeping() as connection:
            found = connection.execute(
                "update dcb.tokens set revoked_at = coalesce(revoked_at, now()) where id = %s "
                "returning person, project",
                (number,),
            ).fetchone()
            if found is None:
                raise NotFound(f"There is no token {number}; see: dcb team token list")
            _log(connection, "token.revoke", person=found[0], project=found[1], token=number)

    # --- the log -------------------------------------------------------------------------

    def audit(
        self,
        *,
        project: str = "",
        person: str = "",
        action: str = "",
        since: datetime | None = None,
        limit: int | None = None,
    ) -> tuple[Event, ...]:
        """The log, the last event first; of one project, person or kind of action.

        Raises NotFound, and UnknownChoice for an action that the log does not have.
        """
        with self._keeping() as connection:
            asked = Asked(
                project=_project(connection, project) if project else None,
                person=_person(connection, person) if person else None,
                action=action,
                since=since,
                limit=limit,
            )
            return audit.events(connection, audit.lines(connection, asked))

    @contextmanager
    def _keeping(self) -> Iterator[Connection]:
        with self._shared.administering() as connection:
            yield connection


_MEMBERS = """
    select j.name, p.name, m.role from dcb.members m
      join dcb.projects j on j.id = m.project join dcb.people p on p.id = m.person
    union
    select j.name, p.name, 'guest' from dcb.shares s
      join dcb.projects j on j.id = s.project join dcb.people p on p.id = s.person
    order by 1, 2, 3
"""
_TOKENS = """
    select t.id, p.name, coalesce(j.name, ''), t.label, t.scope,
           t.created_at, t.expires_at, t.revoked_at, t.last_used_at
    from dcb.tokens t join dcb.people p on p.id = t.person
      left join dcb.projects j on j.id = t.project
    order by t.id
"""


def _person(connection: Connection, name: str) -> int:
    return _number(connection, "people", "person", name)


def _project(connection: Connection, name: str) -> int:
    return _number(connection, "projects", "project", name)


def _number(connection: Connection, table: str, what: str, name: str) -> int:
    found = connection.execute(f"select id from dcb.{table} where name = %s", (name,)).fetchone()
    if found is None:
        raise NotFound(f"There is no {what} {name!r}; make it with: dcb team {what} add {name}")
    return int(found[0])


def _log(
    connection: Connection,
    action: str,
    *,
    project: int | None = None,
    person: int | None = None,
    snapshot: str = "",
    token: int | None = None,
) -> None:
    connection.execute(
        "insert into dcb.audit(person, project, action, snapshot_id, token) "
        "values (%s, %s, %s, %s, %s)",
        (person, project, action, snapshot, token),
    )
