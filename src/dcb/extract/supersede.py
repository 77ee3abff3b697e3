"""Candidates in order -> which of them a later one replaced.

A later choice replaces an earlier one on the same matter: it answers the same question, it
takes back what it names, it changes what stands under the same name, or it sets another value
of the same sort there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from dcb.extract.terms import terms
from dcb.extract.values import values
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
    def words(self) -> frozenset[str]:
        """Terms of the message."""
        return terms(self._said)

    @cached_property
    def offered(self) -> frozenset[str]:
        """Terms of what it answers."""
        return terms(self._heard)

    @cached_property
    def earlier(self) -> frozenset[str]:
        """Terms of the two messages before."""
        return terms(self._earlier)

    @cached_property
    def topic(self) -> frozenset[str]:
        """Terms of the question that it answers."""
        heard = self._heard
        if heard[-1:] not in ("?", "？"):
            return frozenset()
        return terms(heard[max(map(heard.rfind, "。.!！;；\n")) + 1 :])


_NOWHERE = Around("", "", "")


class Candidate(NamedTuple):
    """A passage that will be an entry, with what tells its matter."""

    kind: Kind
    message: int
    start: int
    end: int
    rule: str
    lang: str = ""
    via: int | None = None  # message that accepted it
    group: int = 0  # pieces of one sentence share it
    clause: str = ""  # the words that settle it
    sentence: str = ""  # the sentence that they stand in
    around: Around = _NOWHERE
    corrects: bool = False
    withdraws: bool = False


class _Matter(NamedTuple):
    """What tells two candidates' matters apart."""

    values: frozenset[tuple[str, str]]  # (unit, text)
    units: frozenset[str]
    names: frozenset[str]  # terms of the clause, without its values


@lru_cache(maxsize=4096)
def _matter(text: str) -> _Matter:
    found = values(text)
    pieces, at = [], 0
    for value in found:
        if value.type not in ("name", "version"):
            pieces.append(text[at : value.start])
            at = value.end
    return _Matter(
        frozenset((v.unit, text[v.start : v.end].strip()) for v in found),
        frozenset(v.unit for v in found),
        terms(_ADVERB.sub(" ", " ".join([*pieces, text[at:]]))),
    )


