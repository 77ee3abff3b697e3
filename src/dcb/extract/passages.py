"""Spans -> passages that may become bullets of the summary; of every other, why it does not.

What an entry or a preference holds already is no news; neither are acknowledgements, lead-ins,
questions that were answered, and what the assistant only says again.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from dcb.extract.filters import Filter
from dcb.extract.rules import summary_en as en
from dcb.extract.rules import summary_zh as zh
from dcb.extract.rules.summary import Cue, Topic
from dcb.extract.segments import Span, Spans
from dcb.extract.terms import terms
from dcb.model import Conversation
from dcb.text import estimate

CUES: tuple[Cue, ...] = en.CUES + zh.CUES

Taken = Mapping[tuple[int, int, int], str]
"""(message, start, end) of what layers 1 and 3 hold -> id of the entry, key of the preference."""

Place = tuple[int, int]
"""Message and start of a span."""

LONGEST = 480  # characters of one bullet
BRIEF = 12  # tokens of an answer that leaves its meaning to the question
SHORTEST = 6  # tokens, about a handful of words
RECENT = 60  # messages after which a repetition reminds rather than repeats

_ROLES = frozenset({"user", "assistant", "system"})
_SHAPES = frozenset({"sentence", "item"})
_REASONS = {
    "tool": "tool output",
    "log": "log",
    "code": "code that was not settled on",
    "quote": "quotation",
    "heading": "heading",
    "config": "configuration",
    "row": "table row",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """A span that may become a bullet."""

    span: Span
    section: str
    topics: frozenset[str]
    words: frozenset[str]
    score: float = 0.0

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.span.message, self.span.start


def passages(
    conversation: Conversation, spans: Spans, covered: Covered, numbers: Iterable[int]
) -> tuple[list[Passage], dict[Place, str]]:
    """The passages of these messages in order, and why their other spans are none."""
    found: list[Passage] = []
    reasons: dict[Place, str] = {}
    said = _Said()
    for number in numbers:
        answer = _answer(conversation, covered, number)
        for span in spans.of(number):
            item = _passage(span, covered, said, answer)
            if isinstance(item, str):
                reasons[number, span.start] = item
            else:
                found.append(item)
        for span in spans.of(number):
            said.add(terms(span.text), number)
    return _scored(found, len(conversation.messages)), reasons


def _passage(span: Span, covered: Covered, said: _Said, answer: Answer) -> Passage | str:
    """A span as a passage, or why it is none."""
    rest = covered.rest(span)
    reason = _passed_over(span, rest, covered)
    if reason:
        return reason
    topics, words = _topics(rest), terms(rest)
    if reason := _hollow(span, topics, answer):
        return reason
    section = _section(topics, span)
    stated = span.role == "assistant" and "question" not in topics
    if stated and said.again(words, span.message, news=3 if section == "other" else 5):
        return "said again"
    return Passage(span=span, section=section, topics=topics, words=words)


Answer = Literal["", "words", "choice"]
"""How a message is answered: not at all, by words, or by a choice too short to speak alone."""


def _answer(conversation: Conversation, covered: Covered, number: int) -> Answer:
    messages = conversation.messages
    if number + 1 >= len(messages) or messages[number + 1].role == messages[number].role:
        return ""
    reply = messages[number + 1]
    brief = reply.role == "user" and any(
        estimate(reply.content[start:end]) <= BRIEF for start, end in covered.parts(number + 1)
    )
    return "choice" if brief else "words"


# --- what is held already ---------------------------------------------------------------


class Covered:
    """Which parts of which message other layers hold."""

    def __init__(self, taken: Taken) -> None:
        self._parts: dict[int, list[tuple[int, int, str]]] = {}
        for (message, start, end), name in sorted(taken.items()):
            self._parts.setdefault(message, []).append((start, end, name))

    def also(self, places: Iterable[tuple[int, int, int]]) -> Covered:
        """The same with more places."""
        names = {(number, start, end): name for number, start, end, name in self._all()}
        return Covered(dict.fromkeys(places, "the summary") | names)

    def _all(self) -> Iterator[tuple[int, int, int, str]]:
        for number, parts in self._parts.items():
            for start, end, name in parts:
                yield number, start, end, name

    def parts(self, message: int) -> Iterator[tuple[int, int]]:
        """The parts of a message that are held."""
        for start, end, _ in self._parts.get(message, ()):
            yield start, end

    def of(self, span: Span) -> Iterator[tuple[int, int, str]]:
        """The parts of a span that are held, and by what."""
        for start, end, name in self._parts.get(span.message, ()):
            if start < span.end and span.start < end:
                yield max(start, span.start), min(end, span.end), name

    def rest(self, span: Span) -> str:
        """The text of a span without what is held."""
        if span.message not in self._parts:
            return span.text
        pieces, pos = [], span.start
        for start, end, _ in self.of(span):
            pieces.append(span.content[pos : max(pos, start)])
            pos = max(pos, end)
        return " ".join(filter(None, (*pieces, span.content[pos : span.end]))).strip(_SIGNS)

    @property
    def messages(self) -> Set[int]:
        """The messages of which something is held."""
        return self._parts.keys()

    def whole(self, span: Span) -> bool:
        """Whether one entry holds all of a span."""
        for start, end, _ in self._parts.get(span.message, ()):
            if start <= span.start and span.end <= end:
                return True
        return False

    def name(self, span: Span) -> str:
        """What holds the span or a part of it; "" when nothing does."""
        return next((name for _, _, name in self.of(span)), "")


_SIGNS = " \t\n，。,.;；、…—–-"


def _passed_over(span: Span, rest: str, covered: Covered) -> str:
    """Why a span is no passage by its looks alone."""
    own_row = span.shape == "row" and span.role == "user"
    if not (span.shape in _SHAPES or own_row) or span.role not in _ROLES:
        return _REASONS.get(span.shape, "nothing to remember")
    if span.end - span.start > LONGEST:
        return "too long for a bullet"
    if len(rest) < 60 and estimate(rest.strip(_SIGNS + ":：!！?？")) < SHORTEST:
        name = covered.name(span)
        return f"covered by {name}" if name else "nothing to remember"
    return "lead-in" if rest[-1] in ":：" else ""


def _hollow(span: Span, topics: frozenset[str], answer: Answer) -> str:
    """Why a passage tells nothing by what it says."""
    if topics & _ACTS == {"trivial"}:
        return "nothing to remember"
    if "question" in topics:
        # A bare "the second" needs the question that it answers.
        if span.role == "assistant" and answer != "choice":
            return "answered question" if answer else "question"
        if span.role == "user" and answer and topics & _ACTS <= _ASKING:
            return "answered question"
    return ""


_ASKING = frozenset(("question", "trivial", "figure"))


class _Said:
    """Which words were used, and when last."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}

    def add(self, words: Iterable[str], message: int) -> None:
        """Remember the words of a message."""
        self._last.update(dict.fromkeys(map(_stem, words), message))

    def again(self, words: frozenset[str], message: int, *, news: int) -> bool:
        """Whether less than one in `news` of these words was not used recently."""
        since = message - RECENT
        new = sum(self._last.get(_stem(word), -1 - RECENT) < since for word in words)
        return news * new <= len(words)


