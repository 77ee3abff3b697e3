"""Spans -> verbatim entries, each with the rule that took it, in order of appearance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dcb.extract import code
from dcb.extract.segments import Span
from dcb.extract.supersede import Candidate, replaced
from dcb.extract.walk import Walk
from dcb.model import Conversation, Entry, Message


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
    taken: frozenset[tuple[int, int, int]]  # (message, start, end) of entries
    trace: tuple[Trace, ...] = ()


def verbatim(conversation: Conversation, spans: Sequence[Span], *, trace: bool = False) -> Found:
    """Layer 1 of a conversation whose messages all have ids."""
    walk = Walk(conversation, spans)
    order = sorted(range(len(walk.candidates)), key=lambda n: _place(walk.candidates[n]))
    ids = _ids(order)
    by = _replacements(walk)
    entries = tuple(
        _entry(walk.candidates[n], conversation.messages, ids[n], ids.get(by.get(n, -1), ""))
        for n in order
    )
    return Found(
        entries=entries,
        taken=frozenset((c.message, c.start, c.end) for c in walk.candidates),
        trace=_trace(walk, order, entries) if trace else (),
    )


def _place(candidate: Candidate) -> tuple[int, int]:
    return candidate.message, candidate.start


def _ids(order: Sequence[int]) -> dict[int, str]:
    width = max(3, len(str(len(order))))
    return {number: f"v-{place:0{width}d}" for place, number in enumerate(order, 1)}


def _replacements(walk: Walk) -> dict[int, int]:
    """Candidate -> the one that replaced it."""
    numbers = [number for number, _ in walk.blocks]
    blocks = code.superseded([item for _, item in walk.blocks])
    return replaced(walk.candidates) | {numbers[old]: numbers[new] for old, new in blocks.items()}


def _entry(candidate: Candidate, messages: Sequence[Message], name: str, by: str) -> Entry:
    message = messages[candidate.message]
    via = candidate.via
    return Entry(
        id=name,
        kind=candidate.kind,
        content=message.content[candidate.start : candidate.end],
        role=message.role,
        src=message.id or "",
        at=max(0, message.created_at or 0),
        lang=candidate.lang,
        status="superseded" if by else "",
        by=by,
        origin="" if via is None else "accepted",
        via="" if via is None else messages[via].id or "",
    )


def _trace(walk: Walk, order: Sequence[int], entries: Sequence[Entry]) -> tuple[Trace, ...]:
    taken = [
        Trace(
            src=entry.src,
            start=walk.candidates[n].start,
            end=walk.candidates[n].end,
            text=entry.content,
            kind=entry.kind,
            rule=walk.candidates[n].rule,
            entry=entry.id,
        )
        for n, entry in zip(order, entries, strict=True)
    ]
    passed = [
        Trace(
            src=walk.messages[span.message].id or "",
            start=span.start,
            end=span.end,
            text=span.text,
            kind="",
            rule=guard,
        )
        for span, guard in walk.passed
    ]
    return tuple(passed + taken)
