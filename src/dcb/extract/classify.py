"""A span of a person's message -> what it does: decide, order, set a value; or why it does not.

A rule's hit counts only where no guard stands: not in a question, a condition, somebody
else's words, a denial, or a story about the past.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from dcb.extract.clauses import Parts, parts
from dcb.extract.matcher import MATCHER, Hit
from dcb.extract.parameters import Situation, settings
from dcb.extract.rules import Act
from dcb.extract.values import values
from dcb.model import Kind

__all__ = ["Claim", "Passed", "Reading", "Situation", "read"]


class Claim(NamedTuple):
    """A clause that does something: offsets from the start of the span."""

    kind: Kind
    rule: str
    start: int
    end: int

    def meets(self, other: Claim) -> bool:
        """Whether both hold some of the same words."""
        return self.start < other.end and other.start < self.end


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
    r"\s*(?:但|不过|可是|所以|那|因此|于是|我们|咱们|我|这边|否则|but|so|fine|ok|okay|we|i|our|which|then|and (?:we|i|so|then)|ignore|don't)",
    re.I,
)
# Which kinds each guard stops: in its own clause, or from there on (_ONWARD).
_STOPPED: dict[Act, tuple[Kind, ...]] = {
    "question": ("decision", "directive", "parameter"),
    "unsettled": ("decision", "parameter"),
    "past": ("decision", "directive"),
    "personal": ("decision", "directive"),
    "task": ("decision", "parameter"),
    "condition": ("decision",),
    "reported": ("decision", "directive"),
    "denial": ("decision", "directive", "parameter"),
}
_ONWARD: frozenset[Act] = frozenset({"denial", "condition", "reported"})

# In the first message people describe; only words of deciding count there.
_OPENING = frozenset(
    {
        "zh.decide",
        "en.decided",
        "zh.thus",
        "en.lets",
        "en.we-will",
        "en.go-with",
        "zh.then-use",
        "en.choose",
    }
)

# Rules that a guard does not stop: "I don't want …" lays down a limit in the first person,
# "my editor insists on …" is passed on as an order, "every speaker has to …" is no errand.
_UNSTOPPED = {
    "en.unwanted": "en.personal",
    "en.authority": "en.reported",
    "en.every": "en.personal",
}
# Turns of phrase that only look like one rule: "we think" settles nothing, "we will" may.
_CONCERNS = {"en.they-do": "en.role", "en.we-tell": "en.we-do", "en.not-quite": "en.not-that"}
# An imperative that leads a clause is one whatever is told after it: "keep the order they had".
_LEADS = frozenset({"en.choose", "en.dont", "en.avoid", "en.verbatim"})

# Choices that only set a value when their clause holds one: "改成 10 秒".
_ONLY_SETS = (
    "zh.switch zh.noun-ba zh.verb-ba zh.suffice zh.by zh.fixed zh.accept zh.route zh.formal zh.use zh.then-use zh.so-then zh.only"
    " zh.not-do zh.adopt en.choose en.instead en.only en.so en.scope en.no-noun en.we-do en.it-is"
    " en.we-will en.lets en.then en.will-be"
)
_SETS_ONLY = frozenset(_ONLY_SETS.split())
_CHOOSES = frozenset({"zh.use", "zh.then-use", "zh.by", "en.choose", "en.lets"})


_ALONE = Situation()


def read(
    text: str,
    situation: Situation = _ALONE,
    *,
    which: Iterable[int] | None = None,
    sets: bool = True,
) -> Reading:
    """Read a sentence, list item or row.

    `which` are the rules known to occur in it; `sets` is False when it cannot set a value.
    """
    hits = MATCHER.find(text, which)
    divided = parts(text)
    question = text.rstrip("\"'”」)） ").endswith(("?", "？"))
    stops = _stops(text, divided, hits) if len(hits) > 1 or sets else {}
    claims: list[Claim] = []
    passed: list[Passed] = []
    for hit in hits:
        if hit.act not in ("decision", "directive"):
            continue
        if guard := _guard(text, hit, divided, stops, hits, question, situation.opening):
            passed.append(Passed(hit.rule, guard))
        else:
            clause = divided.clauses[divided.clause_at(anchor(text, hit))]
            claims.append(Claim(cast(Kind, hit.act), hit.rule, clause.start, clause.end))
    if sets and not question:
        claims += [
            Claim("parameter", rule, clause.start, clause.end)
            for clause, rule in settings(text, divided, hits, stops, situation)
        ]
    return Reading(text, divided, hits, tuple(_weighed(claims, text)), tuple(passed), question)


Stops = dict[tuple[int, str], str]
"""(clause number, kind) -> the guard that stops it."""


def _stops(text: str, divided: Parts, hits: Sequence[Hit]) -> Stops:
    stops: Stops = {}
    for hit in hits:
        kinds = _STOPPED.get(hit.act)
        if kinds is None or divided.quoted(hit.start, hit.end):
            continue
        first = divided.clause_at(anchor(text, hit))
        leads = hit.rule == "en.no-answer"
        last = len(divided.clauses) if leads or hit.act in _ONWARD else first + 1
        for number in range(first, last):
            may_turn = leads or hit.act == "reported"
            if may_turn and number > first and _turns(text, divided, number):
                break
            for kind in kinds:
                stops.setdefault((number, kind), hit.rule)
    return stops


def _turns(text: str, divided: Parts, number: int) -> bool:
    return _TURN.match(text, divided.clauses[number].start) is not None


def anchor(text: str, hit: Hit) -> int:
    """Where a hit really begins: patterns may start with the comma before their clause."""
    at = hit.start
    while at < hit.end - 1 and not (text[at].isalnum() or text[at] in '“「"(（'):
        at += 1
    return at


# "Oh no", "lol no", "ouch, yes": no thing is named that the yes or no could be about.
_NO_THING = re.compile(
    r"\W*(?:the |a )?(?:no|wait|lol|okay|ok|oh|so|say|said|says|guess|hell|haha|um|uh|hm+|but|and|well|actually|or|god|ouch|ha|aha|ah|then|now|why"
    r"|yeah|yep|nope|sure|right|fine|sorry|thanks|please|i|you|we|he|she|they|it|that|this|there|maybe|probably|definitely|still|bit of)\b",
    re.I | re.A,
)


def _guard(
    text: str,
    hit: Hit,
    divided: Parts,
    stops: Stops,
    hits: Sequence[Hit],
    question: bool,
    opening: bool,
) -> str:
    if question:
        return "question"
    if divided.quoted(hit.start, hit.end):
        return "quotation"
    for other in hits:
        over = other.start < hit.end and hit.start < other.end
        if over and other.act == "sidestep" and _CONCERNS.get(other.rule, hit.rule) == hit.rule:
            return other.rule
    if hit.rule == "en.then" and any(other.act == "agree" for other in hits):
        return "agree"  # "Yes please." names nothing
    clause = divided.clause_at(anchor(text, hit))
    if hit.rule == "en.nobody" and "condition" in stops.get((clause, "decision"), ""):
        return stops[clause, "decision"]  # what follows from a condition forbids nothing
    if hit.rule == "en.yes-no" and _NO_THING.match(text, hit.start):
        return "en.sidestep"
    if opening and hit.act == "decision" and hit.rule not in _OPENING:
        return "opening"
    guard = stops.get((clause, hit.act), "")
    if guard and guard == _UNSTOPPED.get(hit.rule):
        return ""
    if (guard == "en.past" and hit.rule in _LEADS) or guard == "en.personal":
        # "never print what we don't own": what follows the order belongs to its object.
        bounds = divided.clauses[clause]
        told = (h.start for h in hits if h.rule == guard and bounds.start <= anchor(text, h))
        return guard if min(told, default=0) < hit.end else ""
    return guard


def _weighed(claims: Sequence[Claim], text: str) -> Iterator[Claim]:
    """One claim of a kind per clause; an order outweighs the rest, a mere value its choice."""
    held: dict[tuple[int, Kind], Claim] = {}
    for claim in claims:
        before = held.get((claim.start, claim.kind))
        if before is None or before.rule in _SETS_ONLY:
            held[claim.start, claim.kind] = claim
    for (start, kind), claim in sorted(held.items()):
        chosen = held.get((start, "decision"))
        ordered = (start, "directive") in held and not (chosen and chosen.rule in _OVERRULES)
        if kind == "directive" and not ordered:
            continue
        if kind == "parameter" and ordered and claim.rule not in _NAMING:
            continue
        if kind == "decision" and (ordered or _only_sets(claim, held, text)):
            continue
        if kind == "decision" and claim.rule in _COMPLETES and _follows_order(claim, held):
            yield claim._replace(kind="directive")
        else:
            yield claim


_NAMING = frozenset({"zh.call", "en.call"})
_OVERRULES = frozenset({"zh.stop", "zh.item-do"})  # "别搞了" stops a thing; it forbids nothing
_COMPLETES = frozenset({"zh.only", "en.only"})  # "不要收手机号，只收邮箱" is one order


# "it was £389, use that" sets a value and chooses nothing; "write it there and keep 90 days" does both.
_HANDS_ON = re.compile(r"\W*(?:use|take|go with|put|write) (?:that|this)\b", re.I)
_AND = re.compile(r"\w [^.;]*\band (?:keep|use|set|limit|cap|start|make|run|send|store)\b", re.I)


# Whoever changes one of these changes a plan, not a setting: "改成七天".
_PLANNED = frozenset({"date", "time", "day", "night", "week", "month", "people", "name"})

# Its length is a setting all the same: "借期改成 21 天".
_SETTING = re.compile(r"[期限时]长?(?:还是|就|都)?(?:改|换|调)|间隔|周期|超时|时限|频率|截止")


def _follows_order(claim: Claim, held: dict[tuple[int, Kind], Claim]) -> bool:
    return any(
        kind == "directive" and other.end == claim.start for (_, kind), other in held.items()
    )


def _only_sets(claim: Claim, held: dict[tuple[int, Kind], Claim], text: str) -> bool:
    if any(other.rule == "en.use-that" for other in held.values()):
        return _HANDS_ON.match(text, claim.start, claim.end) is not None
    if claim.rule not in _SETS_ONLY or (claim.start, "parameter") not in held:
        return False
    if claim.rule == "en.choose" and _AND.search(text, claim.start, claim.end):
        return False
    set_ = values(text, claim.start, claim.end)
    planned = claim.rule == "zh.switch" and not _SETTING.search(text, claim.start, claim.end)
    if planned and not _PLANNED.isdisjoint(value.unit for value in set_):
        return False
    found = {value.type for value in set_}
    return not ("version" in found or ("name" in found and claim.rule in _CHOOSES))
