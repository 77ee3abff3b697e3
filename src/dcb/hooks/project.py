"""A folder -> the tag of the project it belongs to: the same from all its folders and worktrees.

A project is known by its git common directory, whose real path is hashed: links, worktrees,
subfolders and spellings of a path make no difference, and two projects of one name are two.
Git itself is not run: its configuration belongs to the project, which may not be trusted.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

PREFIX = "project:"

_NAME = re.compile(r"[^\w.-]+")
_LONGEST = 4096


def tag(folder: Path) -> str:
    """The tag of the project that a folder is in; outside of git, the folder is the project."""
    home = common_dir(folder) or folder
    place = os.path.normcase(os.path.realpath(home))
    named = Path(place).parent if Path(place).name == ".git" else Path(place)
    name = _NAME.sub("-", named.name.removesuffix(".git")).strip("-.")[:40] or "folder"
    return f"{PREFIX}{name}-{hashlib.sha256(os.fsencode(place)).hexdigest()[:10]}"


def common_dir(folder: Path) -> Path | None:
    """The git directory that all worktrees of the folder's repository share."""
    start = Path(os.path.realpath(folder))
    for place in (start, *start.parents):
        mark = place / ".git"
        if mark.is_dir():
            return _common(mark)
        if mark.is_file():
            pointed = _first_line(mark).removeprefix("gitdir:").strip()
            return _common(place / pointed) if pointed else None
    return None


def _common(git_dir: Path) -> Path:
    """Where a worktree's own git directory says that the common one lies (`commondir`)."""
    said = _first_line(git_dir / "commondir")
    return git_dir / said if said else git_dir


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as file:
            line = os.fsdecode(file.read(_LONGEST)).partition("\n")[0].strip()
    except OSError:
        return ""
    return "" if "\0" in line else line
