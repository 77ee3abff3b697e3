"""Power loss without a block device: a run's writes and fsyncs are recorded, and the disk is
rebuilt as it could look had the power gone at each point. What was synced is certain; each
other write may be there, missing or torn at 512 bytes.
"""

from __future__ import annotations

import random
import shutil
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.harness import DATABASE, Said, Tally, faulty, run
from tests.faults.target import opened, save, verify

_LOG = f"{DATABASE}-wal"
_SECTOR = 512


@dataclass(frozen=True, slots=True)
class Operation:
    """One recorded operation: W write, T truncate, S sync, A what was acknowledged."""

    kind: str
    file: str
    offset: int
    data: bytes


def power(folder: Path, *, plans: int, saves: int = 6) -> Tally:
    """Rebuild the disk at every point of a run, in `plans` random ways besides all and none."""
    tally = Tally("power loss")
    folder.mkdir(parents=True, exist_ok=True)
    base, old, operations = _record(folder, saves)
    rng = random.Random(1)
    tally.figures["operations"] = len(operations)
    for cut in range(1, len(operations) + 1):
        done = operations[:cut]
        said = Said.of(b"".join(item.data for item in done if item.kind == "A"))
        for files in _disks(base, done, plans, rng):
            _write(folder / "rebuilt", files)
            served, noticed = verify(folder / "rebuilt")
            expected = old | said.acked
            lost = [name for name in expected if served.get(name) != expected[name]]
            tally.figures["states"] += 1
            tally.figures["lost"] += len(lost)
            tally.figures["corrupt"] += bool(noticed)
            if lost or noticed:
                tally.bad.append(f"at {cut}: lost {lost} noticed {noticed}")
    return tally


def _record(folder: Path, saves: int) -> tuple[dict[str, bytes], dict[str, str], list[Operation]]:
    target, log = folder / "recorded", folder / "log"
    rng = random.Random(9)
    with opened(target) as store:
        old = {f"old{number}": save(store, f"old{number}", rng, 4000) for number in range(3)}
    base = {DATABASE: (target / DATABASE).read_bytes(), _LOG: b""}
    run(target, saves, 5, size=6000, **faulty(log=str(log)))
    return base, old, list(_operations(log.read_bytes()))


def _operations(raw: bytes) -> Iterator[Operation]:
    place = 0
    while place < len(raw):
        kind = chr(raw[place])
        length, offset, size = struct.unpack_from("<IqQ", raw, place + 1)
        place += 21
        name = raw[place : place + length].decode().rpartition("/")[2]
        place += length
        data = b""
        if kind in "WA":
            data = raw[place : place + size]
            place += size
        if kind == "A" or name in (DATABASE, _LOG):
            yield Operation(kind, name, offset, data)


def _disks(
    base: dict[str, bytes], done: list[Operation], plans: int, rng: random.Random
) -> Iterator[dict[str, bytearray]]:
    last = {item.file: place for place, item in enumerate(done) if item.kind == "S"}
    loose = {
        place
        for place, item in enumerate(done)
        if item.kind in "WT" and place > last.get(item.file, -1)
    }
    halves = [{place for place in sorted(loose) if rng.random() < 0.5} for _ in range(plans)]
    for number, kept in enumerate([set(), loose, *halves]):
        files = {name: bytearray(content) for name, content in base.items()}
        for place, item in enumerate(done):
            if item.kind in "WT" and (place not in loose or place in kept):
                torn = number > 1 and place in loose and rng.random() < 0.3
                _apply(files[item.file], _torn(item, rng) if torn else item)
        yield files


def _torn(item: Operation, rng: random.Random) -> Operation:
    if item.kind != "W" or len(item.data) <= _SECTOR:
        return item
    kept = _SECTOR * rng.randint(1, len(item.data) // _SECTOR)
    return Operation("W", item.file, item.offset, item.data[:kept])


def _apply(content: bytearray, item: Operation) -> None:
    if item.kind == "T":
        del content[item.offset :]
        content.extend(bytes(max(0, item.offset - len(content))))
        return
    content.extend(bytes(max(0, item.offset - len(content))))
    content[item.offset : item.offset + len(item.data)] = item.data


def _write(folder: Path, files: dict[str, bytearray]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    for name, content in files.items():
        if content or name == DATABASE:
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o600)
