"""Words -> whether they stand in a text, whole: not as a part of a longer word or number."""

from __future__ import annotations

import re


def told(words: str, text: str) -> bool:
    """Whether words stand in a text that is in lower case."""
    words = words.lower()
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        before, after = text[max(0, at - 2) : at], text[end : end + 2]
        if not (_glued(before, words[0]) or _glued(words[-1], after)):
            return True
        at = text.find(words, at + 1)
    return False


def _glued(left: str, right: str) -> bool:
    if not left or not right or not (left[-1].isascii() and right[0].isascii()):
        return False
    if left[-1].isalnum() and right[0].isalnum():
        return True
    return _IN_NUMBER.fullmatch(left[-2:] + right[:2]) is not None


_IN_NUMBER = re.compile(r"\d[.,:]\d|.?\d[.,:]\d", re.A)
