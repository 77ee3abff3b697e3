"""What a person names (path, folder, glob, `-`) -> `Input`s for the readers, within limits.

Whatever cannot be opened inside a folder, a glob or an archive comes as `Skipped`, so that
all is accounted for; a single source that cannot be opened raises. Archives are never
unpacked to disk, links inside folders are not followed, pipes and devices not opened.
"""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from dcb.errors import EmptySource, SourceError
from dcb.model import Skipped
from dcb.readers import its_own
from dcb.readers.base import Data, File, Input
from dcb.readers.inspect import inspect
from dcb.sources import archives, databases, packed, plain
from dcb.sources.folders import Beside, natural, walk
from dcb.sources.limits import SETTINGS, Limits, refuse_above

__all__ = ["SETTINGS", "Limits", "open_alone", "open_source", "open_stream"]

STANDARD_INPUT = "-"
PATH_PARTS = 6
"""How much of a single file's path readers see: tools put ids into the names of folders."""

MEDIA: tuple[str, ...] = (
    *(".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic", ".bmp", ".ico", ".svg"),
    *(".wav", ".mp3", ".m4a", ".ogg", ".opus", ".mp4", ".mov", ".webm"),
    *(".pdf", ".docx", ".xlsx", ".pptx", ".dat", ".ttf", ".woff", ".woff2"),
    *(".so", ".dll", ".exe", ".pyc"),
)
"""Endings of files that lie beside conversations and never hold one; they are passed over."""

REPEATS: tuple[tuple[str, str], ...] = (("chat.html", "conversations*.json"),)
"""(name, pattern): a file that only repeats those beside it that match the pattern."""

_JUNK = re.compile(r"(?:\A|/)(?:__MACOSX/|\._|\.DS_Store\Z|Thumbs\.db\Z|desktop\.ini\Z)")
_SIDE = re.compile(r"-(?:wal|shm|journal)\Z")

Opened = Iterator[Input | Skipped]


def open_source(
    source: str | Path,
    limits: Limits | None = None,
    *,
    want_tree: bool = False,
    standard_input: BinaryIO | None = None,
) -> Opened:
    """Everything in a source that may hold conversations, one by one, in natural order.

    An `Input` is good until the next one is asked for. Raises SourceError for a single file
    or archive that cannot be opened, EmptySource where there is nothing at all.
    """
    opener = _Opener(limits or Limits(), want_tree)
    if str(source) == STANDARD_INPUT:
        return opener.stream(standard_input or sys.stdin.buffer)
    path = Path(source).expanduser()
    if path.is_dir():
        return opener.folder(path)
    if not path.exists() and glob.has_magic(str(path)):
        return opener.matches(str(path))
    return opener.file(path, File(name=_tail(path), data=b"", where=str(source)), follow=True)


def open_alone(path: Path, limits: Limits | None = None) -> Opened:
    """One file without what lies beside it, for a path that no person typed.

    Links are not followed, and readers see no other file. Raises as `open_source`.
    """
    limits = limits or Limits()
    data = plain.load(path, limits, follow=False)
    file = File(name=_tail(path), data=data, where=str(path), modified=plain.modified_ms(path))
    return _Opener(limits, want_tree=False).data(file)


def open_stream(
    stream: BinaryIO, *, name: str, limits: Limits | None = None, want_tree: bool = False
) -> Opened:
    """A file whose bytes come from a stream that can be sought, and that nothing lies beside.

    An archive is read where its members are; whatever else is held in memory whole, within
    `unpacked_bytes`. Raises as `open_source`.
    """
    return _Opener(limits or Limits(), want_tree).given(stream, name)


