"""Content <-> the characters that may stand in a document: escapes, fences, attribute values.

Each pair undoes the other: `unescape(escape(x)) == x`, `decode(encode(x)) == x`.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote_to_bytes

BLANK = " \t\r"

# Everything that some language's `trim` takes for outer white space. The reader trims
# less (BLANK and line ends); the writer fences whatever any reader might trim.
_OUTER = "\ufeff\x1c\x1d\x1e\x1f\x85"

_ESCAPABLE = re.compile(r"&(?=(?:amp;)*+lt;!--)")
_ESCAPED = re.compile(r"&((?:amp;)*+)lt;!--")
_TICKS = re.compile(r"`+")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

SURROGATE = re.compile("[\ud800-\udfff]")
FENCE = re.compile(r" {0,3}+(?:(`{3,}+)([^`\n]*+)|(~{3,}+)([^\n]*+))(?=\n|\Z)")


def escape(text: str) -> str:
    """Text in which no comment can begin."""
    return _ESCAPABLE.sub("&amp;", text).replace("<!--", "&lt;!--")


def unescape(text: str) -> str:
    """What `escape` was given."""
    return _ESCAPED.sub(_unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    ampersands = match[1]
    return f"&{ampersands[4:]}lt;!--" if ampersands else "<!--"


def encode(value: str) -> str:
    """An attribute value that can neither end the comment nor begin another attribute."""
    if not value.isascii() or not value.isalnum():
        value = "".join(map(_encoded, value)).replace("--", "%2D%2D")
    return value


def _encoded(char: str) -> str:
    if char in '%"<>\ufeff' or char.isspace() or unicodedata.category(char) == "Cc":
        return "".join(f"%{byte:02X}" for byte in char.encode())
    return char


def decode(value: str) -> str:
    """What `encode` was given. A `%` that begins no encoded UTF-8 stands for itself."""
    return _PERCENT.sub(_decoded, value)


def _decoded(match: re.Match[str]) -> str:
    try:
        return unquote_to_bytes(match[0]).decode()
    except UnicodeDecodeError:
        return match[0]


def fenced(content: str, *, info: str = "") -> str:
    """The content untouched between two fences that it cannot close."""
    longest = max(map(len, _TICKS.findall(content)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{info}\n{content}\n{fence}"


def closing(char: str, length: int) -> re.Pattern[str]:
    """The line that ends a fence of so many of these characters."""
    return re.compile(rf"^ {{0,3}}+{char}{{{length},}}+[ \t\r]*+$", re.MULTILINE)


def opened(text: str, pos: int) -> tuple[str, int, str, int] | None:
    """The fence that opens at a line: its character, length, info string and end."""
    match = FENCE.match(text, pos)
    if match is None:
        return None
    run = match[1] or match[3]
    info = match[2] if match[1] else match[4]
    return run[0], len(run), info.strip(), match.end()


def leaves_fence_open(text: str) -> bool:
    """Whether Markdown tools would take what follows this text for code."""
    pos = 0
    while (start := _next_fence(text, pos)) is not None:
        char, length, _, end = start
        close = closing(char, length).search(text, end)
        if close is None:
            return True
        pos = close.end()
    return False


_FENCE_LINE = re.compile(rf"^{FENCE.pattern}", re.MULTILINE)


def _next_fence(text: str, pos: int) -> tuple[str, int, str, int] | None:
    match = _FENCE_LINE.search(text, pos)
    return match and opened(text, match.start())


def is_plain(content: str) -> bool:
    """Whether content may stand without a fence and be read back as it is, by every reader."""
    return (
        content == content.strip().strip(_OUTER)
        and "\r" not in content
        # Also where it is no fence: not every reader knows that "```a`b" is none.
        and not content.startswith(("```", "~~~"))
        and not leaves_fence_open(content)
    )


def line_end(text: str, pos: int) -> int:
    """Where the line at a position ends. A line ends at `\\n` only."""
    end = text.find("\n", pos)
    return len(text) if end < 0 else end
