"""What hooks did, one line each, in the data folder.

A line holds the time, the agent, the event, an outcome from a closed set and a duration:
never a word of a conversation, a path or an error's text, so that it may lie beside an
encrypted store.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

NAME = "hooks.log"
_LARGEST = 256 << 10


def write(data_dir: Path, *, agent: str, event: str, outcome: str, seconds: float) -> None:
    """Add one line; a log that cannot be written is not worth a failure."""
    line = f"{_now()} {agent} {event} {outcome} {seconds:.2f}s\n"
    path = data_dir / NAME
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _LARGEST:
            _halve(path)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as file:
            file.write(line)
    except OSError:
        return


def _halve(path: Path) -> None:
    kept = path.read_bytes()[-_LARGEST // 2 :].partition(b"\n")[2]
    handle = os.open(path, os.O_WRONLY | os.O_TRUNC)
    with os.fdopen(handle, "wb") as file:
        file.write(kept)


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
