"""Claude.ai exports and browser copies -> conversations, and the standing instructions beside them.

Where: Settings, Privacy, Export data. Until mid-2026 a zip `data-<date>-…-batch-0000.zip` with
`conversations.json`, `projects.json`, `users.json`, later `memories.json`; since August 2026
the mail brings a manifest (`data_files[].export_url`) that names several batch zips, each with
`conversations.json` alone. Its links are keys to the data: they are explained, never shown and
never followed. One file per conversation (`conversations/<uuid>.json`) has been seen too.
Browser extensions save one conversation as an object with `current_leaf_message_uuid`.

Read: where every message names its parent, up from the current leaf (without one, from the
last message); else in array order. Text is that of `text` and `voice_note` blocks; the flat
`text` only where there are no blocks, since it carries "not supported" lines.
Left out: thinking, tools with their artifacts, hidden prompts, other branches.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from dcb.errors import EmptySource
from dcb.model import Instruction, Node, Skipped
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.chain import live_path, tree
from dcb.readers.content import attachment, join_blocks
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import noted_ms

NAME = "claude-ai"

ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
TEXT_BLOCKS = frozenset({"text", "voice_note"})
LEFT_OUT = {
    "thinking": "thinking",
    "redacted_thinking": "thinking",
    "tool_use": "tool",
    "tool_result": "tool",
    "server_tool_use": "tool",
    "web_search_tool_result": "tool",
    "token_budget": "hidden",
    "injected_prompt_block": "hidden",
}
MEMORIES = frozenset({"conversations_memory", "project_memories"})
MANIFEST_HELP = (
    "{where}: this is the manifest of a Claude export, a list of {count} download links and no "
    "conversation. Open the mail again, download each part (a zip) while the links last, and "
    "read those; the links are private and are not shown here"
)
NO_PARENT = "00000000-0000-"  # how the parent begins that a first message names


def detect(source: Input) -> str | None:
    """Items with `chat_messages`; the manifest; projects or memories of an export."""
    for item in map(fields, source.items):
        if isinstance(item.get("chat_messages"), list):
            return "conversations with `chat_messages`"
        if _links(item):
            return "the manifest of an export (`data_files` with `export_url`)"
        if _is_project(item):
            return "projects of an export (`prompt_template`, `docs`)"
        if MEMORIES & item.keys():
            return "memories of an export"
    return "an object with `chat_messages`" if "chat_messages" in source.keys else None


def read(source: Input) -> Iterator[Item]:
    """Each conversation, or each standing instruction. Raises EmptySource for a manifest."""
    for position, item, warnings in each(source):
        if isinstance(item, Skipped):
            yield item
        elif isinstance(fields(item).get("chat_messages"), list):
            yield _conversation(Talk(source, warnings), item, position)
        elif links := _links(fields(item)):
            raise EmptySource(MANIFEST_HELP.format(where=source.file.where, count=len(links)))
        elif _is_project(fields(item)) or MEMORIES & fields(item).keys():
            yield from _instructions(source, item)
        else:
            yield Skipped(where=_place(source, position), reason="It has no `chat_messages`")


def _conversation(talk: Talk, item: dict[str, Any], position: int) -> Item:
    messages = [message for message in item["chat_messages"] if isinstance(message, dict)]
    talk.notes.drop("damaged", len(item["chat_messages"]) - len(messages))
    path = _path(item, messages, talk.notes)
    for message in path:
        _say(talk, message)
    return talk.close(
        NAME,
        id=item.get("uuid"),
        title=item.get("name"),
        place=f"conversation {position}",
        created_at=item.get("created_at"),
        updated_at=item.get("updated_at"),
        tree=_tree(messages, path) if talk.source.want_tree else (),
    )


def _path(
    item: dict[str, Any], messages: list[dict[str, Any]], notes: Notes
) -> list[dict[str, Any]]:
    """The messages that the person last saw, in order."""
    by_id: dict[str, dict[str, Any]] = {}
    for message in messages:
        by_id.setdefault(identity(message.get("uuid")) or "", message)
    named = {name: identity(message.get("parent_message_uuid")) for name, message in by_id.items()}
    if "" in by_id or None in named.values():
        return messages
    parents = {name: _parent(parent, by_id) for name, parent in named.items()}
    leaf = identity(item.get("current_leaf_message_uuid"))
    if leaf not in by_id:
        if leaf is not None:
            notes.warn("The current message is missing; the last one in the file was taken for it")
        leaf = next(reversed(by_id), "")
    path = live_path(parents, leaf, notes) if by_id else []
    notes.drop("branch", len(messages) - len(path))
    return [by_id[name] for name in path]


def _parent(name: str | None, known: Container[str]) -> str | None:
    first = name is None or (name.startswith(NO_PARENT) and name not in known)
    return None if first else name


def _say(talk: Talk, message: dict[str, Any]) -> None:
    sender = string(message.get("sender"))
    role = ROLES.get(sender)
    if role is None:
        talk.notes.warn(f"Unknown sender {sender[:60]!r} skipped")
        talk.notes.drop("unknown")
        return
    text = _text(message, talk.notes)
    if message.get("attachments") or message.get("files"):
        text = join_blocks((text, *_attached(message)))
    at = noted_ms(message.get("created_at"), talk.notes)
    talk.say(role, text, id=identity(message.get("uuid")), at=at)


def _text(message: dict[str, Any], notes: Notes) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not items(content):
        return string(message.get("text"))
    return join_blocks(_block(block, notes) for block in items(content))


def _block(block: Any, notes: Notes) -> str:
    if isinstance(block, str):
        return block
    kind = string(fields(block).get("type"))
    if kind in TEXT_BLOCKS:
        return string(block.get("text"))
    if kind in LEFT_OUT:
        notes.drop(LEFT_OUT[kind])
    else:
        notes.warn(f"Unknown content block {kind[:60]!r} skipped")
        notes.drop("unknown")
    return ""


def _attached(message: dict[str, Any]) -> Iterator[str]:
    for item in map(fields, items(message.get("attachments"))):
        yield attachment("attachment", item.get("file_name"), item.get("extracted_content"))
    for item in map(fields, items(message.get("files"))):
        kind = item.get("file_kind")
        yield attachment("image" if kind == "image" else "file", item.get("file_name"))


def _tree(messages: list[dict[str, Any]], path: list[dict[str, Any]]) -> tuple[Node, ...]:
    shown = {string(message.get("uuid")) for message in path}
    unheard = Notes()
    return tree(
        (
            (
                string(message.get("uuid")),
                identity(message.get("parent_message_uuid")),
                ROLES.get(string(message.get("sender")), ""),
                _text(message, unheard),
            )
            for message in messages
        ),
        shown=shown,
    )


def _links(item: dict[str, Any]) -> list[Any]:
    return [link for link in map(fields, items(item.get("data_files"))) if "export_url" in link]


def _is_project(item: dict[str, Any]) -> bool:
    return "prompt_template" in item and "chat_messages" not in item


def _instructions(source: Input, item: dict[str, Any]) -> Iterator[Item]:
    where = source.file.where
    named = string(item.get("name")).strip()
    told = [
        (f"Claude project: {named}" if named else "Claude project", item.get("prompt_template"))
    ]
    told.append(("Claude memory", item.get("conversations_memory")))
    for project, memory in fields(item.get("project_memories")).items():
        told.append((f"Claude memory of project {project}", memory))
    for origin, text in told:
        if string(text).strip():
            yield Instruction(source=origin, text=string(text).strip(), where=where)


def _place(source: Input, position: int) -> str:
    return f"{source.file.where}, item {position}"


READER = Reader(
    name=NAME, title="Claude.ai export", detect=detect, read=read, companions=("users.json",)
)
