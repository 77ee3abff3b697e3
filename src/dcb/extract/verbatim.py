"""Spans -> verbatim entries, each with the rule that took it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dcb.extract.segments import Span
from dcb.model import Conversation, Entry


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """What became of one passage: the rule that took it, or the guard that passed it over."""

    src: str  # message id
    start: int
    end: int
    text: str
    kind: str  # entry kind, or "" when passed over
    rule: str  # name of the rule or guard
    entry: str = ""  # id of the entry, when taken


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """Layer 1, and which passages of which message it took."""

    entries: tuple[Entry, ...]
    taken: frozenset[tuple[int, int, int]]  # (message, start, end) of spans that became entries
    trace: tuple[Trace, ...] = ()


def verbatim(conversation: Conversation, spans: Sequence[Span], *, trace: bool = False) -> Found:
    """Layer 1 of a conversation whose messages all have ids."""
    return Found(entries=(), taken=frozenset())
