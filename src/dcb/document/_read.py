"""Document text -> snapshot, by position: forgiving where a person edits, strict where
something could be lost or forged."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, cast

from dcb.document._fields import check, header_values
from dcb.document._header import read_fields
from dcb.document._marks import END, LAYER_MARKERS, Mark, milliseconds, next_mark
from dcb.document._text import BLANK, SURROGATE, closing, escape, line_end, opened, unescape
from dcb.document._write import PLACEHOLDERS
from dcb.errors import DocumentError, ModelError, UnknownChoice
from dcb.model import Entry, Layer, Preference, Scope, Section, Snapshot

Warn = Callable[[str], None]

_BOM = "\ufeff"
_PREFERENCE = re.compile(r"[-*+][ \t]++\*\*\[([^\]\n]*+)\][ \t]*+")
_KEY_END = re.compile(r"\*\*[ \t]*+(?=[(—–:-])")
_FLAG = re.compile(r"\((explicit|inferred)\)[ \t]*+(?=[—–:-])")
_AT = "<!-- at="
_HEADING = re.compile(r"###(?:[ \t]|\Z)")
_BULLET = re.compile(r"[-*+](?:[ \t]|\Z)")


class Parts(NamedTuple):
    """A document that was read."""

    body: str  # with its own line ends: what the checksum is counted from
    snapshot: Snapshot
    warnings: tuple[str, ...]


def read_document(text: str) -> Parts:
    """Everything a document says. Raises DocumentError with line and column."""
    warnings: list[str] = []
    own = _encodable(text.removeprefix(_BOM), warnings.append)
    text = as_lf(own)
    body, values = _header(text, warnings.append)
    pos = _preamble(text, body, values, warnings.append)
    pos, values["verbatim"] = _verbatim(text, pos)
    pos, values["summary"] = _summary(text, pos)
    pos, values["preferences"] = _preferences(text, pos)
    for start, _ in _lines(text, pos, len(text)):
        raise _lost(text, start, "after the end marker")
    with _at(text, 0):
        snapshot = Snapshot(**values)
    own_body = own[_same_line(own, text, body) :]
    return Parts(body=own_body, snapshot=snapshot, warnings=tuple(warnings))


def _encodable(text: str, warn: Warn) -> str:
    whole, lost = SURROGATE.subn("\ufffd", text)
    if lost:
        warn(f"{lost} halves of a character (lone surrogates) were replaced by U+FFFD")
    return whole


def _same_line(own: str, text: str, pos: int) -> int:
    # Every line before the body is one character longer when line ends are `\\r\\n`.
    return pos if own is text else pos + text.count("\n", 0, pos)


def as_lf(text: str) -> str:
    """The text with `\\n` line ends, if every line of it ended in `\\r\\n`."""
    crlf = text.count("\r\n")
    return text.replace("\r\n", "\n") if crlf and crlf == text.count("\n") else text


@contextmanager
def _at(text: str, pos: int) -> Iterator[None]:
    """A value that no snapshot can hold is an error of this place."""
    try:
        yield
    except (ModelError, UnknownChoice) as error:
        raise DocumentError(str(error), text, pos) from None


# --- header and preamble ---------------------------------------------------------------


def _header(text: str, warn: Warn) -> tuple[int, dict[str, Any]]:
    first = line_end(text, 0)
    if text[:first].rstrip(BLANK) != "---":
        raise DocumentError("A snapshot document begins with a line '---'", text, 0)
    # The version is checked as soon as it is read: the rest of a later one may look like anything.
    pos, fields = read_fields(
        text, min(first + 1, len(text)), lambda field: check(text, field, warn)
    )
    values = header_values(text, fields)
    while text.startswith(("\n", "\r\n"), pos):
        pos = line_end(text, pos) + 1
    return pos, values


def _preamble(text: str, pos: int, values: dict[str, Any], warn: Warn) -> int:
    """Past the title and description of the body; those of the header count."""
    mark = next_mark(text, pos)
    end = _past(text, mark, LAYER_MARKERS["verbatim"])
    allowed = {"#": "title", ">": "description"}
    for start, line in _lines(text, pos, mark.pos):
        name = allowed.pop(line[0], None)
        if name is None or line[1:2] not in ("", " ", "\t"):
            raise _lost(text, start, "before the first layer")
        counts = values.get(name, "")
        # The original escapes a description without protecting what looks escaped already.
        spellings = (counts, escape(counts), counts.replace("<!--", "&lt;!--"))
        if counts and line[1:].strip() not in spellings:
            at = text.count("\n", 0, start) + 1
            warn(f"The {name} in line {at} differs from the header's, which counts")
    return end


# --- layers ----------------------------------------------------------------------------


def _verbatim(text: str, pos: int) -> tuple[int, tuple[Entry, ...]]:
    entries: dict[str, Entry] = {}
    mark = next_mark(text, pos)
    for start, _ in _layer_lines(text, pos, mark.pos, "verbatim"):
        raise _lost(text, start, "before the first entry")
    number = 0
    while mark.attributes is not None:
        number = _free_number(max(number, len(entries)) + 1, entries)
        at, attributes = mark.pos, {"id": f"v-{number}", "kind": "decision", **mark.attributes}
        if attributes["id"] in entries:
            raise DocumentError(f"An earlier entry has the id {attributes['id']!r}", text, at)
        mark, attributes["content"], info = _content(
            text, mark.end, code=attributes["kind"] == "code"
        )
        if attributes["kind"] == "code":
            attributes["lang"] = attributes.get("lang") or info
        with _at(text, at):
            entries[attributes["id"]] = Entry(**attributes)
    return _past(text, mark, LAYER_MARKERS["summary"]), tuple(entries.values())


def _free_number(number: int, taken: Collection[str]) -> int:
    # Numbers only go up, so that ids chosen to be in the way cost no more than their length.
    while f"v-{number}" in taken:
        number += 1
    return number


def _content(text: str, pos: int, *, code: bool) -> tuple[Mark, str, str]:
    """The marker after an entry, the entry's content, and the language its fence names."""
    start = _skip_empty(text, pos)
    fence = opened(text, start)
    if fence is None:
        mark = next_mark(text, pos)
        return mark, unescape(text[pos : mark.pos].strip(BLANK + "\n")), ""
    char, length, info, end = fence
    close = closing(char, length).search(text, end)
    if close is None:
        raise DocumentError("This code fence is not closed", text, start)
    mark = next_mark(text, close.end())
    after = next(_lines(text, close.end(), mark.pos), None)
    if after is None:
        content = text[end + 1 : max(close.start() - 1, end + 1)]
        return mark, content, next(iter(info.split()), "")
    if code:
        if mark.attributes is None:
            _past(text, mark, LAYER_MARKERS["summary"])
        raise _lost(text, after[0], "after a code fence")
    # The original writes prose that begins with a fence bare: all of it is content.
    return mark, unescape(text[start : mark.pos].strip(BLANK + "\n")), ""


