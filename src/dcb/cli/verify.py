"""`dcb verify`: is this document as it was written?"""

from __future__ import annotations

import click

from dcb import document
from dcb.cli.session import Verb, print_json, read_text
from dcb.cli.view import safe
from dcb.cli.words import say

READABLE = {"intact", "newlines-changed", "modified", "no-checksum"}


@click.command(cls=Verb, name="verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("--strict", is_flag=True, help="Accept only documents that are intact.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(*, files: tuple[str, ...], strict: bool, as_json: bool) -> None:
    """Compare snapshot documents with the checksum in their header.

    A checksum shows damage and edits. Anyone can compute it anew, so it proves no origin.
    """
    good = True
    answers = []
    for name in files:
        verdict = document.verify(read_text(name))
        good &= verdict.status == "intact" if strict else verdict.status in READABLE
        answer = {
            "status": verdict.status,
            "declared": verdict.declared,
            "counted": verdict.counted,
            "message": verdict.message,
            "line": verdict.line,
            "column": verdict.column,
        }
        answers.append({"file": name, **answer} if len(files) > 1 else answer)
        if not as_json:
            detail = f": {verdict.message}" if verdict.status == "not-a-snapshot" else ""
            click.echo(f"{name}: {say(f'verdict.{verdict.status}')}{safe(detail)}")
    if as_json:
        print_json(answers if len(files) > 1 else answers[0])
    if not good:
        raise click.exceptions.Exit(1)
