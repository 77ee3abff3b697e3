"""Candidates in order -> which of them a later one replaced.

A later choice replaces an earlier one on the same matter: it answers the same question, it
takes back what it names, it changes what stands under the same name, or it sets another value
of the same sort there.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from dcb.extract.terms import terms
from dcb.extract.values import Value, even, values
from dcb.model import Kind

_REACH = 16  # so many candidates back; keeps the search linear
_NEAR = 8  # messages within which a bare correction finds its object
_NEXT = 3  # messages within which an answer is still being talked about


class Around:
    """What a message says and stands next to, in lower case; worked out when first asked for."""

    def __init__(self, said: str, heard: str, earlier: str) -> None:
        self._said = said
        self._heard = heard
        self._earlier = earlier

    @cached_property
    def said(self) -> str:
        """The message."""
        return self._said.lower()

    @cached_property
    def heard(self) -> str:
        """What it answers."""
        return self._heard.lower()

    @cached_property
    def offered(self) -> frozenset[str]:
        """Terms of what it answers."""
        return terms(self._heard)

    @cached_property
    def earlier(self) -> str:
        """The two messages before."""
        return self._earlier.lower()

    @cached_property
    def asked(self) -> str:
        """What it answers: the question, or all of it when nothing was asked."""
        return (self._question or self._heard).lower()

    @cached_property
    def faulty(self) -> bool:
        """Whether the message finds fault with something."""
        return _FAULTS.search(self.said) is not None

    @cached_property
    def topic(self) -> frozenset[str]:
        """Terms of the question that it answers."""
        return terms(self._question)

    @cached_property
    def _question(self) -> str:
        """The question that ends what it answers, or ""."""
        heard = self._heard
        asks = heard[-1:] in ("?", "？")
        return heard[max(map(heard.rfind, "。.!！;；\n")) + 1 :] if asks else ""


_NOWHERE = Around("", "", "")


class Candidate(NamedTuple):
    """A passage that will be an entry. A tuple, since a long conversation has many."""

    kind: Kind
    message: int
    start: int
    end: int
    rule: str
    lang: str = ""
    via: int | None = None  # message that accepted it
    group: int = 0  # pieces of one sentence share it


class Move:
    """What makes a passage a candidate, with what tells its matter, worked out when asked for."""

    def __init__(
        self,
        candidate: Candidate,
        clause: str,
        *,
        sentence: str = "",
        around: Around = _NOWHERE,
        corrects: bool = False,
        withdraws: bool = False,
    ) -> None:
        self.kind = candidate.kind
        self.message = candidate.message
        self.start = candidate.start
        self.end = candidate.end
        self.group = candidate.group
        self.rule = candidate.rule
        self.via = candidate.via
        self.clause = clause  # the words that settle it
        self.sentence = sentence  # the sentence that they stand in
        self.around = around
        self.corrects = corrects
        self.withdraws = withdraws

    def same(self, other: Move) -> bool:
        """Whether both were made by the same words."""
        return (self.message, self.start, self.end) == (other.message, other.start, other.end)

    @cached_property
    def head(self) -> str:
        """The Han character that its clause begins with, when that can name a thing: 糖, 盐."""
        found = _HEAD.match(self.clause)
        return found.group(1) if found else ""

    @cached_property
    def matter(self) -> _Matter:
        """What it is about, by its clause."""
        return _matter(self.clause)

    @cached_property
    def things(self) -> frozenset[str]:
        """The terms in its values: what is counted."""
        return terms(" ".join(value for _, value in self.matter.values))

    @cached_property
    def led(self) -> _Matter:
        """What it is about, by its whole sentence."""
        return _matter(self.sentence)

    @cached_property
    def changes(self) -> bool:
        """Whether it puts one thing in the place of another."""
        return _CHANGES.search(self.sentence) is not None

    @cached_property
    def drops(self) -> bool:
        """Whether it takes a thing away."""
        return _DROPS.search(self.clause) is not None


class _Matter(NamedTuple):
    """What tells two candidates' matters apart."""

    values: frozenset[tuple[str, str]]  # (unit, text)
    units: frozenset[str]
    names: frozenset[str]  # terms of the clause, without its values


