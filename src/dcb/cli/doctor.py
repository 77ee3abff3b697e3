"""`dcb doctor`: is the store whole, and is this installation what it should be?"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import asdict

import click

from dcb._version import __version__
from dcb.cli.session import Verb, json_option, open_library, print_json
from dcb.cli.view import safe
from dcb.cli.words import say
from dcb.store import Health


@click.command(cls=Verb, name="doctor")
@click.option("--repair", is_flag=True, help="Rebuild what can be rebuilt.")
@json_option
def command(*, repair: bool, as_json: bool) -> None:
    """Check every stored document against its hash, the index, the outbox and the git mirror,
    and the versions of the parts.
    """
    with open_library() as library:
        mended = library.repair() if repair else ()
        health = library.health()
    parts = {"dcb": __version__, "python": platform.python_version(), health.engine: health.release}
    if as_json:
        print_json({**parts, "mended": mended, **asdict(health)})
    else:
        for name, version in parts.items():
            click.echo(f"{name:<10} {version}")
        for line in _lines(health, mended):
            click.echo(line)
    if health.problems:
        raise click.exceptions.Exit(1)


def _lines(health: Health, mended: tuple[str, ...]) -> Iterator[str]:
    yield f"{say('doctor.data'):<10} {safe(health.path)}"
    yield say("doctor.store", count=health.snapshots, size=f"{health.size:,}")
    yield f"{say('doctor.mirror'):<10} {health.mirror}"
    yield f"{say('doctor.outbox'):<10} {say('doctor.tasks', count=health.waiting)}"
    for sentence in mended:
        yield f"+ {safe(sentence)}"
    for problem in health.problems:
        yield safe(f"! {problem.where}: {problem.what}. {problem.remedy}")
    if not health.problems:
        yield say("doctor.well")
