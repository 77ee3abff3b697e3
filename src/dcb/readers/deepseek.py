"""DeepSeek's data export, and copies of its history API -> conversations.

Where: 系统设置 → 数据管理 → 导出所有历史对话, a zip with `conversations.json` and `user.json`.
Export: `[{id, title, inserted_at, updated_at, mapping: {root: {children}, "1": {id, parent,
children, message}}}]`, a ChatGPT look-alike without `current_node`. A message has `fragments`
(`REQUEST` is the person, `RESPONSE` and `TEMPLATE_RESPONSE` the answer); in early 2025 `role`,
`content` and `reasoning_content` instead. Ids are unique inside one conversation only.
API copy: `data.biz_data {chat_session {current_message_id}, chat_messages [{message_id,
parent_id, role, fragments}]}`.

Read: the export from the root, always to the last child; the copy from the current message up.
Left out: thinking, searches and opened pages, other branches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.chain import live_path, tree
from dcb.readers.content import attachment, join_blocks, string_in
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import noted_ms

NAME = "deepseek"

SHOWN = frozenset({"REQUEST", "RESPONSE", "TEMPLATE_RESPONSE", "TEXT"})
LEFT_OUT = {"THINK": "thinking", "SEARCH": "tool", "READ_LINK": "tool"}
LEFT_OUT |= {"TOOL_SEARCH": "tool", "TOOL_OPEN": "tool", "TIP": "interface"}
ROLES = {"USER": "user", "ASSISTANT": "assistant"}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Turn:
    """A message of either form, under its id."""

    id: str
    parent: str | None
    body: dict[str, Any]


def detect(source: Input) -> str | None:
    """Items with `mapping` and `inserted_at`, or whose nodes have `fragments`; an API copy."""
    for item in map(fields, source.items):
        if _api(item):
            return "a copy of the history API (`data.biz_data.chat_messages`)"
        if not isinstance(item.get("mapping"), dict) or "current_node" in item:
            continue
        if "inserted_at" in item or _has_fragments(item["mapping"]):
            return "conversations with `mapping` and `inserted_at`, without `current_node`"
    return None


def read(source: Input) -> Iterator[Item]:
    """Each conversation of the export, or the one of a copy."""
    for position, item, warnings in each(source):
        if isinstance(item, Skipped):
            yield item
        elif session := _api(fields(item)):
            yield _copy(Talk(source, warnings), session)
        elif isinstance(fields(item).get("mapping"), dict):
            yield _conversation(Talk(source, warnings), item, position)
        else:
            where = f"{source.file.where}, item {position}"
            yield Skipped(where=where, reason="It has no `mapping`")


def _conversation(talk: Talk, item: dict[str, Any], position: int) -> Item:
    mapping = {name: fields(node) for name, node in item["mapping"].items()}
    path = _last_children(mapping)
    nodes = [
        _Turn(id=name, parent=identity(node.get("parent")), body=fields(node.get("message")))
        for name, node in mapping.items()
    ]
    _tell(talk, [node for node in nodes if node.body], path)
    return talk.close(
        NAME,
        id=item.get("id"),
        title=item.get("title"),
        place=f"conversation {position}",
        created_at=item.get("inserted_at"),
        updated_at=item.get("updated_at"),
        tree=_tree(nodes, path) if talk.source.want_tree else (),
    )


def _copy(talk: Talk, session: dict[str, Any]) -> Item:
    about = fields(session.get("chat_session"))
    nodes = [
        _Turn(
            id=identity(message.get("message_id")) or f"#{number}",
            parent=identity(message.get("parent_id")),
            body=message,
        )
        for number, message in enumerate(map(fields, session["chat_messages"]), 1)
    ]
    parents = {node.id: node.parent for node in reversed(nodes)}
    leaf = identity(about.get("current_message_id"))
    if leaf not in parents:
        leaf = nodes[-1].id if nodes else ""
    path = live_path(parents, leaf, talk.notes) if nodes else []
    _tell(talk, nodes, path)
    return talk.close(
        NAME,
        id=about.get("id"),
        title=about.get("title"),
        created_at=about.get("inserted_at"),
        updated_at=about.get("updated_at"),
        tree=_tree(nodes, path) if talk.source.want_tree else (),
    )


def _last_children(mapping: dict[str, dict[str, Any]]) -> list[str]:
    """From the root to the last child of each node; a child that is missing does not count.

    A node that names a parent which does not list it is the parent's child all the same.
    """
    children: dict[str, list[str]] = {}
    for name, node in mapping.items():
        listed = [identity(child) or "" for child in items(node.get("children"))]
        children[name] = [child for child in dict.fromkeys(listed) if child in mapping]
    listed_once = {child for named in children.values() for child in named}
    for name, node in mapping.items():
        parent = identity(node.get("parent"))
        if name not in listed_once and parent in children:
            children[parent].append(name)
    path: list[str] = []
    here = _root(mapping)
    seen: set[str] = set()
    while here is not None:
        seen.add(here)
        path.append(here)
        here = next((child for child in reversed(children[here]) if child not in seen), None)
    return path


def _root(mapping: dict[str, dict[str, Any]]) -> str | None:
    if "root" in mapping:
        return "root"
    tops = (name for name, node in mapping.items() if identity(node.get("parent")) not in mapping)
    return next(tops, next(iter(mapping), None))


def _tell(talk: Talk, nodes: list[_Turn], path: list[str]) -> None:
    by_id: dict[str, _Turn] = {}
    for node in nodes:
        by_id.setdefault(node.id, node)
    talk.notes.drop("branch", len(nodes) - sum(name in by_id for name in path))
    role = "assistant"
    for name in path:
        if name in by_id:
            role = _role(by_id[name].body, role)
            body = by_id[name].body
            text = join_blocks((_text(body, talk.notes), *_files(body)))
            talk.say(role, text, id=name, at=noted_ms(body.get("inserted_at"), talk.notes))


def _role(message: dict[str, Any], before: str) -> str:
    """The speaker: as named, else by the kinds of fragments, else the other one of the two."""
    named = ROLES.get(string(message.get("role")).upper())
    if named:
        return named
    kinds = {string(fields(part).get("type")) for part in items(message.get("fragments"))}
    if kinds:
        return "user" if "REQUEST" in kinds else "assistant"
    return "user" if before == "assistant" else "assistant"


def _text(message: dict[str, Any], notes: Notes) -> str:
    if string(message.get("reasoning_content") or message.get("thinking_content")):
        notes.drop("thinking")
    fragments = items(message.get("fragments"))
    if not fragments:
        return string(message.get("content"))
    return join_blocks(_fragment(fields(part), notes) for part in fragments)


def _fragment(part: dict[str, Any], notes: Notes) -> str:
    kind = string(part.get("type"))
    if kind in SHOWN:
        return string(part.get("content"))
    if kind in LEFT_OUT:
        notes.drop(LEFT_OUT[kind])
    else:
        notes.warn(f"Unknown fragment {kind[:60]!r} skipped")
        notes.drop("unknown")
    return ""


def _files(message: dict[str, Any]) -> Iterator[str]:
    for item in map(fields, items(message.get("files"))):
        yield attachment("file", string_in(item, "file_name", "name"))


def _tree(nodes: list[_Turn], path: list[str]) -> Any:
    unheard = Notes()
    told = [(node.id, node.parent, "", _text(node.body, unheard)) for node in nodes]
    return tree(told, shown=set(path))


def _api(item: dict[str, Any]) -> dict[str, Any]:
    """The `biz_data` of an API reply, or {}."""
    for outer in (fields(item.get("data")), item):
        inner = fields(outer.get("biz_data"))
        if isinstance(inner.get("chat_messages"), list):
            return inner
    return {}


def _has_fragments(mapping: dict[str, Any]) -> bool:
    nodes = map(fields, list(mapping.values())[:20])
    return any("fragments" in fields(node.get("message")) for node in nodes)


READER = Reader(name=NAME, title="DeepSeek export", detect=detect, read=read)
