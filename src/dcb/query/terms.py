"""Text -> search terms, the same for what is stored and what is typed.

Letters are folded in width and case, and Latin ones lose their accents. A run of Chinese,
Japanese or Korean characters becomes its pairs, each beginning one character after the
other, and its last character: so a word of two characters is one term, a longer one a phrase
of pairs, whatever stands around it. Everything between two runs of letters only separates
them: `page_size`, `page-size` and `page.size` are the phrase "page size".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

# Kana, Han with extensions and compatibility forms, the marks 々〆〇, Hangul.
CJK = (
    "\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U000323af"
)
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_RUN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_CJK_RUN = re.compile(rf"[{CJK}]+")
_SYMBOL = re.compile(r"[^\w\s]|_")
# fooBar, HTTPServer, utf8, 30s: where the parts of one run of letters meet.
_PART = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])"
)

ENDING = 4
"""How many letters a loosened word may go on for behind its stem."""

# Where folding may make one character of several. Elsewhere it can only lengthen a text.
_MAY_JOIN = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a"
    "\ua66f-\uabff\ufb1e\ufe20-\ufe2f\uff9e\uff9f\U00010000-\U0001efff\U000e0000-\U000fffff]"
)

# Both are private-use code points, which no run of letters holds, so that no text can
# forge them.
BREAK = "\ue000"  # between two passages: no phrase reaches across it
_SYMBOL_MARK = "\ue001"

_PUNCTUATION_THAT_COUNTS = frozenset("#%&*@\\/_")


def fold(text: str) -> str:
    """The text as it is compared: width, case and Latin accents folded."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded.translate(_plain_latin()) if _ACCENTED.search(folded) else folded


def folded_with_offsets(text: str) -> tuple[str, Sequence[int]]:
    """The folded text and, for each of its characters and its end, the place in `text`."""
    folded = fold(text)
    if len(folded) == len(text) and not _MAY_JOIN.search(text):
        return folded, range(len(text) + 1)
    parts, offsets = [], []
    for start, cluster in _clusters(text):
        piece = fold(cluster)
        parts.append(piece)
        offsets += [start] * len(piece)
    joined = "".join(parts)
    # A script whose characters join in ways not known here keeps its count, if not its places.
    if joined != folded:
        offsets = [min(place, len(text)) for place in range(len(folded))]
    return folded, [*offsets, len(text)]


def runs(folded: str) -> list[tuple[str, int, int]]:
    """Runs of letters and digits, CJK apart from the rest: (run, start, end)."""
    return [(found.group(), found.start(), found.end()) for found in _RUN.finditer(folded)]


def is_cjk(run: str) -> bool:
    """Whether a run is of CJK characters."""
    return _CJK_RUN.match(run) is not None


def pairs(run: str) -> list[str]:
    """The terms of a CJK run: its pairs and its last character."""
    return [run[place : place + 2] for place in range(len(run))]


def parts_of(word: str) -> list[str]:
    """The parts of a run as written: `maxTokens` -> `max`, `tokens`; one part -> nothing."""
    parts = [fold(part) for part in _PART.split(word)]
    return parts if len(parts) > 1 else []


def joins_at(text: str, place: int) -> bool:
    """Whether a part of a run begins or ends at this place of the text as written."""
    return _PART.match(text, place) is not None


def symbols(text: str) -> set[str]:
    """Characters that are neither letters, digits nor white space."""
    return set(_SYMBOL.findall(text))


def symbol_term(symbol: str) -> str:
    """The term that stands for a symbol in the index."""
    return f"{_SYMBOL_MARK}{ord(symbol):x}"


def counts(symbol: str) -> bool:
    """Whether a symbol at the edge of a word belongs to it: `C++`, `5%`, `#3`, but not `(x)`."""
    return symbol in _PUNCTUATION_THAT_COUNTS or unicodedata.category(symbol).startswith("S")


def index_text(texts: Iterable[str]) -> str:
    """Several passages as one indexed text: terms between spaces.

    The terms in order come first, a break between passages. Behind them, once each: single
    CJK characters, symbols, and the parts of compound words as phrases.
    """
    stream: list[str] = []
    single: set[str] = set()
    compound: set[str] = set()
    for text in texts:
        folded = fold(text)
        for run in _RUN.findall(folded):
            if is_cjk(run):
                stream += pairs(run)
                single.update(run)
            else:
                stream.append(run)
        stream.append(BREAK)
        single.update(map(symbol_term, symbols(folded)))
        compound.update(_compounds(text))
    return " ".join([*stream, *sorted(single), *sorted(compound)])


def _compounds(text: str) -> Iterable[str]:
    for word in _RUN.findall(text):
        if not (word.isdigit() or (word.isalpha() and word.islower())):
            parts = parts_of(word)
            if parts:
                yield f"{BREAK} {' '.join(parts)}"


def _clusters(text: str) -> Iterable[tuple[int, str]]:
    """Characters with the marks that combine with them, and where each begins."""
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or not _combines(text[place]):
            yield start, text[start:place]
            start = place


def _combines(char: str) -> bool:
    # Half-width voicing marks and Hangul vowels and finals are letters, but NFKC joins them.
    return (
        char in "\uff9e\uff9f"
        or "\u1160" <= char <= "\u11ff"
        or unicodedata.category(char).startswith("M")
    )


@cache
def _plain_latin() -> dict[int, str]:
    table = {}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        plain = unicodedata.normalize("NFD", chr(code))[0]
        if plain.isascii():
            table[code] = plain
    return table
