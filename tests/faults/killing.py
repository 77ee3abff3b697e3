"""SIGKILL at random moments: nothing acknowledged may be lost, nothing may be wrong."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from pathlib import Path

from tests.faults.harness import Said, Tally
from tests.faults.target import opened, save, verify

_FRESH_AFTER = 40  # kills on one store


def kill(folder: Path, times: int) -> Tally:
    """Fork a saver and kill it, again and again; read everything back each time."""
    tally = Tally("kill")
    rng = random.Random(1)
    expected: dict[str, str] = {}
    for number in range(times):
        if number % _FRESH_AFTER == 0:
            shutil.rmtree(folder, ignore_errors=True)
            expected = {}
            opened(folder).close()
        said = _killed(folder, number, rng.uniform(0.003, 0.08))
        unfinished = set(said.begun) - set(said.acked)
        tally.figures["kills"] += 1
        tally.figures["inside a save"] += bool(unfinished)
        expected |= said.acked
        served, noticed = verify(folder)
        lost = [name for name in expected if served.get(name) != expected[name]]
        tally.figures["acknowledged"] += len(said.acked)
        tally.figures["lost"] += len(lost)
        tally.figures["stored without saying so"] += len(served.keys() - expected.keys())
        if lost or noticed:
            tally.bad.append(f"kill {number}: lost {lost}, noticed {noticed}")
        expected |= served
    return tally


def _killed(folder: Path, number: int, after: float) -> Said:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _save_for_ever(folder, number, writing)
    os.close(writing)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        return Said.of(pipe.read())


def _save_for_ever(folder: Path, number: int, writing: int) -> None:
    try:
        rng = random.Random(number * 7919 + 1)
        store = opened(folder)
        for place in range(500):
            name = f"k{number}-{place}"
            os.write(writing, f"BEG {name}\n".encode())
            os.write(writing, f"ACK {name} {save(store, name, rng)}\n".encode())
    finally:
        os._exit(0)
