"""`dcb team`: the people, projects, roles, tokens and log of a shared store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from dcb.cli.session import Verb, Verbs, json_option, print_json, shared_address
from dcb.cli.view import safe, table

if TYPE_CHECKING:
    from dcb.store.postgres import Shared
    from dcb.team import Team
    from dcb.team.audit import Event

# As in dcb.team.words, which is not imported to show a help screen.
ROLES = ("reader", "writer", "owner")
SCOPES = ("read", "write", "owner")
TIMES = ("%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M")
HEADS = ("time (UTC)", "person", "project", "action", "snapshot", "token")


@click.group(cls=Verbs, name="team")
def command() -> None:
    """Keep the people of the store that DCB_STORE names.

    Whoever has that address may do all of this. People themselves come in with tokens.
    """


@command.group(cls=Verbs)
def person() -> None:
    """People."""


@person.command(cls=Verb, name="add")
@click.argument("name")
def add_person(name: str) -> None:
    """Make a person."""
    with _team() as team:
        team.add_person(name)


@command.group(cls=Verbs)
def project() -> None:
    """Projects."""


@project.command(cls=Verb, name="add")
@click.argument("name")
def add_project(name: str) -> None:
    """Make a project; give it an owner next (dcb team member add)."""
    with _team() as team:
        team.add_project(name)


# --- roles -------------------------------------------------------------------------------


@command.group(cls=Verbs)
def member() -> None:
    """Who may do what in which project."""


@member.command(cls=Verb, name="add")
@click.argument("project")
@click.argument("person")
@click.option("--role", type=click.Choice(ROLES), default="writer", show_default=True)
def add_member(project: str, person: str, role: Any) -> None:
    """Give a person a role, in place of the one they had."""
    with _team() as team:
        team.set_member(project, person, role=role)


@member.command(cls=Verb, name="remove")
@click.argument("project")
@click.argument("person")
def remove_member(project: str, person: str) -> None:
    """Take a person's role away."""
    with _team() as team:
        team.drop_member(project, person)


@member.command(cls=Verb, name="list")
@json_option
def list_members(as_json: bool) -> None:
    """Everyone's roles."""
    with _team() as team:
        found = team.members()
    if as_json:
        print_json([asdict(one) for one in found])
        return
    for one in found:
        click.echo(f"{one.project}  {one.role:6}  {safe(one.person)}")


# --- tokens ------------------------------------------------------------------------------


@command.group(cls=Verbs)
def token() -> None:
    """What people and their agents come in with."""


@token.command(cls=Verb, name="new")
@click.argument("person")
@click.option("--project", default="", help="The only project it opens.")
@click.option("--scope", type=click.Choice(SCOPES), default="write", show_default=True)
@click.option("--days", type=click.IntRange(1, 3650), help="How long it is good.")
@click.option("--label", default="", help="What it is for.")
def new_token(person: str, project: str, scope: Any, days: int | None, label: str) -> None:
    """Make a token and print it. It is shown this once and kept only as a hash."""
    with _team() as team:
        number, secret = team.new_token(
            person, project=project, scope=scope, days=days, label=label
        )
    click.echo(f"Token {number}, shown this once:", err=True)
    click.echo(secret)


@token.command(cls=Verb, name="list")
@json_option
def list_tokens(as_json: bool) -> None:
    """All tokens, without what opens."""
    with _team() as team:
        found = team.tokens()
    if as_json:
        print_json([_plain(asdict(one)) for one in found])
        return
    for one in found:
        where = one.project or "all projects"
        click.echo(
            f"{one.id}  {safe(one.person)}  {where}  {one.scope}  {_state(one)}  {safe(one.label)}"
        )


@token.command(cls=Verb, name="revoke")
@click.argument("number", type=int, metavar="ID")
def revoke_token(number: int) -> None:
    """Let a token open nothing from now on."""
    with _team() as team:
        team.revoke(number)


def _state(one: Any) -> str:
    if one.revoked_at:
        return f"revoked {_day(one.revoked_at)}"
    if one.expires_at:
        return f"until {_day(one.expires_at)}"
    return f"used {_day(one.last_used_at)}" if one.last_used_at else "unused"


# --- sharing -----------------------------------------------------------------------------


@command.command(cls=Verb)
@click.argument("project")
@click.argument("snapshot")
@click.argument("person")
def share(project: str, snapshot: str, person: str) -> None:
    """Show one snapshot of a project to a person, to read and no more."""
    with _shared() as shared:
        from dcb.team import Team

        team = Team(shared)
        team.share(project, _whole_id(shared, team, project, snapshot), person)


@command.command(cls=Verb)
@click.argument("project")
@click.argument("snapshot")
@click.argument("person")
def unshare(project: str, snapshot: str, person: str) -> None:
    """Show a snapshot to a person no longer."""
    with _team() as team:
        team.unshare(project, snapshot, person)


def _whole_id(shared: Shared, team: Team, project: str, identifier: str) -> str:
    """The id of a snapshot that is there, as an owner of the project sees it."""
    from dcb.store import Store

    with Store(shared.open_for(*team.owner(project)), now=lambda: 0) as store:
        return store.find(identifier).id


# --- the log -----------------------------------------------------------------------------


@command.command(cls=Verb)
@click.option("--project", default="", metavar="NAME", help="In this project.")
@click.option("--person", default="", metavar="NAME", help="By this person.")
@click.option("--action", default="", help="read, search, save, merge, erase …, member, token.")
@click.option("--since", type=click.DateTime(TIMES), help="From this time on (UTC).")
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True)
@json_option
def audit(
    project: str, person: str, action: str, since: datetime | None, limit: int, as_json: bool
) -> None:
    """Who did what to which snapshot, the last first."""
    begin = since and since.replace(tzinfo=UTC)
    with _team() as team:
        found = team.audit(project=project, person=person, action=action, since=begin, limit=limit)
    if as_json:
        print_json([_plain(asdict(one)) for one in found])
        return
    click.echo("\n".join(table(HEADS, map(_cells, found))))


def _cells(event: Event) -> tuple[str, ...]:
    return (
        f"{event.at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        safe(event.person or "the keeper"),
        event.project,
        event.action,
        safe(event.snapshot),
        str(event.token or ""),
    )


def _day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in fields.items()
    }


@contextmanager
def _team() -> Iterator[Team]:
    with _shared() as shared:
        from dcb.team import Team

        yield Team(shared)


@contextmanager
def _shared() -> Iterator[Shared]:
    address = shared_address()  # says what is missing before anything of it is imported
    from dcb.store.postgres import Shared

    with Shared(address, size=1) as shared:
        yield shared
