"""The closed file is damaged at random places: no wrong text may be served, none vanish unseen."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.faults.harness import DATABASE, Tally
from tests.faults.target import opened, save, verify

_PAGE = 4096


def _bit(raw: bytearray, rng: random.Random) -> None:
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)


def _zeroed(raw: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(raw) // _PAGE) * _PAGE
    raw[start : start + _PAGE] = bytes(_PAGE)


def _garbage(raw: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(raw) // 512) * 512
    raw[start : start + 512] = rng.randbytes(512)


def _swapped(raw: bytearray, rng: random.Random) -> None:
    one, other = (page * _PAGE for page in rng.sample(range(1, len(raw) // _PAGE), 2))
    raw[one : one + _PAGE], raw[other : other + _PAGE] = (
        raw[other : other + _PAGE],
        raw[one : one + _PAGE],
    )


def _cut(raw: bytearray, rng: random.Random) -> None:
    del raw[rng.randrange(1, len(raw)) :]


KINDS: dict[str, Callable[[bytearray, random.Random], None]] = {
    "one bit": _bit,
    "a page zeroed": _zeroed,
    "512 bytes of garbage": _garbage,
    "two pages swapped": _swapped,
    "the end cut off": _cut,
}


def damage(folder: Path, times: int) -> Tally:
    """Damage a store in each way so many times, and read it."""
    tally = Tally("damage")
    rng = random.Random(2)
    with opened(folder / "whole") as store:
        truth = {f"s{number}": save(store, f"s{number}", rng, 3000) for number in range(30)}
    whole = (folder / "whole" / DATABASE).read_bytes()
    for name, spoil in KINDS.items():
        for number in range(times):
            raw = bytearray(whole)
            spoil(raw, rng)
            _judge(tally, _store(folder / "spoiled", bytes(raw)), truth, f"{name} {number}")
    return tally


def _store(folder: Path, raw: bytes) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    (folder / DATABASE).write_bytes(raw)
    (folder / DATABASE).chmod(0o600)
    return folder


def _judge(tally: Tally, folder: Path, truth: dict[str, str], case: str) -> None:
    served, noticed = verify(folder)
    wrong = [name for name, digest in served.items() if truth.get(name) != digest]
    gone = [name for name in truth if name not in served]
    tally.figures["damages"] += 1
    tally.figures["noticed"] += bool(noticed)
    tally.figures["readable all the same"] += not wrong and not gone
    tally.figures["wrong text served"] += len(wrong)
    tally.figures["gone unnoticed"] += bool(gone and not noticed)
    if wrong or (gone and not noticed):
        tally.bad.append(f"{case}: wrong {wrong[:3]}, gone {gone[:3]}, noticed {noticed[:2]}")