def _matter(text: str) -> _Matter:
    alike = even(text)
    units, places, names = _shape(alike)
    if names is None:
        names = _names(text, values(text))
    return _Matter(
        frozenset((unit, text[start:end].strip()) for unit, start, end in places),
        units,
        names,
    )


Place = tuple[str, int, int]
"""A unit and where its value stands."""


@lru_cache(maxsize=8192)
def _shape(alike: str) -> tuple[frozenset[str], tuple[Place, ...], frozenset[str] | None]:
    """What texts share that differ in long numbers only; names are None where they may differ."""
    found = values(alike)
    names = _names(alike, found)
    return (
        frozenset(v.unit for v in found),
        tuple((v.unit, v.start, v.end) for v in found),
        None if any("00" in name for name in names) else names,
    )


def _names(text: str, found: Sequence[Value]) -> frozenset[str]:
    """The terms of a text without its values."""
    pieces, at = [], 0
    for value in found:
        if value.type not in ("name", "version"):
            pieces.append(text[at : value.start])
            at = value.end
    rest = " ".join([*pieces, text[at:]])
    return terms(_ADVERB.sub(" ", rest)) | frozenset(map(str.lower, _BOUND.findall(rest)))


# A default and its limits are matters of their own.
_BOUND = re.compile(r"\b(max|min|default)(?:imum)?s?\b", re.I | re.A)


def _singular(words: frozenset[str]) -> frozenset[str]:
    """Latin words without the s of their plural."""
    return frozenset(w[:-1] if len(w) > 4 and w[-1] == "s" and w[-2] != "s" else w for w in words)


