"""A message of a ChatGPT export -> the text that its page showed.

Parts are joined by one blank line, files become marks, sound is left to its transcript,
citation marks are taken out by their own characters (offsets in the metadata count
differently from export to export and may point at blanks).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from dcb.readers.base import Notes
from dcb.readers.content import attachment, join_blocks, string_in
from dcb.readers.loose import fields, items, string

TEXT_TYPES = frozenset({"text", "multimodal_text"})
DROPPED_TYPES: Mapping[str, str] = {
    "code": "tool",
    "execution_output": "tool",
    "tether_quote": "tool",
    "tether_browsing_display": "tool",
    "tether_browsing_code": "tool",
    "sonic_webpage": "tool",
    "system_error": "tool",
    "computer_output": "tool",
    "citable_code_output": "tool",
    "super_widget": "tool",
    "thoughts": "thinking",
    "reasoning_recap": "thinking",
    "user_editable_context": "hidden",
    "model_editable_context": "hidden",
}
"""Content types that were not the conversation -> the reason under which they are counted."""

SILENT_PARTS = frozenset({"audio_asset_pointer", "real_time_user_audio_video_asset_pointer"})
"""Parts that repeat as sound what another part says in words."""

Attached = tuple[Literal["image", "file"], str]
"""Kind and name of a file sent with a message."""

_MARKS = (*map(chr, range(0xE200, 0xE207)), "†")
_CITATION = re.compile("\ue200([^\ue200-\ue202]*)(?:\ue202([^\ue200\ue201]*))?\ue201")
_STRAY = re.compile("[\ue200-\ue206]|【\\d{1,4}(?::\\d{1,4})?†[^】\n]{0,200}】")


def text_of(message: dict[str, Any], notes: Notes) -> str:
    """The shown text of a message; what is not known to be text is noted."""
    content = message.get("content")
    if isinstance(content, str):
        return shown(content)
    record = fields(content)
    files = _files(message)
    blocks = [_part(part, files, notes) for part in items(record.get("parts"))]
    blocks = blocks or [shown(string_in(record, "text", "result", "content"))]
    kind = record.get("content_type")
    if kind is not None and string(kind) not in TEXT_TYPES:
        fate = "its text was kept" if any(blocks) else "it was left out"
        notes.warn(f"Unknown content type {string(kind)[:60]!r}: {fate}")
    return join_blocks([*blocks, *(attachment(*rest) for rest in files.values())])


def shown(text: str) -> str:
    """The text without citation marks; of an entity the name stays."""
    # A look for each mark costs far less than a pattern over text that has none.
    if text.isascii() or not any(mark in text for mark in _MARKS):
        return text
    return _STRAY.sub("", _CITATION.sub(_cited, text))


def _part(part: Any, files: dict[str, Attached], notes: Notes) -> str:
    if part is None or isinstance(part, str):
        return shown(part or "")
    kind = string_in(part, "content_type")
    if kind == "image_asset_pointer":
        pointer = string_in(part, "asset_pointer").rpartition("/")[2].partition("#")[0]
        return attachment("image", files.pop(pointer, ("image", ""))[1])
    text = string_in(part, "text")
    if kind not in SILENT_PARTS and not text:
        notes.warn(f"A part of unknown kind {kind[:60]!r} was left out")
        notes.drop("unknown")
    return shown(text)


def _files(message: dict[str, Any]) -> dict[str, Attached]:
    """Id -> kind and name of the files sent with a message."""
    found: dict[str, Attached] = {}
    for place, record in enumerate(items(fields(message.get("metadata")).get("attachments"))):
        if isinstance(record, dict):
            image = string_in(record, "mime_type", "mimeType").startswith("image/")
            name = string_in(record, "name", "file_name")
            found[string_in(record, "id") or str(place)] = ("image" if image else "file", name)
    return found


def _cited(found: re.Match[str]) -> str:
    if found[1] != "entity":
        return ""
    try:
        named = json.loads(found[2] or "")
    except (ValueError, RecursionError):
        return ""
    return next((name for name in items(named)[1:2] if isinstance(name, str)), "")
