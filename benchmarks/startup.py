"""How soon a command answers, beside a bare click program, in the same run.

    python benchmarks/startup.py [ROUNDS]

Prints the median of ROUNDS (default 15) starts in milliseconds, the programs taking turns,
and the ratio to the bare program; the same in CPU time, which a busy machine changes less.
All run from byte code, as pip installs
them, whatever this shell says about writing it.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BARE = """
import click

@click.group()
def cli(): pass

@cli.command()
def hello(): click.echo("hello")

cli()
"""
EXAMPLE = Path(__file__).parent.parent / "examples" / "chatgpt-export.zip"


def main(rounds: int) -> None:
    """Time the programs in turn and print one line for each."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **{key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPYCACHEPREFIX": f"{folder}/compiled",
            "DCB_DATA_DIR": f"{folder}/data",
        }
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        dcb = [sys.executable, "-m", "dcb"]
        saved = subprocess.run(
            [*dcb, "compile", EXAMPLE, "--save"],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        identifier = saved.stdout.split()[-1]
        programs = {
            "bare click": [sys.executable, str(bare), "hello"],
            "dcb --help": [*dcb, "--help"],
            "dcb list": [*dcb, "list"],
            "dcb brief ID": [*dcb, "brief", identifier],
        }
        for command in programs.values():  # writes the byte code
            _took(command, environment)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
        for _ in range(rounds):
            for name, command in programs.items():
                times[name].append(_took(command, environment))
    medians = {
        name: [statistics.median(kind) for kind in zip(*found, strict=True)]
        for name, found in times.items()
    }
    base = medians["bare click"]
    print(f"{'':<14} {'median ms':>10} {'ratio':>6} {'CPU ms':>8} {'ratio':>6}")
    for name, (wall, busy) in medians.items():
        print(
            f"{name:<14} {wall:>10.0f} {wall / base[0]:>6.2f} {busy:>8.0f} {busy / base[1]:>6.2f}"
        )


def _took(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU time of one run, in milliseconds."""
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (time.perf_counter() - started) * 1000, busy * 1000


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
