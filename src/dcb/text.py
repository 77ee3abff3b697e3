"""Text -> figures: the token estimate of format 1.0, and comparison keys."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

Counter = Callable[[str], int]
"""Text -> tokens."""

# Specification section 6, ranges of format 1.0: kana, Han with extension A and
# compatibility forms, Hangul syllables.
CJK_RANGES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_SPACES = re.compile(r"\s+")
_NOT_WORD = re.compile(r"[\W_]+")
_PLAIN_WORD = re.compile(r"\w+")


@cache
def _cjk_run() -> re.Pattern[str]:
    # On first use: most commands that import this module count nothing.
    return re.compile(f"[{CJK_RANGES}]+")


def cjk_count(text: str) -> int:
    """How many characters of the CJK ranges of the token estimate."""
    if text.isascii():
        return 0
    return sum(map(len, _cjk_run().findall(text)))


def estimate(text: str) -> int:
    """Tokens by the format's heuristic: CJK 1 each, other code points 1/3.6, rounded up."""
    cjk = cjk_count(text)
    # In eighteenths, so that the rounding is exact: 1/3.6 = 5/18.
    return -(-(18 * cjk + 5 * (len(text) - cjk)) // 18)


def one_line(text: str) -> str:
    """Each run of white space that holds a line end becomes one space; ends are trimmed.

    A line ends at `\\n`; a lone `\\r` is content.
    """
    if "\n" in text:
        text = _SPACES.sub(lambda run: " " if "\n" in run.group() else run.group(), text)
    return text.strip()


def comparison_key(text: str) -> str:
    """Letters and digits only, folded in case and width: equal for texts that read alike."""
    return _NOT_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())


def relevance(query: str) -> Callable[[str], float]:
    """How many of a query's words a text holds, as a share: 0 none, 1 all.

    Words of letters and digits, and pairs of CJK characters (single ones where the query
    has no pair).
    """
    wanted = frozenset(_terms(query) if query else ())

    def share(text: str) -> float:
        if not wanted:
            return 0
        folded = unicodedata.normalize("NFKC", text).casefold()
        return sum(term in folded for term in wanted) / len(wanted)

    return share


def _terms(query: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", query).casefold()
    for run in _cjk_run().findall(folded):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
    yield from _PLAIN_WORD.findall(_cjk_run().sub(" ", folded))
