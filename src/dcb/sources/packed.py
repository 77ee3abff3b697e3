"""Compressed single files (gzip, zstd) -> their bytes, counted while they unpack."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import Any

import zstandard

from dcb.errors import DamagedSource, LimitExceeded
from dcb.readers.base import Data
from dcb.sources.limits import MIB, Limits, refuse_above

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
SUFFIXES: tuple[tuple[bytes, str], ...] = ((GZIP, ".gz"), (ZSTD, ".zst"))


def suffix_of(data: Data) -> str | None:
    """`.gz` or `.zst` for data that is compressed so, by its first bytes."""
    return next((end for magic, end in SUFFIXES if data[: len(magic)] == magic), None)


def unpack(data: Data, where: str, limits: Limits) -> bytes:
    """The unpacked bytes. Raises LimitExceeded for a bomb, DamagedSource for damage."""
    chunks: list[bytes] = []
    size = 0
    try:
        with _stream(data) as stream:
            while chunk := stream.read(MIB):
                size += len(chunk)
                _refuse_bomb(size, len(data), where, limits)
                chunks.append(chunk)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise DamagedSource(f"{where} cannot be unpacked: {error}; it may be cut") from None
    return b"".join(chunks)


def _stream(data: Data) -> Any:
    raw = io.BytesIO(data)
    if data[:2] == GZIP:
        return gzip.GzipFile(fileobj=raw)
    # A window larger than this would cost its size in memory before the first byte.
    reader = zstandard.ZstdDecompressor(max_window_size=1 << 27)
    return reader.stream_reader(raw, read_across_frames=True)


def _refuse_bomb(size: int, packed: int, where: str, limits: Limits) -> None:
    refuse_above(size, limits.unpacked_bytes, "unpacked_bytes", what=f"{where}, unpacked bytes")
    if size > MIB and size // max(1, packed) > limits.ratio:
        raise LimitExceeded(
            f"{where} unpacks from {packed:,} to more than {size:,} bytes; "
            f"raise limits.ratio ({limits.ratio}) if you trust it"
        )
