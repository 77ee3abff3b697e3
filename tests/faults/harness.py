"""Running the target under faults, and reading what it said."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DATABASE = "store.db"


@dataclass(slots=True)
class Tally:
    """Figures of one kind of fault. `bad` must stay empty."""

    name: str
    figures: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        shown = " ".join(f"{name}={figure}" for name, figure in self.figures.items())
        return f"{self.name}: {shown}" + "".join(f"\n  BAD {line}" for line in self.bad[:5])


@dataclass(frozen=True, slots=True)
class Said:
    """What a run of the target printed."""

    begun: tuple[str, ...]
    acked: dict[str, str]
    failures: tuple[str, ...]
    status: int

    @staticmethod
    def of(output: bytes, status: int = 0) -> Said:
        """Read the lines; a line cut short was never said."""
        lines = [line.split(" ", 2) for line in output.decode().split("\n")[:-1]]
        return Said(
            begun=tuple(line[1] for line in lines if line[0] == "BEG"),
            acked={line[1]: line[2] for line in lines if line[0] == "ACK"},
            failures=tuple(" ".join(line[1:]) for line in lines if line[0] == "FAIL"),
            status=status,
        )


def run(
    folder: Path,
    number: int,
    seed: int,
    *,
    size: int | None = None,
    file_limit: int | None = None,
    **environment: str,
) -> Said:
    """Run the target to its end."""
    arguments = [str(folder), str(number), str(seed), *([str(size)] if size else [])]

    def limited() -> None:
        if file_limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.target", *arguments],
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
        preexec_fn=limited,
    )
    return Said.of(done.stdout, done.returncode)


@cache
def shim() -> Path | None:
    """The library that makes writes fail, compiled on first use; None without a compiler."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        return None
    made = Path(os.environ.get("TMPDIR", "/tmp")) / f"dcb-iofault-{os.getuid()}-{os.getpid()}.so"
    source = str(HERE / "iofault.c")
    command = [compiler, "-shared", "-fPIC", "-O1", "-w", "-o", str(made), source, "-ldl"]
    subprocess.run(command, check=True)
    return made


def faulty(**settings: str) -> dict[str, str]:
    """The environment in which the target's writes to the database go through the shim."""
    return {
        "LD_PRELOAD": str(shim()),
        "IOF_MATCH": DATABASE,
        **{f"IOF_{name.upper()}": value for name, value in settings.items()},
    }


def fresh(source: Path, target: Path) -> Path:
    """A folder as `source` is now, in place of `target`."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target
