"""JSON text -> the same text with items put in or cut out, every other byte as it was.

Comments count as white space, since some agents allow them in their settings. Cutting undoes
putting in, byte for byte. To know then which brackets were there before, an item stands
directly after the bracket of a container that was empty, and never in one that we made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dcb.errors import SourceError

_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"(?:-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)\b")
_CLOSING = {"{": "}", "[": "]"}
_DEEPEST = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A value and where it stands; `head` is where its item begins: at the key, if it has one."""

    head: int
    start: int
    end: int
    kind: str  # "{", "[" or "scalar"
    key: str = ""
    items: tuple[Node, ...] = field(default=(), repr=False)

    def member(self, key: str) -> Node | None:
        """The last member of that name, which is the one that counts."""
        return next((item for item in reversed(self.items) if item.key == key), None)


def parse(text: str) -> Node:
    """The whole text as one value. Raises SourceError with line and column."""
    node = _value(text, _blank(text, 0), depth=0)
    end = _blank(text, node.end)
    if end < len(text):
        raise _error("nothing more", text, end)
    return node


def string(text: str, node: Node | None) -> str:
    """The string that a node is, or "" for any other value."""
    if node is None or text[node.start] != '"':
        return ""
    return str(json.loads(text[node.start : node.end], strict=False))


# --- reading ---------------------------------------------------------------------------


def _value(text: str, pos: int, *, depth: int, head: int | None = None, key: str = "") -> Node:
    head = pos if head is None else head
    if depth > _DEEPEST:
        raise _error(f"at most {_DEEPEST} brackets in one another", text, pos)
    kind = text[pos : pos + 1]
    if kind in _CLOSING:
        items, end = _items(text, pos, kind, depth=depth + 1)
        return Node(head=head, start=pos, end=end, kind=kind, key=key, items=items)
    found = (_STRING if kind == '"' else _SCALAR).match(text, pos)
    if found is None:
        raise _error("a value", text, pos)
    return Node(head=head, start=pos, end=found.end(), kind="scalar", key=key)


def _items(text: str, pos: int, kind: str, *, depth: int) -> tuple[tuple[Node, ...], int]:
    items: list[Node] = []
    pos = _blank(text, pos + 1)
    while text[pos : pos + 1] != _CLOSING[kind]:
        if items:
            pos = _blank(text, _expect(text, pos, ","))
        item = _member(text, pos, depth) if kind == "{" else _value(text, pos, depth=depth)
        items.append(item)
        pos = _blank(text, item.end)
    return tuple(items), pos + 1


def _member(text: str, head: int, depth: int) -> Node:
    found = _STRING.match(text, head)
    if found is None:
        raise _error("a key in quotes", text, head)
    try:
        key = json.loads(found.group())
    except ValueError:
        raise _error("a key", text, head) from None
    pos = _blank(text, _expect(text, _blank(text, found.end()), ":"))
    return _value(text, pos, depth=depth, head=head, key=key)


def _blank(text: str, pos: int) -> int:
    found = _BLANK.match(text, pos)
    return found.end() if found else pos


def _expect(text: str, pos: int, sign: str) -> int:
    if text[pos : pos + 1] != sign:
        raise _error(repr(sign), text, pos)
    return pos + 1


def _error(wanted: str, text: str, pos: int) -> SourceError:
    line = text.count("\n", 0, pos) + 1
    column = pos - text.rfind("\n", 0, pos)
    return SourceError(f"not valid JSON: expected {wanted} (line {line}, column {column})")


# --- changing --------------------------------------------------------------------------


def put(text: str, container: Node, value: Any, *, key: str = "") -> str:
    """The text with one more item at the end of a container, laid out like the one before it."""
    pos, lead = container.start + 1, ""
    around = _space_before(text, container.head)
    if container.items:
        last = container.items[-1]
        around = _space_before(text, last.head)
        pos, lead = last.end, f",{around}"
    inline = bool(container.items) and "\n" not in around
    written = _written(value, None if inline else _unit(text))
    label = f"{json.dumps(key)}: " if key else ""
    margin = around.rpartition("\n")[2] if "\n" in around else ""
    newline = "\r\n" if "\r\n" in text else "\n"
    body = (label + written).replace("\n", newline + margin)
    return text[:pos] + lead + body + text[pos:]


def cut(text: str, path: Sequence[tuple[Node, int]]) -> str:
    """The text without one item, given as (container, position) from the root inwards.

    Containers that hold nothing else are cut as well, except those that were there before.
    "" when nothing is left.
    """
    container, at = path[-1]
    item = container.items[at]
    if len(container.items) > 1:
        following = container.items[at + 1 :]
        start = item.head if following else container.items[at - 1].end
        return text[:start] + text[following[0].head if following else item.end :]
    if item.head == container.start + 1:
        return text[: item.head] + text[item.end :]
    return cut(text, path[:-1]) if len(path) > 1 else ""


def _written(value: Any, indent: str | None) -> str:
    """JSON in which no item stands directly after the bracket of an outer container."""
    if indent is not None:
        return json.dumps(value, ensure_ascii=False, indent=indent)
    if isinstance(value, dict) and all(isinstance(item, list) for item in value.values()):
        inner = ", ".join(f"{json.dumps(k)}: {_written(v, None)}" for k, v in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list):
        return f"[ {', '.join(json.dumps(item, ensure_ascii=False) for item in value)} ]"
    return json.dumps(value, ensure_ascii=False)


def _space_before(text: str, pos: int) -> str:
    return text[len(text[:pos].rstrip(" \t\r\n")) : pos]


def _unit(text: str) -> str:
    """One step of indentation as this text has it."""
    found = re.search(r"[{\[]\r?\n([ \t]+)\S", text)
    return found.group(1) if found else "  "