# Words that set, bound or hedge, and so name no matter.
_ADVERB = re.compile(
    r"[^，。 ]{1,4}起见|测试(?:的时候|时)|反正|干脆|索性|统一|控制|提到|降到|加到|减到|推到|调到|首版|暂时|直接|一律"
    r"|\b(?:say|says|goes|going|doing|bump|raise|lower|reduce|increase|cut|push|call|name|named|called|cap|limit"
    r"|halve|double|start|try|stick|settle|choose|pick|prefer|think|reckon|better|safer|enough|plenty"
    r"|only|really|sorry|oops|hmm|it'?ll|that'?ll|we'?ve|i'?ll|i'?m|they'?ll|total|exactly|around|instead|back|want"
    r"|taken|full|many|much|everywhere|always|must|never|second thoughts?|should|been|same|way|thing|stuff)\b",
    re.I | re.A,
)
# Words that put one thing in the place of another.
_CHANGES = re.compile(
    r"\b(?:instead|rather than|switch(?:ing|ed)?|mov(?:e|ing|ed) (?:\w+ )?(?:over )?to|migrat\w+|replac\w+|swap\w*|scrap\w*|drop\w*"
    r"|ditch\w*|no longer|anymore|any more|(?:back|down|up) to|on second thoughts?|changed? (?:my|our|of|it|that|the)|after all|actually"
    r"|make (?:it|that|them)|revert\w*|(?:it|that)'?s [\w.+#-]+ now|now|turns out|sorry|forget|supersedes?|overrides?)\b"
    r"|改|换|迁|替|不用了|不要了|算了|放弃|弃用|还是|重新|推翻|作废|变成|挪|搬|收回|反悔|(?:推|调|提|降|加|减|缩|延|压|涨)(?:到|至|成)",
    re.I | re.A,
)
# Words that move a value up or down.
_SCALES = re.compile(
    r"\b(?:down|up|back) to\b|\b(?:raise|lower|bump|increase|reduce|cut)\b|(?:提|降|加|减|涨|缩|延|推|调|压)(?:到|至|成)",
    re.I,
)
# What speaks against the thing that is named with it.
_FAULTS = re.compile(
    r"\b(?:taken|too [a-z]+|pricey|expensive|slow|down|gone|out|off|broken|doesn'?t|didn'?t|isn'?t|can'?t|won'?t|not|only offers"
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


def replaced(candidates: Sequence[Candidate]) -> dict[int, int]:
    """Index of each replaced candidate -> index of the one that replaced it. Code not included."""
    found: dict[int, int] = {}
    recent: list[int] = []
    for number, new in enumerate(candidates):
        if new.kind == "code":
            continue
        if new.via is None:
            earlier = [n for n in recent[-_REACH:] if n not in found]
            earlier = [n for n in earlier if candidates[n].message < new.message]
            for old in _older(new, earlier, candidates):
                found[old] = number
        recent.append(number)
    return found


Earlier = Sequence[int]
All = Sequence[Candidate]


def _older(new: Candidate, earlier: Earlier, all_: All) -> Iterator[int]:
    """The candidates that a new one replaces."""
    if new.kind == "directive":
        return
    if new.kind == "parameter" or _matter(new.clause).units:
        yield from _values(new, earlier, all_)
    if _chooses(new):
        yield from _choices(new, [n for n in earlier if _chooses(all_[n])], all_)


def _chooses(candidate: Candidate) -> bool:
    """Whether it takes one of several things, or gives a name."""
    units = _matter(candidate.clause).units
    return candidate.kind == "decision" or (
        candidate.kind == "parameter" and units <= {"name", "version"}
    )


# --- values -----------------------------------------------------------------------------


def _values(new: Candidate, earlier: Earlier, all_: All) -> list[int]:
    """Earlier values of the same sort that a new one replaces."""
    ours = _matter(new.clause)
    rivals = [old for old in earlier if _rival_value(new, all_[old])]
    found = [old for old in rivals if _same_value(new, all_[old])]
    if not found and new.corrects and (not ours.names or _found(_SCALES, new.sentence)):
        alike = [old for old in rivals if ours.units & _matter(all_[old].clause).units]
        alike = alike or [old for old in rivals if new.message - all_[old].message <= _NEAR]
        return alike if len(alike) == 1 else []  # "move it to 03:30": the only time there is
    return found


def _rival_value(new: Candidate, old: Candidate) -> bool:
    if old.kind == "directive":
        return False
    # What is more than a value falls only to a change that names it.
    mere = new.kind == old.kind == "parameter"
    ours, theirs = _matter(new.clause), _matter(old.clause)
    return _comparable(ours, theirs) and (
        mere or (not ours.names.isdisjoint(theirs.names) and _changes(new))
    )


def _comparable(new: _Matter, old: _Matter) -> bool:
    sorts, others = new.units, old.units
    if sorts.isdisjoint(others):
        # A bare number takes the unit of what it is compared with: "8" and "4px".
        plain = bool(sorts & _PLAIN and others - {"name"})
        if not plain and not (others & _PLAIN and sorts - {"name"}):
            return False
    return new.values.isdisjoint(old.values)


_PLAIN = frozenset({"number", "word"})


def _same_value(new: Candidate, old: Candidate) -> bool:
    ours, theirs = _matter(new.clause), _matter(old.clause)
    named = not ours.names.isdisjoint(theirs.names) or _asked(new, old) or _led(new, old)
    if ours.units == {"name"}:
        return named and new.corrects
    if named:
        return _same_name(new, old)
    return _same_sort(new, old)


def _same_name(new: Candidate, old: Candidate) -> bool:
    """Whether two values under a common name belong to one thing: not adults and children."""
    ours, theirs = _matter(new.clause).names, _matter(old.clause).names
    if new.corrects or _changes(new) or _repeated(_matter(old.clause), new):
        return True
    apart = ours - theirs and theirs - ours
    return new.message - old.message <= _NEAR and not apart


def _same_sort(new: Candidate, old: Candidate) -> bool:
    """Whether a value without a common name still stands against an earlier one."""
    ours, theirs = _matter(new.clause), _matter(old.clause)
    same_unit = not ours.units.isdisjoint(theirs.units)
    if new.corrects and same_unit and _tells(theirs, new.around.said):
        return True
    distance = new.message - old.message
    if distance > _NEAR:
        return False
    if not ours.names:
        return (new.corrects and same_unit) or _repeated(theirs, new)
    if theirs.names or not same_unit or distance > _NEXT:
        return False
    return new.corrects or _tells(ours, new.around.heard)


def _led(new: Candidate, old: Candidate) -> bool:
    """Whether a change names its object earlier in the sentence."""
    return _changes(new) and not _matter(new.sentence).names.isdisjoint(_matter(old.clause).names)


def _asked(new: Candidate, old: Candidate) -> bool:
    """Whether one is told under the name that the other was asked for."""
    return not (
        _matter(new.clause).names.isdisjoint(old.around.topic)
        and new.around.topic.isdisjoint(_matter(old.clause).names)
    )


def _repeated(old: _Matter, new: Candidate) -> bool:
    return _tells(old, new.around.said) or _tells(old, new.around.heard)


def _tells(matter: _Matter, text: str) -> bool:
    return any(_told(value, text) for _, value in matter.values)


def _told(words: str, text: str) -> bool:
    """Whether words stand in a text, not as part of a longer word or number."""
    words = words.lower()
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        before, after = text[at - 1 : at], text[end : end + 1]
        if not (_glued(before, words[0]) or _glued(words[-1], after)):
            return True
        at = text.find(words, at + 1)
    return False


def _glued(left: str, right: str) -> bool:
    if not left or not right or not (left.isascii() and right.isascii()):
        return False
    return left.isalnum() and right.isalnum()


# --- choices ----------------------------------------------------------------------------


def _choices(new: Candidate, earlier: Earlier, all_: All) -> list[int]:
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


def _same_choice(new: Candidate, old: Candidate) -> int:
    """How much two choices have in common, 0 when they are on different matters."""
    if old.rule in _REJECTIONS:
        return 0
    ours, theirs = _matter(new.clause).names, _matter(old.clause).names
    shared, fresh, gone = ours & theirs, ours - theirs, theirs - ours
    if shared and _drops(new) and not _drops(old):
        return 2 * len(shared)
    if not fresh:
        return 0
    told = theirs & new.around.words
    if told and (_changes(new) or new.withdraws or _faulty(new)) and (gone or _faulty(new)):
        return 2 * len(told) + 1
    if gone and shared and _changes(new):
        return 2 * len(shared)
    lately = new.around.earlier | new.around.words
    return int(bool(gone & lately) and _side_by_side(fresh, gone, old))


def _side_by_side(ours: frozenset[str], theirs: frozenset[str], old: Candidate) -> bool:
    """Whether both were offered together."""
    return not (ours.isdisjoint(old.around.offered) or theirs.isdisjoint(old.around.offered))


def _changes(candidate: Candidate) -> bool:
    return _found(_CHANGES, candidate.sentence)


def _faulty(candidate: Candidate) -> bool:
    return _found(_FAULTS, candidate.around.said)


def _drops(candidate: Candidate) -> bool:
    return _found(_DROPS, candidate.clause)


@lru_cache(maxsize=4096)
def _found(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None
