"""A passage that will be an entry -> what it does, and what tells its matter.

Everything is worked out when it is first asked for, and once: a later move looks at many
earlier ones.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dcb.extract.around import Around
from dcb.extract.filters import occurs
from dcb.extract.matter import NAMING, Matter, matter
from dcb.extract.once import once
from dcb.extract.terms import singular, terms
from dcb.model import Kind

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
    def recorded(self) -> frozenset[str]:
        """Terms under which what answers it repeats its value."""
        return self.around.repeated([value for _, value in self.matter.values]) - self.matter.names

    @once
    def confirming(self) -> frozenset[str]:
        """The same, or all that what answers it is about when that repeats no value of it."""
        return self.recorded or self.around.answered

    @once
    def relative(self) -> bool:
        """Whether it speaks of more or less: "two more", "减半"."""
        return _RELATIVE(self.sentence)

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


# Words that put one thing in the place of another.
_CHANGES = occurs(
    r"\b(?:instead|rather than|switch(?:ing|ed)?|mov(?:e|ing|ed) (?:\w+ )?(?:over )?to|migrat\w+|replac\w+|swap\w*|scrap\w*|scratch|drop\w*"
    r"|ditch\w*|(?:so|our|my|the) new [a-z]+|no longer|anymore|any more|(?:back|down|up) to|on second thoughts?|changed? (?:my|our|of|it|that|the)|after all|actually"
    r"|make (?:it|that|them)|revert\w*|(?:it|that)'?s [\w.+#-]+ now|now|turns out|sorry|forget|supersedes?|overrides?)\b"
    r"|改|换|迁|替|不用了|不要了|算了|放弃|弃用|还是|重新|推翻|作废|变成|挪|搬|收回|反悔|(?:推|调|提|降|加|减|缩|延|压|涨)(?:到|至|成)",
)
# What is told by its distance from what was.
_RELATIVE = occurs(
    r"\b(?:stretch|squeeze|go (?:up|down)|as (?:high|low|far) as|more|less|fewer|later|earlier|longer|shorter|higher|lower|bigger|smaller|half|halve|double|twice|another|extra|add|minus|plus|a notch|back)\b"
    r"|加|减|推后|推迟|提前|延后|延长|翻倍|翻番|减半|一半|多|少|降|升|涨|放宽|压"
)
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
