"""`dcb history`: every version of a snapshot."""

from __future__ import annotations

from dataclasses import asdict

import click

from dcb.cli.session import Verb, complete_ids, json_option, open_library, print_json
from dcb.cli.view import faint, preview, when_exactly


@click.command(cls=Verb, name="history")
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@json_option
def command(*, identifier: str, as_json: bool) -> None:
    """List the versions of snapshot ID, oldest first. `dcb show ID@2` shows the second."""
    with open_library() as library:
        versions = library.history(identifier)
    if as_json:
        print_json([asdict(version) for version in versions])
        return
    for version in versions:
        note = f"  {preview(version.note)}" if version.note else ""
        click.echo(
            f"@{version.number:<4} {when_exactly(version.at)}  {version.action:<9} "
            f"{preview(version.title, width=50)}{faint(note)}"
        )
