"""A file of a git repository -> what is packed in it, for a search of every byte.

Loose objects are one zlib stream, packs a row of them (https://git-scm.com/docs/gitformat-pack).
Written without a git library, so that what one wrote is not looked for with its own eyes.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Iterator

_PACK_HEAD = 12  # "PACK", version, number of objects
_PACK_TAIL = 20  # SHA-1 of everything before
_OFFSET_DELTA, _NAME_DELTA = 6, 7
_PIECE = 1 << 16


def unpacked(raw: mmap.mmap) -> Iterator[bytes]:
    """The content of every object in a file; nothing for a file that holds none."""
    if raw[:4] == b"PACK":
        pos = _PACK_HEAD
        while pos < len(raw) - _PACK_TAIL:
            pos, text = _inflated(raw, _after_head(raw, pos))
            yield text
    elif raw[:1] == b"x":  # how every zlib stream of git begins
        yield _inflated(raw, 0)[1]


def _after_head(raw: mmap.mmap, pos: int) -> int:
    """Where the stream of a packed object begins, which has its kind and size before it."""
    kind = raw[pos] >> 4 & 7
    pos = _after_number(raw, pos)
    if kind == _OFFSET_DELTA:
        return _after_number(raw, pos)
    return pos + 20 if kind == _NAME_DELTA else pos


def _after_number(raw: mmap.mmap, pos: int) -> int:
    while raw[pos] & 0x80:
        pos += 1
    return pos + 1


def _inflated(raw: mmap.mmap, pos: int) -> tuple[int, bytes]:
    """A zlib stream and where it ends; of a damaged one, what comes before the damage."""
    stream = zlib.decompressobj()
    pieces = []
    while not stream.eof and pos < len(raw):
        piece = raw[pos : pos + _PIECE]
        try:
            pieces.append(stream.decompress(piece))
        except zlib.error:
            return len(raw), b"".join(pieces)
        pos += len(piece) - len(stream.unused_data)
    return pos, b"".join(pieces)
