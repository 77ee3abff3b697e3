"""A conversation -> candidates: what a person decided, ordered and set, and what they accepted.

The walk goes message by message. A person's words are read against what was said just
before; what the assistant says counts only once somebody accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from dcb.extract import dialogue
from dcb.extract.classify import Claim, Reading, read
from dcb.extract.code import Block, block
from dcb.extract.dialogue import Option, Passage
from dcb.extract.segments import Span, sentences
from dcb.extract.supersede import Candidate
from dcb.extract.terms import terms
from dcb.extract.values import values
from dcb.model import Conversation

_SPOKEN = ("sentence", "item", "row", "config")
_BACK = 6  # messages in which options are looked for
_TAIL = 400  # characters of the assistant's message that a short answer can refer to


class Walk:
    """The state of a conversation as it goes; `candidates` grows in order."""

    def __init__(self, conversation: Conversation, spans: Sequence[Span]) -> None:
        self.messages = conversation.messages
        self.candidates: list[Candidate] = []
        self.blocks: list[tuple[int, Block]] = []  # candidate number, block
        self.passed: list[tuple[Span, str]] = []
        self.spans: dict[int, tuple[Span, ...]] = {}
        self.recent: list[int] = []  # spoken messages, newest last
        self.before: int | None = None  # the assistant's last message
        self.opened = False  # the person has spoken
        for number, group in groupby(spans, key=lambda span: span.message):
            self.spans[number] = tuple(group)
        for number, message in enumerate(self.messages):
            self._message(number, message.role)

    def _message(self, number: int, role: str) -> None:
        spans = self.spans.get(number, ())
        if role == "tool":
            return
        if role == "assistant":
            for span in spans:
                if span.shape == "code":
                    self._code(span)
            self.before = number
        else:
            self._person(number, spans)
            self.opened = True
        self.recent.append(number)

    # --- the person -----------------------------------------------------------------

    def _person(self, number: int, spans: tuple[Span, ...]) -> None:
        pasted = False
        complaint = any(_COMPLAINT.search(span.text) for span in spans if span.shape == "sentence")
        asked = self._asked()
        for position, span in enumerate(spans):
            if span.shape == "code":
                if not complaint:
                    self._code(span)
            elif span.shape not in _SPOKEN:
                self.passed.append((span, span.shape))
            elif pasted:
                self.passed.append((span, "paste"))
            else:
                pasted = self._spoken(span, position, asked=asked)

    def _asked(self) -> bool:
        """Whether the assistant just asked, offered or named a value."""
        if self.before is None:
            return False
        tail = self.messages[self.before].content[-_TAIL:]
        return "?" in tail or "？" in tail or bool(values(tail))

    def _spoken(self, span: Span, position: int, *, asked: bool) -> bool:
        text = span.text
        reading = read(text, asked=asked and position < 3, first=not self.opened)
        claims = list(reading.claims)
        if not reading.question:
            claims += self._pointing(span, reading, claims)
            if position < 2 and not claims:
                claims += self._answer(span, reading)
        if not claims:
            self.passed.append((span, _why(reading)))
        for kind, start, end, rule in _ranges(text, claims):
            self.candidates.append(self._candidate(span, kind, start, end, rule, reading))
        return reading.has("paste") and span.end < len(span.content)

    def _candidate(
        self, span: Span, kind: str, start: int, end: int, rule: str, reading: Reading
    ) -> Candidate:
        text = span.text[start:end]
        before = self.messages[self.before].content[-_TAIL:] if self.before is not None else ""
        found = values(text)
        message = span.content
        return Candidate(
            kind=kind,  # type: ignore[arg-type]
            message=span.message,
            start=span.start + start,
            end=span.start + end,
            rule=rule,
            values=frozenset((value.unit, text[value.start : value.end]) for value in found),
            names=terms(text),
            around=terms(message[:2000])
            | terms(before)
            | {message[v.start : v.end] for v in values(message[:2000])}
            | {before[v.start : v.end] for v in values(before)},
            options=self.before,
            offered=terms(before),
            corrects=reading.has("correct"),
            withdraws=reading.has("withdraw"),
        )

    def _pointing(self, span: Span, reading: Reading, claims: list[Claim]) -> Iterator[Claim]:
        """A choice by reference: its clause, and the passage pointed at as an entry of its own."""
        for hit in reading.hits:
            if hit.act != "refer" or reading.parts.quoted(hit.start, hit.end):
                continue
            clause = reading.parts.clauses[reading.parts.clause_at(hit.start)]
            passage = self._resolve(span, span.text[hit.start : clause.end])
            if passage is not None:
                self._accepted(passage, span.message, hit.rule.name)
            if not any(
                claim.kind == "decision" and claim.start == clause.start for claim in claims
            ):
                yield Claim("decision", hit.rule.name, clause.start, clause.end)
            return

    def _resolve(self, span: Span, text: str) -> Passage | None:
        """The passage that a reference points at, looked for in the last few messages."""
        if dialogue.points_at_list(text):
            for number in reversed(self.recent[-_BACK:]):
                choices = self._options(number)
                if option := dialogue.chosen(text, choices):
                    return option.passage
            return None
        if self.before is None:
            return None
        content = self.messages[self.before].content
        for start, end in sentences(content, 0, len(content)):
            if len(content[start:end]) > 6 and content[end - 1] not in "?？":
                return Passage(self.before, start, end)
        return None

    def _options(self, number: int) -> tuple[Option, ...]:
        return dialogue.options(number, self.messages[number].content, self.spans.get(number, ()))

    def _accepted(self, passage: Passage, via: int, rule: str) -> None:
        if any(
            c.message == passage.message and c.start == passage.start for c in self.candidates[-9:]
        ):
            return
        self.candidates.append(
            Candidate(
                kind="decision",
                message=passage.message,
                start=passage.start,
                end=passage.end,
                rule=f"accepted.{rule}",
                via=via,
                names=terms(self.messages[passage.message].content[passage.start : passage.end]),
            )
        )

    def _answer(self, span: Span, reading: Reading) -> Iterator[Claim]:
        """A bare answer that names one of the things that the assistant just offered."""
        if self.before is None:
            return
        before = _folded(self.messages[self.before].content)
        for clause in reading.parts.clauses[:2]:
            said = _folded(_SMALL.sub("", span.text[clause.start : clause.end]))
            if not said:
                continue
            praised = _PRAISED.match(said)
            said = praised.group(1) if praised else said
            if 2 <= len(said) <= 40 and said in before and not reading.has("accept"):
                yield Claim("decision", "answer.option", clause.start, clause.end)
            return

    # --- code -----------------------------------------------------------------------

    def _code(self, span: Span) -> None:
        self.blocks.append((len(self.candidates), block(span)))
        self.candidates.append(
            Candidate(
                kind="code",
                message=span.message,
                start=span.start,
                end=span.end,
                rule="code.block",
                lang=span.lang,
            )
        )


_COMPLAINT = re.compile(r"[?？]|吗|报错|不对|错了|wrong|error|fail|off by|broken", re.I)
_SMALL = re.compile(
    r"^\s*(?:(?:ok|okay|yes|yeah|no|so|then|well|right|fine|sure|hm+|the|just|嗯+|哦|那|就|先|好|行|对|要|用|选|走)(?:[,，。. ]+|\b|(?=[^a-z])))+|(?:吧|了|的|呢|啊|,|，|。|\.|!|！|…|;|；|:|：|please|for now|then|\s)+$",
    re.I,
)
_PRAISED = re.compile(
    r"(.{2,12}?)(?:这个|那个)?(?:就|最|挺|更|比较)?(?:好|不错|可以|合适|行|sellsit|itis|worksforme)$"
)
_NOT_SAID = re.compile(r"[\s`*“”\"'「」，,。.、;；:：!！]+")


def _folded(text: str) -> str:
    return _NOT_SAID.sub("", text).casefold()


def _why(reading: Reading) -> str:
    if reading.question:
        return "question"
    return reading.passed[0].guard if reading.passed else "nothing"


def _ranges(text: str, claims: Sequence[Claim]) -> Iterator[tuple[str, int, int, str]]:
    """One passage per kind: the whole span when it has one kind, else the clauses of the kind."""
    kinds = dict.fromkeys(claim.kind for claim in claims)
    for kind in kinds:
        own = [claim for claim in claims if claim.kind == kind]
        start, end = 0, len(text)
        if len(kinds) > 1:
            start, end = min(c.start for c in own), max(c.end for c in own)
            while end > start and (text[end - 1].isspace() or text[end - 1] in "，,：:—–…"):
                end -= 1
            while start < end and text[start].isspace():
                start += 1
        yield kind, start, end, own[0].rule
