"""A span of a person's message -> what it does: decide, order, set a value; or why it does not.

A rule's hit counts only where no guard stands: not in a question, a condition, somebody
else's words, a denial, or a story about the past.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dcb.extract.clauses import Parts, parts
from dcb.extract.matcher import MATCHER, Hit
from dcb.extract.parameters import settings
from dcb.extract.rules import Act
from dcb.model import Kind


class Claim(NamedTuple):
    """A clause that does something: offsets from the start of the span."""

    kind: Kind
    rule: str
    start: int
    end: int


class Passed(NamedTuple):
    """A hit that does not count, and the guard that says so."""

    rule: str
    guard: str


class Reading(NamedTuple):
    """What one span says."""

    text: str
    parts: Parts
    hits: tuple[Hit, ...]
    claims: tuple[Claim, ...]
    passed: tuple[Passed, ...]
    question: bool

    def has(self, act: Act) -> bool:
        """Whether some rule of this act hits outside quotations."""
        return any(
            hit.act == act and not self.parts.quoted(hit.start, hit.end) for hit in self.hits
        )


# Where a report ends: the speaker turns to what they themselves hold.
_TURN = re.compile(
    r"\s*(?:但|不过|可是|所以|那|因此|于是|我们|咱们|我|这边|否则|but|so|fine|ok|okay|we|i|our|which|then|and we|ignore|don't)",
    re.I,
)
# Which kinds each guard stops: in its own clause, from there on, or in the whole sentence.
_CLAUSE_GUARDS: dict[Act, frozenset[str]] = {
    "question": frozenset({"decision", "directive", "parameter"}),
    "unsettled": frozenset({"decision", "parameter"}),
    "past": frozenset({"decision", "directive"}),
    "personal": frozenset({"decision", "directive"}),
    "task": frozenset({"decision"}),
    "condition": frozenset({"decision"}),
    "reported": frozenset({"decision", "directive"}),
    "denial": frozenset({"decision", "directive", "parameter"}),
}
_ONWARD: frozenset[Act] = frozenset({"denial", "condition", "reported"})


def read(text: str, *, asked: bool = False, first: bool = False) -> Reading:
    """Read a sentence, list item or row.

    `asked`: it answers a question or stands against a value just proposed; `first`: it opens
    the conversation, where people tell rather than set.
    """
    hits = MATCHER.find(text)
    divided = parts(text)
    question = text.rstrip("\"'”」)） ").endswith(("?", "？"))
    stops = _stops(text, divided, hits)
    claims: list[Claim] = []
    passed: list[Passed] = []
    for hit in hits:
        if hit.act not in ("decision", "directive"):
            continue
        guard = _guard(hit, divided, stops, hits, question)
        if guard:
            passed.append(Passed(hit.rule.name, guard))
        else:
            clause = divided.clauses[divided.clause_at(_anchor(text, hit))]
            claims.append(Claim(hit.act, hit.rule.name, clause.start, clause.end))  # type: ignore[arg-type]
    if not question:
        for clause, rule in settings(text, divided, hits, stops, asked=asked, first=first):
            claims.append(Claim("parameter", rule, clause.start, clause.end))
    return Reading(
        text, divided, hits, tuple(_one_per_clause(claims, text)), tuple(passed), question
    )


Stops = dict[tuple[int, str], str]
"""(clause number, kind) -> the guard that stops it."""


def _stops(text: str, divided: Parts, hits: tuple[Hit, ...]) -> Stops:
    stops: Stops = {}
    for hit in hits:
        kinds = _CLAUSE_GUARDS.get(hit.act)
        if kinds is None or divided.quoted(hit.start, hit.end):
            continue
        first = divided.clause_at(_anchor(text, hit))
        last = len(divided.clauses) if hit.act in _ONWARD else first + 1
        for number in range(first, last):
            clause = divided.clauses[number]
            if hit.act == "reported" and number > first and _TURN.match(text, clause.start):
                break
            for kind in kinds:
                stops.setdefault((number, kind), hit.rule.name)
    return stops


def _anchor(text: str, hit: Hit) -> int:
    """Where a hit really begins: patterns may start with the comma before their clause."""
    at = hit.start
    while at < hit.end - 1 and not (text[at].isalnum() or text[at] in '“「"(（'):
        at += 1
    return at


def _guard(hit: Hit, divided: Parts, stops: Stops, hits: tuple[Hit, ...], question: bool) -> str:
    if question:
        return "question"
    if divided.quoted(hit.start, hit.end):
        return "quotation"
    for other in hits:
        if other.act == "sidestep" and other.start < hit.end and hit.start < other.end:
            return other.rule.name
    return stops.get((divided.clause_at(min(hit.start + 1, hit.end)), hit.act), "")


def _one_per_clause(claims: list[Claim], text: str) -> Iterator[Claim]:
    """An order outweighs a choice; a value outweighs a choice whose whole content it is."""
    held: dict[tuple[int, str], Claim] = {}
    for claim in claims:
        held.setdefault((claim.start, claim.kind), claim)
    for (start, kind), claim in held.items():
        if kind == "decision" and (start, "directive") in held:
            continue
        if kind == "decision" and (start, "parameter") in held and claim.rule in _VALUE_CHOICES:
            continue
        yield claim


# Choices that only set a value when their clause holds one: "改成 10 秒".
_VALUE_CHOICES = frozenset(
    {
        "zh.switch",
        "zh.noun-ba",
        "zh.verb-ba",
        "zh.suffice",
        "zh.by",
        "zh.fixed",
        "zh.use",
        "zh.then-use",
        "zh.so-then",
        "zh.only",
        "zh.not-a-not",
        "en.choose",
        "en.instead",
        "en.only",
        "en.so",
        "en.flag",
        "en.no-noun",
        "en.we-do",
    }
)