def _summary(text: str, pos: int) -> tuple[int, tuple[Section, ...]]:
    mark = next_mark(text, pos)
    end = _past(text, mark, LAYER_MARKERS["preference"])
    sections: list[tuple[Section, list[str]]] = []
    for start, line in _layer_lines(text, pos, mark.pos, "summary"):
        if _HEADING.match(line):
            with _at(text, start):
                sections.append((Section(heading=line[3:], bullets=()), []))
        elif sections and _BULLET.match(line):
            sections[-1][1].append(unescape(line[1:]))
        else:
            raise _lost(text, start, "in the summary: a line there is '### heading' or '- bullet'")
    whole = tuple(replace(section, bullets=tuple(bullets)) for section, bullets in sections)
    return end, whole


def _preferences(text: str, pos: int) -> tuple[int, tuple[Preference, ...]]:
    mark = next_mark(text, pos)
    end = _past(text, mark, END)
    lines = _layer_lines(text, pos, mark.pos, "preference")
    preferences = tuple(_preference(text, start, line) for start, line in lines)
    return end, preferences


def _preference(text: str, pos: int, line: str) -> Preference:
    start = _PREFERENCE.match(line)
    key_end = start and _KEY_END.search(line, start.end())
    if start is None or key_end is None:
        raise _lost(text, pos, "among the preferences, which read '- **[scope] key** — value'")
    flag = _FLAG.match(line, key_end.end())
    dash = flag.end() if flag else key_end.end()
    if line[dash] == "(":
        known = "a preference is (explicit) or (inferred), and a dash follows"
        raise DocumentError(f"Unknown flag: {known}", text, pos + dash)
    value, at = _value_and_time(text, pos, line, dash + 1)
    with _at(text, pos):
        return Preference(
            scope=cast(Scope, start[1]),
            key=line[start.end() : key_end.start()],
            value=unescape(value),
            explicit=flag is None or flag[1] == "explicit",
            at=at,
        )


def _value_and_time(text: str, pos: int, line: str, start: int) -> tuple[str, int]:
    comment = line.rfind(_AT, start)
    if comment < 0 or not line.endswith("-->"):
        return line[start:], 0
    time = line[comment + len(_AT) : -len("-->")].strip(BLANK)
    return line[start:comment], milliseconds(time, text, pos + comment)


# --- lines -----------------------------------------------------------------------------


def _lines(text: str, pos: int, end: int) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, without blanks around them."""
    while pos < end:
        stop = min(line_end(text, pos), end)
        if line := text[pos:stop].strip(BLANK):
            yield pos, line
        pos = stop + 1


def _layer_lines(text: str, pos: int, end: int, layer: Layer) -> Iterator[tuple[int, str]]:
    """The lines of a layer, without its heading and the placeholder of an empty one."""
    lines = _lines(text, pos, end)
    first = next(lines, None)
    if first is not None and not first[1].startswith("## "):
        lines = chain([first], lines)
    return ((start, line) for start, line in lines if line != PLACEHOLDERS[layer])


def _skip_empty(text: str, pos: int) -> int:
    return next((start for start, _ in _lines(text, pos, len(text))), len(text))


def _past(text: str, mark: Mark, expected: str) -> int:
    if mark.line == expected:
        return mark.end
    found = "before the end of the text"
    if mark.line:
        found = f"not {mark.line}" if mark.attributes is None else "not an entry"
    raise DocumentError(f"Expected the marker {expected}, {found}", text, mark.pos)


def _lost(text: str, pos: int, where: str) -> DocumentError:
    return DocumentError(f"This line belongs to nothing and would be lost, {where}", text, pos)
