"""Text -> figures: the token estimate of format 1.0, and comparison keys."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

Counter = Callable[[str], int]
"""Text -> tokens."""

# Specification section 6, ranges of format 1.0: kana, Han with extension A and
# compatibility forms, Hangul syllables.
CJK_RANGES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{CJK_RANGES}]+")
_SPACES = re.compile(r"\s+")
_NOT_WORD = re.compile(r"[\W_]+")


def cjk_count(text: str) -> int:
    """How many characters of the CJK ranges of the token estimate."""
    if text.isascii():
        return 0
    return sum(map(len, _CJK_RUN.findall(text)))


def estimate(text: str) -> int:
    """Tokens by the format's heuristic: CJK 1 each, other code points 1/3.6, rounded up."""
    cjk = cjk_count(text)
    # In eighteenths, so that the rounding is exact: 1/3.6 = 5/18.
    return -(-(18 * cjk + 5 * (len(text) - cjk)) // 18)


def one_line(text: str) -> str:
    """Each run of white space that holds a line end becomes one space; ends are trimmed."""
    if "\n" in text or "\r" in text:
        text = _SPACES.sub(lambda run: " " if _has_line_end(run.group()) else run.group(), text)
    return text.strip()


def comparison_key(text: str) -> str:
    """Letters and digits only, folded in case and width: equal for texts that read alike."""
    return _NOT_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())


def _has_line_end(run: str) -> bool:
    return "\n" in run or "\r" in run
