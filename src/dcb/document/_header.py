"""Header fields <-> lines of YAML that need no YAML library to be read.

A line is `key: scalar` or `key: [item, item]`. What is written is valid YAML; what is
read may also be unquoted text that YAML would refuse (`title: Fix: the "x" #3`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import cache
from typing import NamedTuple

from dcb.document._text import BLANK, line_end
from dcb.errors import DocumentError

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*+)[ \t]*+:(?=[ \t\r\n]|\Z)[ \t]*+")

# What YAML 1.1 or 1.2 reads as something other than text: nothing, truth values, numbers
# (also in base 60), dates, and the two special keys.
_NOT_TEXT = r"""
      | ~ | null | true | false | yes | no | on | off | y | n | = | <<
      | [-+]? 0b[01_]+ | [-+]? 0o?[0-7_]+ | [-+]? 0x[0-9a-f_]+
      | [-+]? [0-9][0-9_]* (?: : [0-5]?[0-9] )* (?: \. [0-9_]* )? (?: e [-+]? [0-9]+ )?
      | [-+]? \. [0-9][0-9_]* (?: e [-+]? [0-9]+ )?
      | [-+]? \. inf | \. nan
      | [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} (?: (?: t | [ \t]+ ) [0-9] .* )?
"""
_INDICATOR = re.compile(r"[-?:,\[\]{}#&*!|>'\"%@`]")
_BREAKS_PLAIN = re.compile(
    r": | #|:\Z|\A | \Z|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
)
_FLOW = re.compile(r"[,?\[\]{}]")
# The part of _NOT_TEXT that every YAML library reads alike.
_LITERAL = re.compile(
    r"~|null|true|false|-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?"
    r"|([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:\.[0-9]{1,6})?Z)?"
)
_QUOTES = re.compile(r"""[ \t\r]*+(?:"(?:[^"\\]++|\\.)*+"|'(?:[^']++|'')*+')[ \t\r]*+(?=,|\Z)""")
_NEEDS_ESCAPE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class Field(NamedTuple):
    """One line of a header: the value as written, and where it stands."""

    key: str
    raw: str
    key_pos: int
    pos: int


# --- writing ---------------------------------------------------------------------------


def scalar(text: str, *, flow: bool = False) -> str:
    """The text plain where YAML reads it back as the same string, else in double quotes."""
    plain = _is_plain(text, flow=flow) and not _not_text().fullmatch(text)
    return text if plain else quoted(text)


def flow(items: Iterable[str]) -> str:
    """A flow sequence of scalars."""
    return f"[{', '.join(scalar(item, flow=True) for item in items)}]"


def quoted(text: str) -> str:
    """The text in double quotes with JSON escapes, all of them known to YAML."""
    return _NEEDS_ESCAPE.sub(
        lambda char: f"\\u{ord(char[0]):04x}", json.dumps(text, ensure_ascii=False)
    )


def kept(value: str | tuple[str, ...]) -> str:
    """An unknown key's value, such that a number stays a number and "1.0" stays text."""
    if isinstance(value, str):
        return _kept_scalar(value)
    return f"[{', '.join(_kept_scalar(item, flow=True) for item in value)}]"


def _kept_scalar(text: str, *, flow: bool = False) -> str:
    if _is_literal(text) or _is_quoted_literal(text):
        return text
    return scalar(text, flow=flow)


@cache
def _not_text() -> re.Pattern[str]:
    # On first use, since reading a document does without it.
    return re.compile(_NOT_TEXT, re.VERBOSE | re.IGNORECASE | re.ASCII)


def _is_plain(text: str, *, flow: bool) -> bool:
    return not (
        _INDICATOR.match(text) or _BREAKS_PLAIN.search(text) or (flow and _FLOW.search(text))
    )


def _is_quoted_literal(raw: str) -> bool:
    value = _unquoted(raw)
    return value is not None and _is_literal(value) and quoted(value) == raw


def _is_literal(text: str) -> bool:
    match = _LITERAL.fullmatch(text)
    if match is None or match[1] is None:
        return match is not None or not text
    try:
        date.fromisoformat(match[1])
    except ValueError:
        return False
    return True


# --- reading ---------------------------------------------------------------------------


def read_fields(
    text: str, pos: int, check: Callable[[Field], None]
) -> tuple[int, tuple[Field, ...]]:
    """The fields up to the line `---`, each checked at once, and where the next line begins."""
    fields: dict[str, Field] = {}
    start = pos
    while pos < len(text):
        end = line_end(text, pos)
        line = text[pos:end].rstrip(BLANK)
        if line == "---":
            return min(end + 1, len(text)), tuple(fields.values())
        if line:
            field = _read_field(text, pos, end)
            if field.key in fields:
                raise DocumentError(f"The header has two lines {field.key!r}", text, pos)
            check(field)
            fields[field.key] = field
        pos = end + 1
    raise DocumentError("The header is not closed by a line '---'", text, start)


def _read_field(text: str, pos: int, end: int) -> Field:
    match = _KEY.match(text, pos, end)
    if match is None:
        raise DocumentError("A header line must read 'key: value'", text, pos)
    raw = text[match.end() : end].rstrip(BLANK)
    return Field(key=match[1], raw=raw, key_pos=pos, pos=match.end())


def read_scalar(raw: str) -> str:
    """The text of a plain or quoted scalar; anything but whole quotes stands for itself."""
    value = _unquoted(raw)
    return raw if value is None else value


def read_flow(raw: str) -> tuple[str, ...]:
    """The items of a flow sequence, without empty ones. Raises ValueError for anything else."""
    return tuple(read_scalar(item) for item in _flow_items(raw))


def read_kept(raw: str) -> str | tuple[str, ...]:
    """What `kept` was given: text that looks like a number, date or the like keeps its quotes."""
    if raw.startswith("[") and raw.endswith("]"):
        return tuple(map(_read_kept_scalar, _flow_items(raw)))
    return _read_kept_scalar(raw)


def _read_kept_scalar(raw: str) -> str:
    value = _unquoted(raw)
    if value is None:
        return raw
    return quoted(value) if _is_literal(value) else value


def _flow_items(raw: str) -> list[str]:
    if not (raw.startswith("[") and raw.endswith("]") and len(raw) > 1):
        raise ValueError("must be a list like [a, b]")
    items, pos, end = [], 1, len(raw) - 1
    while pos < end:
        stop = _item_end(raw, pos, end)
        items.append(raw[pos:stop].strip(BLANK))
        pos = stop + 1
    return [item for item in items if item]


def _item_end(raw: str, pos: int, end: int) -> int:
    # Quotes count only around a whole item; the original writes tags like `"a" b` bare.
    quotes = _QUOTES.match(raw, pos, end)
    if quotes is not None:
        return quotes.end()
    comma = raw.find(",", pos, end)
    return end if comma < 0 else comma


def _unquoted(raw: str) -> str | None:
    if len(raw) > 1 and raw[0] == raw[-1] == '"':
        try:
            return str(json.loads(raw, strict=False))
        except ValueError:
            return None
    if len(raw) > 1 and raw[0] == raw[-1] == "'" and "'" not in raw[1:-1].replace("''", ""):
        return raw[1:-1].replace("''", "'")
    return None
