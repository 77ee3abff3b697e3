"""What happened -> one line of JSON on standard error, without paths, queries or content."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import TextIO

_TURN = threading.Lock()


def write(event: str, /, *, to: TextIO | None = None, **fields: str | int | float | None) -> None:
    """Write a line; fields that are None are left out."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    known = {name: value for name, value in fields.items() if value is not None}
    line = json.dumps({"time": now, "event": event, **known}, ensure_ascii=False)
    with _TURN:
        print(line, file=to or sys.stderr, flush=True)


def fault(error: BaseException, *, route: str, log: Callable[..., None] = write) -> None:
    """Where and what kind, never the words of an error that may hold those of a store."""
    frames = extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown"
    log("fault", route=route, kind=type(error).__name__, at=where)
