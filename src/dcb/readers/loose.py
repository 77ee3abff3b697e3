"""Any JSON value -> the shape that a reader hopes for, or an empty one of that shape.

Exports hold null, numbers and text where an object or a list belongs; a reader that asks
here never meets them.
"""

from __future__ import annotations

from typing import Any

from dcb.model import Message

TITLE = 200  # characters


def fields(value: Any) -> dict[str, Any]:
    """The object, or {}."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """The list, or []."""
    return value if isinstance(value, list) else []


def string(value: Any) -> str:
    """The text, or ""."""
    return value if isinstance(value, str) else ""


def identity(value: Any) -> str | None:
    """An id as text; numbers are ids too. None for anything else and for ""."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def title_from(messages: tuple[Message, ...]) -> str:
    """The first line of the first prompt: a title for formats that store none."""
    for message in messages:
        if message.role == "user":
            return message.content.split("\n", 1)[0].strip()[:TITLE]
    return ""
