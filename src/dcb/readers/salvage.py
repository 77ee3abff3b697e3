"""Bytes of damaged JSON -> spans and repaired bytes of what is whole in them.

Only asked when decoding failed, or to look at the beginning of a file. Every pattern is
possessive, so that each byte is passed once, whatever the input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dcb.readers.base import Data

TRIES = 1000
"""How many places of one damaged line are tried as the start of a whole record."""

TRY_BYTES = 1 << 26
"""How many bytes all tries in one line may read together."""

_WHITE = b" \t\r\n"
# Up to and including the next bracket that is not inside a string.
_TO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)
_SCALAR = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[^\s,\[\]{}"]++', re.DOTALL)
_SKIP = re.compile(rb"[\s,]*+")
_OBJECT = re.compile(rb'\{\s*+"')
_FIRST_KEY = re.compile(rb'\{\s*+("(?:[^"\\]++|\\.)*+")\s*+:', re.DOTALL)
_SURROGATES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u([dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)


def value_end(data: Data | memoryview, start: int) -> int | None:
    """Where the JSON value that begins at `start` ends, or None when it is cut."""
    if data[start : start + 1] not in (b"[", b"{"):
        scalar = _SCALAR.match(data, start)
        return scalar.end() if scalar else None
    depth = 0
    pos = start
    while bracket := _TO_BRACKET.match(data, pos):
        pos = bracket.end()
        depth += 1 if bracket[1] in b"[{" else -1
        if depth == 0:
            return pos
    return None


def item_spans(data: Data | memoryview, start: int) -> Iterator[tuple[int, int | None]]:
    """`(start, end)` of each item of the array that opens at `start`; end None: it is cut."""
    pos = start + 1
    while True:
        pos = skip(data, pos)
        if data[pos : pos + 1] in (b"]", b"", b"}"):
            return
        end = value_end(data, pos)
        yield pos, end
        if end is None:
            return
        pos = end


def skip(data: Data | memoryview, pos: int) -> int:
    """The first position from `pos` on that is neither white space nor a comma."""
    found = _SKIP.match(data, pos)
    return found.end() if found else pos


def first_object(data: Data, pos: int) -> bytes:
    """The beginning of the first object whose first key is whole: it shows how items begin."""
    found = _FIRST_KEY.search(data, pos)
    return bytes(data[found.start() : found.start() + 1024]) if found else b""


def openings(data: Data, pos: int, like: bytes) -> Iterator[int]:
    """The places from `pos` on where an item may begin, known by its first key.

    `like` is the beginning of an item, up to its first colon at least.
    """
    key = _FIRST_KEY.match(like)
    if key is not None:
        opening = re.compile(rb",\s*+(\{\s*+" + re.escape(key[1]) + rb"\s*+:)", re.DOTALL)
        for found in opening.finditer(data, pos):
            yield found.start(1)


def object_starts(line: bytes) -> Iterator[int]:
    """The places in a damaged line, after its first byte, where a record might begin."""
    tried = 0
    for number, found in enumerate(_OBJECT.finditer(line, 1)):
        tried += len(line) - found.start()
        if number >= TRIES or tried > TRY_BYTES:
            return
        yield found.start()


def repaired(data: bytes) -> tuple[bytes, str] | None:
    """Bytes without broken characters and what was done, or None when there were none.

    Surrogates encoded one by one are joined, escapes of lone ones become U+FFFD, and so
    do bytes that are no UTF-8.
    """
    done = ""
    text = utf8_text(data)
    if text is not None:
        data, done = text.encode(), "broken characters were replaced by U+FFFD"
        if "\ufffd" not in text:
            done = "surrogates encoded as three bytes each were joined"
    joined, count = lone_escapes_replaced(data)
    if count:
        done = f"{count} half surrogate pair{'s' * (count > 1)} became U+FFFD"
    return (joined, done) if done else None


def utf8_text(data: bytes) -> str | None:
    """The text of bytes that are not UTF-8, CESU-8 pairs joined; None when they are UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return cesu8_text(data) or data.decode(errors="replace")
    return None


def cesu8_text(data: bytes) -> str | None:
    """The text of UTF-8 that holds surrogates of three bytes, or None when it is not that."""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return whole_pairs(text)


def whole_pairs(text: str) -> str:
    """Text whose surrogates are joined where they are pairs, U+FFFD where they are not."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def lone_escapes_replaced(data: bytes) -> tuple[bytes, int]:
    """JSON bytes with each escape of half a surrogate pair made `\\ufffd`, and how many."""
    count = 0

    def keep_or_replace(found: re.Match[bytes]) -> bytes:
        nonlocal count
        if found[1] is None:
            return found[0]
        count += 1
        return b"\\ufffd"

    return _SURROGATES.sub(keep_or_replace, data), count
