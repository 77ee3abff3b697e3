"""Text -> file, whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
import unicodedata
from pathlib import Path

from dcb.errors import SourceError

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*%\s]+')
# Names that Windows gives to devices, with or without an extension.
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)")
_LONGEST = 120


def write(path: Path, text: str, *, mode: int | None = None) -> None:
    """Replace `path` by `text`; on any error the old file, if any, is untouched.

    `mode` is that of the new file; without it, what new files have here. Raises SourceError
    that names the path when it cannot be written.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    except OSError as error:
        raise SourceError(f"Cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask() if mode is None else mode)
        os.replace(temporary, path)
    except OSError as error:
        os.unlink(temporary)
        raise SourceError(f"Cannot write {path}: {error.strerror}") from None


def safe_name(identifier: str) -> str:
    """An id as a file name that every system accepts (without extension)."""
    name = _UNSAFE.sub("-", unicodedata.normalize("NFC", identifier)).strip(". -")
    name = name.encode()[:_LONGEST].decode(errors="ignore").strip(". -") or "unnamed"
    return f"_{name}" if _RESERVED.match(name) else name


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current
