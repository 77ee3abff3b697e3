"""An array inside a web page's script -> its items, be it JSON or looser JavaScript.

Never evaluated: JavaScript's looser spelling (bare keys, single quotes, comments, trailing
commas, `undefined`) is respelled as JSON, token by token, and then decoded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from dcb.errors import SourceError
from dcb.model import Skipped
from dcb.readers import jsontext, salvage
from dcb.readers.base import File

_TOKEN = re.compile(
    r"""(?P<space>\s++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)
    |(?P<double>"(?:[^"\\]++|\\.)*+")
    |(?P<single>'(?:[^'\\]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`)
    |(?P<word>[A-Za-z_$][\w$]*+)
    |(?P<number>[-+]?[0-9.][\w.+-]*+)
    |(?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)|([\"\n\r\t])", re.DOTALL)
_GAP = re.compile(r"[\s,]*+")
WORDS = {"true": "true", "false": "false", "null": "null"}


def array_items(file: File, start: int) -> Iterator[Any | Skipped]:
    """The items of the array that opens at `start`; what cannot be read comes as `Skipped`."""
    data = file.data
    for pos, end in salvage.item_spans(data, start):
        try:
            yield jsontext.loads(bytes(data[pos:end]))
        except SourceError:
            # Looser JavaScript: from here on the ends have to be found anew as well.
            text = bytes(data[pos:]).decode(errors="replace")
            yield from _respelled_items(text, f"{file.where}, byte {pos}")
            return


def _respelled_items(text: str, where: str) -> Iterator[Any | Skipped]:
    pos = 0
    while text[pos : pos + 1] not in ("]", ""):
        value, end = respelled(text, pos)
        try:
            yield jsontext.loads(value.encode())
        except SourceError as error:
            yield Skipped(where=where, reason=str(error))
        gap = _GAP.match(text, end)
        pos = gap.end() if gap else end


def respelled(text: str, pos: int = 0) -> tuple[str, int]:
    """`(JSON, end)` of the JavaScript value that begins at `pos`."""
    pieces: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(text, pos):
        kind, piece = token.lastgroup or "", token[0]
        if kind == "space":
            continue
        depth += (piece in "[{") - (piece in "]}") if kind == "mark" else 0
        if piece in ("]", "}") and pieces and pieces[-1] == ",":
            pieces.pop()
        pieces.append(_respelled_token(kind, piece))
        if depth <= 0:
            return "".join(pieces), token.end()
    return "".join(pieces), len(text)


def _respelled_token(kind: str, piece: str) -> str:
    if kind in ("single", "double"):
        return '"' + _ESCAPE.sub(_escape, piece[1:-1]) + '"'
    if kind == "word":
        return WORDS.get(piece, "null" if piece == "undefined" else json.dumps(piece))
    return piece


def _escape(found: re.Match[str]) -> str:
    if found[2]:
        return json.dumps(found[2])[1:-1]
    code = found[1]
    if code[0] == "x":
        return f"\\u00{code[1:]}"
    if (code[0] == "u" and len(code) == 5) or code in 'bfnrt"\\/':
        return "\\" + code
    return "" if code == "\n" else json.dumps(code)[1:-1]
