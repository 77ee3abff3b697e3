"""Spans that no other layer holds -> headed bullets, and the list of what was left out of them.

_Bullets are the speakers' own sentences in their own language, the most telling first within
each section. A sentence that cannot stand alone is joined to the one before it. The work grows
linearly: of a very long conversation only the most promising messages are weighed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dcb.extract.passages import (
    LONGEST,
    Covered,
    Passage,
    Place,
    Taken,
    passages,
    telling,
)
from dcb.extract.rules import summary_en as en
from dcb.extract.rules import summary_zh as zh
from dcb.extract.segments import Span, Spans
from dcb.model import Conversation, Omitted, Section
from dcb.text import cjk_count, estimate, one_line

SECTIONS: tuple[str, ...] = ("background", "reasoning", "ruled_out", "todo", "other")

READ = 400_000  # characters of a conversation that are weighed, at most
BULLETS = (120, 800)  # a short conversation gets so many bullets if it has them; no one gets more
SHARE = 2  # of a long conversation, every second passage becomes a bullet
PER_MESSAGE = {"user": 12, "assistant": 6, "system": 6}


def summary(
    conversation: Conversation, spans: Spans, taken: Taken
) -> tuple[tuple[Section, ...], tuple[Omitted, ...]]:
    """Layer 2 of a conversation: its sections, and every passage that is in none of them."""
    covered = Covered(taken)
    numbers = _readable(conversation)
    found, reasons = passages(conversation, spans, covered, numbers)
    chosen = _chosen(found, reasons)
    bullets = _bullets(chosen, spans, covered)
    sections = _sections(bullets, _headings(conversation))
    if len(numbers) == len(conversation.messages):
        omitted = _omitted(conversation, spans, covered, bullets, reasons)
    else:
        omitted = _omitted_stretches(conversation, covered, bullets)
    return sections, tuple(omitted)


def _headings(conversation: Conversation) -> dict[str, str]:
    """Headings in the language that the person writes."""
    head = "".join(
        message.content[:400] for message in conversation.messages[:200] if message.role == "user"
    )
    return zh.HEADINGS if cjk_count(head) * 10 > len(head) else en.HEADINGS


# --- very long conversations ------------------------------------------------------------


def _readable(conversation: Conversation) -> Sequence[int]:
    """The messages to weigh: all, or the ends and what the person left open between them."""
    messages = conversation.messages
    if sum(len(message.content) for message in messages) <= READ:
        return range(len(messages))
    size = [len(message.content) for message in messages]
    ends = _within(READ // 4, range(len(messages)), size)
    ends |= _within(READ // 4, reversed(range(len(messages))), size)
    open_ = (
        number
        for number in reversed(range(len(messages)))
        if messages[number].role == "user" and telling().match(messages[number].content)
    )
    return sorted(ends | _within(READ // 2, (n for n in open_ if n not in ends), size))


def _within(room: int, numbers: Iterable[int], size: Sequence[int]) -> set[int]:
    """The first of these messages that together have at most so many characters."""
    taken: set[int] = set()
    for number in numbers:
        room -= size[number]
        if room < 0:
            break
        taken.add(number)
    return taken


# --- choosing ---------------------------------------------------------------------------


def _chosen(found: Sequence[Passage], reasons: dict[Place, str]) -> list[Passage]:
    """The best passages, best first; `reasons` learns why others were passed over."""
    low, high = BULLETS
    limit = min(high, max(low, len(found) // SHARE))
    chosen: list[Passage] = []
    echoes = _Echoes()
    settled = _settled(found)
    of_message: Counter[int] = Counter()
    for item in sorted(found, key=lambda item: (-item.score, item.place)):
        span = item.span
        if item.place in settled:
            reasons[item.place] = "settled later"
        elif len(chosen) >= limit or of_message[span.message] >= PER_MESSAGE[span.role]:
            reasons[item.place] = "rank"
        elif echoes.hold(item.words, span.text):
            reasons[item.place] = "said again"
        else:
            chosen.append(item)
            echoes.add(item.words, span.text)
            of_message[span.message] += 1
    return chosen


class _Echoes:
    """What was said already, by its words: near-duplicates are found without comparing all."""

    def __init__(self) -> None:
        self._said: list[frozenset[str]] = []
        self._where: dict[str, list[int]] = defaultdict(list)
        self._texts: set[str] = set()

    def hold(self, words: frozenset[str], text: str) -> bool:
        """Whether nine of ten of these words stand together in one earlier passage."""
        if text in self._texts:
            return True
        if len(words) < 4:
            return False
        # Where nine of ten come back, one of any tenth and one more does: the rarest are asked.
        rarest = sorted(words, key=lambda word: len(self._where.get(word, ())))
        some = rarest[: len(words) // 10 + 1]
        return any(
            len(words & self._said[number]) >= 0.9 * max(len(words), len(self._said[number]))
            for number in {number for word in some for number in self._where.get(word, ())}
        )

    def add(self, words: frozenset[str], text: str) -> None:
        """Remember a passage."""
        self._texts.add(text)
        for word in words:
            self._where[word].append(len(self._said))
        self._said.append(words)


def _settled(found: Sequence[Passage]) -> frozenset[Place]:
    """To-dos whose words come back in a later sentence that says that it is done."""
    latest: dict[str, int] = {}
    for item in found:
        if "settled" in item.topics:
            latest.update(dict.fromkeys(item.words, item.span.message))
    return frozenset(
        item.place
        for item in found
        if item.section == "todo" and _done(item.words, item.span.message, latest)
    )


def _done(words: frozenset[str], message: int, latest: dict[str, int]) -> bool:
    later = sum(latest.get(word, -1) > message for word in words)
    return later >= 2 and 2 * later >= len(words)


# --- bullets ----------------------------------------------------------------------------


@dataclass(kw_only=True, slots=True)
class _Bullet:
    """A stretch of one message under a section."""

    section: str
    message: int
    content: str
    start: int
    end: int


def _bullets(chosen: Sequence[Passage], spans: Spans, covered: Covered) -> tuple[_Bullet, ...]:
    """One bullet for each passage, or for several that need each other; best first."""
    made: dict[Place, _Bullet] = {}
    for item in sorted(chosen, key=lambda item: item.place):
        span = item.span
        before = _before(span, spans, covered)
        joined = made.get((before.message, before.start)) if before else None
        if before and joined and joined.end == before.end:
            joined.end = span.end
            joined.section = item.section if joined.section == "other" else joined.section
            made[item.place] = joined
        else:
            start = before.start if before else span.start
            made[item.place] = _Bullet(
                section=item.section,
                message=span.message,
                content=span.content,
                start=start,
                end=span.end,
            )
    return tuple({id(bullet): bullet for bullet in (made[item.place] for item in chosen)}.values())


def _before(span: Span, spans: Spans, covered: Covered) -> Span | None:
    """The sentence that a span needs before it to be understood, where it is short enough."""
    if span.shape != "sentence" or not _leans(span.text):
        return None
    for first, second in pairwise(spans.of(span.message)):
        if second.start == span.start:
            near = first.shape == "sentence" and span.end - first.start <= LONGEST // 2
            return first if near and not covered.name(first) else None
    return None


def _leans(text: str) -> bool:
    """Whether a sentence begins in the middle of a thought."""
    return text[0].islower() or any(lean.match(text) for lean in _LEANS)


_LEANS = tuple(re.compile(language.DANGLING, re.I) for language in (en, zh))


def _sections(bullets: Sequence[_Bullet], headings: dict[str, str]) -> tuple[Section, ...]:
    by_name: dict[str, list[str]] = {name: [] for name in SECTIONS}
    for item in bullets:
        by_name[item.section].append(one_line(item.content[item.start : item.end]))
    return tuple(
        Section(heading=headings[name], bullets=tuple(by_name[name]))
        for name in SECTIONS
        if by_name[name]
    )


# --- what was left out ------------------------------------------------------------------


def _omitted(
    conversation: Conversation,
    spans: Spans,
    covered: Covered,
    bullets: Sequence[_Bullet],
    reasons: dict[Place, str],
) -> Iterator[Omitted]:
    """Every span that is neither in another layer nor in a bullet."""
    covered = covered.also((item.message, item.start, item.end) for item in bullets)
    for span in spans:
        if not covered.whole(span):
            source = conversation.messages[span.message].id or ""
            yield _left_out(source, span.text, reasons[span.message, span.start])


def _omitted_stretches(
    conversation: Conversation, covered: Covered, bullets: Sequence[_Bullet]
) -> Iterator[Omitted]:
    """The same for a very long conversation: whatever of a message no layer holds."""
    kept: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for bullet in bullets:
        kept[bullet.message].append((bullet.start, bullet.end))
    for number, message in enumerate(conversation.messages):
        held = sorted((*covered.parts(number), *kept.get(number, ())))
        for start, end in _gaps(held, len(message.content)):
            text = message.content[start:end].strip()
            if len(text) > 1:  # more than the full stop of an entry
                yield _left_out(message.id or "", text, "rank")


def _gaps(held: Iterable[tuple[int, int]], end: int) -> Iterator[tuple[int, int]]:
    pos = 0
    for start, stop in held:
        if start > pos:
            yield pos, start
        pos = max(pos, stop)
    if pos < end:
        yield pos, end


def _left_out(src: str, text: str, reason: str) -> Omitted:
    return Omitted(
        layer="summary", kind="bullet", text=text, src=src, tokens=estimate(text), reason=reason
    )
