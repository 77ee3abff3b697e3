"""Every single write and every single fsync of a save fails, or kills, in turn.

Afterwards nothing acknowledged is lost, nothing is corrupt, and an error that was reported
means that the snapshot is not there: unclear commits are settled before anything is said.
"""

from __future__ import annotations

import errno
import random
from pathlib import Path

from tests.faults.harness import Said, Tally, faulty, fresh, run
from tests.faults.target import opened, save, verify

_SAVES = 2
_CASES = (
    ("write", "once", errno.EIO),
    ("write", "once", errno.ENOSPC),
    ("write", "sticky", errno.ENOSPC),
    ("write", "short", 0),
    ("write", "kill", 0),
    ("fsync", "once", errno.EIO),
    ("fsync", "sticky", errno.EIO),
    ("fsync", "kill", 0),
)


def sweep(folder: Path, *, every: int = 1) -> Tally:
    """Fail each `every`-th operation of two saves, in each way."""
    tally = Tally("sweep")
    folder.mkdir(parents=True, exist_ok=True)
    base = folder / "base"
    rng = random.Random(3)
    with opened(base) as store:
        old = {f"old{number}": save(store, f"old{number}", rng, 6000) for number in range(10)}
    counts = {operation: _count(folder, base, operation) for operation in ("write", "fsync")}
    tally.figures.update({f"{name}s a run": count for name, count in counts.items()})
    for operation, mode, error in _CASES:
        for place in range(1, counts[operation] + 1, every):
            settings = {"op": operation, "mode": mode, "nth": str(place), "errno": str(error)}
            said = run(fresh(base, folder / "run"), _SAVES, 77, size=6000, **faulty(**settings))
            _judge(tally, folder / "run", said, old, f"{operation} {mode} {error} at {place}")
    return tally


def _count(folder: Path, base: Path, operation: str) -> int:
    counted = folder / "count"
    settings = {"op": operation, "count": str(counted)}
    run(fresh(base, folder / "run"), _SAVES, 77, size=6000, **faulty(**settings))
    return int(counted.read_text())


def _judge(tally: Tally, folder: Path, said: Said, old: dict[str, str], case: str) -> None:
    served, noticed = verify(folder)
    expected = old | said.acked
    lost = [name for name in expected if served.get(name) != expected[name]]
    unclear = [name for name in served if name not in expected and said.failures]
    tally.figures["runs"] += 1
    tally.figures["clean errors"] += bool(said.failures)
    tally.figures["lost"] += len(lost)
    tally.figures["error but saved"] += len(unclear)
    if said.status not in (0, 3, -9):
        tally.bad.append(f"{case}: status {said.status}")
    if lost or noticed or unclear:
        tally.bad.append(f"{case}: lost {lost} noticed {noticed} unclear {unclear} {said.failures}")
