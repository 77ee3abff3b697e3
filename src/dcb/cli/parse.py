"""`dcb parse`: a document as JSON."""

from __future__ import annotations

import click

from dcb import document, snapshot_json
from dcb.cli.session import Verb, print_json, read_text
from dcb.errors import DocumentError


@click.command(cls=Verb, name="parse")
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@click.option("--strict", is_flag=True, help="Refuse a document whose checksum does not match.")
def command(*, file: str, strict: bool) -> None:
    """Print the snapshot in FILE (default: standard input) as JSON."""
    text = read_text(file)
    snapshot, warnings = document.read(text)
    verdict = document.verify(text)
    if verdict.status not in ("intact", "no-checksum"):
        if strict:
            raise DocumentError(f"{file}: {verdict.message}")
        click.echo(f"dcb: {file}: {verdict.message}", err=True)
    for warning in warnings:
        click.echo(f"dcb: {file}: {warning}", err=True)
    print_json(snapshot_json.to_json(snapshot))
