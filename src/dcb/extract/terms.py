"""Text -> the terms that tell what it is about: Latin words and pairs of Han characters."""

from __future__ import annotations

import re

_LATIN = re.compile(r"[A-Za-z][\w.+#-]*[\w+#]", re.A)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_SMALL = frozenset(
    "的了吧就那我你他她它们是不在有和与或还也都要用个这先呢吗啊把被按从到改成为定选换走做给让很太最再些么什怎行好对可以没"
)
_STOP = frozenset(
    (
        *("a", "an", "the", "and", "or", "but", "so", "then", "to", "of", "in", "on", "at"),
        *("for", "with", "by", "from", "as", "is", "are", "was", "were", "be", "been", "it"),
        *("its", "this", "that", "these", "those", "we", "i", "you", "he", "she", "they", "us"),
        *("me", "my", "our", "your", "their", "do", "does", "did", "done", "have", "has", "had"),
        *("will", "would", "can", "could", "should", "may", "might", "must", "not", "no", "yes"),
        *("ok", "okay", "just", "only", "also", "too", "let", "lets", "go", "use", "using"),
        *("make", "makes", "keep", "one", "two", "if", "when", "what", "which", "how", "why"),
        *("there", "here", "now", "please", "fine", "good", "nice", "right", "actually"),
        *("instead", "rather", "want", "need", "get", "got", "per", "each", "all", "any"),
        *("some", "more", "most", "than", "into", "over", "out", "up", "off", "about", "after"),
        *("before", "again", "still", "first", "second", "last", "new", "old", "don't", "we'll"),
        *("i'd", "we're", "let's", "that's", "it's", "move", "drop", "bump", "raise", "lower"),
        *("change", "set", "ours", "mine", "default", "three", "four", "five", "six", "seven"),
        *("eight", "nine", "ten", "both"),
    )
)


def terms(text: str) -> frozenset[str]:
    """Lower-case Latin words without the small ones; pairs of neighbouring Han characters."""
    found = {word.lower() for word in _LATIN.findall(text)} - _STOP
    for run in () if text.isascii() else _HAN.findall(text):
        found.update(
            run[i : i + 2]
            for i in range(len(run) - 1)
            if run[i] not in _SMALL and run[i + 1] not in _SMALL
        )
    return frozenset(found)


def singular(words: frozenset[str]) -> frozenset[str]:
    """Latin words without the s of their plural."""
    return frozenset(w[:-1] if len(w) > 4 and w[-1] == "s" and w[-2] != "s" else w for w in words)