def _stem(word: str) -> str:
    return word[:5]


# --- how much a passage tells -----------------------------------------------------------

_ROLE = {"user": 1.0, "system": 0.6, "assistant": 0.2}
_SECTION = {"todo": 0.8, "ruled_out": 0.6, "reasoning": 0.4, "background": 0.4, "other": 0.0}


def _scored(found: Sequence[Passage], messages: int) -> list[Passage]:
    frequency = Counter(word for item in found for word in item.words)
    weight = {word: min(math.log(count), 2.0) for word, count in frequency.items()}
    return [replace(item, score=_score(item, weight, messages)) for item in found]


def _score(item: Passage, weight: Mapping[str, float], messages: int) -> float:
    return (
        _ROLE[item.span.role]
        + _SECTION[item.section]
        + central(item.words, weight)
        + _early_or_late(item.span.message, messages)
        + _manner(item)
    )


def central(words: Collection[str], weight: Mapping[str, float]) -> float:
    """How much of a passage's vocabulary the conversation comes back to: 0 to 0.6."""
    shared = math.fsum(map(weight.__getitem__, words))  # in any order: a set has none
    return min(0.6, shared / max(1, len(words)))


def _early_or_late(message: int, messages: int) -> float:
    """The opening says what it is about, the end where it stands."""
    return 0.6 if message < 2 else 0.3 * message / messages


def _manner(item: Passage) -> float:
    score = sum(points for manner, points in _MANNER.items() if manner in item.topics)
    if _DIGIT.search(item.span.text):
        score += 0.15
    return score - (0.2 if item.span.end - item.span.start > 240 else 0.0)


_MANNER = {"question": -0.4, "personal": 0.3, "leaning": -0.2}
_DIGIT = re.compile(r"\d")


_USER: tuple[Topic, ...] = ("todo", "ruled_out", "reasoning", "background", "figure")
_OPENING: tuple[Topic, ...] = ("background", "figure", "reasoning", "ruled_out", "todo")
_ASSISTANT: tuple[Topic, ...] = ("reasoning", "todo", "figure")
_EARLY = 4  # messages in which a mere figure describes the situation


def _section(topics: frozenset[str], span: Span) -> str:
    opening = span.message == 0
    order = _OPENING if opening else _ASSISTANT if span.role == "assistant" else _USER
    found = next((topic for topic in order if topic in topics), "other")
    if found == "figure":
        early = span.role == "user" and span.message < _EARLY
        return "background" if early else "reasoning"
    return "background" if opening and found == "reasoning" and "figure" in topics else found


# --- compiled tables --------------------------------------------------------------------


def _topics(text: str) -> frozenset[str]:
    return frozenset(map(_NAMES.__getitem__, _filter().match(text)))


_MANNERS = {"personal": "FIRST_PERSON", "leaning": "DANGLING"}
_ACTS = frozenset(cue.topic for cue in CUES)
_NAMES: tuple[str, ...] = (
    *(cue.topic for cue in CUES),
    *(manner for manner in _MANNERS for _ in (en, zh)),
)


@cache
def _filter() -> Filter:
    manners = (getattr(module, name) for name in _MANNERS.values() for module in (en, zh))
    return Filter((*(cue.pattern for cue in CUES), *manners))


@cache
def telling() -> Filter:
    """What finds a to-do or something ruled out in a text."""
    return Filter(cue.pattern for cue in CUES if cue.topic in ("todo", "ruled_out"))
