"""`dcb add`: snapshot documents and portable memories from elsewhere come into the store."""

from __future__ import annotations

import click

from dcb.cli import passphrase
from dcb.cli.session import Verb, open_library
from dcb.cli.view import omitted_lines, safe
from dcb.cli.words import say


@click.command(cls=Verb, name="add")
@click.argument("paths", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("--strict", is_flag=True, help="Refuse documents whose checksum does not match.")
def command(*, paths: tuple[str, ...], strict: bool) -> None:
    """Add snapshot documents: files, folders of *.md files, or - for standard input.

    A MemoryStore of Portable AI Memory (JSON) gives its preferences, instructions and what it
    says of the person as a snapshot; its other memories are listed.
    A store of the original implementation (its SQLite file) gives all its snapshots; the
    passphrase of its encrypted ones is taken from DCB_OTHER_PASSPHRASE, or asked for.
    An id that is taken by another snapshot gets a new one; nothing is overwritten.
    """
    bad = 0
    context = click.get_current_context()
    with open_library() as library:
        for added in library.add(
            paths, strict=strict, passphrase=lambda: passphrase.other(context)
        ):
            if added.problem:
                bad += 1
                click.echo(f"dcb: {added.path}: {safe(added.problem)}", err=True)
            if added.id:
                key = "saved.already" if added.change == "same" else "added"
                click.echo(say(key, id=added.id, title=safe(added.title)))
            if added.omitted:
                click.echo("\n".join(omitted_lines(added.omitted)))
    if bad:
        raise click.exceptions.Exit(1)
