"""Code blocks -> those that stand in the end, and which later one replaced each other.

Two blocks are versions of one thing when they name the same file, define the same function
or share most of their lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dcb.extract.filters import occurs
from dcb.extract.segments import Span

_DEFINED = re.compile(
    r"[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:pub[ \t]+)?(?:async[ \t]+)?"
    r"(?:def|class|fn|func|function|struct|enum|interface|type|trait|const|let|var|CREATE(?: OR REPLACE)? (?:TABLE|VIEW|FUNCTION|INDEX))"
    r"[ \t]+(?:\([^)\n]*\)[ \t]*)?([A-Za-z_][\w.]*)"
    r"|([\w./-]+)\(\)[ \t]*\{|(\[[\w. -]+\])[ \t]*$",
    re.I,
)
_HANDLER = r"(?:app|router|api|bp)\.(?:get|post|put|delete|patch|route)\("
_HANDLES, _ROUTE = occurs(_HANDLER), re.compile(_HANDLER + r"(['\"][^'\"]+['\"])", re.I)
_TOP = re.compile(
    r"^(?:export +)?(?:default +)?(?:pub +)?(?:async +)?(?:def|class|fn|func|function|struct|enum|interface|trait) +(?:\([^)\n]*\) *)?([A-Za-z_]\w*)",
    re.M,
)
_WORDS = re.compile(r"[A-Za-z_][\w]*|\d[\w.]*|[\u4e00-\u9fff]")
_REACH = 8  # near-duplicates are looked for among so many blocks before
_SAME = 0.5
_WHOLE = 0.8  # a later version of the whole is about as long


class Block(NamedTuple):
    """A code block and what it can be told by."""

    span: Span
    lang: str
    path: str
    names: frozenset[str]
    tops: frozenset[str]  # names defined at the margin
    words: frozenset[str]


def block(span: Span) -> Block:
    """A block's marks."""
    text = span.text
    names = frozenset(map(str.lower, _defined(text)))
    tops = frozenset(name.lower() for name in _TOP.findall(text))
    return Block(span, span.lang.lower(), span.path, names, tops, frozenset(_WORDS.findall(text)))


def _defined(text: str) -> Iterator[str]:
    """The names that lines define, and the routes that they handle."""
    for found in map(_DEFINED.match, text.split("\n")):
        if found:
            yield found.group(found.lastindex or 0)
    if _HANDLES(text):
        yield from _ROUTE.findall(text)


def same_thing(new: Block, old: Block) -> str:
    """Why a block is a later version of another, or ""."""
    if new.path and old.path:
        return "code.path" if new.path == old.path and not _partial(new, old) else ""
    if new.lang and old.lang and new.lang != old.lang:
        return ""
    if new.names & old.names:
        return "" if _partial(new, old) else "code.name"
    if not new.words or not old.words:
        return ""
    shared = len(new.words & old.words)
    if shared >= _SAME * min(len(new.words), len(old.words)) and shared >= _SAME * 0.6 * max(
        len(new.words), len(old.words)
    ):
        return "code.alike"
    return ""


def _partial(new: Block, old: Block) -> bool:
    """Whether some of several functions are written anew, so that the others still stand."""
    left = old.tops - new.tops
    return bool(left and new.tops & old.tops) and len(new.words) < _WHOLE * len(old.words)


def superseded(blocks: Sequence[Block]) -> dict[int, int]:
    """Index of each block that a later one replaced -> index of that one."""
    replaced: dict[int, int] = {}
    by_path: dict[str, int] = {}
    for new, item in enumerate(blocks):
        earlier = by_path.get(item.path) if item.path else None
        if earlier is not None and same_thing(item, blocks[earlier]):
            replaced[earlier] = new
        if item.path:
            by_path[item.path] = new
        for old in range(max(0, new - _REACH), new):
            if old not in replaced and same_thing(item, blocks[old]):
                replaced[old] = new
    return replaced
