"""A message and what stands next to it -> what they ask, find fault with and tell again.

Everything is worked out when it is first asked for, and once: a later move looks at many
earlier ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dcb.extract.filters import occurs
from dcb.extract.matter import Matter, matter
from dcb.extract.once import once
from dcb.extract.terms import singular, terms
from dcb.extract.told import told


class Around:
    """What a message says and stands next to, in lower case; worked out when first asked for."""

    def __init__(
        self, said: str, heard: str, earlier: str, reply: str = "", *, turn: int = 0
    ) -> None:
        self.turn = turn  # how many messages were spoken before; tools do not speak
        self._said = said
        self._heard = heard
        self._earlier = earlier
        self._reply = reply
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
    def lengthy(self) -> bool:
        """Whether the message is more than talk: it names what it changes."""
        return len(self._said) > _TALK

    @once
    def words(self) -> frozenset[str]:
        """Terms of the message."""
        return terms(self._said[:_TALK])

    @once
    def reply(self) -> str:
        """What answers it."""
        return self._reply.lower()

    @once
    def answered(self) -> frozenset[str]:
        """Terms of what answers it."""
        return terms(self._reply)

    @once
    def replied(self) -> Matter:
        """What the answer to it is about."""
        return matter(self._reply)

    @once
    def confirmed(self) -> bool:
        """Whether what answers it tells of a change: "updated", "instead of 8", "已改"."""
        return _CONFIRMS(self.reply)

    @once
    def thinks(self) -> bool:
        """Whether the message begins by thinking again or with news: "actually", "等等"."""
        return _THINKS(self.said[:_BEGINNING])

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

    def repeated(self, told_values: Iterable[str]) -> frozenset[str]:
        """Terms of the sentences of what answers it that repeat one of these values."""
        parts = _PARTS.split(self.reply)
        return terms(" ".join(p for p in parts if any(told(value, p) for value in told_values)))

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
_TALK = 400  # characters of a message; in a longer one the rest is material
_BEGINNING = 80  # characters at the head of a message
# How one comes back to what was settled.
_THINKS = occurs(
    r"\b(?:actually|wait|oh|hm+|sorry|oops|scratch|no[,.]|i'?ve (?:changed|thought)|thinking about it|change of|news|turns out|by the way|btw"
    r"|about (?:the|that|those)|one more|on second|just (?:heard|talked|spoke|saw|got)|called|says|said|wants)\b"
    r"|等等|对了|刚|还是|改|不对|想了|想想|其实|算了|另外|回来|说了|反悔|重新|之前|原来|前面|那个"
)
# How one tells that a change was made.
_CONFIRMS = occurs(
    r"\b(?:updated?|chang(?:ed|es|ing)|now|instead of|was|were|revised|rais(?:ed|es)|lower(?:ed|s)|moved?|moves|reduced|corrected|swapped|replac(?:ed|es)|new|becomes?|went|goes|from)\b"
    r"|改|换|调整|更新|现在|原来|由|变|降|升|提|加到|减到|推|挪|撤|删|去掉"
)
