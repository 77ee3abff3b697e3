"""`dcb doctor`: is the store whole, and is this installation what it should be?"""

from __future__ import annotations

import platform

import click

from dcb._version import __version__
from dcb.cli.session import Verb, current_settings, json_option, open_library, print_json
from dcb.cli.view import safe
from dcb.cli.words import say


@click.command(cls=Verb, name="doctor")
@click.option("--repair", is_flag=True, help="Rebuild what can be rebuilt.")
@json_option
def command(*, repair: bool, as_json: bool) -> None:
    """Check every stored document against its hash, the index, and the versions of the parts."""
    with open_library() as library:
        health = library.repair() if repair else library.health()
    parts = {"dcb": __version__, "python": platform.python_version(), "sqlite": health.sqlite}
    if as_json:
        print_json(
            {
                **parts,
                "data_dir": str(current_settings().data_dir),
                "snapshots": health.snapshots,
                "encrypted": health.encrypted,
                "bytes": health.size,
                "problems": list(health.problems),
            }
        )
    else:
        for name, version in parts.items():
            click.echo(f"{name:<10} {version}")
        click.echo(f"{say('doctor.data'):<10} {current_settings().data_dir}")
        click.echo(say("doctor.store", count=health.snapshots, size=f"{health.size:,}"))
        for problem in health.problems:
            click.echo(f"! {safe(problem)}")
        if not health.problems:
            click.echo(say("doctor.well"))
    if health.problems:
        raise click.exceptions.Exit(1)
