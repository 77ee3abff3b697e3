"""A zip archive -> its members, each read in memory when its turn comes; nothing is unpacked.

The whole directory is judged before anything is read: an archive that is made to surprise
(names that hide, spans that overlap, links, pipes) is refused whole. Names are decoded
first and `\\` becomes `/` only then, since 0x5C is the second byte of many GBK characters.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from dcb.errors import DamagedSource, LimitExceeded, SourceError
from dcb.sources.limits import MIB, Limits, refuse_above

MAGIC = b"PK\x03\x04"
METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
ENCRYPTED = 0x1
UTF8 = 0x800

_LOCAL = struct.Struct("<4s5H3L2H")  # the header in front of each member
# No honest tool writes these: they only serve to mislead whoever unpacks.
_MISLEADING = re.compile("[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CLIMBS_BACK = re.compile(r"(?:\A|\\)\.\.\\|\A[A-Za-z]:(?![\\/])")
# Careless tools do write these; the member is left out and the rest is read.
_OUTSIDE = re.compile(r"(?:\A|/)\.\.(?:/|\Z)|\A/|\A[A-Za-z]:")


@dataclass(frozen=True, kw_only=True, slots=True)
class Member:
    """One file of an archive: its name with `/`, and what reads it."""

    name: str
    info: zipfile.ZipInfo

    @property
    def outside(self) -> bool:
        """Whether its name leads out of the archive."""
        return bool(_OUTSIDE.search(self.name))


class Archive:
    """An archive whose directory was found to be sound."""

    def __init__(self, stream: BinaryIO, where: str, limits: Limits) -> None:
        """Raises SourceError when the directory is damaged, encrypted or made to mislead."""
        self.where = where
        self._limits = limits
        try:
            self._zip = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, OSError, ValueError, struct.error) as error:
            text = f"{where} is not a whole zip archive ({error}); download it again"
            raise DamagedSource(text) from None
        infos = self._zip.infolist()
        refuse_above(
            len(infos), limits.archive_entries, "archive_entries", what=f"{where}, entries"
        )
        self._refuse_kinds(infos)
        self._refuse_spans(stream, infos)
        self.members = tuple(self._members(infos))
        total = sum(info.file_size for info in infos)
        refuse_above(total, limits.archive_bytes, "archive_bytes", what=f"{where}, unpacked bytes")

    def read(self, member: Member) -> bytes:
        """The bytes of a member. Raises LimitExceeded for a bomb, DamagedSource for damage."""
        self._refuse_bomb(member)
        try:
            with self._zip.open(member.info) as stream:
                # zipfile stops at the declared size and then compares the checksum.
                data = stream.read(member.info.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise DamagedSource(f"{self._at(member)} is damaged: {error}") from None
        except RuntimeError as error:  # zipfile's word for passwords and methods it lacks
            raise SourceError(f"{self._at(member)}: {error}") from None
        if len(data) != member.info.file_size:
            raise DamagedSource(f"{self._at(member)} is cut")
        return data

    def _at(self, member: Member) -> str:
        return f"{self.where}, {member.name}"

    def _refuse_bomb(self, member: Member) -> None:
        size, packed = member.info.file_size, max(1, member.info.compress_size)
        what = f"{self._at(member)}, unpacked bytes"
        refuse_above(size, self._limits.unpacked_bytes, "unpacked_bytes", what=what)
        if size > MIB and size // packed > self._limits.ratio:
            raise LimitExceeded(
                f"{self._at(member)} unpacks from {packed:,} to {size:,} bytes, "
                f"{size // packed}:1; raise limits.ratio ({self._limits.ratio}) if you trust it"
            )

    def _refuse_kinds(self, infos: list[zipfile.ZipInfo]) -> None:
        for info in infos:
            name = f"{self.where}, {info.orig_filename!r}"
            if info.flag_bits & ENCRYPTED:
                raise SourceError(f"{self.where} is encrypted; unpack it with its password first")
            if info.compress_type not in METHODS:
                raise SourceError(f"{name} is packed in a way that dcb does not read; repack it")
            if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise SourceError(f"{name} is a link or a device; such an archive is refused")

    def _refuse_spans(self, stream: BinaryIO, infos: list[zipfile.ZipInfo]) -> None:
        """Each member's own header must agree with the directory, and no two may overlap."""
        end = 0
        for info in sorted(infos, key=lambda info: info.header_offset):
            if info.header_offset < end or (end == 0 and info.header_offset):
                raise DamagedSource(f"{self.where} holds overlapping or hidden data; refused")
            stream.seek(info.header_offset)
            header = stream.read(_LOCAL.size)
            if len(header) < _LOCAL.size or header[:4] != MAGIC:
                raise DamagedSource(f"{self.where}: {info.orig_filename!r} has no header")
            *_, name_length, extra_length = _LOCAL.unpack(header)
            if stream.read(name_length) != _raw_name(info):
                text = f"{self.where} gives two names to {info.orig_filename!r}; refused"
                raise DamagedSource(text)
            end = info.header_offset + _LOCAL.size + name_length + extra_length
            end += info.compress_size

    def _members(self, infos: list[zipfile.ZipInfo]) -> Iterator[Member]:
        seen: set[str] = set()
        for info in infos:
            name = decoded_name(info)
            if _MISLEADING.search(name) or _CLIMBS_BACK.search(name):
                raise SourceError(f"{self.where} holds the misleading name {name!r}; refused")
            name = name.replace("\\", "/")
            folded = unicodedata.normalize("NFC", name).casefold()
            if folded in seen and folded.endswith((".json", ".jsonl", ".html", ".zip")):
                raise SourceError(f"{self.where} holds {name!r} twice; refused")
            seen.add(folded)
            if not name.endswith("/"):
                yield Member(name=name, info=info)


def open_bytes(data: bytes, where: str, limits: Limits) -> Archive:
    """An archive that lies in memory: one inside another, or from standard input."""
    return Archive(io.BytesIO(data), where, limits)


def decoded_name(info: zipfile.ZipInfo) -> str:
    """The member's name; without the UTF-8 flag, UTF-8 is tried, then gb18030."""
    if info.flag_bits & UTF8:
        return info.orig_filename
    raw = _raw_name(info)
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.orig_filename


def _raw_name(info: zipfile.ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & UTF8 else "cp437")