# Words that set, bound or hedge, and so name no matter.
_ADVERB = re.compile(
    r"[^，。 ]{1,4}起见|测试(?:的时候|时)|反正|干脆|索性|统一|控制|提到|降到|加到|减到|推到|调到|首版|暂时|直接|一律"
    r"|\b(?:say|says|goes|going|doing|bump|raise|lower|reduce|increase|cut|push|call|name|named|called|cap|limit"
    r"|halve|double|start|try|stick|settle|choose|pick|prefer|think|reckon|better|safer|enough|plenty"
    r"|only|really|sorry|oops|hmm|it'?ll|that'?ll|we'?ve|i'?ll|i'?m|they'?ll|total|exactly|around|instead|back|want"
    r"|spend|afford|pay|of course|obviously|definitely|please|pls|sure|taken|full|many|much|everywhere|always|must|never|second thoughts?|should|been|same|way|thing|stuff)\b",
    re.I | re.A,
)
# Words that put one thing in the place of another.
_CHANGES = re.compile(
    r"\b(?:instead|rather than|switch(?:ing|ed)?|mov(?:e|ing|ed) (?:\w+ )?(?:over )?to|migrat\w+|replac\w+|swap\w*|scrap\w*|drop\w*"
    r"|ditch\w*|(?:so|our|my|the) new [a-z]+|no longer|anymore|any more|(?:back|down|up) to|on second thoughts?|changed? (?:my|our|of|it|that|the)|after all|actually"
    r"|make (?:it|that|them)|revert\w*|(?:it|that)'?s [\w.+#-]+ now|now|turns out|sorry|forget|supersedes?|overrides?)\b"
    r"|改|换|迁|替|不用了|不要了|算了|放弃|弃用|还是|重新|推翻|作废|变成|挪|搬|收回|反悔|(?:推|调|提|降|加|减|缩|延|压|涨)(?:到|至|成)",
    re.I | re.A,
)
# Words that move a value up or down.
_SCALES = re.compile(
    r"\b(?:down|up|back) to\b|\b(?:raise|lower|bump|increase|reduce|cut)\b|(?:提|降|加|减|涨|缩|延|推|调|压)(?:到|至|成)",
    re.I,
)
# The same of the thing that is talked about: "so we're down to 50".
_DOWN_TO = re.compile(
    r"\b(?:we'?re|we are|that'?s|it'?s|let'?s go) (?:back |now )?(?:down|up|back) to\b|(?:提|降|加|减|涨|缩|延|推|调|压)(?:到|至|成)",
    re.I,
)
# What speaks against the thing that is named with it.
_FAULTS = re.compile(
    r"\b(?:taken|too [a-z]+|pricey|expensive|slow|down|gone|out|off|broken|doesn'?t|didn'?t|isn'?t|can'?t|won'?t|not|only offers"
    r"|nah|nope|sad|boring|dull|trademarked|discontinued|banned|illegal|unsupported|deprecated|out of stock|clash\w*|conflicts?|leaving|broke|died|awful|terrible|ugly|horrible|says no"
    r"|no longer|fails?|failed|booked|sold out|unavailable|closed|cancell?ed|wrong|nobody)\b"
    r"|被占|被订|太[^，。]|不行|不好|不够|不支持|没有|撑不住|跑不动|放弃|不要|不用|不做|不了|满了|关了|停了|下架|取消|错了",
    re.I | re.A,
)
# What takes a thing away without putting another in its place.
_DROPS = re.compile(
    r"\b(?:drop|scrap|cut|kill|remove|skip|lose|ditch|cancel|forget|abandon|leave out|no need for|don'?t need|won'?t (?:do|have|need|use)|not doing"
    r"|no longer|rules? out|is out|are out|off the table|call off|get rid of|let'?s not)\b"
    r"|砍|删|去掉|取消|不做|不要|不搞|不用|不上|不需要|不办|不写|放弃|撤掉|算了|免了|排除|作废",
    re.I | re.A,
)


_HEAD = re.compile(
    r"[\s，,]*([\u3400-\u9fff])(?<![改换减加调提降涨缩延推压放用设定是不最限那就还再先也都把要每共只超大约到按从在用走一二两三四五六七八九十这我你他她它])"
)
# What takes back what was settled before.
_ANNULS = re.compile(
    r"作废|推翻|撤回|不算数|不作数|\b(?:void|scrap(?:ped)?|revoke|overrul\w+|null)\b", re.I | re.A
)


class Replaced:
    """Which candidates a later one replaced; each is told in order, code excepted.

    `by` maps the number of a replaced candidate to the number of the one that replaced it.
    """

    def __init__(self) -> None:
        self.by: dict[int, int] = {}
        self._recent: deque[tuple[int, Move]] = deque(maxlen=_REACH)

    def add(self, number: int, new: Move) -> None:
        """Tell the next one."""
        if new.via is None:
            known = {n: old for n, old in self._recent if n not in self.by}
            before = [n for n, old in known.items() if _may_fall(old, new)]
            for old in (*_older(new, before, known), *_retracted(new, tuple(known), known)):
                self.by[old] = number
                self.by |= {n: number for n in before if new.changes and known[n].same(known[old])}
        self._recent.append((number, new))


def _may_fall(old: Move, new: Move) -> bool:
    """Whether a later message can take something back: not all of a table for one cell of it.

    What the very message accepts is not taken back by its words either.
    """
    all_of_it = "\n" in old.clause and "\n" not in new.clause
    return old.message < new.message != old.via and not all_of_it


Earlier = Sequence[int]
All = Mapping[int, Move]


