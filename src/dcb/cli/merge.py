"""`dcb merge`: two snapshots become one, and every conflict is reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from dcb import document, snapshot_json
from dcb.cli import choose
from dcb.cli.session import (
    Verb,
    current_settings,
    json_option,
    open_library,
    print_json,
    read_text,
    write_text,
)
from dcb.cli.view import faint, heading, preview, safe, snapshot_lines
from dcb.cli.words import say
from dcb.compile import compile_conversation
from dcb.library import Library
from dcb.model import Conflict, Snapshot

POLICIES = "new-wins, snapshot-wins, timestamp, weighted"


@click.command(cls=Verb, name="merge")
@click.argument("base")
@click.argument("current")
@click.option(
    "--policy", default="new-wins", show_default=True, metavar="NAME", help=f"{POLICIES}."
)
@click.option("--save", is_flag=True, help="Keep the result in the store.")
@click.option("--out", metavar="FILE|-", help="Write the merged document there.")
@json_option
def command(
    *, base: str, current: str, policy: str, save: bool, out: str | None, as_json: bool
) -> None:
    """Merge CURRENT into BASE: each a snapshot's id, a document, or a conversation source."""
    with open_library() as library:
        merged, conflicts = library.merge(
            _snapshot(library, base), _snapshot(library, current), policy=policy
        )
        kept = library.save_merged(merged) if save else None
    if out is not None:
        write_text(out, document.dump(merged))
    if as_json:
        found = [asdict(conflict) for conflict in conflicts]
        print_json({"snapshot": snapshot_json.to_json(merged), "conflicts": found})
    elif out != "-":
        click.echo(heading(safe(merged.title)))
        click.echo()
        for line in snapshot_lines(merged):
            click.echo(line)
        for line in conflict_lines(conflicts):
            click.echo(line)
    if kept:
        click.echo(say("saved", id=kept.id), err=as_json or out == "-")


def conflict_lines(conflicts: tuple[Conflict, ...]) -> Iterator[str]:
    """The conflicts: the matter, both values, which won and why."""
    yield heading(say("conflicts", count=len(conflicts)))
    for item in conflicts:
        yield f"  {click.style(safe(f'[{item.scope}] {item.key}'), fg='cyan')}  {faint(safe(item.reason))}"
        for side, value in (("base", item.base), ("current", item.current)):
            mark = "→" if item.winner == side else " "
            yield f"    {mark} {say(f'side.{side}')}  {preview(value)}"


def _snapshot(library: Library, name: str) -> Snapshot:
    """What a side names. A file goes before an id, since ids are never paths."""
    if not Path(name).exists() and name != "-":
        return library.get(name).snapshot
    if Path(name).is_file() and name.endswith(".md"):
        text = read_text(name)
        if text.lstrip("\ufeff").startswith("---"):
            return document.parse(text)
    reading = choose.Reading(name, None, current_settings().limits)
    return compile_conversation(choose.one(reading, wanted=None), max_tokens=None).snapshot
