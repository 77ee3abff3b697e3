"""A passage that will be an entry -> what its matter is, and what is said around it.

Everything is worked out when it is first asked for, and once: a later move looks at many
earlier ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from dcb.extract.filters import occurs
from dcb.extract.once import once
from dcb.extract.terms import singular, terms
from dcb.extract.told import told
from dcb.extract.values import Value, even, values
from dcb.model import Kind


class Around:
    """What a message says and stands next to, in lower case; worked out when first asked for."""

    def __init__(self, said: str, heard: str, earlier: str) -> None:
        self._said = said
        self._heard = heard
        self._earlier = earlier
        self._blamed: dict[str, bool] = {}
        self._faults: dict[str, bool] = {}  # sentence -> whether it finds fault

    @once
    def said(self) -> str:
        """The message."""
        return self._said.lower()

    @once
    def heard(self) -> str:
        """What it answers."""
        return self._heard.lower()

    @once
    def offered(self) -> frozenset[str]:
        """Terms of what it answers."""
        return terms(self._heard)

    @once
    def earlier(self) -> str:
        """The two messages before."""
        return self._earlier.lower()

    @once
    def asked(self) -> str:
        """What it answers: the question, or all of it when nothing was asked."""
        return (self._question or self._heard).lower()

    def blames(self, term: str) -> bool:
        """Whether a sentence of the message finds fault with what it names so."""
        blamed = self._blamed.get(term)
        if blamed is None:
            blamed = self._blamed[term] = term in self.said and any(
                term in part and told(term, part) and self._finds_fault(part)
                for part in self._parts
            )
        return blamed

    @once
    def _parts(self) -> list[str]:
        return _PARTS.split(self.said)

    def _finds_fault(self, part: str) -> bool:
        fault = self._faults.get(part)
        if fault is None:
            fault = self._faults[part] = _FAULTS(part)
        return fault

    @once
    def outs(self) -> bool:
        """Whether the message is done with who was just spoken of: "then they're out"."""
        said = self.said
        return any(word in said for word in _GONE) and _OUT(said)

    @once
    def turns(self) -> bool:
        """Whether the message turns from what was just spoken of, without naming it."""
        return _TURNS(self.said) or _FAULTS(self.said)

    @once
    def doubted(self) -> bool:
        """Whether what it answers finds fault with something."""
        return _FAULTS(self.heard)

    @once
    def topic(self) -> frozenset[str]:
        """Terms of the question that it answers."""
        return terms(self._question)

    @once
    def things(self) -> frozenset[str]:
        """The same in the singular: what is asked for."""
        return singular(self.topic)

    @once
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
        number: int,
        sentence: str = "",
        around: Around = _NOWHERE,
        corrects: bool = False,
        withdraws: bool = False,
    ) -> None:
        self.number = number  # of the candidate, in order
        self.kind = candidate.kind
        self.message = candidate.message
        self.start = candidate.start
        self.end = candidate.end
        self.group = candidate.group
        self.rule = candidate.rule
        self.via = candidate.via
        self.clause = clause  # the words that settle it
        self.lines = "\n" in clause  # whether they are several: a table
        self.sentence = sentence  # the sentence that they stand in
        self.around = around
        self.corrects = corrects
        self.withdraws = withdraws

    def same(self, other: Move) -> bool:
        """Whether both were made by the same words."""
        return (self.message, self.start, self.end) == (other.message, other.start, other.end)

    @once
    def head(self) -> str:
        """The Han character that its clause begins with, when that can name a thing: 糖, 盐."""
        found = _HEAD.match(self.clause)
        return found.group(1) if found else ""

    @once
    def matter(self) -> Matter:
        """What it is about, by its clause."""
        return matter(self.clause)

    @once
    def chooses(self) -> bool:
        """Whether it takes one of several things, or gives a name."""
        units = self.matter.units
        return self.kind == "decision" or (self.kind == "parameter" and units <= NAMING)

    @once
    def things(self) -> frozenset[str]:
        """The terms in its values, each in the singular: what is counted."""
        return singular(terms(" ".join(value for _, value in self.matter.values)))

    @once
    def led(self) -> Matter:
        """What it is about, by its whole sentence."""
        return self.matter if self.sentence == self.clause else matter(self.sentence)

    @once
    def changes(self) -> bool:
        """Whether it puts one thing in the place of another."""
        return _CHANGES(self.sentence)

    @once
    def annuls(self) -> bool:
        """Whether it takes back what was settled before."""
        return _ANNULS(self.sentence)

    @once
    def against(self) -> frozenset[str]:
        """Terms of what it puts something in the place of."""
        found = _INSTEAD_OF.search(self.sentence)
        return terms(found.group(1)) if found else frozenset()

    @once
    def drops(self) -> bool:
        """Whether it takes a thing away."""
        return _DROPS(self.clause)


class Matter(NamedTuple):
    """What tells two candidates' matters apart."""

    values: frozenset[tuple[str, str]]  # (unit, text)
    units: frozenset[str]
    names: frozenset[str]  # terms of the clause, without its values
    plain: bool  # whether a value is a bare number
    counted: bool  # whether the unit of a value may go without saying


