"""A path -> the bytes of a plain file, mapped, without following what a folder hides in it.

Paths that a person typed may be links; names that came out of a folder or out of data may
not. A pipe, a device or a socket is never opened for reading.
"""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path

from dcb.errors import SourceError
from dcb.readers.base import Data
from dcb.sources.limits import Limits, refuse_above

MAPPED_FROM = 1 << 16
"""Bytes from which a file is mapped; smaller ones are read."""

KINDS: tuple[tuple[int, str], ...] = (
    (stat.S_IFLNK, "a symbolic link, which is not followed inside a folder"),
    (stat.S_IFIFO, "a pipe"),
    (stat.S_IFSOCK, "a socket"),
    (stat.S_IFCHR, "a device"),
    (stat.S_IFBLK, "a device"),
    (stat.S_IFDIR, "a folder"),
)


def load(path: Path, limits: Limits, *, follow: bool) -> Data:
    """The bytes of a plain file. Raises SourceError with the reason when it is none."""
    size = check(path, follow=follow)
    refuse_above(size, limits.file_bytes, "file_bytes", what=f"{path}, size in bytes")
    # Without O_NONBLOCK, a pipe that took the file's place since would hang here.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    except OSError as error:
        raise unreadable(path, error) from None
    with open(handle, "rb") as stream:
        _refuse_special(path, os.fstat(handle).st_mode)
        try:
            if size < MAPPED_FROM:
                return stream.read(MAPPED_FROM)
            return mmap.mmap(handle, 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise unreadable(path, error) from None


def check(path: Path, *, follow: bool) -> int:
    """The size of a plain file. Raises SourceError when it is missing or not plain."""
    try:
        status = path.stat() if follow else path.lstat()
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    _refuse_special(path, status.st_mode)
    return status.st_size


def modified_ms(path: Path) -> int | None:
    """When the file was last written, in epoch milliseconds."""
    try:
        return path.stat().st_mtime_ns // 1_000_000
    except OSError:
        return None


def unreadable(path: Path, error: Exception) -> SourceError:
    """The error for a path that the system does not let us read."""
    reason = getattr(error, "strerror", None) or str(error)
    return SourceError(f"{path} cannot be read: {reason}")


def _refuse_special(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = dict(KINDS).get(stat.S_IFMT(mode), "no plain file")
        raise SourceError(f"{path} is {kind}; it is not opened")
