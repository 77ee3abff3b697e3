"""The content of a Codex message, in any encoding -> its words and the marks of its images.

Of a person's message, what the product put in is left out: each text is looked at by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dcb.readers.content import TEXT_TYPES, attachment
from dcb.readers.loose import fields, items, string

# What the product puts into the person's mouth.
INJECTED = re.compile(
    r"# AGENTS\.md|<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|skill"
    r"|subagent_notification|goal_context|codex_internal_context|recommended_plugins"
    r"|user_shell_command)\b"
)
REQUEST = re.compile(r"^## My request for Codex:", re.MULTILINE)
IMAGE_TAG = re.compile(r"<image\b[^<>]*>\Z|</image>\Z")


def content_of(
    item: dict[str, Any], *, person: bool, unknown: Callable[[str], None]
) -> tuple[list[str], list[str]]:
    """The shown texts of a message, and the marks of its images; unknown blocks are told of."""
    words, marks = [string(item.get("message")) or string(item.get("text"))], []
    content = item.get("content")
    for block in [content] if isinstance(content, str) else items(content):
        kind = string(fields(block).get("type"))
        if isinstance(block, str):
            words.append(block)
        elif kind in TEXT_TYPES:
            words.append(string(block.get("text")))
        elif "image" in kind.lower():
            marks.append(attachment("image", _base(block.get("path"))))
        elif kind not in ("skill", "mention"):
            unknown(f"content block {kind[:60]!r}")
    marks += [attachment("image") for _ in items(item.get("images"))]
    marks += [attachment("image", _base(path)) for path in items(item.get("local_images"))]
    words = [text for text in words if not IMAGE_TAG.match(text.strip())]
    return [_prompt(text) for text in words] if person else words, marks


def _prompt(text: str) -> str:
    """What the person wrote of a user text: nothing of an injected one."""
    if INJECTED.match(text.lstrip()):
        return ""
    asked = REQUEST.search(text)
    return text[asked.end() :] if asked else text


def _base(path: Any) -> str:
    return re.split(r"[/\\]", string(path))[-1]