def _retracted(new: Move, earlier: Earlier, all_: All) -> Iterator[int]:
    """What the same message said just before it thought again: "Leave it. No, on reflection …"."""
    if not earlier or (old := all_[earlier[-1]]).message != new.message or old.via is not None:
        return
    said = new.around.said
    alike = old.kind == new.kind and (old.kind == "decision" or _comparable(new.matter, old.matter))
    if alike and old.group != new.group and _THINKS_AGAIN.search(said, old.end, new.start + 24):
        yield earlier[-1]


_THINKS_AGAIN = re.compile(
    r"\b(?:no,? (?:wait|on reflection|on second thoughts?|actually|hang on|hold on|sorry)|on (?:reflection|second thoughts?)|scratch that"
    r"|wait,? (?:no|actually)|actually,? no|or rather|correction)\b|不对|等等|还是改|算了",
    re.I | re.A,
)


def _older(new: Move, earlier: Earlier, all_: All) -> Iterator[int]:
    """The candidates that a new one replaces."""
    if new.kind == "directive":
        yield from _orders(new, earlier, all_)
        return
    if new.kind == "parameter" or new.matter.units:
        yield from _values(new, earlier, all_)
    if _chooses(new):
        yield from _choices(new, [n for n in earlier if _chooses(all_[n])], all_)


def _orders(new: Move, earlier: Earlier, all_: All) -> Iterator[int]:
    """Standing orders that another takes the place of: "changed my mind, present tense"."""
    if not new.withdraws:
        return
    for n in earlier:
        ours, theirs = new.matter.names, all_[n].matter.names
        if all_[n].kind == "directive" and ours & theirs and ours - theirs and theirs - ours:
            yield n


def _chooses(candidate: Move) -> bool:
    """Whether it takes one of several things, or gives a name."""
    units = candidate.matter.units
    return candidate.kind == "decision" or (
        candidate.kind == "parameter" and units <= {"name", "version"}
    )


# --- values -----------------------------------------------------------------------------


def _values(new: Move, earlier: Earlier, all_: All) -> list[int]:
    """Earlier values of the same sort that a new one replaces."""
    ours = new.matter
    rivals = [old for old in earlier if _rival_value(new, all_[old])]
    found = [old for old in rivals if _same_value(new, all_[old])]
    # "100 is too little, make it 200": the value that is spoken of, not its neighbours.
    told = [old for old in found if _tells(all_[old].matter, new.around.said)]
    if told:
        return told
    settles = not ours.names and _SETTLES.search(new.clause)
    if not found and settles and not new.around.topic:
        alike = [old for old in rivals if ours.units & all_[old].matter.units]
        return alike if len({all_[old].group for old in alike}) == 1 else []
    if not found and new.corrects and (not new.led.names or _DOWN_TO.search(new.sentence)):
        alike = [old for old in rivals if ours.units & all_[old].matter.units]
        if not alike and not ours.units.isdisjoint(_PLAIN):
            alike = [old for old in rivals if new.message - all_[old].message <= _NEAR]
        return alike if len(alike) == 1 else []  # "move it to 03:30": the only time there is
    return found


# "so June 21 it is", "6 then", "改成七天".
_SETTLES = re.compile(
    r"\bit is\b|\bthen\W*$|^\W*so\b|^[\s，,]*(?:那?就?还?是?|都|先|直接)(?:改|换|调|降|提|压|缩|延|推|挪|加|减)(?:成|为|到|至)",
    re.I | re.A,
)


def _rival_value(new: Move, old: Move) -> bool:
    if old.kind == "directive":
        return False
    # What is more than a value falls only to a change that names it.
    mere = new.kind == old.kind == "parameter"
    ours, theirs = new.matter, old.matter
    return _comparable(ours, theirs) and (
        mere
        or (not ours.names.isdisjoint(theirs.names) and new.changes)
        or (ours.names >= theirs.names > frozenset())
        or (old.kind == "parameter" and new.corrects and _tells(theirs, new.around.heard))
    )


