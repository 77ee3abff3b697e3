"""Spans -> preferences: what the person wants always so, under stable keys.

A wish counts when the person utters it; questions, suppositions, reported speech, quotations
and one-off requests are none. A value is a slice of its message, as said. Of one key the
later wish holds; what is only inferred never replaces what was said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from dcb.extract.filters import Filter
from dcb.extract.han import simplified
from dcb.extract.rules import preferences_en as en
from dcb.extract.rules import preferences_en_topics as en_topics
from dcb.extract.rules import preferences_zh as zh
from dcb.extract.rules import preferences_zh_likeness as zh_likeness
from dcb.extract.rules import preferences_zh_manner as zh_manner
from dcb.extract.rules import preferences_zh_output as zh_output
from dcb.extract.rules.preferences import Guard, Rule
from dcb.extract.segments import Span, Spans
from dcb.model import Conversation, Message, Preference, preference_key

RULES: tuple[Rule, ...] = (
    en.RULES + en_topics.RULES + zh.RULES + zh_manner.RULES + zh_output.RULES + zh_likeness.RULES
)
GUARDS: tuple[Guard, ...] = en.GUARDS + zh.GUARDS

_SHAPES = frozenset({"sentence", "item"})
_LONGEST = 400  # characters; a longer sentence is pasted text, not a wish


@dataclass(frozen=True, kw_only=True, slots=True)
class Stated:
    """A preference with the passage that states it and the rule that read it."""

    preference: Preference
    message: int  # index into conversation.messages
    start: int
    end: int
    rule: str


class _Match(NamedTuple):
    """One rule in one clause: where its evidence lies, within the sentence."""

    rule: Rule
    key: str
    start: int
    end: int


def stated(conversation: Conversation, spans: Spans) -> tuple[Stated, ...]:
    """Every statement of a preference, in order, with its place; later ones supersede."""
    messages = conversation.messages
    return habits(
        item
        for number in sorted(wishful(messages))
        for item in wishes(number, messages[number], spans)
    )


def wishful(messages: Sequence[Message]) -> frozenset[int]:
    """The messages that may state a preference, by number.

    All are filtered in one go: between other work, the filter's tables would have to come back
    from memory for each of them, which takes four times as long.
    """
    filter_ = _filter()
    return frozenset(
        number
        for number, message in enumerate(messages)
        if message.role == "user" and filter_.match(simplified(message.content))
    )


def wishes(number: int, message: Message, spans: Spans) -> Iterator[Stated]:
    """The preferences that one message states."""
    for span in spans.of(number):
        if span.shape in _SHAPES and span.end - span.start <= _LONGEST:
            yield from _read(span, message.created_at or 0)


def habits(stated_: Iterable[Stated]) -> tuple[Stated, ...]:
    """Without corrections that were made once only: those show no habit."""
    found = tuple(stated_)
    shown = {rule.name for rule in RULES if rule.basis == "shown"}
    times = Counter(item.preference.key for item in found if item.rule in shown)
    return tuple(item for item in found if item.rule not in shown or times[item.preference.key] > 1)


def lasting(stated_: Iterable[Stated]) -> tuple[Stated, ...]:
    """Without what was taken back later, and without the words that take it back."""
    ends = {rule.name for rule in RULES if rule.basis == "ends"}
    kept: list[Stated] = []
    for item in stated_:
        if item.rule in ends:
            kept = [old for old in kept if old.preference.key != item.preference.key]
        else:
            kept.append(item)
    return tuple(kept)


# --- one sentence -----------------------------------------------------------------------

_QUOTED = re.compile(
    r"“[^“”\n]{9,}”|「[^「」\n]{9,}」|『[^『』\n]{9,}』|\"(?=[^\"\n]{9,})[^\"\n ]+ [^\"\n]*\"|`[^`\n]+`"
)
_BREAK = re.compile(r"[，；。！？]|,(?=\s|$)|[;!?.](?=\s|$)")
_JOINT = re.compile(r"\s(?:and|but|plus|then)\s|并且|而且|同时|以及|[，,;；]")
_ELABORATES = re.compile(
    r"\s*(?:not|no|never|rather than|instead of|like|without|with|talking|as if|or|even"
    r"|而不是|不要|别|不用|再|然后|不得)(?![a-z])",
    re.I,
)
_FILLER = re.compile(
    r"(?:[\s*_>-]|(?:also|and|but|ok(?:ay)?|yes|yeah|btw|oh|so|well|then|hm+|great|good|thanks"
    r"|perfect|fine|nice|right|sure|otherwise|one more thing|by the way)\b[,.:]?"
    r"|另外|还有|对了|那么?(?=[\s，])|嗯|然后|以及|哦|好的?(?=[\s，。])|行(?=[\s，。])|[，。：])+",
    re.I,
)


def _read(span: Span, at: int) -> Iterator[Stated]:
    """The preferences that a sentence states."""
    text = _QUOTED.sub(_blank, simplified(span.text))
    rules = _filter().match(text)
    if not rules or _guarded(text):
        return
    placed = tuple(_merged(text, _found(text, sorted(rules))))
    for match, start, end in placed:
        yield _stated(span, match, (start, end), _with_reasons(text, placed, start, end), at)


def _found(text: str, rules: Sequence[int]) -> Iterator[Placed]:
    """What the rules find; those that name no matter count only where no other finds any."""
    named = tuple(_matches(text, [rule for rule in rules if RULES[rule] not in en_topics.GENERAL]))
    yield from named or _matches(text, rules)


Placed = tuple[_Match, int, int]
"""A match with the bounds of its clause."""


def _merged(text: str, found: Iterator[Placed]) -> Iterator[Placed]:
    """The matches of a sentence, where those on one matter are one: "tables, no long prose"."""
    merged: list[Placed] = []
    for match, start, end in found:
        for number, (other, first, last) in enumerate(merged):
            near = not text[last:start].strip(_BETWEEN)
            if match.key == other.key or (near and _matter(match.key) == _matter(other.key)):
                merged[number] = (other, first, end)
                break
        else:
            merged.append((match, start, end))
    yield from merged


def _with_reasons(text: str, placed: Sequence[Placed], start: int, end: int) -> tuple[int, int]:
    """The bounds of what one wish says in its sentence, up to the wishes beside it.

    What stands beside its words tells how it is meant: what for, like whom, what instead.
    """
    others = [other for _, other, _ in placed]
    first = 0 if start == min(others) else start
    last = max(end, min((other for other in others if other > start), default=len(text)))
    joint = _joint(text, end, last)
    if joint and joint.end() == last:  # "short and use …": the "and" belongs to neither
        last = joint.start()
    # What is quoted beside it (and blanked here) was not said by the person.
    return (
        start if _BLANK in text[first:start] else first,
        end if _BLANK in text[end:last] else last,
    )


_BETWEEN = " ,，;；.。!！"

# Keys that name one matter in several respects.
_MATTERS: tuple[frozenset[str], ...] = (
    frozenset({"style.format", "style.layout", "style.structure", "style.output-format"}),
    frozenset({"style.length", "style.detail", "style.sentences", "style.explanations"}),
    frozenset({"style.tone", "style.register", "style.voice"}),
)


def _matter(key: str) -> str:
    return next((min(keys) for keys in _MATTERS if key in keys), key)


def _stated(
    span: Span, match: _Match, words: tuple[int, int], said: tuple[int, int], at: int
) -> Stated:
    start, end = _trimmed(span.text, *words)
    first, last = _trimmed(span.text, *said)
    return Stated(
        preference=Preference(
            scope=match.rule.scope,
            key=match.key,
            value=span.text[first:last],
            explicit=match.rule.basis in ("said", "wish"),
            at=at,
        ),
        message=span.message,
        start=span.start + start,
        end=span.start + end,
        rule=match.rule.name,
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The bounds without what is no part of the wish: "also", 另外, blanks and stops."""
    start += _leading(text[start:end])
    return start, start + len(text[start:end].rstrip(" ,，;；.。!！?？"))


