"""Content as providers nest it -> the text that the person saw.

Blocks are joined by one blank line and trimmed of outer blanks only; what is not text
becomes a short mark in brackets; tool calls, their results and thinking are left out and
counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from dcb.readers.base import Notes

TEXT_TYPES = frozenset({"text", "input_text", "output_text", "refusal", "Text"})
"""Part types whose text is shown, of OpenAI (Chat, Responses), Anthropic, AI SDK and Codex."""

IMAGE_TYPES = frozenset({"image", "image_url", "input_image"})
FILE_TYPES = frozenset({"file", "input_file", "document"})

DROPPED_TYPES = {
    "thinking": "thinking",
    "redacted_thinking": "thinking",
    "reasoning": "thinking",
    "tool_use": "tool",
    "server_tool_use": "tool",
    "tool_result": "tool",
    "web_search_tool_result": "tool",
    "tool_call": "tool",
    "function_call": "tool",
    "function_call_output": "tool",
    "tool-call": "tool",
    "tool-result": "tool",
}
"""Part types that are not the conversation -> the reason under which they are counted."""


def join_blocks(blocks: Iterable[str | None]) -> str:
    """The blocks that are not blank, one blank line between them, outer blanks trimmed."""
    return "\n\n".join(block for block in map(_trimmed, blocks) if block)


def attachment(
    kind: Literal["image", "file", "attachment"], name: object = None, text: object = None
) -> str:
    """`[image: name]`, or `[image]` without a name, followed by the extracted text if any."""
    label = " ".join(name.split()) if isinstance(name, str) else ""
    mark = f"[{kind}: {label}]" if label else f"[{kind}]"
    return join_blocks((mark, text if isinstance(text, str) else None))


def text_of(content: Any, notes: Notes) -> str:
    """The shown text of a message's `content`: string, null, parts, or a list of strings."""
    if isinstance(content, list):
        return join_blocks(part_text(part, notes) for part in content)
    return part_text(content, notes)


def part_text(part: Any, notes: Notes) -> str:
    """The shown text of one part of OpenAI's, Anthropic's or a like list; "" when none is."""
    if isinstance(part, str):
        return part.strip()
    if not isinstance(part, dict):
        return ""
    kind = part.get("type")
    kind = kind if kind is None or isinstance(kind, str) else str(kind)
    if kind in DROPPED_TYPES:
        notes.drop(DROPPED_TYPES[kind])
        return ""
    if kind in IMAGE_TYPES:
        return attachment("image", part_name(part))
    if kind in FILE_TYPES:
        return attachment("file", part_name(part))
    text = string_in(part, "text", "refusal", "value")
    if kind not in TEXT_TYPES and kind is not None:
        notes.warn(f"Unknown content part {str(kind)[:60]!r}" + ("" if text else " skipped"))
        notes.drop("unknown", 0 if text else 1)
    return text.strip()


def string_in(mapping: Any, *keys: str) -> str:
    """The first non-empty string among the values of these keys, or ""."""
    if isinstance(mapping, dict):
        for key in keys:
            value = mapping.get(key)
            if isinstance(value, str) and value:
                return value
    return ""


def part_name(part: dict[str, Any]) -> str:
    """The file name that a part carries, wherever its provider puts it."""
    inner = part.get("file") if isinstance(part.get("file"), dict) else part
    return string_in(inner, "filename", "file_name", "name", "title")


def _trimmed(block: str | None) -> str:
    return block.strip() if isinstance(block, str) else ""
