"""Bytes of a text in any encoding -> UTF-8 bytes, and a warning where it took a guess.

The order of the guesses is fixed and never the locale's: byte order mark, UTF-16 by the
place of the NULs, UTF-8, UTF-8 with surrogates of three bytes (CESU-8), gb18030,
replacement. JSON that is damaged in places stays as it is: its readers repair item by item.
"""

from __future__ import annotations

import codecs
import re

from dcb.readers import salvage
from dcb.readers.base import Data

BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

SAMPLE = 1 << 16
CHUNK = 1 << 20
CHECKED = 1 << 24
"""Bytes of a file that are looked at to tell its encoding."""

MAX_GUESS = 1 << 28
"""Bytes of a file that is not UTF-8 up to which it is decoded whole to find out what it is."""

_JSON = re.compile(rb"\s*+[\[{]")
_UTF8_RUN = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")


def as_utf8(data: Data) -> tuple[Data, str, tuple[str, ...]]:
    """`(data as UTF-8, encoding found, warnings)`; the same object when it is UTF-8 already."""
    name = _marked(bytes(data[:4])) or _by_nuls(bytes(data[:SAMPLE]))
    if name == "utf-8-sig":
        plain: Data = data[len(codecs.BOM_UTF8) :] if isinstance(data, bytes) else data
        return plain, "utf-8", ()
    if name is not None:
        text, warnings = _decoded(bytes(data), name)
        return text.removeprefix("\ufeff").encode(), name, warnings
    if is_utf8(data):
        return data, "utf-8", ()
    return _guessed(data)


def is_utf8(data: Data) -> bool:
    """Whether it is UTF-8 as far as `CHECKED`; what follows is repaired where it is read."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, min(len(data), CHECKED), CHUNK):
            decoder.decode(bytes(data[start : start + CHUNK]))
        decoder.decode(b"", final=len(data) <= CHECKED)
    except UnicodeDecodeError:
        return False
    return True


def _marked(start: bytes) -> str | None:
    return next((name for mark, name in BOMS if start.startswith(mark)), None)


def _by_nuls(sample: bytes) -> str | None:
    """UTF-16 tells itself by NULs in every other place, as ASCII characters have them."""
    sample = sample[: len(sample) // 2 * 2]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    enough = len(sample) // 8
    if odd > enough and even * 10 < odd:
        return "utf-16-le"
    if even > enough and odd * 10 < even:
        return "utf-16-be"
    return None


def _decoded(raw: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """The text; what is cut or half a pair in it becomes U+FFFD, with a warning."""
    try:
        return raw.decode(name), ()
    except UnicodeDecodeError:
        warning = f"Broken characters of the {name.upper()} text became U+FFFD"
        return raw.decode(name, "replace"), (warning,)


def _guessed(data: Data) -> tuple[Data, str, tuple[str, ...]]:
    if len(data) > MAX_GUESS:
        return data, "unknown", ()
    raw = bytes(data)
    text = salvage.cesu8_text(raw)
    if text is not None:
        return text.encode(), "cesu-8", ()
    text = _gb18030(raw)
    if text is not None:
        return text.encode(), "gb18030", ("The text is not UTF-8; it was read as gb18030",)
    if _JSON.match(raw):
        return data, "utf-8", ()
    warning = "The text is neither UTF-8 nor gb18030; what could not be read became U+FFFD"
    return raw.decode(errors="replace").encode(), "unknown", (warning,)


def _gb18030(raw: bytes) -> str | None:
    # Damaged UTF-8 often decodes as gb18030 too, into nonsense: text that holds more
    # sequences of UTF-8 than could be chance is not taken for it.
    high = sum(byte > 0x7F for byte in raw[:SAMPLE])
    if sum(map(len, _UTF8_RUN.findall(raw[:SAMPLE]))) * 2 > high:
        return None
    try:
        return raw.decode("gb18030")
    except UnicodeDecodeError:
        return None