def _leading(clause: str) -> int:
    """How many characters of a clause are no part of the wish: "also", 另外, blanks."""
    filler = _FILLER.match(clause)
    return filler.end() if filler and filler.end() < len(clause) else 0


def _blank(quotation: re.Match[str]) -> str:
    return _BLANK * len(quotation.group())


_BLANK = "\x00"


# Guards that hold for a polite request, too: "could you, just this once, …?"
_OF_REQUESTS = frozenset({"zh-alternative", "en-once", "zh-once", "en-one-piece"})


def _guarded(text: str) -> bool:
    """Whether the sentence is a question, a supposition, a report or a single exception."""
    if any(question.search(text) for question in _questions()):
        if not any(request.search(text) for request in _requests()):
            return True
        return any(guard.search(text) for name, guard in _guards() if name in _OF_REQUESTS)
    return any(guard.search(text) for _, guard in _guards())


def _matches(text: str, rules: Sequence[int]) -> Iterator[Placed]:
    """Each match with the bounds of its clause."""
    clauses = tuple(_clauses(text))
    wished = any(wish.search(text[start:end]) for start, end in clauses for wish in _wishes())
    held = [rule for rule in rules if wished or RULES[rule].basis != "wish"]
    done = 0
    for number, (start, end) in enumerate(clauses):
        found = _in_clause(text, max(start, done), end, held)
        stop = _with_elaboration(text, clauses, number, held)
        for place, match in enumerate(found):
            left = _joint(text, found[place - 1].end, match.start) if place else None
            after = place + 1 < len(found)
            right = _joint(text, match.end, found[place + 1].start) if after else None
            yield (
                match,
                start if left is None else left.end(),
                max(stop, match.end) if right is None else right.start(),
            )
            done = max(done, match.end)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for stop in _BREAK.finditer(text):
        if text[begin : stop.start()].strip():
            yield begin, stop.start()
        begin = stop.end()
    if text[begin:].strip():
        yield begin, len(text)


