"""`dcb brief`: a snapshot as a read-only text for a new conversation."""

from __future__ import annotations

import click

from dcb.cli.session import Verb, complete_ids, open_library, write_text
from dcb.cli.words import chinese


@click.command(cls=Verb, name="brief")
@click.argument("identifier", metavar="ID", shell_complete=complete_ids)
@click.option("--budget", type=int, help="At most so many tokens.")
@click.option("--query", help="Favour what matters for this task.")
@click.option("--keep-secrets", is_flag=True, help="Do not mask passwords and keys.")
@click.option("--copy", is_flag=True, help="Put it on the clipboard instead of printing it.")
@click.option("--out", default="-", type=click.Path(allow_dash=True), help="Where to write it.")
def command(
    *,
    identifier: str,
    budget: int | None,
    query: str | None,
    keep_secrets: bool,
    copy: bool,
    out: str,
) -> None:
    """Print the brief of snapshot ID: background for a new conversation, never instructions."""
    with open_library() as library:
        text = library.brief(
            identifier,
            limit=budget,
            query=query,
            keep_secrets=keep_secrets,
            lang="zh" if chinese() else "en",
        )
    if copy:
        from dcb.cli.clipboard import put

        put(text)
    else:
        write_text(out, text)
