"""Several programs save at once, and count: no error, no lost update."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

from dcb.errors import DcbError
from tests.faults.harness import Tally
from tests.faults.target import opened, save, verify

_WRITERS_SHARE = "shared"


def crowd(folder: Path, *, writers: int, saves: int) -> Tally:
    """So many processes save so many snapshots each, and all save one and the same as well."""
    tally = Tally(f"crowd of {writers}")
    opened(folder).close()
    reading, writing = os.pipe()
    children = [_writer(folder, number, saves, writing) for number in range(writers)]
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    for child in children:
        os.waitpid(child, 0)
    served, noticed = verify(folder)
    worst = max(float(line.split()[1]) for line in lines)
    errors = [line for line in lines if line.split(" ", 2)[2]]
    with opened(folder) as store:
        versions = len(store.versions(_WRITERS_SHARE))
    tally.figures.update(
        {
            "saves": writers * saves,
            "stored": len(served) - 1,
            "versions of the shared one": versions,
        }
    )
    tally.figures["errors"] = len(errors)
    tally.figures["worst wait in ms"] = round(worst * 1000)
    if errors or noticed or len(served) != writers * saves + 1 or versions != writers * saves:
        tally.bad.append(f"{errors[:3]} {noticed[:3]} stored {len(served)} versions {versions}")
    return tally


def _writer(folder: Path, number: int, saves: int, writing: int) -> int:
    child = os.fork()
    if child:
        return child
    rng = random.Random(number)
    worst, failure = 0.0, ""
    try:
        with opened(folder) as store:
            for place in range(saves):
                start = time.monotonic()
                save(store, f"c{number}-{place}", rng, 2000)
                worst = max(worst, time.monotonic() - start)
                save(store, _WRITERS_SHARE, rng, 200)
    except DcbError as error:
        failure = str(error)
    finally:
        os.write(writing, f"{number} {worst:.3f} {failure}\n".encode())
        os._exit(0)