def _comparable(new: _Matter, old: _Matter) -> bool:
    sorts, others = new.units, old.units
    if sorts.isdisjoint(others):
        # A bare number takes the unit of what it is compared with: "8" and "4px".
        plain = bool(sorts & _PLAIN and others - _UNCOUNTED)
        if not plain and not (others & _PLAIN and sorts - _UNCOUNTED):
            return False
    return new.values.isdisjoint(old.values)


_PLAIN = frozenset({"number", "word"})
_UNCOUNTED = frozenset({"name", "template", "version", "date", "time"})


def _same_value(new: Move, old: Move) -> bool:
    ours, theirs = new.matter, old.matter
    named = not ours.names.isdisjoint(theirs.names) or _asked(new, old) or _led(new, old)
    if ours.units == {"name"}:
        return named and new.corrects
    if named:
        return _same_name(new, old)
    return _same_sort(new, old)


def _same_name(new: Move, old: Move) -> bool:
    """Whether two values under a common name belong to one thing: not adults and children."""
    ours, theirs = new.matter.names, old.matter.names
    if new.corrects or new.changes or _repeated(old.matter, new):
        return True
    apart = ours - theirs and theirs - ours
    return new.message - old.message <= _NEAR and not apart


def _same_sort(new: Move, old: Move) -> bool:
    """Whether a value without a common name still stands against an earlier one."""
    ours, theirs = new.matter, old.matter
    same_unit = not ours.units.isdisjoint(theirs.units)
    if new.corrects and same_unit and _tells(theirs, new.around.said):
        return True
    if new.corrects and any(_told(number, new.around.said) for number in _numbers(theirs)):
        return True  # "30 is too long, make that 20"
    distance = new.message - old.message
    if distance > _NEAR:
        return False
    if not ours.names:
        if new.head and old.head and new.head != old.head:
            return False
        about, topic = new.around.topic or new.around.offered, old.around.topic
        again = same_unit and (about == topic if new.around.topic else not about.isdisjoint(topic))
        return (new.corrects and same_unit) or again or _repeated(theirs, new)
    if theirs.names or not same_unit or distance > _NEXT:
        return False
    return new.corrects or (not new.around.topic and _tells(ours, new.around.heard))


def _led(new: Move, old: Move) -> bool:
    """Whether a change names its object earlier in the sentence."""
    return new.changes and not new.led.names.isdisjoint(old.matter.names)


def _asked(new: Move, old: Move) -> bool:
    """Whether one is told under the name that the other was asked for."""
    ours, theirs = new.matter, old.matter
    if not _singular(new.things).isdisjoint(_singular(old.around.topic)):
        return True  # "40 guests" after "How many guests?"
    if not ours.names.isdisjoint(old.around.topic) or not new.around.topic.isdisjoint(theirs.names):
        return True
    # A bare value has the name of what it answered: "1,600" after "Contributions: 1,533".
    same_unit = not ours.units.isdisjoint(theirs.units)
    if not same_unit or theirs.names:
        return False
    told = old.around.offered | old.led.names
    return not _singular(ours.names).isdisjoint(_singular(told))


def _numbers(matter: _Matter) -> Iterator[str]:
    """The bare numbers of values, of two digits or more."""
    for _, value in matter.values:
        yield from re.findall(r"\d[\d.,:]*\d", value, re.A)


def _repeated(old: _Matter, new: Move) -> bool:
    return _tells(old, new.around.said) or _tells(old, new.around.asked)


def _tells(matter: _Matter, text: str) -> bool:
    return any(_told(value, text) for _, value in matter.values)


def _told(words: str, text: str) -> bool:
    """Whether words stand in a text, not as part of a longer word or number."""
    words = words.lower()
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        before, after = text[max(0, at - 2) : at], text[end : end + 2]
        if not (_glued(before, words[0]) or _glued(words[-1], after)):
            return True
        at = text.find(words, at + 1)
    return False


