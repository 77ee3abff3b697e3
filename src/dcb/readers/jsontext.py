"""Bytes of JSON and JSONL -> decoded values, whatever is whole of them, in bounded memory.

An array is decoded item by item straight from the file's bytes, so that memory holds one
item at a time. Rows are split at byte 0x0A only. Damage costs the damaged item: it is
reported with its place and reading goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import File

Warn = Callable[[str], None]


def ignore(_: str) -> None:
    """Take a warning and forget it."""


def loads(data: bytes | memoryview, *, warn: Warn = ignore) -> Any:
    """The value of one JSON text. Lone surrogates become U+FFFD, with a warning.

    Raises DamagedSource with the byte position when it is not whole, LimitExceeded when it
    is nested too deep.
    """
    raise NotImplementedError


def document(file: File, *, warn: Warn = ignore) -> Any:
    """The whole decoded JSON of a file; for objects of one conversation. Raises as `loads`."""
    return loads(memoryview(file.data), warn=warn)


def array_items(
    file: File, *, key: str | None = None, warn: Warn = ignore
) -> Iterator[tuple[int, Any | Skipped]]:
    """`(position from 1, item)` of a JSON array, or of the array under `key` of an object.

    An item that cannot be decoded comes as `Skipped`, to be yielded on. When the file is cut,
    the whole items come first and the cut one last, as `Skipped`.
    """
    raise NotImplementedError


def rows(file: File, *, warn: Warn = ignore) -> Iterator[tuple[int, Any]]:
    """`(line number from 1, value)` of every whole row of JSON lines.

    Two objects on one line are two rows; of a cut record with a whole one behind it the
    whole one is read; blank lines and runs of NUL are passed over. What is lost is warned
    of with its line number.
    """
    raise NotImplementedError
