"""Claude Code session files as tests need them, and the calls of its hooks."""

from __future__ import annotations

import json
import uuid
from pathlib import Path


def session(folder: Path, *texts: str, name: str = "one") -> Path:
    """A session file of a person and an assistant who speak in turn."""
    identifier = str(uuid.uuid5(uuid.NAMESPACE_URL, name))
    file = folder / f"{identifier}.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows(identifier, texts)), "utf-8")
    return file


def rows(identifier: str, texts: tuple[str, ...]) -> list[dict[str, object]]:
    """The rows of such a file, each linked to the one before."""
    return [
        {
            "type": ("user", "assistant")[number % 2],
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": identifier,
            "timestamp": f"2026-03-03T03:00:{number:02}.000Z",
            "message": {"role": ("user", "assistant")[number % 2], "content": text},
        }
        for number, text in enumerate(texts)
    ]


def call(file: Path, folder: Path, **more: object) -> str:
    """What Claude Code gives to a hook."""
    return json.dumps(
        {"session_id": file.stem, "transcript_path": str(file), "cwd": str(folder), **more}
    )
