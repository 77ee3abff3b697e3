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
from dcb.text import Counter, cjk_count, estimate

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


def _runs(pattern: str) -> Callable[[str], int]:
    find = re.compile(pattern).findall
    return lambda text: len(find(text))


# What is counted. Words end at a change of case, since vocabularies cut `camelCase` there.
FEATURES: dict[str, Callable[[str], int]] = {
    "han": cjk_count,
    "word": _runs(r"[A-Z]?[a-z]+|[A-Z]+"),
    "long word": _runs(r"[a-z]{9,}"),
    "capitals": _runs(r"[A-Z]{3}"),
    "digit": _runs(r"[0-9]"),
    "digits": _runs(r"[0-9]{1,3}"),
    "mark": _runs(r"[!-/:-@\[-`{-~]"),
    "marks": _runs(r"[!-/:-@\[-`{-~]+"),
    "line end": _runs(r"\n+"),
    "blanks": _runs(r"  +"),
    "wide mark": _runs(r"[\u2010-\u2027\u3000-\u303f\uff00-\uff65]"),
    "other": _runs(
        r"[^\x00-\x7f\u2010-\u2027\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff65]"
    ),
}

# Tokens per occurrence of each feature, in their order.
COEFFICIENTS: dict[str, tuple[float, ...]] = {
    "o200k": (0.75, 1, 0.3, 0.5, 0, 1, 0.2, 0.6, 0.5, 0.6, 0.7, 0.8),
    "deepseek": (0.6, 1, 0.3, 0.5, 0, 1, 0.2, 0.6, 0.5, 0.6, 0.7, 0.9),
    "qwen": (0.65, 1, 0.3, 0.5, 1, 0, 0.2, 0.6, 0.5, 0.6, 0.7, 0.9),
    "glm": (0.6, 1, 0.3, 0.5, 0, 1, 0.2, 0.6, 0.5, 0.6, 0.7, 0.9),
    "kimi": (0.6, 1, 0.3, 0.5, 0, 1, 0.2, 0.6, 0.5, 0.6, 0.7, 0.9),
    "llama": (0.8, 1, 0.3, 0.5, 0, 1, 0.2, 0.6, 0.5, 0.6, 0.9, 0.9),
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
    return lambda text: math.ceil(sum(weight * feature(text) for feature, weight in used))
