"""Text -> the next marker: a comment of dcb's that is a whole line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from dcb.document._text import BLANK, decode, line_end
from dcb.errors import DocumentError
from dcb.model import KNOWN_ATTRIBUTES, LAYERS, MAX_TIME

_MARK = re.compile(r"^[ \t]*+<!--[ \t]*+dcb:", re.MULTILINE | re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*+)=")
_WORD = re.compile(r"[^ \t]++")
_TIME = re.compile(r"[0-9]{1,15}")
_ENTRY = "<!-- dcb:entry "

END = "<!-- dcb:end -->"
LAYER_MARKERS = {layer: f"<!-- dcb:layer:{layer} -->" for layer in LAYERS}
_FIXED = (*LAYER_MARKERS.values(), END)


class Mark(NamedTuple):
    """A marker line, or the end of the text (`line` is empty then)."""

    pos: int
    end: int  # where the next line begins
    line: str
    attributes: dict[str, Any] | None = None  # of an entry


def next_mark(text: str, pos: int) -> Mark:
    """The next marker from the line at `pos` on. Raises DocumentError if it is malformed."""
    match = _MARK.search(text, pos)
    if match is None:
        return Mark(pos=len(text), end=len(text), line="")
    start = match.start()
    stop = line_end(text, start)
    line = text[start:stop].rstrip(BLANK)
    end = min(stop + 1, len(text))
    if line in _FIXED:
        return Mark(pos=start, end=end, line=line)
    if line.startswith(_ENTRY) and line.find("-->") == len(line) - 3:
        return Mark(pos=start, end=end, line=line, attributes=_attributes(text, start, line))
    known = ", ".join((*_FIXED, "<!-- dcb:entry id=… kind=… -->"))
    raise DocumentError(
        f"This is no marker; the markers are {known}, and content writes '<!--' as '&lt;!--'",
        text,
        start,
    )


def _attributes(text: str, pos: int, line: str) -> dict[str, Any]:
    """The arguments of Entry that an entry marker gives."""
    found: dict[str, Any] = {}
    extra: dict[str, str] = {}
    for start, word in _words(line, len(_ENTRY), len(line) - len("-->")):
        match = _ATTRIBUTE.match(word)
        if match is None:
            raise DocumentError("An entry's attribute reads name=value", text, pos + start)
        name, value = match[1], decode(word[match.end() :])
        if name in found or name in extra:
            raise DocumentError(f"The entry has two attributes {name!r}", text, pos + start)
        if name in KNOWN_ATTRIBUTES:
            found[name] = _typed(name, value, text, pos + start)
        else:
            extra[name] = value
    return {**found, "extra": tuple(extra.items())}


def _typed(name: str, value: str, text: str, pos: int) -> str | int | bool:
    if name == "at":
        return milliseconds(value, text, pos)
    if name != "pin":
        return value
    if value not in ("0", "1"):
        raise DocumentError(f"'pin' is 0 or 1, not {value!r}", text, pos)
    return value == "1"


def milliseconds(value: str, text: str, pos: int) -> int:
    """A time of an entry or a preference. Raises DocumentError."""
    if not _TIME.fullmatch(value) or int(value) > MAX_TIME:
        raise DocumentError(f"'at' is whole milliseconds since 1970, not {value!r}", text, pos)
    return int(value)


def _words(line: str, pos: int, end: int) -> Iterator[tuple[int, str]]:
    for match in _WORD.finditer(line, pos, end):
        yield match.start(), match[0]
