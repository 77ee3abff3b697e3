"""Gemini's `parts` -> the text that the person saw, of every product that stores them.

A part is text, a thought, a file, a call or a result; only text and marks of files are shown.
"""

from __future__ import annotations

import re
from typing import Any

from dcb.readers.base import Notes
from dcb.readers.content import attachment, join_blocks, string_in
from dcb.readers.loose import fields, string

TOOL_KEYS = ("functionCall", "functionResponse", "executableCode", "codeExecutionResult")
FILE_KEYS = ("inlineData", "fileData", "inlineFile", "inline_data", "file_data")

INJECTED = ("<session_context>", "<hook_context>", "This is the Gemini CLI.")
"""How texts begin that Gemini CLI puts into the person's mouth."""

ACKNOWLEDGED = "Got it. Thanks for the context"
"""How the model's answer to them begins, which the CLI writes too."""

COMMAND = re.compile(r"/[A-Za-z][\w:-]*(?:\s|\Z)|\?")
"""How a line begins that is for the program, not for the model."""


def parts_text(content: Any, notes: Notes, *, person: bool = False) -> str:
    """The shown text of a string, a part or a list of parts.

    Of a person's content, parts that the program put in are left out too.
    """
    parts = content if isinstance(content, list) else [content]
    texts = [_text(part, notes) for part in parts]
    if person:
        kept = [text for text in texts if not text.lstrip().startswith(INJECTED)]
        notes.drop("hidden", len(texts) - len(kept))
        texts = kept
    return join_blocks(texts)


def _text(part: Any, notes: Notes) -> str:
    if isinstance(part, str):
        return part
    part = fields(part)
    if part.get("thought") is True:
        notes.drop("thinking")
    elif isinstance(part.get("text"), str):
        return string(part["text"])
    elif any(key in part for key in TOOL_KEYS):
        notes.drop("tool")
    else:
        return _file(part, notes)
    return ""


def _file(part: dict[str, Any], notes: Notes) -> str:
    for key in FILE_KEYS:
        if key in part:
            file = fields(part[key])
            kind = string_in(file, "mimeType", "mime_type")
            name = string_in(file, "displayName", "display_name", "fileUri", "file_uri")
            return attachment("image" if kind.startswith("image/") else "file", name)
    if part:
        notes.warn(f"Unknown part {', '.join(sorted(map(str, part)))[:60]!r} skipped")
        notes.drop("unknown")
    return ""