def _glued(left: str, right: str) -> bool:
    if not left or not right or not (left[-1].isascii() and right[0].isascii()):
        return False
    if left[-1].isalnum() and right[0].isalnum():
        return True
    return _IN_NUMBER.fullmatch(left[-2:] + right[:2]) is not None


_IN_NUMBER = re.compile(r"\d[.,:]\d|.?\d[.,:]\d", re.A)


# --- choices ----------------------------------------------------------------------------


def _choices(new: Move, earlier: Earlier, all_: All) -> list[int]:
    """The earlier choices on the same matter: those that share most with the new one."""
    best, found = 0, list[int]()
    for old in earlier:
        weight = _same_choice(new, all_[old])
        if weight > best:
            best, found = weight, [old]
        elif weight and weight == best:
            found.append(old)
    decided = [old for old in earlier if all_[old].kind == "decision"]
    if not found and new.withdraws and decided:
        last = decided[-1]
        return [last] if new.message - all_[last].message <= _NEAR else []
    return found


# Choosing one thing does not bring back another that was ruled out.
_REJECTIONS = frozenset({"zh.drop", "zh.stop", "zh.not-do", "en.no-noun", "agree"})


def _same_choice(new: Move, old: Move) -> int:
    """How much two choices have in common, 0 when they are on different matters."""
    if old.rule in _REJECTIONS:
        return 0
    ours, theirs = new.matter.names, old.matter.names
    shared, fresh, gone = ours & theirs, ours - theirs, theirs - ours
    if _ANNULS.search(new.sentence) and not (ours | new.led.names).isdisjoint(
        theirs | old.around.offered
    ):
        return 2
    if shared and new.drops and not old.drops:
        return 2 * len(shared) + 2
    against = _INSTEAD_OF.search(new.sentence)
    if fresh and against and (named := terms(against.group(1)) & theirs):
        return 2 * len(named) + 1
    if not fresh or (_sets(new) and not _sets(old)):
        return 0  # to change one value of a plan takes nothing else of it back
    if told := _spoken_of(new, theirs, gone):
        return 2 * told + 1
    if gone and new.changes and not new.led.names.isdisjoint(old.around.topic):
        return 1
    if gone and shared and new.changes:
        return 2 * len(shared)
    if not gone or not _side_by_side(fresh, gone, old):
        return 0
    lately = new.around.said, new.around.earlier
    return int(any(_told(term, text) for term in gone for text in lately))


def _sets(move: Move) -> bool:
    """Whether it sets a value."""
    return not move.matter.units <= {"name", "version"}


def _spoken_of(new: Move, theirs: frozenset[str], gone: frozenset[str]) -> int:
    """How many of the terms stand where something is changed, or where fault is found with it."""
    said = new.around.said
    if _OUT.search(said):  # "then they're out": who was just spoken of
        return sum(_told(term, f"{new.around.heard} {said}") for term in theirs)
    if gone and (new.changes or new.withdraws):
        return sum(_told(term, said) for term in theirs)
    if new.around.faulty:
        faults = [part for part in _PARTS.split(said) if _FAULTS.search(part)]
        return sum(any(_told(term, part) for part in faults) for term in theirs)
    return 0


_PARTS = re.compile(r"[。！？；\n]|[.!?;](?=\s|$)")
_OUT = re.compile(
    r"\b(?:they'?re|it'?s|that'?s|he'?s|she'?s|those are) (?:out|gone|off|dead)\b", re.I | re.A
)
_INSTEAD_OF = re.compile(
    r"\b(?:instead of|rather than|no longer|(?:mov|switch|migrat)(?:e|es|ed|ing) (?:off|away from|from)) (?:the |a |an |using )?([^,.;]{2,40})",
    re.I | re.A,
)


def _side_by_side(ours: frozenset[str], theirs: frozenset[str], old: Move) -> bool:
    """Whether both were offered together."""
    offered = old.around.heard
    return all(any(_told(term, offered) for term in side) for side in (ours, theirs))
