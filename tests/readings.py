"""Records -> what the readers make of them, and strategies that damage good records."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from dcb.errors import DcbError
from dcb.model import Conversation
from dcb.readers import identify, read
from dcb.readers.base import File, Item
from dcb.readers.inspect import inspect

Said = list[tuple[str, str]]

# A conversation with NUL is refused as a whole; see test_nul.py.
READABLE = st.characters(codec="utf-8", exclude_characters="\0")


def as_json(value: Any) -> bytes:
    """JSON in UTF-8; a lone surrogate can only be escaped."""
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def jsonl(rows: list[Any]) -> bytes:
    """The rows as JSON lines."""
    return b"".join(as_json(row) + b"\n" for row in rows)


def source(
    data: Any,
    *,
    name: str = "input",
    tree: bool = False,
    listing: Callable[[str], tuple[str, ...]] = lambda folder: (),
    beside: Mapping[str, bytes] = MappingProxyType({}),
) -> Any:
    """The `Input` of bytes, or of a value that is written as JSON; `beside` it lie files."""

    def sibling(path: str) -> File | None:
        return File(name=path, data=beside[path], where=path) if path in beside else None

    raw = data if isinstance(data, bytes) else as_json(data)
    file = File(name=name, data=raw, where=name, listing=listing, sibling=sibling)
    return inspect(file, want_tree=tree)


def items(data: Any, *, format: str | None = None, **options: Any) -> list[Item]:
    """Everything that is read of it, by the reader named or the one that takes it."""
    return list(read(source(data, **options), format=format))


def talks(data: Any, **options: Any) -> list[Conversation]:
    """The conversations only."""
    return [item for item in items(data, **options) if isinstance(item, Conversation)]


def talk(data: Any, **options: Any) -> Conversation:
    """The one conversation."""
    (only,) = items(data, **options)
    assert isinstance(only, Conversation), only
    return only


def said(conversation: Conversation) -> Said:
    """Who said what."""
    return [(message.role, message.content) for message in conversation.messages]


def counts(conversation: Conversation) -> dict[str, int]:
    """What was left out, by reason."""
    return {dropped.reason: dropped.count for dropped in conversation.dropped}


def taken_for(data: Any, **options: Any) -> str:
    """The format that the content shows."""
    return identify(source(data, **options))[0].name


WORDS = ["user", "text", "root", "", "\ud83d", "0" * 30, "id", "type", "content", "2026-01-01"]
ODD = [None, True, False, 0, -1, 1, 3, 2**70, 1e300, 1.5, *WORDS, [], {}]


def damaged(good: Any) -> st.SearchStrategy[Any]:
    """The good value with one to four places replaced, removed or repeated.

    One number makes one damage: drawing every choice would cost more than reading.
    """
    return st.integers(0, 2**64).map(lambda seed: _damaged(good, Random(seed)))


def _damaged(good: Any, dice: Random) -> Any:
    whole = [copy.deepcopy(good)]
    for _ in range(dice.randint(1, 4)):
        _damage(whole, dice)
    return whole[0] if whole else None


def _damage(holder: Any, dice: Random) -> None:
    """Walk to a random place below the holder and damage it."""
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return
        key = dice.choice(keys)
        inner = holder[key]
        if not isinstance(inner, (dict, list)) or not inner or dice.randrange(4) == 0:
            break
        holder = inner
    how = dice.choice(["replace", "remove", "repeat"])
    if how == "remove" and len(holder) > 1:
        del holder[key]
    elif how == "repeat" and isinstance(holder, list):
        holder.insert(dice.randint(0, len(holder)), copy.deepcopy(inner))
    else:
        holder[key] = _odd(dice)


def _odd(dice: Random, depth: int = 2) -> Any:
    """Any small JSON value."""
    if depth and dice.randrange(3) == 0:
        inner = [_odd(dice, depth - 1) for _ in range(dice.randrange(3))]
        return inner if dice.randrange(2) else {dice.choice(WORDS): each for each in inner}
    return dice.choice(ODD)


def survives(data: Any, *, format: str) -> None:
    """Only errors of ours are raised, and what is read is sound."""
    try:
        read_talks = talks(data, format=format)
    except DcbError:
        return
    for conversation in read_talks:
        assert_sound(conversation)


def assert_sound(conversation: Conversation) -> None:
    """It says something, all of it is text, and no message stands twice under one id.

    Where a format has no ids, one who says "yes" twice has said two things.
    """
    kept = [
        (message.id, message.role, message.content)
        for message in conversation.messages
        if message.id is not None
    ]
    assert conversation.messages
    assert len(kept) == len(set(kept))
    for message in conversation.messages:
        assert message.content == message.content.strip() != ""
        message.content.encode()
