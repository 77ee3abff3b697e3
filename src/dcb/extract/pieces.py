"""A span -> its pieces that stand alone: the items that run on in one line, what each claim takes.

Every piece is given by offsets into the span; nothing is joined or rebuilt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dcb.extract.classify import Claim
from dcb.extract.clauses import enumerated
from dcb.extract.segments import Span
from dcb.model import Kind

_COUNTED = re.compile(r"2[.)]\s")


def counts(text: str) -> bool:
    """Whether a list may run on in one line of a text: a cheap look."""
    return _COUNTED.search(text) is not None


def pieces(span: Span) -> Iterator[Span]:
    """A span, or the items of a list that runs on in one line: "1. daily 2. at noon"."""
    counted = span.shape in ("item", "sentence") and counts(span.text)
    counted_off = enumerated(span.text, 2 if span.shape == "item" else 1) if counted else ()
    for start, end in counted_off:
        first, last = _trimmed(span.text, start, end)
        yield span._replace(start=span.start + first, end=span.start + last, shape="item")
    if not counted_off:
        yield span


def whole(claims: Sequence[Claim], text: str) -> list[Claim]:
    """A numbered answer does one thing, and is kept as a whole."""
    order: tuple[Kind, ...] = ("directive", "decision", "parameter")
    first = min(claims, key=lambda claim: order.index(claim.kind))
    return [first._replace(start=0, end=len(text))]


def ranges(text: str, claims: Sequence[Claim]) -> Iterator[tuple[Kind, int, int, str, Claim]]:
    """The passages of a sentence: all of it when it does one thing, else its clauses.

    A clause without a claim belongs to the claim that follows it: the topic comes first.
    Each value stands alone, since a later message may replace one and keep the other.
    """
    if len(claims) == 1:
        yield claims[0].kind, *_trimmed(text, 0, len(text)), claims[0].rule, claims[0]
        return
    edges = sorted({0, *(claim.end for claim in claims)})
    for kind in dict.fromkeys(claim.kind for claim in claims):
        own = sorted((claim for claim in claims if claim.kind == kind), key=lambda c: c.start)
        together = [(c, c) for c in own] if kind == "parameter" else [(own[0], own[-1])]
        for first, last in together:
            start = max(edge for edge in edges if edge <= first.start)
            end = len(text) if last.end == edges[-1] else last.end
            start, end = _trimmed(text, start, end)
            yield kind, start, end, first.rule, last


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and (text[end - 1].isspace() or text[end - 1] in "，,：:—–…"):
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return start, end
