"""A conversation -> candidates: what a person decided, ordered and set, and what they accepted.

The walk goes message by message. A person's words are read against what was said just
before; what the assistant says counts only once somebody accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from dcb.extract.answers import answer
from dcb.extract.around import Around
from dcb.extract.classify import Claim, Reading, Situation, anchor
from dcb.extract.clauses import Clause
from dcb.extract.code import Block, block
from dcb.extract.dialogue import Option, Passage, label
from dcb.extract.ellipsis import beside, echoed, named, picked, replied, taken_up, wanted
from dcb.extract.features import Scene, Seen
from dcb.extract.filters import occurs
from dcb.extract.glance import glance
from dcb.extract.judge import Judge, judged
from dcb.extract.matcher import MATCHER, Hit
from dcb.extract.moves import Candidate, Move
from dcb.extract.parameters import said_units
from dcb.extract.pieces import counts, pieces, ranges, whole
from dcb.extract.references import References
from dcb.extract.segments import Span, Spans, sentences
from dcb.extract.supersede import Replaced
from dcb.extract.terms import terms
from dcb.extract.values import even, values
from dcb.model import Conversation, Kind

_SPOKEN = ("sentence", "item", "row", "config")
_TALK = 8  # pieces of a message that is talk rather than material
_HEAD = 200  # characters of the assistant's message that say what was understood
_TAIL = 400  # characters of the assistant's message that a short answer can refer to


class Walk:
    """The state of a conversation as it goes; `candidates` grows in order."""

    def __init__(
        self,
        conversation: Conversation,
        spans: Spans,
        *,
        trace: bool = False,
        judge: Judge = judged,
    ) -> None:
        self.messages = conversation.messages
        self.candidates: list[Candidate] = []
        self.replaced = Replaced()
        self.blocks: list[tuple[int, Block]] = []  # candidate number, block
        # Spans that claim nothing, and why: kept for a trace only.
        self.passed: list[tuple[Span, str]] | None = [] if trace else None
        self.spans = spans
        self.recent: list[int] = []  # spoken messages, newest last
        self.before: int | None = None  # the assistant's last message
        self.opened = False  # the person has spoken
        self.references = References(conversation, spans)
        self.listed = False  # the message being read answers point by point
        self.corrects = self.withdraws = self.agreed = self.refused = (
            False  # in the message being read, so far
        )
        self.wished: tuple[tuple[int, int], ...] = ()  # in the message being read
        self.around: tuple[int, Around] | None = None
        self.situation: Situation | None = None  # of the message being read
        self.alike = ""  # the message being read, with even numbers
        self.judge = judge
        self.scene: Scene | None = None  # of the message being read, when it is talk
        self.earlier: Sequence[Claim] | None = None  # what rules claimed in the sentence before

    def read(self, number: int, *, wished: tuple[tuple[int, int], ...] = ()) -> None:
        """Read the next message; they must come in order.

        `wished` are its passages that only say how the assistant should write.
        """
        self.wished = wished
        role = self.messages[number].role
        if role in ("tool", "system"):  # a system prompt is the product's word, not the person's
            return
        if role == "assistant":
            for span in self.spans.code(number):
                self._code(span)
            self.before = number
        else:
            self._person(number, self.spans.of(number))
            self.opened = True
        self.recent.append(number)

    # --- the person -----------------------------------------------------------------

    def _person(self, number: int, spans: tuple[Span, ...]) -> None:
        pasted = self.corrects = self.withdraws = self.agreed = self.refused = False
        content = self.messages[number].content
        self.alike = even(content)
        complaint = any(span.shape == "code" for span in spans) and any(
            _COMPLAINT(span.text) for span in spans if span.shape == "sentence"
        )
        self.situation = None
        if counts(content):
            spans = tuple(piece for span in spans for piece in pieces(span))
        # Answers stand at the head of a message; in a long one, at its very head.
        answering = 4 if len(spans) <= _TALK else 1
        self.scene = self._scene(number, len(spans))
        self.earlier = None
        # Numbered answers to numbered questions: each item answers one.
        self.listed = sum(span.shape == "item" for span in spans) > 1 and self._asked()
        for position, span in enumerate(spans):
            if span.shape == "code":
                if not complaint:
                    self._code(span)
            elif span.shape not in _SPOKEN:
                self._pass(span, span.shape)
            elif pasted:
                self._pass(span, "paste")
            else:
                pasted = self._spoken(span, position, answering, span is spans[-1])

    def _pass(self, span: Span, why: str) -> None:
        if self.passed is not None:
            self.passed.append((span, why))

    def _asked(self) -> bool:
        """Whether the assistant's last message ends by asking."""
        end = self._heard()[-120:]
        return "?" in end or "？" in end

    def _situation(self, text: str) -> Situation:
        """What the assistant's last message asks, and which units of its values a text has too."""
        if self.situation is None:
            asked = self._asked()
            # Who answers a question need not stand against a value.
            units = frozenset() if asked else said_units(self._heard())
            self.situation = Situation(asked=asked, units=units, opening=not self.opened)
        shared = self.situation.units & {value.unit for value in values(text)}
        return self.situation._replace(units=shared)

    def _spoken(self, span: Span, position: int, answering: int, last: bool) -> bool:
        early = position < answering and self.before is not None
        early |= (self.listed and span.shape == "item") or (
            self.refused and self.before is not None
        )
        paired = span.shape in ("row", "config")  # a name and its value
        text = self.alike[span.start : span.end]
        which, reading, expectant = glance(text, _LATER if self.opened else _FIRST, early or paired)
        if early and expectant:  # an answer stands at the head of a message
            which, reading, _ = glance(text, self._situation(text), early)
        if which:
            self.corrects |= not _CORRECTS.isdisjoint(which)
            self.withdraws |= not _WITHDRAWS.isdisjoint(which)
            self.agreed |= not _AGREES.isdisjoint(which)
        self.refused |= _REFUSES.match(text) is not None
        accepted = len(self.candidates)
        claims = [] if reading is None else self._claimed(span, position, early, which, reading)
        self.refused |= self.withdraws or any(claim.rule in _REFUSALS for claim in claims)
        claimed = bool(claims)
        if self.scene is not None:
            seen = Seen(
                span=span,
                position=position,
                last=last,
                rules=MATCHER.named(which),
                claims=claims,
                accepted=len(self.candidates) > accepted,
                earlier=self.earlier,
            )
            self.earlier = claims
            claims = self.judge(seen, self.scene)
        if claims:
            numbered = self.listed and span.shape == "item"
            self._take(span, whole(claims, span.text) if numbered else claims)
        else:
            self._pass(span, "unlikely" if claimed else _why(reading))
        if reading is None:
            return False
        pasted = not _PASTES.isdisjoint(which) and reading.has("paste")
        return pasted and span.end < len(span.content)

    def _scene(self, number: int, sentences: int) -> Scene | None:
        """What stands around a message of a talk; None when nothing does."""
        if sentences > _TALK or len(self.messages) == 1:
            return None
        after = self.messages[number + 1 : number + 3]
        reply = next((m.content for m in after if m.role == "assistant"), None)
        heard = "" if self.before is None else self.messages[self.before].content
        return Scene(heard=heard, reply=reply, opening=not self.opened, sentences=sentences)

    def _claimed(
        self, span: Span, position: int, early: bool, which: frozenset[int], reading: Reading
    ) -> list[Claim]:
        """What the rules claim for a sentence, by itself and as an answer."""
        claims = list(reading.claims)
        if position == 0 and self._asked():  # "No calculators." forbids, unless it was asked
            claims = [_chosen(claim) for claim in claims]
        if not reading.question:
            if position == 0 and not _AGREES.isdisjoint(which):
                claims += self._agreeing(span, reading, claims)
            taken = self._labelled(span) if early else ()
            if len(taken) < 2 and not _REFERS.isdisjoint(which):
                claims += self._pointing(span, reading, claims)
            for option in taken:
                self._accepted(option.passage, span.message, "label")
            if taken:
                claims = [Claim("decision", "answer.label", 0, span.end - span.start)]
            elif early:
                claims += self._answer(span, reading, claims)
        return claims

    def _take(self, span: Span, claims: Sequence[Claim]) -> None:
        around, text = self._surroundings(span), span.text
        for kind, start, end, rule, clause in ranges(text, claims):
            own = text[clause.start : clause.end] if kind == "parameter" else text[start:end]
            candidate = Candidate(
                kind=kind,
                message=span.message,
                start=self._begin(span) if start == 0 else span.start + start,
                end=span.start + end,
                rule=rule,
                group=span.start,
            )
            # What follows the clause explains it: "… in bullet points, I paste them elsewhere".
            told = span.start + start, span.start + clause.end
            if kind != "directive" and self._merely_wished(*told):
                continue
            self._add(
                candidate,
                Move(
                    candidate,
                    own,
                    number=len(self.candidates),
                    sentence=text,
                    around=around,
                    corrects=self.corrects,
                    withdraws=self.withdraws,
                ),
            )

    def _merely_wished(self, start: int, end: int) -> bool:
        """Whether these words only say how the assistant should write."""
        wished = sum(max(0, min(end, last) - max(start, first)) for first, last in self.wished)
        return wished >= _MOSTLY * (end - start)

    def _add(self, candidate: Candidate, move: Move) -> None:
        self.replaced.add(move)
        self.candidates.append(candidate)

    def _begin(self, span: Span) -> int:
        """Where an entry begins: the number of an answer tells what it answers."""
        if span.shape != "item" or not (self.listed or self._labelled(span)):
            return span.start
        line = span.content.rfind("\n", 0, span.start) + 1
        begin = line + len(span.content[line:]) - len(span.content[line:].lstrip())
        return begin if span.start - begin <= _BULLET else span.start

    def _surroundings(self, span: Span) -> Around:
        """What a message says and answers."""
        if self.around is None or self.around[0] != span.message:
            earlier = "\n".join(self.messages[n].content[-_TAIL:] for n in self.recent[-2:])
            said = span.content[: 4 * _TAIL]
            reply = self._reply(span.message)
            self.around = (
                span.message,
                Around(said, self._heard(), earlier, reply, turn=len(self.recent)),
            )
        return self.around[1]

    def _reply(self, number: int) -> str:
        """The beginning of what answers a message of talk, or ""."""
        if len(self.messages[number].content) > _TAIL:
            return ""
        after = (m for m in self.messages[number + 1 : number + 4] if m.role != "tool")
        answer = next(after, None)
        return answer.content[:_HEAD] if answer and answer.role == "assistant" else ""

    def _heard(self) -> str:
        """The end of the assistant's last message."""
        return "" if self.before is None else self.messages[self.before].content[-_TAIL:].rstrip()

    def _agreeing(self, span: Span, reading: Reading, claims: list[Claim]) -> Iterator[Claim]:
        """A plain yes to a plain proposal settles it: both are kept."""
        if claims or self.before is None or not reading.has("agree"):
            return
        content = self.messages[self.before].content
        weak = not any(hit.act == "agree" and hit.rule not in _YES for hit in reading.hits)
        asked = content.rstrip()[-1:] in ("?", "？")
        passage = (
            _question(self.before, content) if asked else self.references.statement(self.before)
        )
        if passage is None or (weak and not asked):
            return
        said = content[passage.start : passage.end]
        if weak:  # a bare yes says nothing by itself; to a value it sets that value
            self._accepted(
                passage, span.message, "yes", "parameter" if values(said) else "decision"
            )
            yield Claim("decision", "agree", 0, len(span.text))
        else:
            self._accepted(passage, span.message, "agree")
            yield Claim("decision", "agree", 0, len(span.text))

    def _pointing(self, span: Span, reading: Reading, claims: list[Claim]) -> Iterator[Claim]:
        """A choice by reference: its clause, and the passage pointed at as an entry of its own."""
        for hit in reading.hits:
            if hit.act != "refer" or reading.parts.quoted(hit.start, hit.end):
                continue
            clause = reading.parts.clauses[reading.parts.clause_at(anchor(span.text, hit))]
            passage = self.references.resolve(
                hit.rule,
                span.text[hit.start : clause.end],
                said=span.text,
                by=span.message,
                recent=self.recent,
                before=self.before,
            )
            # Whose answers are numbered says what each of them answers.
            numbered = self.listed and span.shape == "item"
            if passage is not None and not numbered and not self._own(span, hit):
                self._accepted(passage, span.message, hit.rule)
            if not any(
                claim.rule == "en.use-that"
                or (claim.kind in ("decision", "directive") and claim.start == clause.start)
                for claim in claims
            ):
                yield Claim("decision", hit.rule, clause.start, clause.end)
            return

    def _own(self, span: Span, hit: Hit) -> bool:
        """Whether "that" or "it" means what the person has just said themselves."""
        if hit.rule != "en.that-one" or not _PRONOUN.search(span.text[hit.start : hit.end]):
            return False
        if _KEEPS.match(span.text, hit.start):
            return not self._asked()
        before = span.content[max(0, span.start + hit.start - _TAIL) : span.start + hit.start]
        return len(terms(before)) >= _TOLD

    def _labelled(self, span: Span) -> tuple[Option, ...]:
        """The options that are taken by their labels or places: "2", "(b) works", "1 and 4"."""
        if self.before is None or self.listed:
            return ()
        if option := self._by_label(span):
            return (option,)
        return self.references.several(span.text, self.recent)

    def _by_label(self, span: Span) -> Option | None:
        """The option whose label is all that is said, or stands before it: "2", "(b) works"."""
        before = span.content[span.content.rfind("\n", 0, span.start) + 1 : span.start]
        found = _LABEL.fullmatch(before) if span.shape == "item" else _LABELS.match(span.text)
        if found is None:
            return None
        sign = label(next(filter(None, found.groups())))
        return self.references.labelled(sign, self.recent)

    def _accepted(self, passage: Passage, via: int, rule: str, kind: Kind = "decision") -> None:
        if any(
            c.message == passage.message and c.start == passage.start for c in self.candidates[-9:]
        ):
            return
        candidate = Candidate(
            kind=kind,
            message=passage.message,
            start=passage.start,
            end=passage.end,
            rule=f"accepted.{rule}",
            via=via,
        )
        said = self.messages[passage.message].content[passage.start : passage.end]
        self._add(candidate, Move(candidate, said, number=len(self.candidates)))

    def _answer(self, span: Span, reading: Reading, claims: list[Claim]) -> Iterator[Claim]:
        """A bare answer that takes one of the things that the assistant just offered."""
        if self.before is None or any(claim.kind == "decision" for claim in claims):
            return
        clauses, content = reading.parts.clauses, self.messages[self.before].content
        found = answer(span.text, clauses, content, partial(self.references.options, self.before))
        if found is None:
            if all(claim.kind == "parameter" for claim in claims):
                for new in self._elliptic(span, reading, content):
                    apart = beside(span.text[: new.end], Clause(new.start, new.end))
                    if not claims or (apart and not any(map(new.meets, claims))):
                        yield new
            return
        if any(claim.start == found.clause.start for claim in claims):
            return
        # Whose answers are numbered says what each of them answers.
        if found.passage is not None and not self.listed:
            self._accepted(found.passage, span.message, "answer")
        yield Claim("decision", "answer.option", found.clause.start, found.clause.end)

    def _elliptic(self, span: Span, reading: Reading, content: str) -> Iterator[Claim]:
        """An answer by its place alone: an item, a name asked for, words just heard."""
        kind: Kind = "decision"
        clauses, told = reading.parts.clauses, [h for h in reading.hits if h.act in _TELLING]
        earlier = [n for n in self.recent[-4:-1] if self.messages[n].role == "assistant"]
        content = "\n".join([*(self.messages[n].content[-_TAIL:] for n in earlier), content])
        if self.listed and span.shape == "item":
            if not told:
                kind = "parameter" if values(span.text) else "decision"
                yield Claim(kind, "answer.item", 0, len(span.text))
        elif clause := replied(span.text, clauses, self._heard()):
            if not told:
                yield Claim("decision", "answer.reply", clause.start, clause.end)
        elif name := named(span.text, clauses, content, self._asked()):
            yield Claim("parameter", "answer.name", name.start, name.end)
        else:
            clause = taken_up(span.text, clauses, content, agreed=self.agreed, instead=self.refused)
            if clause is None and not span.content[: span.start].strip():
                said = clauses, span.text, self._heard()
                clause = wanted(*said) or picked(*said) or echoed(*said)
                if clause is not None and values(span.text[clause.start : clause.end]):
                    kind = "parameter"
            if clause is not None and not any(
                clause.start <= hit.start < clause.end for hit in told
            ):
                yield Claim(kind, "answer.again", clause.start, clause.end)

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


