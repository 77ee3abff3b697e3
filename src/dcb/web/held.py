"""A file that was sent <-> its bytes, which for an encrypted store never lie open on the disk.

Sealed, the file is a row of chunks, each AES-GCM with the chunk's number as nonce. The key is
random, is used for this one file, is only in memory, and so dies with the process: whatever a
crash leaves behind, nobody can read.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from dcb.errors import SourceError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CHUNK = 1 << 20
_TAG = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """Where a source lies. With a key it is sealed; a folder or another's file never is."""

    path: Path
    key: bytes | None = field(default=None, repr=False)

    @property
    def sealed(self) -> bool:
        """Whether only this process can read it."""
        return self.key is not None

    def writing(self) -> BinaryIO:
        """A new file to put its bytes into; whole only once it is closed. Raises OSError."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        file = os.fdopen(os.open(self.path, flags, 0o600), "wb", buffering=CHUNK)
        return cast("BinaryIO", _Sealing(file, self.key)) if self.key else file

    def reading(self) -> BinaryIO:
        """Its bytes, seekable. Raises OSError, and SourceError where they were tampered with."""
        file = self.path.open("rb")
        return io.BufferedReader(_Opened(file, self.key)) if self.key else file


def new_key() -> bytes:
    """A key for one file."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM.generate_key(256)


class _Sealing(io.RawIOBase):
    def __init__(self, file: BinaryIO, key: bytes) -> None:
        self._file = file
        self._cipher = _cipher(key)
        self._waiting = bytearray()
        self._count = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        given = bytes(data)
        self._waiting += given
        while len(self._waiting) >= CHUNK:
            self._put(CHUNK)
        return len(given)

    def close(self) -> None:
        if not self.closed:
            try:
                if self._waiting:
                    self._put(CHUNK)
            finally:
                self._file.close()
                super().close()

    def _put(self, size: int) -> None:
        chunk = bytes(self._waiting[:size])
        del self._waiting[:size]
        self._file.write(self._cipher.encrypt(_nonce(self._count), chunk, None))
        self._count += 1


class _Opened(io.RawIOBase):
    """Reads any place of a sealed file; holds one chunk of it at a time."""

    def __init__(self, file: BinaryIO, key: bytes) -> None:
        self._file = file
        self._cipher = _cipher(key)
        size = os.fstat(file.fileno()).st_size
        self._size = size - _TAG * -(-size // (CHUNK + _TAG))
        self._at = 0
        self._number = -1
        self._chunk = b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise ValueError("Before the beginning")
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        if self._at >= self._size:
            return 0
        self._turn_to(self._at // CHUNK)
        view = memoryview(buffer).cast("B")
        start = self._at % CHUNK
        piece = self._chunk[start : start + len(view)]
        view[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def close(self) -> None:
        self._file.close()
        super().close()

    def _turn_to(self, number: int) -> None:
        if number == self._number:
            return
        from cryptography.exceptions import InvalidTag

        self._file.seek(number * (CHUNK + _TAG))
        try:
            sealed = self._file.read(CHUNK + _TAG)
            self._chunk = self._cipher.decrypt(_nonce(number), sealed, None)
        except InvalidTag:
            raise SourceError("The file was changed while it lay here; bring it in again") from None
        self._number = number


def _cipher(key: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)


def _nonce(number: int) -> bytes:
    return number.to_bytes(12, "big")
