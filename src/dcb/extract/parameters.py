"""A clause -> whether it sets a value under a name, or only mentions one.

Evidence is added up: words that set, bound or name (rules of act `parameter`) beside the
value, an answer to a question, a bare clause of name and value; against it measuring,
telling and guessing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dcb.extract.clauses import Clause, Parts
from dcb.extract.matcher import Hit
from dcb.extract.values import Value, values

_NEEDED = 2
_HEARD = 240  # characters of what was said that a bare value can stand against
_NEAR = 14  # characters between the word that sets and its value
_BARE = (8, 18)  # what a bare clause may say beside its value, in Han and in Latin script

_SENTENCE = (20, 44)  # what a sentence that only states a value may hold, likewise
_NAMED = re.compile(r"[A-Za-z]{3}|[\u3400-\u9fff]")

_WEAK = re.compile(
    r"(?:用|为|是|要|按|走|放|跑|定|报|就|先|那|：|:)\s*$|\b(?:is|are|at|to|be|of|use|with|over|by|for|on|ok|okay|fine)\s*$",
    re.I | re.A,
)
_FILLER = re.compile(
    r"[\s，,。.；;！!：:、…()（）|]|吧|了|呢|啊|嗯|那|就|先|也|都|\b(?:then|please|pls|ok|okay|fine|right|yes|no|so|the|a|it'?s|that'?s)\b",
    re.I | re.A,
)
_PRONOUN = re.compile(r"\b(?:i|he|she|they|we|you|who|that|which)\b|[我你他她它谁]", re.I | re.A)


class Situation(NamedTuple):
    """What was said just before a sentence."""

    asked: bool = False  # it answers a question
    units: frozenset[str] = frozenset()  # of the values just said; a bare value stands against one
    opening: bool = False  # the conversation begins here: people tell rather than set


def settings(
    text: str,
    divided: Parts,
    hits: tuple[Hit, ...],
    stops: Mapping[tuple[int, str], str],
    situation: Situation,
) -> Iterator[tuple[Clause, str]]:
    """The clauses of a sentence that set a value, each with the evidence that weighed most."""
    sets = [hit for hit in hits if hit.act == "parameter" and not _sidestepped(hit, hits)]
    all_values = [v for v in values(text) if _counts(text, v, divided, hits)]
    if not all_values and not sets:
        return
    measured = {divided.clause_at(hit.start) for hit in hits if hit.act in ("measured", "past")}
    told = {divided.clause_at(hit.end - 1) for hit in hits if hit.rule == "zh.told"}
    if any(hit.rule == "zh.vented" for hit in hits):  # who lets off steam sets nothing
        told = set(range(len(divided.clauses)))
        measured |= told
    closed = any(hit.rule == "zh.thus" for hit in hits)  # "…, 就这么定" settles all of it
    paired = frozenset() if closed else _paired(text, divided, all_values)
    for number, clause in enumerate(divided.clauses):
        if (number, "parameter") in stops:
            continue
        named = next((hit.rule for hit in sets if _names(hit, clause, divided)), "")
        found = [v for v in all_values if clause.start <= v.start < clause.end]
        if not found and not named:
            continue
        weight, rule = _weigh(text, clause, found, sets, situation)
        weight += number in paired
        if any(hit.rule == "en.use-that" and hit.start >= clause.end for hit in sets) and found:
            weight, rule = weight + 2, "en.use-that"
        elif (
            number in measured
            and rule != "en.so"
            and (number in told or number or not situation.asked)
        ):
            weight -= 4 if number in told else 2
        if named:
            weight, rule = weight + 3, named
        if weight - situation.opening >= _NEEDED:
            yield clause, rule


def _paired(text: str, divided: Parts, found: list[Value]) -> frozenset[int]:
    """The clauses that each give a name and its value, when they stand in a row: "A 3，B 5"."""
    if len(divided.clauses) < 2 or len(found) < 2:
        return frozenset()
    pairs = [
        number
        for number, clause in enumerate(divided.clauses)
        if (inside := [v for v in found if clause.start <= v.start < clause.end])
        and _bare(text, clause, inside)
        and _HAN_NAME.search(_rest(text, clause, inside))
    ]
    return frozenset(pairs) if len(pairs) > 1 else frozenset()


_HAN_NAME = re.compile(r"^[A-Za-z ]*[\u3400-\u9fff]{1,6}[A-Za-z ]*$|^[A-Z]{2,5}[\u3400-\u9fff]$")


def _counts(text: str, value: Value, divided: Parts, hits: tuple[Hit, ...]) -> bool:
    """Whether a value is one: not quoted, not denied, and not the number of an option."""
    if divided.quoted(value.start, value.end):
        return False
    if _DENIED.search(text, max(0, value.start - 12), value.start):
        return False
    if text[value.start - 1 : value.start] in _POINTED:  # "那两千张" is talked of
        return False
    return not any(
        hit.act == "refer" and hit.start <= value.start and value.end <= hit.end for hit in hits
    )


_POINTED = frozenset("这那哪")
_DENIED = re.compile(
    r"(?:^|[^\w])(?:not|instead of|rather than|no longer) (?:the |at )?$", re.I | re.A
)


def _sidestepped(hit: Hit, hits: tuple[Hit, ...]) -> bool:
    """Whether a turn of phrase only looks like setting: "call it a day"."""
    return any(
        other.act == "sidestep"
        and other.rule not in _OF_CHOICES
        and other.start < hit.end
        and hit.start < other.end
        for other in hits
    )


# What only looks like a choice may set a value all the same.
_OF_CHOICES = frozenset({"en.noun-first", "en.they-do", "en.we-tell", "en.not-quite"})


def _names(hit: Hit, clause: Clause, divided: Parts) -> bool:
    """Whether a rule of naming hits here: its value is a plain word and part of the hit."""
    inside = clause.start <= hit.start < clause.end
    return inside and hit.rule in _NAMING and not divided.quoted(hit.start, hit.end)


_NAMING = frozenset({"zh.call", "en.call", "en.named-is"})


def _weigh(
    text: str, clause: Clause, found: list[Value], sets: list[Hit], situation: Situation
) -> tuple[int, str]:
    weight, rule = 0, "value.named"
    # What stands before a colon names what stands after it: "window: 03:00".
    begin = (
        max(0, clause.start - _NEAR)
        if text[: clause.start].rstrip()[-1:] in ":："
        else clause.start
    )
    for value in found:
        if hit := _setter(value, clause, begin, sets):
            weight, rule = 2, hit.rule
            break
        if _WEAK.search(text, max(clause.start, value.start - 6), value.start):
            weight = max(weight, 1)
    bare = _bare(text, clause, found)
    if bare and _states(text, clause, found):
        weight += 1
    expected = situation.asked or (bare and not situation.units.isdisjoint(v.unit for v in found))
    meant = (expected and bare and not _ones(text, found)) or rule == "en.so"
    if all(value.type == "word" for value in found) and not meant:
        return weight if weight > 1 and _ones(text, found) else 0, rule
    if bare:
        weight += 1
    if expected and bare:
        weight, rule = weight + 1, rule if weight > 2 else "value.answer"
    if any(value.type in ("name", "ratio", "version") for value in found):
        weight += 1
    if situation.asked and not bare and found[:1] and not clause.start:
        # "320x180, scaled up with whole numbers": the answer comes first.
        told = _ANSWERS.match(text) or not _FILLER.sub("", text[: found[0].start])
        weight += 2 * bool(told)
    return weight, rule


def _ones(text: str, found: list[Value]) -> bool:
    """Whether the values are a single thing each: 一份 counts only where it is set."""
    return bool(found) and all(text[value.start] == "一" for value in found)


# How an answer that is a sentence may begin: "we have 300 pounds", "about 60, mostly teachers".
_ANSWERS = re.compile(
    r"(?:well |um |uh |oh |hm+ |i think |i guess |say )*(?:about|around|roughly|some|maybe|(?:we|i|they)(?: have|'ve got| need| want|'d say)|there(?:'s| are|'ll be| will be)|it(?:'s| is| takes| starts| ends)) \W*\w*\d",
    re.I | re.A,
)


def said_units(heard: str) -> frozenset[str]:
    """The units of the last values in what was said; a name has none."""
    return frozenset(value.unit for value in values(heard[-_HEARD:])) - {"name"}


def _setter(value: Value, clause: Clause, begin: int, sets: list[Hit]) -> Hit | None:
    """The rule that sets this value: right before it, around it, or right after it."""
    for hit in sets:
        if not begin <= hit.start < clause.end:
            continue
        before = (
            hit.end <= value.end + 1 and value.start - hit.end <= _NEAR and hit.start <= value.start
        )
        after = 0 <= hit.start - value.end <= 3
        if before or after or (hit.start < value.end and value.start < hit.end):
            return hit
    return None


def _states(text: str, clause: Clause, found: list[Value]) -> bool:
    """Whether a sentence is a name and its values and no more: "Retries: 3"."""
    cells = text.count("|")
    return (
        bool(found)
        and len(text) - 3 * cells <= _SENTENCE[text.isascii()]
        and not _PRONOUN.search(text)
        and _NAMED.search(text[: found[0].start] + text[found[-1].end :]) is not None
    )


def expectant(text: str, divided: Parts) -> bool:
    """Whether some clause is little but values, so that what was said before counts."""
    found = values(text)
    if found and (_ANSWERS.match(text) or not _FILLER.sub("", text[: found[0].start])):
        return True
    return bool(found) and any(
        _bare(text, clause, inside)
        for clause in divided.clauses
        if (inside := [v for v in found if clause.start <= v.start < clause.end])
    )


def _bare(text: str, clause: Clause, found: list[Value]) -> bool:
    """Whether a clause says little beside its values, and tells of nobody."""
    rest = _rest(text, clause, found)
    return len(rest) <= _BARE[rest.isascii()] and not _PRONOUN.search(
        text, clause.start, clause.end
    )


def _rest(text: str, clause: Clause, found: list[Value]) -> str:
    pieces, at = [], clause.start
    for value in found:
        pieces.append(text[at : value.start])
        at = value.end
    pieces.append(text[at : clause.end])
    return _FILLER.sub("", "".join(pieces))
