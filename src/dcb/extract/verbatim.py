"""Spans -> verbatim entries, each with the rule that took it, in order of appearance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dcb.extract import code
from dcb.extract.moves import Candidate
from dcb.extract.walk import Walk
from dcb.model import Entry, Message


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
    taken: dict[tuple[int, int, int], str]  # (message, start, end) -> id of the entry
    trace: tuple[Trace, ...] = ()


def taken(walk: Walk) -> Found:
    """Layer 1 after the last message was read; with a trace if the walk kept one."""
    candidates, by = _joined(walk.candidates, _replacements(walk))
    places = [(item.message, item.start) for item in candidates]
    order = sorted(range(len(candidates)), key=places.__getitem__)
    ids = _ids(order)
    entries = tuple(
        _entry(candidates[n], walk.messages, ids[n], ids.get(by.get(n, -1), "")) for n in order
    )
    return Found(
        entries=entries,
        taken={_range(candidates[n]): ids[n] for n in order},
        trace=() if walk.passed is None else _trace(walk, candidates, order, entries),
    )


def _joined(
    candidates: Sequence[Candidate], by: dict[int, int]
) -> tuple[list[Candidate], dict[int, int]]:
    """Neighbouring values of one sentence with the same fate become one entry again."""
    kept: list[Candidate] = []
    place: dict[int, int] = {}
    fates: list[int | None] = []
    for number, item in enumerate(candidates):
        last = kept[-1] if kept else None
        if last and (_one(last, item) or _slight(last, item)) and fates[-1] == by.get(number):
            kept[-1] = last._replace(end=item.end)
        else:
            kept.append(item)
            fates.append(by.get(number))
        place[number] = len(kept) - 1
    return kept, {n: place[fate] for n, fate in enumerate(fates) if fate is not None}


def _one(last: Candidate, item: Candidate) -> bool:
    same = (last.kind, last.message, last.group) == (item.kind, item.message, item.group)
    return same and item.kind == "parameter"


def _slight(last: Candidate, item: Candidate) -> bool:
    """Whether two choices side by side are one, as in "Cheap. The chips for now."."""
    if not last.kind == item.kind == "decision" or last.message != item.message:
        return False
    near = 0 <= item.start - last.end <= _GAP and max(last.end - last.start, 0) <= _SHORT
    return near and any(rule.startswith(_SLIGHT) for rule in (last.rule, item.rule))


_GAP = 3  # characters between two sentences
_SHORT = 60  # characters of a sentence that hardly says more than yes or no
# What rests on the sentence beside it.
_SLIGHT = (
    "answer.",
    "agree",
    "en.no-noun",
    "en.it-is",
    "en.yes-no",
    "en.that-one",
    "en.nth",
    "en.label",
)


def _range(candidate: Candidate) -> tuple[int, int, int]:
    return candidate.message, candidate.start, candidate.end


def _ids(order: Sequence[int]) -> dict[int, str]:
    width = max(3, len(str(len(order))))
    return {number: f"v-{place:0{width}d}" for place, number in enumerate(order, 1)}


def _replacements(walk: Walk) -> dict[int, int]:
    """Candidate -> the one that replaced it."""
    numbers = [number for number, _ in walk.blocks]
    blocks = code.superseded([item for _, item in walk.blocks])
    return walk.replaced.by | {numbers[old]: numbers[new] for old, new in blocks.items()}


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


def _trace(
    walk: Walk, candidates: Sequence[Candidate], order: Sequence[int], entries: Sequence[Entry]
) -> tuple[Trace, ...]:
    taken = [
        Trace(
            src=entry.src,
            start=candidates[n].start,
            end=candidates[n].end,
            text=entry.content,
            kind=entry.kind,
            rule=candidates[n].rule,
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
        for span, guard in walk.passed or ()
    ]
    return tuple(passed + taken)
