"""`dcb sources`: where this machine keeps sessions of agents and tools."""

from __future__ import annotations

from dataclasses import asdict

import click

from dcb.cli.session import Verb, json_option, print_json
from dcb.cli.view import faint, heading, safe, when
from dcb.cli.words import say
from dcb.discover import discover

_UNITS = ("B", "kB", "MB", "GB", "TB")


@click.command(cls=Verb, name="sources")
@json_option
def command(*, as_json: bool) -> None:
    """Find the sessions of coding agents and chat tools on this machine.

    `dcb ingest --discover` stores them all.
    """
    found = discover()
    if as_json:
        print_json([{**asdict(one), "root": str(one.root)} for one in found])
        return
    if not found:
        click.echo(say("sources.none"))
    for one in found:
        notes = (say("sources.count", count=one.count), _size(one.size), when(one.newest))
        click.echo(
            f"{heading(one.tool)}  {'  '.join(filter(None, notes))}  {faint(safe(str(one.root)))}"
        )
        if one.warning:
            click.echo(click.style(f"  ! {safe(one.warning)}", fg="yellow"))
    if found:
        click.echo(say("sources.hint"))


def _size(size: float) -> str:
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
