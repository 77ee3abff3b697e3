"""The tags in which Cline and Roo Code wrap what goes to the model -> what the two sides said.

The person's words stand in `<task>`, `<feedback>`, `<answer>`, `<user_message>` or
`<user_input>`; without any of them a row is the person's unless it opens with the result of a
tool (`[read_file for 'x'] Result:`). The agent's words are what is left without thinking and
tool calls, and the words inside the calls that speak to the person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dcb.readers.base import Notes
from dcb.readers.content import DROPPED_TYPES, join_blocks, part_text, string_in
from dcb.readers.loose import fields, string

PERSON = ("task", "feedback", "answer", "user_message", "user_input")
CONTEXT = ("environment_details", "mode_notice", "system-reminder", "file_content", "slash_command")
TOOLS = (
    "read_file",
    "write_to_file",
    "replace_in_file",
    "apply_diff",
    "insert_content",
    "search_and_replace",
    "execute_command",
    "search_files",
    "list_files",
    "list_code_definition_names",
    "codebase_search",
    "browser_action",
    "use_mcp_tool",
    "access_mcp_resource",
    "load_mcp_documentation",
    "fetch_instructions",
    "switch_mode",
    "new_task",
    "new_rule",
    "condense",
    "report_bug",
    "web_fetch",
    "update_todo_list",
    "task_progress",
    "focus_chain",
    "run_slash_command",
    "generate_image",
)

# Calls that speak to the person -> the parameter with the words.
SPEAKING = {
    "attempt_completion": "result",
    "ask_followup_question": "question",
    "plan_mode_respond": "response",
    "act_mode_respond": "response",
}

FEEDBACK = re.compile(r"(?:[^\n<]*\n){0,5}\s*<(?:feedback|answer|user_message)>")
RESULT = re.compile(r"\s*\[[a-z_]+(?: for [^\n]*)?\] Result:")
HARNESS = ("[ERROR]", "[TASK RESUMPTION]", "The user denied this operation", "[NOTE]")


def is_marked(content: Any) -> bool:
    """Whether a message holds the tags that only these extensions write."""
    return any(
        "<environment_details>" in text or text.lstrip().startswith("<task>")
        for _, text in _texts(content)
    )


def said(role: str, content: Any, notes: Notes) -> str:
    """What the person or the agent said in one message; "" where it is machinery only."""
    return _by_person(content, notes) if role == "user" else _by_agent(content, notes)


def _by_person(content: Any, notes: Notes) -> str:
    texts = [(result, _without(text, CONTEXT)) for result, text in _texts(content)]
    is_result = any(result or RESULT.match(text) for result, text in texts)
    if is_result:
        # A file that a tool read may hold any tag; the harness puts the person's words first.
        texts = [(result, text) for result, text in texts if FEEDBACK.match(text)]
    tagged = [words for _, text in texts for words in _inside(text, PERSON)]
    if tagged:
        return join_blocks(tagged)
    if is_result or any(text.startswith(HARNESS) for _, text in texts):
        notes.drop("tool")
        return ""
    blocks = content if isinstance(content, list) else [content]
    return join_blocks(_without(part_text(block, notes), CONTEXT) for block in blocks)


def _by_agent(content: Any, notes: Notes) -> str:
    blocks = content if isinstance(content, list) else [content]
    return join_blocks(_agent_block(block, notes) for block in blocks)


def _agent_block(block: Any, notes: Notes) -> str:
    call = SPEAKING.get(string(fields(block).get("name")))
    if call and block.get("type") == "tool_use":
        return string_in(block.get("input"), call)
    text = part_text(block, notes)
    kept, position = [], 0
    for span in _outermost(text, ("thinking", "think", *SPEAKING, *TOOLS)):
        kept.append(text[position : span.start])
        if span.tag in SPEAKING:
            kept += _inside(text[span.inner : span.inner_end], (SPEAKING[span.tag],))
        position = span.end
    return join_blocks((*kept, text[position:]))


def _texts(content: Any) -> list[tuple[bool, str]]:
    """`(whether a tool returned it, text)` of a message's blocks."""
    found: list[tuple[bool, str]] = []
    for block in content if isinstance(content, list) else [content]:
        if fields(block).get("type") == "tool_result":
            inner = block.get("content")
            parts = inner if isinstance(inner, list) else [inner]
            found += [(True, _plain(part)) for part in parts]
        elif string(fields(block).get("type")) not in DROPPED_TYPES:
            found.append((False, _plain(block)))
    return [(result, text) for result, text in found if text.strip()]


def _plain(block: Any) -> str:
    return block if isinstance(block, str) else string_in(block, "text")


@dataclass(frozen=True, slots=True, order=True)
class _Span:
    """An element with its tags, and its inside."""

    start: int
    end: int
    inner: int
    inner_end: int
    tag: str


def _outermost(text: str, tags: tuple[str, ...]) -> Iterator[_Span]:
    """The elements of these tags that are in no other one, in order."""
    position = 0
    for span in sorted(span for tag in tags if f"<{tag}" in text for span in _spans(text, tag)):
        if span.start >= position:
            yield span
            position = span.end


def _spans(text: str, tag: str) -> Iterator[_Span]:
    """The elements of one tag; one that is never closed runs to the end."""
    opening = re.compile(f"<{re.escape(tag)}(?:\\s[^<>]*)?>")
    closing = f"</{tag}>"
    position = 0
    while found := opening.search(text, position):
        inner = text.find(closing, found.end())
        inner_end, position = (inner, inner + len(closing)) if inner >= 0 else (len(text),) * 2
        yield _Span(found.start(), position, found.end(), inner_end, tag)


def _inside(text: str, tags: tuple[str, ...]) -> list[str]:
    return [text[span.inner : span.inner_end].strip() for span in _outermost(text, tags)]


def _without(text: str, tags: tuple[str, ...]) -> str:
    kept, position = [], 0
    for span in _outermost(text, tags):
        kept.append(text[position : span.start])
        position = span.end
    return join_blocks((*kept, text[position:]))
