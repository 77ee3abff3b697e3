"""One lock file for every write, checkpoint and migration of a store.

SQLite's own locks suffice for its data; this one keeps writers and checkpoints of several
programs apart (https://sqlite.org/wal.html, "the WAL-reset bug"), and lets a refusal say who
holds it. The system drops it when its holder dies, so it is never stale.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dcb.errors import StoreLocked, StoreUnwritable

PATIENCE = 30.0  # seconds to wait for another program
_PAUSE = 0.002


@contextmanager
def held(path: Path, *, patience: float | None = None) -> Iterator[int]:
    """Hold the lock file; yields its descriptor.

    Raises StoreLocked that names the holder when it stays taken for `patience` seconds
    (PATIENCE unless given),
    StoreUnwritable when the file cannot be made.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise StoreUnwritable(
            f"Cannot write in {path.parent}: {error.strerror}; choose another folder with "
            "--data-dir or mend its permissions"
        ) from None
    try:
        _take(handle, path, PATIENCE if patience is None else patience)
        _sign(handle)
        yield handle
    finally:
        os.close(handle)


def _take(handle: int, path: Path, patience: float) -> None:
    until = time.monotonic() + patience
    pause = _PAUSE
    while not _try(handle):
        if time.monotonic() > until:
            raise StoreLocked(
                f"Another program{_holder(path)} is writing to {path.parent}; wait for it to "
                "finish, or stop it, and try again"
            )
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


def _sign(handle: int) -> None:
    # A full disk must not keep anyone from the lock: the name is only for messages.
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0) if hasattr(os, "pwrite") else None
    except OSError:
        pass


def _holder(path: Path) -> str:
    try:
        name = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" (process {name})" if name.isdigit() else ""


if os.name == "nt":  # pragma: no cover
    import msvcrt

    def _try(handle: int) -> bool:
        # Byte 1 MiB is locked, so that the name at the beginning stays readable.
        os.lseek(handle, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