_REFUSALS = frozenset({"en.no-noun", "en.no-such"})
# What a mere mention may do instead of answering.
_TELLING = frozenset({"unsettled", "past", "task", "condition", "denial", "question", "sidestep"})
_BULLET = 6  # characters that a bullet or number may take
_TOLD = 3  # terms that "that" can mean, in the person's own words
_KEEPS = re.compile(r"keep (?:it|that|this)\b", re.I)
_MOSTLY = 0.7  # of a passage that is no more than a wish
_PRONOUN = re.compile(r"\b(?:that|it|this|those|these)(?: then| please| one)?[.,;!]?\s*$", re.I)
_LABEL = re.compile(r"\s*\(?([A-Ha-h1-9])[.)]?\s*[.!]?\s*")
# The same as a sentence, or before the remark that follows it: "二吧，不过…".
_LABELS = re.compile(
    r"\s*\(?([A-Ha-h1-9])[.)]?\s*[.!]?\s*$"
    r"|\s*[(（]?(?:那就?|就|先|我)?(?:选|走|来|要|用|按)? ?([A-Ha-h1-9①-⑧一二三四五六甲乙丙丁])[)）]?(?:吧|好了|号)?(?:[，,。！!]|$)"
)
_REFUSES = re.compile(r"(?:(?:oh|hm+|ugh|eh),? )?(?:nah|nope|no)(?: thanks)?[,.! ]", re.I)
_FIRST, _LATER = Situation(opening=True), Situation()
_AGREES = MATCHER.numbers("agree")
_REFERS = MATCHER.numbers("refer")
_PASTES = MATCHER.numbers("paste")
_CORRECTS = MATCHER.numbers("correct")
_WITHDRAWS = MATCHER.numbers("withdraw")
_YES = frozenset({"en.yes", "zh.yes"})


def _chosen(claim: Claim) -> Claim:
    return claim._replace(kind="decision") if claim.rule == "en.no-such" else claim


def _question(number: int, content: str) -> Passage | None:
    """The question that ends a message, when a yes settles it and it asks for no errand."""
    start, end = list(sentences(content, 0, len(content)))[-1]
    asked = content[start:end]
    return None if _OPEN.search(asked) else Passage(number, start, end)


# Questions that a yes does not answer, and offers of an errand.
_OPEN = re.compile(
    r"\b(?:or|what|which|how|when|where|who|why|want me to|shall i (?:write|draft|show|explain|send)|should i (?:write|draft|show|explain)|anything)\b"
    r"|还是|哪|什么|怎么|多少|几|要不要我|需要我|我(?:来|帮)|吗，",
    re.I,
)


_COMPLAINT = occurs(r"[?？]|吗|报错|不对|错了|wrong|error|fail|off by|broken")


def _why(reading: Reading | None) -> str:
    if reading is None:
        return "nothing"
    if reading.question:
        return "question"
    return reading.passed[0].guard if reading.passed else "nothing"
