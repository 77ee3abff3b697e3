"""Bytes of JSON and JSONL -> decoded values, whatever is whole of them, in bounded memory.

An array is decoded item by item straight from the file's bytes, so that memory holds one
item at a time. Rows are split at byte 0x0A only. Damage costs the damaged item: it is
reported with its place and reading goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from dcb.errors import DamagedSource, LimitExceeded, SourceError
from dcb.model import Skipped
from dcb.readers import salvage
from dcb.readers.base import Data, File

Warn = Callable[[str], None]

SMALL = 1 << 24
"""Bytes of a file up to which it is decoded whole to say what is wrong with it."""

WARNINGS = 20
"""How many damaged lines of one file are warned of one by one; the rest are counted."""

TOO_DEEP = "The JSON is nested more deeply than Python can follow"
BOM = b"\xef\xbb\xbf"
NUL = b"\0"
_ZEROS = bytes(1 << 20)
_NULS = re.compile(rb"\0++")
_BYTE = re.compile(r"\s*\(byte (\d+)\)")
_decode = msgspec.json.decode
_decode_items = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def ignore(_: str) -> None:
    """Take a warning and forget it."""


def loads(data: bytes | memoryview | msgspec.Raw, *, warn: Warn = ignore) -> Any:
    """The value of one JSON text. Lone surrogates become U+FFFD, with a warning.

    Raises DamagedSource with line and column when it is not whole, LimitExceeded when it is
    nested too deep.
    """
    try:
        return _decode(data)
    except RecursionError:
        raise LimitExceeded(TOO_DEEP) from None
    except msgspec.DecodeError as error:
        raw = bytes(data)
        repair = salvage.repaired(raw)
        if repair is None:
            raise DamagedSource(fault(raw, error)) from None
    value = loads(repair[0])
    warn(repair[1][0].upper() + repair[1][1:])
    return value


def document(file: File, *, warn: Warn = ignore) -> Any:
    """The whole decoded JSON of a file; for objects of one conversation. Raises as `loads`."""
    return loads(memoryview(file.data)[start_of(file.data) :], warn=warn)


def fault_in(file: File) -> str | None:
    """What keeps a file from being whole JSON, with line and column; None when it is."""
    view = memoryview(file.data)[start_of(file.data) :]
    try:
        # Numbers are only looked at when they are decoded, which a large file is not.
        _decode(view, type=Any if len(view) < SMALL else msgspec.Raw)
    except RecursionError:
        return TOO_DEEP
    except msgspec.DecodeError as error:
        return fault(file.data, error)
    return None


def fields(data: bytes | memoryview | msgspec.Raw) -> dict[str, msgspec.Raw] | None:
    """The fields of an object with their values undecoded; None when it is not a whole one."""
    try:
        return _decode_fields(data)
    except (msgspec.DecodeError, RecursionError):
        return None


def array_items(
    file: File, *, key: str | None = None, warn: Warn = ignore
) -> Iterator[tuple[int, Any | Skipped]]:
    """`(position from 1, item)` of a JSON array, or of the array under `key` of an object.

    An item that cannot be decoded comes as `Skipped`, to be yielded on. When the file is cut,
    the whole items come first and the cut one last, as `Skipped`.
    """
    for position, raw in enumerate(_raw_items(file.data, key), 1):
        where = f"{file.where}, item {position}"
        if isinstance(raw, int):
            text = f"The file is cut: it ends inside this item, which begins at byte {raw:,}"
            yield position, Skipped(where=where, reason=text)
            return
        try:
            yield position, loads(raw, warn=_at(where, warn))
        except SourceError as error:
            yield position, Skipped(where=where, reason=str(error))


def rows(file: File, *, warn: Warn = ignore) -> Iterator[tuple[int, Any]]:
    """`(line number from 1, value)` of every whole row of JSON lines.

    Two objects on one line are two rows; of a cut record with a whole one behind it the
    whole one is read; blank lines and runs of NUL are passed over. What is lost is warned
    of with its line number.
    """
    account = _LineWarnings(warn)
    for number, line in lines(file.data):
        if line == NUL:
            account.warn(number, "A run of NUL bytes was passed over")
            continue
        try:
            yield number, _decode(line)
        except (msgspec.DecodeError, RecursionError):
            for value in _damaged_line(line, number, account):
                yield number, value
    account.close()


def lines(data: Data) -> Iterator[tuple[int, bytes]]:
    """`(number from 1, bytes)` of what is not blank between two 0x0A and between runs of NUL.

    Runs of NUL, which a crash leaves behind and which are no JSON, come as one `NUL`.
    """
    pos = start_of(data)
    number = 1
    while pos < len(data):
        if data[pos : pos + 1] == NUL:
            yield number, NUL
            pos = _behind_nuls(data, pos)
            continue
        end = data.find(b"\n", pos)
        end = len(data) if end < 0 else end
        nul = data.find(NUL, pos, end)
        piece = data[pos : end if nul < 0 else nul].strip(b" \t\r")
        if piece:
            yield number, piece
        pos = end + 1 if nul < 0 else nul
        number += nul < 0


def _behind_nuls(data: Data, pos: int) -> int:
    # A sparse file holds them by the GiB: whole blocks are compared, the rest is matched.
    while data[pos : pos + len(_ZEROS)] == _ZEROS:
        pos += len(_ZEROS)
    run = _NULS.match(data, pos)
    return run.end() if run else pos


def start_of(data: Data) -> int:
    """Where the text begins: behind a UTF-8 byte order mark, if there is one."""
    return len(BOM) if data[: len(BOM)] == BOM else 0


def fault(data: Data, error: Exception) -> str:
    """What is wrong with JSON bytes, with line and column."""
    text = str(error)
    found = _BYTE.search(text)
    pos = min(int(found[1]), len(data)) if found else len(data)
    line = sum(1 for _ in re.finditer(rb"\n", memoryview(data)[:pos])) + 1
    column = pos - data.rfind(b"\n", 0, pos)
    if "truncated" in text:
        return f"Not whole JSON: it ends at line {line}, column {column}; the file may be cut"
    detail = _BYTE.sub("", text).removeprefix("JSON is malformed: ").partition(" - at ")[0]
    place = f" (line {line}, column {column})" if found else ""
    return f"Not valid JSON: {detail}{place}"


def _raw_items(data: Data, key: str | None) -> Iterator[msgspec.Raw | bytes | int]:
    """The undecoded items; of one that is cut, where it begins."""
    view = memoryview(data)[start_of(data) :]
    try:
        items = _decode_items(view if key is None else _decode_fields(view)[key])
    except (msgspec.DecodeError, RecursionError, KeyError):
        yield from _salvaged_items(data, array_start(data, key))
    else:
        yield from items


def array_start(data: Data, key: str | None) -> int | None:
    """Where the array opens: the file's own, or the first one under `key`."""
    if key is None:
        pos = salvage.skip(data, start_of(data))
        return pos if data[pos : pos + 1] == b"[" else None
    found = re.compile(rb'"' + re.escape(key.encode()) + rb'"\s*+:\s*+\[').search(data)
    return found.end() - 1 if found else None