class _Opener:
    def __init__(self, limits: Limits, want_tree: bool) -> None:
        self._limits = limits
        self._want_tree = want_tree

    def stream(self, stream: BinaryIO) -> Opened:
        limit = self._limits.unpacked_bytes
        data = stream.read(limit + 1)
        refuse_above(len(data), limit, "unpacked_bytes", what="Standard input, bytes")
        yield from self.data(File(name=STANDARD_INPUT, data=data, where="standard input"))

    def given(self, stream: BinaryIO, name: str) -> Opened:
        magic = stream.read(len(archives.MAGIC))
        stream.seek(0)
        if magic == archives.MAGIC:
            archive = archives.Archive(stream, name, self._limits)
            yield from self.archive(archive, self._limits.nesting)
            return
        limit = self._limits.unpacked_bytes
        data = stream.read(limit + 1)
        refuse_above(len(data), limit, "unpacked_bytes", what=f"{name}, bytes")
        yield from self.data(File(name=name, data=data, where=name))

    def matches(self, pattern: str) -> Opened:
        paths = sorted(
            map(Path, glob.glob(pattern, recursive=True)), key=lambda path: natural(path.as_posix())
        )
        if not paths:
            raise SourceError(f"No file matches {pattern}")
        for path in paths:
            file = File(name=_tail(path), data=b"", where=str(path))
            if path.is_dir():
                continue
            yield from self._accounted(path, file, follow=True)

    def folder(self, root: Path) -> Opened:
        count = 0
        for path in walk(root):
            if isinstance(path, Skipped):
                yield path
                continue
            count += 1
            limit = self._limits.folder_files
            refuse_above(count, limit, "folder_files", what=f"{root}, files")
            name = path.relative_to(root).as_posix()
            if _passed_over(name, lambda path=path: _names_beside(path)):  # type: ignore[misc]
                continue
            file = File(name=name, data=b"", where=str(path))
            yield from self._accounted(path, file, follow=False)
        if not count:
            raise EmptySource(f"{root} holds no files")

    def file(self, path: Path, file: File, *, follow: bool) -> Opened:
        """A file on disk: its bytes mapped, or the members and tables in it."""
        size = plain.check(path, follow=follow)
        beside = Beside.of_disk(path, self._loader)
        file = replace(
            file,
            modified=plain.modified_ms(path),
            sibling=beside.file,
            listing=beside.names,
        )
        with open(path, "rb") if size else nullcontext() as stream:
            magic = stream.read(len(databases.MAGIC)) if stream else b""
            if magic.startswith(archives.MAGIC) and stream:
                archive = archives.Archive(stream, file.where, self._limits)
                yield from self.archive(archive, self._limits.nesting)
                return
        if magic == databases.MAGIC:
            with databases.opened(path, self._limits, follow=follow) as tables:
                yield inspect(file, database=tables, want_tree=self._want_tree)
            return
        yield from self.data(replace(file, data=plain.load(path, self._limits, follow=follow)))

    def data(self, file: File) -> Opened:
        """Bytes in memory: an archive, a database, a compressed file, or what readers read."""
        if file.data[:4] == archives.MAGIC:
            archive = archives.open_bytes(bytes(file.data), file.where, self._limits)
            yield from self.archive(archive, self._limits.nesting)
        elif file.data[: len(databases.MAGIC)] == databases.MAGIC:
            with databases.opened_bytes(bytes(file.data), file.where, self._limits) as tables:
                yield inspect(file, database=tables, want_tree=self._want_tree)
        elif ending := packed.suffix_of(file.data):
            data = packed.unpack(file.data, file.where, self._limits)
            name = file.name.removesuffix(ending)
            yield inspect(replace(file, name=name, data=data), want_tree=self._want_tree)
        else:
            yield inspect(file, want_tree=self._want_tree)

    def archive(self, archive: archives.Archive, nesting: int) -> Opened:
        """The members in natural order; archives inside are opened when nothing else is there."""
        names = {member.name: member for member in archive.members}
        beside = Beside.of_archive(names, lambda member: self._member(archive, member))
        has_talk = any(fnmatchcase(_base(name), "conversations*.json") for name in names)
        for name in sorted(names, key=natural):
            member = names[name]
            where = f"{archive.where}, {name}"
            if member.outside:
                yield Skipped(where=where, reason="Its name leads out of the archive; not read")
            elif _passed_over(name, lambda name=name: beside.at(name).names("")):  # type: ignore[misc]
                continue
            elif name.lower().endswith(".zip") and (has_talk or not nesting):
                yield Skipped(where=where, reason=_not_opened(has_talk))
            else:
                yield from self._opened_member(archive, member, beside.at(name), nesting)
        if not names:
            raise EmptySource(f"{archive.where} holds no files")

    def _opened_member(
        self, archive: archives.Archive, member: archives.Member, beside: Beside, nesting: int
    ) -> Opened:
        where = f"{archive.where}, {member.name}"
        try:
            file = replace(self._member(archive, member), sibling=beside.file, listing=beside.names)
            if file.data[:4] == archives.MAGIC:
                inner = archives.open_bytes(bytes(file.data), where, self._limits)
                yield from self.archive(inner, nesting - 1)
            else:
                yield from self.data(file)
        except SourceError as error:
            yield Skipped(where=where, reason=its_own(str(error), where))

    def _member(self, archive: archives.Archive, member: archives.Member) -> File:
        where = f"{archive.where}, {member.name}"
        return File(name=member.name, data=archive.read(member), where=where)

    def _loader(self, path: Path) -> Data:
        return plain.load(path, self._limits, follow=False)

    def _accounted(self, path: Path, file: File, *, follow: bool) -> Opened:
        try:
            yield from self.file(path, file, follow=follow)
        except SourceError as error:
            yield Skipped(where=file.where, reason=its_own(str(error), file.where))


def _not_opened(has_talk: bool) -> str:
    if has_talk:
        return "An archive beside conversations is not opened; name it by itself"
    return "Archives nested more deeply than limits.nesting are not opened"


def _passed_over(name: str, beside: Callable[[], tuple[str, ...]]) -> bool:
    if _JUNK.search(name) or PurePosixPath(name).suffix.lower() in MEDIA or _SIDE.search(name):
        return True
    return any(
        _base(name) == repeat and any(fnmatchcase(other, pattern) for other in beside())
        for repeat, pattern in REPEATS
    )


def _names_beside(path: Path) -> tuple[str, ...]:
    return tuple(other.name for other in path.parent.iterdir())


def _base(name: str) -> str:
    return name.rpartition("/")[2]


def _tail(path: Path) -> str:
    return "/".join(path.absolute().parts[-PATH_PARTS:])
