"""No space, a file size limit, a read-only folder: refused in a sentence, nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dcb.errors import DcbError
from tests.faults.harness import Tally, run
from tests.faults.target import opened, verify

_NOBODY = 65534


def limited(folder: Path, *, limit: int = 1_200_000) -> Tally:
    """Save until the files may grow no further."""
    tally = Tally("file size limit")
    opened(folder).close()
    expected: dict[str, str] = {}
    failures: list[str] = []
    for seed in range(40):
        said = run(folder, 5, seed, file_limit=limit)
        expected |= said.acked
        failures += said.failures
        if said.status not in (0, 3):
            tally.bad.append(f"status {said.status}")
        if len(failures) >= 3:
            break
    _judge(tally, folder, expected, failures)
    return tally


def full(folder: Path) -> Tally:
    """Save until a small disk is full, then give it room. Needs the right to mount."""
    tally = Tally("full disk")
    with disk(folder, "4m") as mounted:
        if not mounted:
            tally.figures["skipped: may not mount"] = 1
            return tally
        data = folder / "data"
        expected: dict[str, str] = {}
        failures: list[str] = []
        for seed in range(60):
            said = run(data, 5, seed)
            expected |= said.acked
            failures += said.failures
            if len(failures) >= 3:
                break
        _judge(tally, data, expected, failures)
        grow(folder, "16m")
        again = run(data, 3, 999)
        tally.figures["saved when there was room again"] = len(again.acked)
        _judge(tally, data, expected | again.acked, failures)
    return tally


def read_only(folder: Path) -> Tally:
    """A folder without write permission is read, and refuses to save."""
    tally = Tally("read-only folder")
    if os.getuid():
        tally.figures["skipped: needs root to drop it"] = 1
        return tally
    run(folder, 2, 1)
    with opened(folder) as store:
        store.drop_draft()
        store._database.empty_log()
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    said = _as_nobody(folder)
    folder.chmod(0o700)
    tally.figures["read"] = said.count("read ")
    tally.figures["refused to save"] = said.count("Cannot write in")
    if said.count("read ") != 2 or "Cannot write in" not in said:
        tally.bad.append(said)
    return tally


def _as_nobody(folder: Path) -> str:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        said = ""
        try:
            os.setgid(_NOBODY)
            os.setuid(_NOBODY)
            with opened(folder) as store:
                said = "".join(f"read {row.id}\n" for row in store.list())
                store.remove(store.list()[0].id)
        except DcbError as error:
            said += f"{error}\n"
        finally:
            os.write(writing, said.encode())
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        return pipe.read().decode()


def _judge(tally: Tally, folder: Path, expected: dict[str, str], failures: list[str]) -> None:
    served, noticed = verify(folder)
    lost = [name for name in expected if served.get(name) != expected[name]]
    tally.figures.update({"acknowledged": len(expected), "refusals": len(failures)})
    tally.figures["lost"] = len(lost)
    unclear = [line for line in failures if not line.startswith("StoreUnwritable The disk of")]
    if lost or noticed or not failures or unclear:
        tally.bad.append(f"lost {lost} noticed {noticed} failures {failures[:2]} {unclear[:2]}")


@contextmanager
def disk(folder: Path, size: str) -> Iterator[bool]:
    """A small disk in place of a folder, meanwhile; whether that could be."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(folder)]
    mounted = (
        shutil.which("mount") is not None
        and subprocess.run(command, capture_output=True, check=False).returncode == 0
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=False)


def grow(folder: Path, size: str) -> None:
    """Give a disk of `disk` more room."""
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)
