"""`dcb inbox`: what agents wrote, for the person to read, accept or reject."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dcb.cli.session import Verb, Verbs, json_option, open_library, print_json
from dcb.cli.words import say

if TYPE_CHECKING:
    from dcb.store import Waiting


@click.group(cls=Verbs, name="inbox", invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """List what agents wrote over MCP. Until you accept it, it is in no list, search or brief."""
    if ctx.invoked_subcommand is None:
        _list(as_json=as_json)


@command.command(cls=Verb, name="show")
@click.argument("identifier", metavar="ID")
def show(*, identifier: str) -> None:
    """Show item ID: its three layers and what it leaves out."""
    from dcb.cli.view import omitted_lines, snapshot_lines

    with open_library() as library:
        item, snapshot = library.waiting(identifier)
    click.echo(_line(item))
    for line in (*snapshot_lines(snapshot), *omitted_lines(item.draft.report.omitted)):
        click.echo(line)


@command.command(cls=Verb, name="accept")
@click.argument("identifiers", metavar="ID...", nargs=-1, required=True)
def accept(*, identifiers: tuple[str, ...]) -> None:
    """Store items; their history says that an agent wrote them."""
    with open_library() as library:
        for identifier in identifiers:
            kept = library.accept(identifier)
            click.echo(say("inbox.accepted", id=kept.id))


@command.command(cls=Verb, name="reject")
@click.argument("identifiers", metavar="ID...", nargs=-1, required=True)
def reject(*, identifiers: tuple[str, ...]) -> None:
    """Drop items for good."""
    with open_library() as library:
        for identifier in identifiers:
            library.reject(identifier)
            click.echo(say("inbox.rejected", id=identifier))


def _list(*, as_json: bool) -> None:
    with open_library() as library:
        items = library.inbox()
    if as_json:
        print_json([_plain(item) for item in items])
    elif not items:
        click.echo(say("inbox.empty"))
    else:
        for item in items:
            click.echo(_line(item))
        click.echo(say("inbox.hint"))


def _line(item: Waiting) -> str:
    from dcb.cli.view import faint, preview, safe, when

    notes = "  ".join(filter(None, (say("inbox.by", by=item.by), item.draft.where, item.note)))
    title = preview(item.title, width=60)
    return f"{faint(item.id)}  {when(item.draft.at)}  {title}  {faint(safe(notes))}"


def _plain(item: Waiting) -> dict[str, object]:
    draft = item.draft
    return {
        "id": item.id,
        "title": item.title,
        "by": item.by,
        "note": item.note,
        "at": draft.at,
        "format": draft.format,
        "where": draft.where,
        "tokens": draft.report.kept,
        "left_out": len(draft.report.omitted),
    }
