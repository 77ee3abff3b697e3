"""`dcb show`: one stored snapshot."""

from __future__ import annotations

import click

from dcb import snapshot_json
from dcb.cli.session import Verb, complete_ids, json_option, open_library, print_json, write_text
from dcb.cli.view import faint, heading, omitted_lines, safe, snapshot_lines, when


@click.command(cls=Verb, name="show")
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@click.option("--markdown", is_flag=True, help="Print the document itself.")
@click.option("--left-out", is_flag=True, help="List what the snapshot left out as well.")
@json_option
def command(*, identifier: str, markdown: bool, left_out: bool, as_json: bool) -> None:
    """Show the snapshot ID (a unique prefix will do), or the document of its version ID@2."""
    with open_library() as library:
        if "@" in identifier:
            write_text("-", library.document(identifier))
            return
        stored = library.get(identifier)
    snapshot = stored.snapshot
    if markdown:
        write_text("-", stored.document)
    elif as_json:
        print_json(snapshot_json.to_json(snapshot))
    else:
        click.echo(heading(safe(snapshot.title)))
        notes = (
            snapshot.id,
            stored.row.format,
            when(snapshot.created_at),
            f"{snapshot.token_estimate:,} tokens",
        )
        click.echo(faint(safe("  ".join(filter(None, notes)))))
        if snapshot.description:
            click.echo(safe(snapshot.description))
        click.echo()
        for line in snapshot_lines(snapshot):
            click.echo(line)
        if left_out:
            for line in omitted_lines(stored.omitted):
                click.echo(line)
