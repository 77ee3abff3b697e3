"""The name of a model family -> a counter of its tokens.

`estimate` is the format's own heuristic and the default. The others count with the real
vocabulary where the optional package `splintr-rs` is installed (`pip install
"dialogue-context-bridge[exact]"`), otherwise with a linear rule over a few counts of the
text, fitted by `benchmarks/fit_tokens.py`, which also prints how far it is off.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache

from dcb.errors import UnknownChoice
from dcb.text import Counter, estimate

# Family -> the vocabulary's name in splintr-rs.
VOCABULARIES = {
    "o200k": "o200k_base",
    "deepseek": "deepseek_v3",
    "qwen": "qwen2.5",
    "glm": "glm4",
    "kimi": "kimi_k2",
    "llama": "llama3",
}
FAMILIES: tuple[str, ...] = ("estimate", *VOCABULARIES)


Feature = Callable[[bytes], int]

_LOWER = b"abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_DIGITS = b"0123456789"
_MARKS = bytes(set(range(0x21, 0x7F)) - set(_LOWER + _UPPER + _DIGITS))


def _each(members: bytes) -> Feature:
    """How many bytes are of `members`."""
    return lambda data: len(data) - len(data.translate(None, members))


def _runs(members: bytes) -> Feature:
    """How many unbroken runs of `members`. Splitting is many times faster than a pattern."""
    table = bytes(byte if byte in members else 0x20 for byte in range(256))
    if 0x0A in members:
        table = table.replace(b"\n", b"x")
    return lambda data: len(data.translate(table).split())


def _pattern(pattern: bytes) -> Feature:
    find = re.compile(pattern).findall
    return lambda data: len(find(data))


# What is counted in a text's UTF-8. A character outside ASCII is counted by its first byte:
# E4 to ED begin Han and Hangul, E3 80 and EF BC the wide punctuation, E3 81 to E3 83 kana.
FEATURES: dict[str, Feature] = {
    "han": _each(bytes(range(0xE4, 0xEE))),
    "kana and wide marks": _each(b"\xe3\xef"),
    "other": _each(bytes([*range(0xC2, 0xE3), 0xEE, *range(0xF0, 0xF5)])),
    "word": _runs(_LOWER + _UPPER),
    "word part": _runs(_LOWER),
    "long word": _pattern(rb"[a-z]{9,}"),
    "letter": _each(_LOWER),
    "capital": _each(_UPPER),
    "number": _runs(_DIGITS),
    "digit": _each(_DIGITS),
    "mark": _each(_MARKS),
    "marks": _runs(_MARKS),
    "line": _runs(b"\n"),
    "blanks": _pattern(rb"  +"),
}

# Tokens per occurrence of each feature, in their order. Made by `benchmarks/fit_tokens.py`
# from Python sources, package descriptions, and Chinese and English conversations; totals of
# held-out conversations and code come within 8 %, a Chinese table of symbols within 22 %.
COEFFICIENTS: dict[str, tuple[float, ...]] = {
    "o200k": (
        0.785,
        0.422,
        0.612,
        0.668,
        0.171,
        0.459,
        0.015,
        0.179,
        1.277,
        0.137,
        0.223,
        0.54,
        0.907,
        0.782,
    ),
    "deepseek": (
        0.594,
        0.412,
        0.499,
        0.746,
        0.125,
        0.432,
        0.002,
        0.217,
        1.138,
        0.1,
        0.193,
        0.743,
        1.152,
        0.661,
    ),
    "qwen": (0.673, 0.035, 0.755, 0.911, 0, 0.517, 0, 0.141, 0.7, 0.867, 0.213, 0.522, 1.01, 0.597),
    "glm": (
        0.604,
        0.268,
        0.714,
        0.908,
        0,
        0.516,
        0,
        0.148,
        1.247,
        0.204,
        0.221,
        0.528,
        0.924,
        0.726,
    ),
    "kimi": (
        0.558,
        0.181,
        0.402,
        0.771,
        0.081,
        0.354,
        0.009,
        0.172,
        1.408,
        0.096,
        0.206,
        0.506,
        1.062,
        0.893,
    ),
    "llama": (
        0.856,
        0.213,
        0.601,
        0.917,
        0.014,
        0.578,
        0,
        0.152,
        1.168,
        0.193,
        0.211,
        0.513,
        0.869,
        0.722,
    ),
}


def counter(family: str) -> Counter:
    """A counter for `estimate` or a model family; exact where `splintr-rs` is installed.

    Raises UnknownChoice for a family we do not know.
    """
    if family == "estimate":
        return estimate
    if family not in VOCABULARIES:
        raise UnknownChoice("token family", family, FAMILIES)
    return exact(family) or approximate(family)


@cache
def exact(family: str) -> Counter | None:
    """A counter with the family's vocabulary, or None without the optional package."""
    try:
        import splintr
    except ImportError:
        return None
    encode = splintr.Tokenizer.from_pretrained(VOCABULARIES[family]).encode_ordinary
    return lambda text: len(encode(text))


@cache
def approximate(family: str) -> Counter:
    """A counter by the fitted rule alone."""
    terms = tuple(zip(FEATURES.values(), COEFFICIENTS[family], strict=True))
    used = tuple((feature, weight) for feature, weight in terms if weight)

    def count(text: str) -> int:
        data = text.encode(errors="surrogatepass")
        return math.ceil(sum(weight * feature(data) for feature, weight in used))

    return count
