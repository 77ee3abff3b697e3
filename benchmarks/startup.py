"""How soon a command answers, beside a bare click program, in the same run.

    python benchmarks/startup.py [ROUNDS]

Prints the median and the best of ROUNDS (default 15) starts in milliseconds, the programs
taking turns, and the ratio to the bare program. All run from byte code, as pip installs
them, whatever this shell says about writing it.
"""

from __future__ import annotations

import os
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
        times: dict[str, list[float]] = {name: [] for name in programs}
        for command in programs.values():  # writes the byte code
            subprocess.run(command, env=environment, check=True, capture_output=True)
        for _ in range(rounds):
            for name, command in programs.items():
                started = time.perf_counter()
                subprocess.run(command, env=environment, check=True, capture_output=True)
                times[name].append((time.perf_counter() - started) * 1000)
    base = statistics.median(times["bare click"])
    print(f"{'':<14} {'median ms':>10} {'best ms':>9} {'ratio':>6}")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:<14} {median:>10.0f} {min(values):>9.0f} {median / base:>6.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
