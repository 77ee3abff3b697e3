"""`dcb diff`: what changed between two snapshots, item by item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from dcb.cli.session import Verb, json_option, open_library, print_json
from dcb.cli.view import faint, preview, safe
from dcb.cli.words import say
from dcb.differ import Change, differences


@click.command(cls=Verb, name="diff")
@click.argument("before")
@click.argument("after")
@json_option
def command(*, before: str, after: str, as_json: bool) -> None:
    """Compare two versions (ID@1 ID@3) or two snapshots by their entries."""
    with open_library() as library:
        changes = differences(library.snapshot(before), library.snapshot(after))
    if as_json:
        print_json([asdict(change) for change in changes])
        return
    for line in _lines(changes):
        click.echo(line)


def _lines(changes: tuple[Change, ...]) -> Iterator[str]:
    if not changes:
        yield say("diff.none")
    for change in changes:
        label = f"{change.layer} {change.label}".strip()
        if change.before:
            yield click.style(f"- {preview(change.before)}", fg="red") + faint(f"  {safe(label)}")
        if change.after:
            yield click.style(f"+ {preview(change.after)}", fg="green") + faint(f"  {safe(label)}")
