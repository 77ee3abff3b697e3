"""`dcb export`: snapshots as plain Markdown files."""

from __future__ import annotations

from pathlib import Path

import click

from dcb import files
from dcb.cli.session import Verb, complete_ids, open_library, write_text
from dcb.cli.words import say
from dcb.errors import RequestError


@click.command(cls=Verb, name="export")
@click.argument("ids", nargs=-1, shell_complete=complete_ids)
@click.option("--all", "everything", is_flag=True, help="Every stored snapshot.")
@click.option("--out", default="-", metavar="FILE|DIR|-", help="Where to write.")
def command(*, ids: tuple[str, ...], everything: bool, out: str) -> None:
    """Write the snapshots of these IDS as documents: one to a file or standard output,
    several to a folder as `<title>-<id>.md`.
    """
    if everything == bool(ids):
        raise click.UsageError("Give ids, or --all.")
    with open_library() as library:
        if len(ids) == 1 and not Path(out).is_dir():
            write_text(out, library.get(ids[0]).document)
            return
        if out == "-":
            raise RequestError("Several snapshots need a folder: --out DIR")
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for stored in library.all() if everything else map(library.get, ids):
            name = files.safe_name(f"{stored.snapshot.title[:60]}-{stored.snapshot.id}")
            files.write(folder / f"{name}.md", stored.document)
            count += 1
    click.echo(say("exported", count=count, path=out))
