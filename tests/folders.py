"""Files in a folder -> what is read of them, by way of the sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dcb.errors import DcbError
from dcb.model import Conversation, Skipped
from dcb.readers import newest, read
from dcb.readers.base import Item
from dcb.sources import open_source


def put(folder: Path, name: str, value: Any) -> Path:
    """Write a text, bytes or a value as JSON into a folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(value, bytes):
        path.write_bytes(value)
    else:
        path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def items_of(path: Path) -> list[Item]:
    """Everything in a file or folder, each conversation once; what no reader takes as `Skipped`."""
    found: list[Item] = []
    for source in open_source(path):
        if isinstance(source, Skipped):
            found.append(source)
            continue
        try:
            found.extend(read(source))
        except DcbError as error:
            found.append(Skipped(where=source.file.where, reason=str(error)))
    return list(newest(found))


def talks_of(path: Path) -> list[Conversation]:
    """The conversations only."""
    return [item for item in items_of(path) if isinstance(item, Conversation)]
