"""Snapshot <-> Markdown text, without loss.

`parse(dump(snapshot)) == snapshot` for every snapshot, and `dump(parse(text)) == text`
for every text that dump wrote. The format is docs/format.md.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from dcb.document._read import read_document
from dcb.document._write import checksum, dump, sha256, timestamp
from dcb.errors import DocumentError
from dcb.model import Snapshot

__all__ = ["Status", "Verdict", "checksum", "dump", "parse", "read", "timestamp", "verify"]

Status = Literal["intact", "newlines-changed", "modified", "no-checksum", "not-a-snapshot"]

# A checksum shows damage and edits. Anyone can count it anew: it is no proof of origin.
_SENTENCES: dict[Status, str] = {
    "intact": "The body is the one that its checksum was counted from",
    "newlines-changed": "Only the line ends differ from what the checksum was counted from",
    "modified": "The body was edited after its checksum was counted",
    "no-checksum": "The document carries no checksum, so nothing can be said about its body",
}


class Verdict(NamedTuple):
    """What a checksum says about a document; `line` and `column` only if it is no snapshot."""

    status: Status
    message: str
    declared: str = ""
    counted: str = ""
    line: int = 0
    column: int = 0


def parse(text: str) -> Snapshot:
    """The snapshot that a document holds. Raises DocumentError with line and column."""
    return read(text)[0]


def read(text: str) -> tuple[Snapshot, tuple[str, ...]]:
    """The snapshot of a document, and what a person should know about how it was read."""
    parts = read_document(text)
    return parts.snapshot, parts.warnings


def verify(text: str) -> Verdict:
    """Whether the body of a document is the one that its checksum was counted from."""
    try:
        parts = read_document(text)
    except DocumentError as error:
        return Verdict(
            status="not-a-snapshot", message=str(error), line=error.line, column=error.column
        )
    declared, counted = parts.snapshot.checksum, sha256(parts.body)
    status = _status(declared, counted, parts.body)
    return Verdict(status=status, message=_SENTENCES[status], declared=declared, counted=counted)


def _status(declared: str, counted: str, body: str) -> Status:
    if not declared:
        return "no-checksum"
    if declared == counted:
        return "intact"
    lf = sha256(body.replace("\r\n", "\n"))
    return "newlines-changed" if declared == lf else "modified"
