"""An export whose messages lie in one another -> the same with its messages in one list.

For JSON nested deeper than decoders go: every message is cut out of the bytes of the one around
it and decoded by itself. Each byte is passed once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dcb.errors import DamagedSource, SourceError
from dcb.readers.base import File
from dcb.readers.jsontext import loads
from dcb.readers.loose import fields, identity

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[][{}]', re.DOTALL)
_OPENS_LIST = re.compile(rb"\s*+:\s*+(?=\[)")
_NESTING_KEYS = frozenset({b'"children"', b'"messages"', b'"messagesTree"'})


@dataclass(slots=True)
class _Open:
    """A bracket that is open: where it stands, and what is cut out of it.

    `message` is where the export or message begins that it is or, for a list of messages, that
    it lies in; -1 for every other bracket.
    """

    start: int
    message: int
    is_list: bool
    cuts: list[tuple[int, int]] = field(default_factory=list)


def unnested(file: File) -> dict[str, Any]:
    """The export with its messages in one list in file order, however deep they were nested.

    Raises DamagedSource when the file ends inside an object.
    """
    data = bytes(file.data)
    objects = sorted(_objects(data))
    if not objects or objects[0][0] > data.find(b"{"):
        raise DamagedSource(f"{file.where} is cut: its first object is never closed")
    (top, _, head), *rest = objects
    export: dict[str, Any] = fields(loads(head))
    messages: dict[int, Any] = {start: _whole(text) for start, _, text in rest}
    for start, above, _ in rest:
        parent = identity(fields(messages.get(above)).get("messageId"))
        if above != top and parent and isinstance(messages[start], dict):
            messages[start]["parentMessageId"] = parent
    return {**export, "messages": list(messages.values()), "messagesTree": None}


def _whole(text: bytes) -> Any:
    try:
        return loads(text)
    except SourceError:
        return None


def _objects(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """`(position, position of the one around, JSON)` of the export and of each message.

    The JSON is without the messages inside.
    """
    stack: list[_Open] = []
    list_at = -1
    for token in _TOKEN.finditer(data):
        mark = token.group()
        if mark in (b"{", b"["):
            stack.append(_opened(mark, token.start(), stack, token.start() == list_at))
        elif mark in (b"}", b"]") and stack:
            closed = stack.pop()
            above = stack[-1].message if stack else -1
            if closed.is_list:
                stack[-1].cuts.append((closed.start + 1, token.start()))
            elif closed.message >= 0:
                yield closed.start, above, _without(data, closed, token.end())
        elif mark in _NESTING_KEYS and stack and stack[-1].message >= 0 and not stack[-1].is_list:
            opening = _OPENS_LIST.match(data, token.end())
            list_at = opening.end() if opening else -1


def _opened(mark: bytes, start: int, stack: list[_Open], is_list: bool) -> _Open:
    if is_list:
        return _Open(start, stack[-1].message, True)
    is_message = mark == b"{" and (not stack or stack[-1].is_list)
    return _Open(start, start if is_message else -1, False)


def _without(data: bytes, opened: _Open, end: int) -> bytes:
    kept, position = [], opened.start
    for start, stop in opened.cuts:
        kept.append(data[position:start])
        position = stop
    return b"".join((*kept, data[position:end]))
