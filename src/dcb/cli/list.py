"""`dcb list`: the stored snapshots, newest first."""

from __future__ import annotations

from dataclasses import asdict

import click

from dcb.cli.session import Verb, json_option, open_library, print_json
from dcb.cli.view import faint, preview, safe, when
from dcb.cli.words import say


@click.command(cls=Verb, name="list")
@click.option("--tag", help="Only snapshots with this tag.")
@click.option("--source", help="Only snapshots from this format (chatgpt, claude_code …).")
@click.option("--after", metavar="DATE", help="Only newer ones (2026-03-01).")
@click.option("--before", metavar="DATE", help="Only older ones.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip so many.")
@json_option
def command(
    *,
    tag: str | None,
    source: str | None,
    after: str | None,
    before: str | None,
    limit: int,
    offset: int,
    as_json: bool,
) -> None:
    """List the stored snapshots, newest first."""
    with open_library() as library:
        rows = library.list(
            tag=tag, source=source, after=after, before=before, limit=limit, offset=offset
        )
    if as_json:
        print_json([asdict(row) for row in rows])
    elif not rows:
        click.echo(say("none.stored"))
    for row in () if as_json else rows:
        tags = " ".join(f"#{tag}" for tag in row.tags)
        notes = "  ".join(filter(None, (row.format, f"{row.token_estimate:,} tok", tags)))
        click.echo(
            f"{faint(row.id)}  {when(row.created_at)}  {preview(row.title, width=60)}  {faint(safe(notes))}"
        )