def _with_elaboration(
    text: str, clauses: Sequence[tuple[int, int]], number: int, rules: Sequence[int]
) -> int:
    """The end of a clause together with the next, where that only says "not …" or "like …"."""
    if number + 1 < len(clauses):
        start, end = clauses[number + 1]
        if _ELABORATES.match(text, start) and not _in_clause(text, start, end, rules):
            return end
    return clauses[number][1]


def _in_clause(text: str, start: int, end: int, rules: Sequence[int]) -> tuple[_Match, ...]:
    """The rules that take a clause, by place; the earlier rule of the table has precedence."""
    found: list[_Match] = []
    rest = text[start:]  # a rule may read on into the next clause: "Tabs, not spaces"
    for index in rules:
        rule = RULES[index]
        match = _exact(index).search(rest)
        if match is None or match.start("v") >= end - start:
            continue
        first, last = start + match.start("v"), start + match.end("v")
        key = _key(rule, match)
        if all(key != other.key and not _overlap(first, last, other) for other in found):
            found.append(_Match(rule, key, first, last))
    return tuple(sorted(found, key=lambda item: item.start))


def _overlap(start: int, end: int, other: _Match) -> bool:
    return start < other.end and other.start < end


def _joint(text: str, start: int, end: int) -> re.Match[str] | None:
    """The last "and" between two matches."""
    last = None
    for last in _JOINT.finditer(text, start, max(start, end)):
        pass
    return last


# --- keys -------------------------------------------------------------------------------

_SIGNS = {"c++": "cpp", "c#": "csharp", ".net": "dotnet", "node.js": "node", "nodejs": "node"}


def _key(rule: Rule, match: re.Match[str]) -> str:
    """The rule's key; a `*` in it stands for the noun that the clause names."""
    if not rule.key.endswith("*"):
        return rule.key
    groups = match.groupdict()
    noun = next(
        filter(None, (groups.get(name) for name in ("noun", "noun2", "noun3", "noun4"))), "other"
    )
    return preference_key(rule.key[:-1] + _noun(noun.strip().lower()))


def _noun(noun: str) -> str:
    for pattern, name in en.NOUNS + zh.NOUNS:
        if re.match(pattern, noun):
            return name
    return _SIGNS.get(noun, noun)


# --- compiled tables --------------------------------------------------------------------


_CLAUSE_START = r"(?:^|[，。；！？,;.!?]\s*)"  # the filter sees whole messages, a rule its clause
_OUTSET = re.compile(r"(?<=\(\?:)\^(?=\|)|\^(?=\()")


@cache
def _filter() -> Filter:
    """All rules as one filter: which of them may take a text, in one pass."""
    return Filter(_OUTSET.sub(lambda _: _CLAUSE_START, rule.pattern) for rule in RULES)


@cache
def _exact(index: int) -> re.Pattern[str]:
    # ASCII classes, as in RE2: a Han character beside a Latin word is a word edge.
    return re.compile(RULES[index].pattern, re.I | re.A)


@cache
def _guards() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((guard.name, re.compile(guard.pattern, re.I | re.A)) for guard in GUARDS)


@cache
def _wishes() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(wish, re.I | re.A) for wish in (en.WISH, zh.WISH))


@cache
def _questions() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.I | re.A) for pattern in (en.QUESTION, zh.QUESTION))


@cache
def _requests() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.I | re.A) for pattern in (en.REQUEST, zh.REQUEST))
