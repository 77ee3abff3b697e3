"""`python -m tests.faults [--full]`: every fault, with figures; status 1 if any did harm."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults import (
    backends,
    crowded_server,
    crowding,
    damaging,
    filling,
    killing,
    powering,
    sweeping,
)
from tests.faults.harness import Tally

Fault = Callable[[Path, bool], Tally]

FAULTS: tuple[tuple[str, Fault], ...] = (
    ("kill", lambda at, full: killing.kill(at, 1000 if full else 60)),
    ("sweep", lambda at, full: sweeping.sweep(at, every=1 if full else 20)),
    ("power", lambda at, full: powering.power(at, plans=8 if full else 1, saves=6 if full else 2)),
    ("damage", lambda at, full: damaging.damage(at, 500 if full else 20)),
    ("crowd4", lambda at, full: crowding.crowd(at, writers=4, saves=60 if full else 10)),
    ("crowd8", lambda at, full: crowding.crowd(at, writers=8, saves=60 if full else 10)),
    ("limit", lambda at, full: filling.limited(at)),
    ("full", lambda at, full: filling.full(at)),
    ("backends", lambda at, full: backends.kill(200 if full else 20)),
    ("servertables", lambda at, full: crowded_server.tables(at)),
    ("serverdisk", lambda at, full: crowded_server.whole(at)),
    ("readonly", lambda at, full: filling.read_only(at)),
)


def main() -> int:
    """Run the faults; 1 when one of them did harm."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--full", action="store_true", help="at length: several minutes")
    parser.add_argument("names", nargs="*", help=", ".join(name for name, _ in FAULTS))
    given = parser.parse_args()
    harm = False
    for name, fault in FAULTS:
        if given.names and name not in given.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            start = time.monotonic()
            tally = fault(Path(folder) / name, given.full)
            print(f"{tally} seconds={time.monotonic() - start:.0f}", flush=True)
            harm |= bool(tally.bad)
    return int(harm)


if __name__ == "__main__":
    sys.exit(main())
