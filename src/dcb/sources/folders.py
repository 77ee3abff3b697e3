"""A folder -> the plain files in it, and the files beside a file for readers that need them.

Links are never followed, whether the walk meets them or a name out of data leads to one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dcb.errors import SourceError
from dcb.model import Skipped
from dcb.readers import its_own
from dcb.readers.base import Data, File
from dcb.sources.plain import check

IGNORED = frozenset({".git", "node_modules", "__pycache__", "__MACOSX", ".venv"})
"""Folders that are never walked."""

MAX_UP = 4
_NUMBER = re.compile(r"([0-9]{1,18})")
_PART = re.compile(r"[^/\\\0:]+\Z")


def walk(root: Path) -> Iterator[Path | Skipped]:
    """The plain files below a folder, in natural order; what is none comes as `Skipped`."""
    waiting = [root]
    while waiting:
        path = waiting.pop()
        try:
            if path.is_dir() and (path == root or not path.is_symlink()):
                inner = [entry for entry in path.iterdir() if entry.name not in IGNORED]
                waiting += sorted(inner, key=lambda entry: natural(entry.name), reverse=True)
                continue
            check(path, follow=False)
        except SourceError as error:
            yield Skipped(where=str(path), reason=its_own(str(error), str(path)))
        except OSError as error:
            yield Skipped(where=str(path), reason=f"It cannot be read: {error.strerror}")
        else:
            yield path


def natural(name: str) -> list[int | str]:
    """A sort key that puts `part-9` before `part-10`."""
    pieces = _NUMBER.split(name)
    return [int(piece) if place % 2 else piece for place, piece in enumerate(pieces)]


@dataclass(frozen=True, slots=True)
class Beside:
    """The surroundings of one file: `file` and `names` are its `sibling` and `listing`."""

    file: Callable[[str], File | None]
    names: Callable[[str], tuple[str, ...]]
    at: Callable[[str], Any] = lambda name: None

    @classmethod
    def of_disk(cls, path: Path, load: Callable[[Path], Data]) -> Beside:
        """Of a file in a folder on disk."""
        here = path.parent

        def file(name: str) -> File | None:
            target = _on_disk(here, name)
            if target is None:
                return None
            try:
                return File(name=name, data=load(target), where=str(target))
            except SourceError:
                return None

        def names(folder: str) -> tuple[str, ...]:
            target = here if not folder else _on_disk(here, folder.rstrip("/"))
            if target is None or not target.is_dir():
                return ()
            found = sorted(os.scandir(target), key=lambda entry: natural(entry.name))
            return tuple(
                entry.name + "/" * entry.is_dir(follow_symlinks=False)
                for entry in found
                if not entry.is_symlink()
            )

        return cls(file, names)

    @classmethod
    def of_archive(cls, members: Mapping[str, Any], load: Callable[[Any], File]) -> Beside:
        """Of an archive as a whole; `.at(name)` gives the surroundings of one member."""

        def at(member: str) -> Beside:
            here = member.split("/")[:-1]

            def file(name: str) -> File | None:
                found = members.get("/".join(_joined(here, name) or ()))
                try:
                    return load(found) if found is not None else None
                except SourceError:
                    return None

            def names(folder: str) -> tuple[str, ...]:
                parts = _joined(here, folder.rstrip("/")) if folder else here
                return _inside("/".join(parts), members) if parts is not None else ()

            return cls(file, names)

        return cls(lambda name: None, lambda folder: (), at)


def _inside(folder: str, members: Mapping[str, Any]) -> tuple[str, ...]:
    start = f"{folder}/" if folder else ""
    inner = (name[len(start) :].partition("/") for name in members if name.startswith(start))
    return tuple(sorted({head + slash for head, slash, _ in inner}))


def _on_disk(here: Path, name: str) -> Path | None:
    """The path that a relative name leads to, unless it passes through a link."""
    parts = _joined(list(here.absolute().parts), name)
    if parts is None:
        return None
    path = Path(*parts)
    return None if any(map(os.path.islink, (path, *_new_parents(path, here)))) else path


def _new_parents(path: Path, here: Path) -> Iterator[Path]:
    """The folders of a path that are not also above the file it is named beside."""
    above = {here.absolute(), *here.absolute().parents}
    return (parent for parent in path.parents if parent not in above)


def _joined(here: list[str], name: str) -> list[str] | None:
    parts = name.split("/")
    up = 0
    while up < len(parts) and parts[up] == "..":
        up += 1
    down = parts[up:]
    if up > min(MAX_UP, len(here)) or not all(map(_PART.match, down)) or {".", ".."} & {*down}:
        return None
    return here[: len(here) - up] + down
