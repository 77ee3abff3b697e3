"""Spans that no entry took -> headed bullets, and the list of what was left out of them.

Bullets are the speakers' own sentences in their own language, the most telling first within
each section. A sentence that begins with a mere "it" is joined by the one before it. The work
grows linearly: of a very long conversation only the most promising passages are weighed.
"""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import re2

from dcb.extract.rules import summary_en as en
from dcb.extract.rules import summary_zh as zh
from dcb.extract.rules.summary import Cue, Topic
from dcb.extract.segments import Span
from dcb.extract.terms import terms
from dcb.model import Conversation, Omitted, Section
from dcb.text import cjk_count, estimate, one_line

CUES: tuple[Cue, ...] = en.CUES + zh.CUES
SECTIONS: tuple[str, ...] = ("background", "reasoning", "ruled_out", "todo", "other")

Taken = frozenset[tuple[int, int, int]]
"""(message, start, end) of the passages that layer 1 holds."""

WEIGHED = 20_000  # passages that are compared with each other, at most
BULLETS = (60, 400)  # how many bullets a short conversation gets, and the longest one
PER_MESSAGE = {"user": 8, "assistant": 3, "system": 4}
LONGEST = 480  # characters of one bullet
SHORTEST = 6  # tokens, about a handful of words

_SHAPES = frozenset({"sentence", "item", "row"})
_REASONS = {
    "tool": "tool output",
    "log": "log",
    "code": "code that was not settled on",
    "quote": "quotation",
    "heading": "heading",
    "config": "configuration",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Passage:
    """A span that may become a bullet."""

    span: Span
    place: int  # index into the spans
    section: str
    words: frozenset[str]
    score: float


def summary(
    conversation: Conversation, spans: Sequence[Span], taken: Taken
) -> tuple[tuple[Section, ...], tuple[Omitted, ...]]:
    """Layer 2 of a conversation: its sections, and every passage that is in none of them."""
    covered = _covered(taken)
    weighed = _weighed(spans, covered)
    frequency = Counter(word for words in _by_message(weighed) for word in words)
    passages = [
        _passage(spans, place, topics, rest, frequency, len(conversation.messages))
        for place, topics, rest in weighed
    ]
    chosen, reasons = _chosen(passages, _limit(len(conversation.messages)))
    sections = _sections(chosen, spans, _headings(conversation))
    kept = {item.place for item in chosen}
    return sections, tuple(_omitted(conversation, spans, covered, kept, reasons))


def _limit(messages: int) -> int:
    low, high = BULLETS
    return min(high, low + messages // 4)


def _headings(conversation: Conversation) -> dict[str, str]:
    """Headings in the language that the person writes."""
    head = "".join(
        message.content[:400] for message in conversation.messages[:200] if message.role == "user"
    )
    return zh.HEADINGS if cjk_count(head) * 10 > len(head) else en.HEADINGS


# --- what may become a bullet -----------------------------------------------------------

Weighed = tuple[int, frozenset[Topic], str]
"""Index of a span, what it is for, and its text without what layer 1 holds."""

_INTERVALS = dict[int, list[tuple[int, int]]]


def _covered(taken: Taken) -> _INTERVALS:
    covered: _INTERVALS = defaultdict(list)
    for message, start, end in sorted(taken):
        covered[message].append((start, end))
    return covered


def _rest(span: Span, covered: _INTERVALS) -> str:
    """The text of a span with blanks where layer 1 has taken something."""
    text = span.text
    for start, end in covered.get(span.message, ()):
        first, last = max(start, span.start), min(end, span.end)
        if first < last:
            blank = " " * (last - first)
            text = text[: first - span.start] + blank + text[last - span.start :]
    return text


def _weighed(spans: Sequence[Span], covered: _INTERVALS) -> list[Weighed]:
    """The passages worth weighing; of very many, the most promising, in order."""
    usable = _usable(spans, _readable(spans), covered)
    if len(spans) <= WEIGHED:
        return list(usable)
    best = heapq.nlargest(WEIGHED, usable, key=lambda item: (_promise(item[1]), item[0]))
    return sorted(best, key=lambda item: item[0])


def _readable(spans: Sequence[Span]) -> Iterable[int]:
    """Of a very long conversation: what the person wrote, and the newest answers."""
    if len(spans) <= WEIGHED:
        return range(len(spans))
    recent = len(spans) - WEIGHED
    return (place for place, span in enumerate(spans) if span.role == "user" or place >= recent)


def _usable(spans: Sequence[Span], places: Iterable[int], covered: _INTERVALS) -> Iterator[Weighed]:
    for place in places:
        span = spans[place]
        if span.shape not in _SHAPES or span.role not in PER_MESSAGE:
            continue
        if span.end - span.start > LONGEST:
            continue
        rest = _rest(span, covered) if span.message in covered else span.text
        if not (topics := _topics(rest)) or "trivial" in topics or _too_short(rest):
            if topics or _too_short(rest):
                continue
        yield place, topics, rest


def _too_short(rest: str) -> bool:
    return len(rest) < 60 and estimate(rest.strip(" ，。,.;；:：!?！？、")) < SHORTEST


def _promise(topics: frozenset[Topic]) -> int:
    return sum(_PROMISE.get(topic, 0) for topic in topics)


_PROMISE: dict[Topic, int] = {"todo": 4, "ruled_out": 3, "background": 2, "reasoning": 2}


def _topics(text: str) -> frozenset[Topic]:
    return frozenset(CUES[index].topic for index in _filter().Match(text) or ())


# --- how much a passage tells -----------------------------------------------------------

_ROLE = {"user": 1.0, "system": 0.6, "assistant": 0.2}
_SECTION = {"todo": 0.8, "ruled_out": 0.6, "reasoning": 0.4, "background": 0.4, "other": 0.0}


def _passage(
    spans: Sequence[Span],
    place: int,
    topics: frozenset[Topic],
    rest: str,
    frequency: Counter[str],
    messages: int,
) -> _Passage:
    span = spans[place]
    words = terms(rest)
    section = _section(topics, span)
    return _Passage(
        span=span,
        place=place,
        section=section,
        words=words,
        score=_ROLE[span.role]
        + _SECTION[section]
        + _central(words, frequency)
        + _early_or_late(span.message, messages)
        + _manner(span, topics, rest),
    )


def _section(topics: frozenset[Topic], span: Span) -> str:
    order: tuple[Topic, ...] = ("todo", "ruled_out", "reasoning", "background")
    if span.message == 0:
        order = ("background", "reasoning", "ruled_out", "todo")
    elif span.role == "assistant":
        order = ("reasoning", "todo")
    return next((topic for topic in order if topic in topics), "other")


def _central(words: frozenset[str], frequency: Counter[str]) -> float:
    """How much of a passage's vocabulary the conversation comes back to: 0 to 0.6."""
    if not words:
        return 0.0
    shared = sum(min(math.log(frequency[word]), 2.0) for word in words)
    return min(0.6, shared / len(words))


def _early_or_late(message: int, messages: int) -> float:
    """The opening says what it is about, the end where it stands."""
    if message < 2:
        return 0.6
    return 0.3 * message / messages


def _manner(span: Span, topics: frozenset[Topic], rest: str) -> float:
    score = 0.0
    if "question" in topics:
        score -= 0.4 if span.role == "user" else 1.2
    if any(personal.search(rest) for personal in _patterns("FIRST_PERSON")):
        score += 0.3
    if any(dangling.match(rest) for dangling in _patterns("DANGLING")):
        score -= 0.2
    if any(map(str.isdigit, rest)):
        score += 0.15
    return score - (0.2 if len(rest) > 240 else 0.0)


def _by_message(weighed: Sequence[Weighed]) -> Iterator[frozenset[str]]:
    """The vocabulary of passages, so that a word counts once in each."""
    return (terms(rest) for _, _, rest in weighed)


# --- choosing ---------------------------------------------------------------------------


def _chosen(passages: Sequence[_Passage], limit: int) -> tuple[list[_Passage], dict[int, str]]:
    """The best passages, best first, and why others were passed over."""
    chosen: list[_Passage] = []
    reasons: dict[int, str] = {}
    echoes = _Echoes()
    settled = _settled(passages)
    of_message: Counter[int] = Counter()
    for item in sorted(passages, key=lambda item: (-item.score, item.place)):
        span = item.span
        if item.place in settled:
            reasons[item.place] = "settled later"
        elif len(chosen) >= limit or of_message[span.message] >= PER_MESSAGE[span.role]:
            reasons[item.place] = "rank"
        elif echoes.hold(item.words, span.text):
            reasons[item.place] = "duplicate"
        else:
            chosen.append(item)
            echoes.add(item.words, span.text)
            of_message[span.message] += 1
    return chosen, reasons


class _Echoes:
    """What was said already, by its words: near-duplicates are found without comparing all."""

    def __init__(self) -> None:
        self._sizes: list[int] = []
        self._where: dict[str, list[int]] = defaultdict(list)
        self._texts: set[str] = set()

    def hold(self, words: frozenset[str], text: str) -> bool:
        """Whether nine of ten of these words stand together in one earlier passage."""
        if text in self._texts:
            return True
        if len(words) < 4:
            return False
        shared = Counter(number for word in words for number in self._where.get(word, ()))
        return any(
            count >= 0.9 * max(len(words), self._sizes[number]) for number, count in shared.items()
        )

    def add(self, words: frozenset[str], text: str) -> None:
        """Remember a passage."""
        self._texts.add(text)
        for word in words:
            self._where[word].append(len(self._sizes))
        self._sizes.append(len(words))


def _settled(passages: Sequence[_Passage]) -> frozenset[int]:
    """To-dos whose words come back in a later sentence that says that it is done."""
    latest: dict[str, int] = {}
    for item in passages:
        if "settled" in _topics(item.span.text):
            latest.update(dict.fromkeys(item.words, item.span.message))
    return frozenset(
        item.place
        for item in passages
        if item.section == "todo" and _done(item.words, item.span.message, latest)
    )


def _done(words: frozenset[str], message: int, latest: dict[str, int]) -> bool:
    later = sum(latest.get(word, -1) > message for word in words)
    return later >= 2 and 2 * later >= len(words)


# --- what comes out ---------------------------------------------------------------------


def _sections(
    chosen: Sequence[_Passage], spans: Sequence[Span], headings: dict[str, str]
) -> tuple[Section, ...]:
    bullets: dict[str, list[str]] = {name: [] for name in SECTIONS}
    for item in chosen:
        bullets[item.section].append(_bullet(item, spans))
    return tuple(
        Section(heading=headings[name], bullets=tuple(bullets[name]))
        for name in SECTIONS
        if bullets[name]
    )


def _bullet(item: _Passage, spans: Sequence[Span]) -> str:
    """The sentence, with the one before it where it would dangle alone."""
    span = item.span
    before = spans[item.place - 1] if item.place else None
    joined = (
        before is not None
        and before.message == span.message
        and before.shape == span.shape == "sentence"
        and span.end - before.start <= LONGEST // 2
        and any(dangling.match(span.text) for dangling in _patterns("DANGLING"))
    )
    start = before.start if joined and before else span.start
    return one_line(span.content[start : span.end])


def _omitted(
    conversation: Conversation,
    spans: Sequence[Span],
    covered: _INTERVALS,
    kept: set[int],
    reasons: dict[int, str],
) -> Iterator[Omitted]:
    """Every passage that is neither in an entry nor a bullet; by message when there are many."""
    gone = (
        (place, span)
        for place, span in enumerate(spans)
        if place not in kept and not _inside(span, covered)
    )
    if len(spans) > WEIGHED:
        yield from _by_whole_message(conversation, gone)
        return
    for place, span in gone:
        yield Omitted(
            layer="summary",
            kind="bullet",
            text=span.text,
            src=conversation.messages[span.message].id or "",
            tokens=estimate(span.text),
            reason=reasons.get(place) or _REASONS.get(span.shape, "nothing to remember"),
        )


def _inside(span: Span, covered: _INTERVALS) -> bool:
    """Whether an entry holds the beginning of the span, or the span lies within one."""
    intervals = covered.get(span.message)
    if not intervals:
        return False
    at = bisect_right(intervals, (span.start, span.end + 1)) - 1
    return at >= 0 and intervals[at][1] >= span.end


def _by_whole_message(
    conversation: Conversation, gone: Iterable[tuple[int, Span]]
) -> Iterator[Omitted]:
    message, first, size, count = -1, "", 0, 0
    for _, span in gone:
        if span.message != message:
            if count:
                yield _many(conversation, message, first, size, count)
            message, first, size, count = span.message, span.content[span.start : span.end], 0, 0
        size += span.end - span.start
        count += 1
    if count:
        yield _many(conversation, message, first, size, count)


def _many(conversation: Conversation, message: int, first: str, size: int, count: int) -> Omitted:
    return Omitted(
        layer="summary",
        kind="bullet",
        text=first,
        src=conversation.messages[message].id or "",
        tokens=estimate(first) * size // max(1, len(first)),
        reason="rank" if count == 1 else f"rank, with {count - 1} more of this message",
    )


# --- compiled tables --------------------------------------------------------------------


@cache
def _filter() -> re2.Set:
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = 64 << 20
    every = re2.Set.SearchSet(options)
    for cue in CUES:
        every.Add(cue.pattern)
    every.Compile()
    return every


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(getattr(module, name), re.I) for module in (en, zh))