def _salvaged_items(data: Data, start: int | None) -> Iterator[bytes | int]:
    if start is None:
        return
    like = salvage.first_object(data, start)
    pos = salvage.skip(data, start + 1)
    while data[pos : pos + 1] not in (b"]", b""):
        if data[pos : pos + 1] == b"}":  # left over from a damaged item
            pos = salvage.skip(data, pos + 1)
            continue
        end = salvage.value_end(data, pos)
        raw = bytes(data[pos:end])
        if end is None or not _is_whole(raw) or (like and raw[:1] != b"{"):
            # A bracket or quote that is lost swallows the items behind it, unless the next
            # one is known by how items begin.
            resume = _next_whole(data, pos, like)
            if resume is None and end is None:
                yield pos
                return
            end = min(place for place in (resume, end) if place is not None)
            raw = bytes(data[pos:end]).rstrip(b", \t\r\n")
        yield raw
        pos = salvage.skip(data, end)


def _next_whole(data: Data, pos: int, like: bytes) -> int | None:
    """Where behind `pos` the next whole object begins that opens like the others."""
    left = salvage.TRY_BYTES
    for place in salvage.openings(data, pos + 1, like):
        end = salvage.value_end(data, place)
        if end is not None and _is_whole(bytes(data[place:end])):
            return place
        left -= (end or len(data)) - place
        if left < 0:
            return None
    return None


def _at(where: str, warn: Warn) -> Warn:
    return lambda text: warn(f"{where}: {text}")


def _is_whole(raw: bytes) -> bool:
    try:
        loads(raw)
    except LimitExceeded:
        return True  # its brackets match; the caller reports it and the next item is in place
    except SourceError:
        return False
    return True


def _damaged_line(line: bytes, number: int, account: _LineWarnings) -> Iterator[Any]:
    try:
        yield loads(line, warn=lambda text: account.warn(number, text))
    except LimitExceeded as error:
        account.warn(number, str(error))
    except DamagedSource:
        yield from _records(line, number, account)


def _records(line: bytes, number: int, account: _LineWarnings) -> Iterator[Any]:
    """The whole records of a line that holds several, or a cut one with a whole one behind."""
    pos = 0
    while pos < len(line):
        end = salvage.value_end(line, pos)
        try:
            value = loads(line[pos:end])
        except SourceError:
            yield from _behind_the_cut(line[pos:], number, account)
            return
        yield value
        pos = salvage.skip(line, len(line) if end is None else end)


def _behind_the_cut(line: bytes, number: int, account: _LineWarnings) -> Iterator[Any]:
    for start in salvage.object_starts(line):
        try:
            value = loads(line[start:])
        except SourceError:
            continue
        account.warn(number, "A record is cut; the whole one behind it was read")
        yield value
        return
    account.warn(number, "A record is cut or damaged and was left out")


class _LineWarnings:
    """Warnings with line numbers, the first ones in full, the rest as a count."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._count = 0
        self._last = (0, "")

    def warn(self, number: int, text: str) -> None:
        if self._last == (number, text):
            return
        self._last = (number, text)
        self._count += 1
        if self._count <= WARNINGS:
            self._warn(f"Line {number}: {text}")

    def close(self) -> None:
        if self._count > WARNINGS:
            self._warn(f"{self._count - WARNINGS} more damaged lines")
