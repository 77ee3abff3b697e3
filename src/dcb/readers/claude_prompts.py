"""A row of a Claude Code session -> who speaks in it, and the texts that were shown.

What the tool injects into user rows (commands, their output, reminders, what the editor
shows) is nobody's prompt and is taken out.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from dcb.readers.base import Notes
from dcb.readers.content import part_text, string_in
from dcb.readers.loose import fields, string

Kind = Literal["user", "assistant", "queued", "enqueued", ""]
Said = tuple[Kind, tuple[str, ...]]
"""Who speaks (a prompt, an answer, a prompt typed while the agent worked, nobody); texts."""

NOTHING: Said = ("", ())

INJECTED: tuple[str, ...] = (
    "<command-name>",
    "<command-message>",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<user-prompt-submit-hook>",
    "Caveat:",
    "[Request interrupted by user",
)
"""How texts begin that stand in user rows but that nobody typed as a prompt."""

REMOVED: tuple[str, ...] = (
    "system-reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
)
"""Tags whose contents the tool puts into real prompts."""

MODES = (None, "prompt")
"""The `commandMode`s of a queued command that is a prompt."""

_COMMAND = re.compile(r"/[a-z][\w:-]*(?:\s|\Z)")


def said(row: dict[str, Any], notes: Notes) -> Said:
    """Who speaks in a row and what; an answer without text is still an answer."""
    kind = row.get("type")
    if kind == "user" or kind == "assistant":  # noqa: PLR1714 (narrows the type)
        return _turn(kind, row, notes)
    if kind == "attachment":
        return _queued(fields(row.get("attachment")), notes)
    if kind == "queue-operation" and row.get("operation") == "enqueue":
        text = string(row.get("content"))
        blocks = () if _COMMAND.match(text) else prompt(text, notes)
        return ("enqueued", blocks) if blocks else NOTHING
    return NOTHING


def _turn(kind: Literal["user", "assistant"], row: dict[str, Any], notes: Notes) -> Said:
    reason = _hidden(kind, row)
    if reason:
        notes.drop(reason)
        return NOTHING
    message = row.get("message")
    content = fields(message).get("content", numbered(message))
    if kind == "assistant":
        return kind, texts(content, notes)
    blocks = prompt(content, notes)
    return (kind, blocks) if blocks else NOTHING


def _queued(command: dict[str, Any], notes: Notes) -> Said:
    if command.get("type") != "queued_command" or command.get("commandMode") not in MODES:
        return NOTHING
    blocks = prompt(command.get("prompt"), notes)
    return ("queued", blocks) if blocks else NOTHING


def _hidden(kind: str, row: dict[str, Any]) -> str | None:
    """Why a row was not the conversation, or None when it was."""
    if row.get("isCompactSummary"):
        return "summary"
    if row.get("isMeta") or row.get("isVisibleInTranscriptOnly"):
        return "hidden"
    if kind == "user" and fields(row.get("origin")).get("kind", "human") != "human":
        return "hidden"
    model = string_in(row.get("message"), "model")
    if row.get("isApiErrorMessage") or (kind == "assistant" and model == "<synthetic>"):
        return "interface"
    return None


def prompt(content: Any, notes: Notes) -> tuple[str, ...]:
    """The texts of a prompt, without what the tool put into it."""
    kept = []
    for text in texts(content, notes):
        if text.startswith(INJECTED):
            notes.drop("interface")
            continue
        for tag in REMOVED:
            text = without(text, tag)  # noqa: PLW2901
        kept.append(text.strip())
    return tuple(filter(None, kept))


def texts(content: Any, notes: Notes) -> tuple[str, ...]:
    """The shown texts of a content: a text, blocks, or an object of numbered characters."""
    parts = content if isinstance(content, list) else [numbered(content) or content]
    return tuple(filter(None, (part_text(part, notes) for part in parts)))


def numbered(value: Any) -> str:
    """The text of an object whose keys number its characters, or ""."""
    if not isinstance(value, dict) or not all(key.isascii() and key.isdigit() for key in value):
        return ""
    return "".join(string(value[key]) for key in sorted(value, key=lambda key: (len(key), key)))


def without(text: str, tag: str) -> str:
    """The text without `<tag>…</tag>`; an opening tag that is never closed stays."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    kept = []
    pos = 0
    while (start := text.find(opening, pos)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[pos:start])
        pos = end + len(closing)
    return "".join(kept) + text[pos:]