def matter(text: str) -> Matter:
    """What a text is about."""
    alike = even(text)
    units, places, names = _shape(alike)
    if names is None:
        names = _names(text, values(text))
    return Matter(
        frozenset([(unit, text[start:end].strip()) for unit, start, end in places]),
        units,
        names,
        not units.isdisjoint(PLAIN),
        not units <= UNCOUNTED,
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


NAMING = frozenset({"name", "version"})  # units of what gives a name rather than a value
PLAIN = frozenset({"number", "word"})
UNCOUNTED = frozenset({"name", "template", "version", "date", "time"})
# A default and its limits are matters of their own.
_BOUND = re.compile(r"\b(max|min|default)(?:imum)?s?\b", re.I | re.A)
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
_CHANGES = occurs(
    r"\b(?:instead|rather than|switch(?:ing|ed)?|mov(?:e|ing|ed) (?:\w+ )?(?:over )?to|migrat\w+|replac\w+|swap\w*|scrap\w*|scratch|drop\w*"
    r"|ditch\w*|(?:so|our|my|the) new [a-z]+|no longer|anymore|any more|(?:back|down|up) to|on second thoughts?|changed? (?:my|our|of|it|that|the)|after all|actually"
    r"|make (?:it|that|them)|revert\w*|(?:it|that)'?s [\w.+#-]+ now|now|turns out|sorry|forget|supersedes?|overrides?)\b"
    r"|改|换|迁|替|不用了|不要了|算了|放弃|弃用|还是|重新|推翻|作废|变成|挪|搬|收回|反悔|(?:推|调|提|降|加|减|缩|延|压|涨)(?:到|至|成)",
)
# What speaks against the thing that is named with it.
_FAULTS = occurs(
    r"\b(?:taken|too [a-z]+|pricey|expensive|slow|down|gone|out|off|broken|doesn'?t|didn'?t|isn'?t|can'?t|won'?t|not|only offers"
    r"|nah|nope|sad|boring|dull|trademarked|discontinued|banned|illegal|unsupported|deprecated|out of stock|clash\w*|conflicts?|leaving|broke|died|awful|terrible|ugly|horrible|says no"
    r"|no longer|fails?|failed|booked|sold out|unavailable|closed|cancell?ed|wrong|nobody)\b"
    r"|被占|被订|太[^，。]|不行|不好|不够|不支持|没有|撑不住|跑不动|放弃|不要|不用|不做|不了|满了|关了|停了|下架|取消|错了",
)
# How one turns from a thing: another's objection, a discovery, a sigh.
_TURNS = occurs(
    r"\b(?:damn|oh no|hm+|ugh|oops|argh|instead|after all|turns out|on reflection|second thoughts?|changed? (?:my|our|her|his|their) minds?"
    r"|says? no|said no|vetoe[ds]|objects?|refuse[ds]?|hates?|hated|don'?t (?:like|love|want|think)|didn'?t (?:like|work)|disliked?|prefers?|preferred|not (?:so )?(?:keen|sure|happy|great|convinced)"
    r"|overkill|would rather|rather not|looks? (?:like|awful|bad|cheap)|regret(?:ted)?|then|it is)\b"
    r"|试了|试过|发现|不喜欢|不想|不合适|不太|像[^，。]{1,6}[，。]|太多|太大|不理想|反对|嫌|改主意|想了想|想来想去|其实|不如|倒不如|更(?:合适|好|喜欢)|出差|来不了|那就?[用选走改去叫]",
)
_PARTS = re.compile(r"[。！？；\n]|[.!?;](?=\s|$)")
# What is said of who or what was just spoken of.
_GONE = ("out", "gone", "off", "dead")
_OUT = occurs(rf"\b(?:they'?re|it'?s|that'?s|he'?s|she'?s|those are) (?:{'|'.join(_GONE)})\b")
# What takes a thing away without putting another in its place.
_DROPS = occurs(
    r"\bno (?:more )?[a-z]+(?: [a-z]+)?[.!]*$|\b(?:drop|scrap|scratch|cut|kill|remove|skip|lose|ditch|cancel|forget|abandon|leave out|no need for|don'?t need|won'?t (?:do|have|need|use)|not doing"
    r"|no longer|rules? out|is out|are out|off the table|call off|get rid of|let'?s not)\b"
    r"|砍|删|去掉|取消|不做|不要|不搞|不用|不上|不需要|不办|不写|放弃|撤掉|算了|免了|排除|作废",
)
# What takes back what was settled before.
_ANNULS = occurs(r"作废|推翻|撤回|不算数|不作数|\b(?:void|scrap(?:ped)?|revoke|overrul\w+|null)\b")
_INSTEAD_OF = re.compile(
    r"\b(?:instead of|rather than|no longer|(?:mov|switch|migrat)(?:e|es|ed|ing) (?:off|away from|from)) (?:the |a |an |using )?([^,.;]{2,40})",
    re.I | re.A,
)
_HEAD = re.compile(
    r"[\s，,]*([\u3400-\u9fff])(?<![改换减加调提降涨缩延推压放用设定是不最限那就还再先也都把要每共只超大约到按从在用走一二两三四五六七八九十这我你他她它])"
)
