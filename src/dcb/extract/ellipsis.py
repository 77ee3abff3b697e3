"""English words without a verb of their own -> the clause that takes up what was just said.

"Marble chips." or "overnight in the fridge": most of the words are the other's, and they tell
nothing new. "AQA." or "fct_mrr." after a question is the name that was asked for.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dcb.extract.clauses import Clause
from dcb.extract.filters import occurs

_LONGEST = 64  # characters of a clause that only takes something up
_CLAUSES = 2  # clauses in which it is looked for
_MOST = 6  # words of its own that it may hold
_HEARD = 2400  # characters of the message before

_WORD = re.compile(r"[A-Za-zÀ-ɏ0-9][\w'’À-ɏ]*", re.A)
_HAN = re.compile(r"[\u3400-\u9fff]")
# Words that carry nothing in an answer.
_SMALL = re.compile(
    r"ok(?:ay|ok)?|yes|yeah|ye?up|yep|no|oh|ah|right|sure|sold|fine|well|then|so|please|pls|thanks|obv(?:iously)?|definitely|of|course"
    r"|the|an?|and|with(?:out)?|in|on|at|for|to|from|by|per|as|into|under|over|it|just|only|both|all|each|every|plus|first|second|third"
    r"|one|two|three|four|five|six|instead|this|time|go|going|us(?:e|ing)|tak(?:e|ing)|keep|do|let's|me|us|them|him|my|our|your|their|her|his|is|are|\d+"
)
# What tells, judges or asks rather than takes.
_TELLS = occurs(
    r"\b(?:was|were|(?:is|was|were|does|do|did|has|have|had)n'?t|aren'?t|has|have|had|does|did|do i|costs?|takes|took|looks?|seems?|feels?|sounds?|means?|needs?|wants?|went|got|gets?"
    r"|would|will|won'?t|can'?t|cannot|could|can|should|might|may|i|i'[a-z]+|he|she|they|we|you|too|not|never|but|why|how|what|when|where|which"
    r"|than|because|maybe|perhaps|or|vs|already|yet|later|now|next|also|another|more|again|still|about|if|nice|great|good|lovely|love|perfect"
    r"|cool|interesting|fun|funny|wow|hate|weird|ugh|oof|typical|hm+|ha|haha|lol|who|unless|except|until|after|before|hello|hi|thanks?|wrote|said|told|asked|gave|sent|called|emailed|mailed|pasting|pasted?|found|heard|saw|better|worse|argh|god|heavens|oops|dunno|idk|none|nothing|whatever)\b|[?=…]|\.\.|^\W*no [a-z]",
)
# "…, so Fly" concludes; "We're renting." takes up renting.
_SO = re.compile(r"\s*so (?!that\b)", re.I)
_WE_WILL = re.compile(
    r"^\s*(?:so |then |ok |okay )*(?:we'?re|i'?m|we'?ll|i'?ll|let'?s) (?=[a-z]+(?:ing)?[.,;!]*\s*$)",
    re.I,
)
_COPULA = re.compile(r"\b(?:is|are|it's|that's)\b", re.I | re.A)
# A name as machines know it: fct_mrr, AQA, eu-west-3, "c. 1928".
_NAME = re.compile(
    r"(?:(?:ok|okay|then|so|yes|no),? )*"
    r"(?:(?-i:[A-Z]{2,}[0-9]*|[A-Z][a-z]+[A-Z]\w*)|[\"“`][^\"”`]{1,40}[\"”`]|[\w.-]*(?:_\w|\d-?[a-z]|[a-z]-?\d|-\d)[\w.-]*)"
    r"(?:,? (?:then|please|pls|it is))?[.,;!]*\s*",
    re.I | re.A,
)
_YES_NO = re.compile(r"\W*(?:no|nope|ok|yes|yep|nah|lol|omg|wow|ugh|thx|pls|v?i+)\W*", re.I)


def taken_up(
    text: str, clauses: tuple[Clause, ...], heard: str, *, agreed: bool, instead: bool
) -> Clause | None:
    """The first clause that says again what was heard; one with "is" only after a yes.

    `instead`: something was turned down just before, so that this stands in its place.
    """
    concluded = clauses[-1:] if _SO.match(text, clauses[-1].start) else ()
    for clause in (*concluded, *clauses[:_CLAUSES]):
        said = _WE_WILL.sub("", text[clause.start : clause.end])
        if len(said) > _LONGEST or _HAN.search(said) or _TELLS(said):
            if clause in concluded:
                continue
            return None
        copula = _COPULA.search(said) is not None
        if copula and not agreed:
            return None
        words = [w for w in map(str.lower, _WORD.findall(said)) if not _SMALL.fullmatch(w)]
        if words:
            meant = (instead and not copula) or _again(words, heard, 2 / 3 if copula else 1 / 2)
            return clause if meant and len(words) <= _MOST else None
    return None


def _again(words: list[str], heard: str, share: float) -> bool:
    """Whether so great a share of the words was heard."""
    stems, heard = list(map(_stem, words)), heard[-_HEARD:].lower()
    # The cheapest look first: a word begins with its stem, and most were not heard.
    if not _enough(sum(map(heard.__contains__, stems)), words, share):
        return False
    return _enough(sum(map(_stems(heard).__contains__, stems)), words, share)


def _enough(again: int, words: list[str], share: float) -> bool:
    return again > 0 and again >= share * len(words)


def replied(text: str, clauses: tuple[Clause, ...], heard: str) -> Clause | None:
    """A yes or no to a proposal that says what is wanted: "Nope, plain cover."."""
    asked = (
        heard[max(map(heard.rfind, ".!\n;")) + 1 :].strip() if heard.rstrip()[-1:] == "?" else ""
    )
    if not asked or _FACTUAL.match(asked) or len(text) > _LONGEST or _HAN.search(text):
        return None
    found = _REPLY.match(text)
    end = clauses[min(1, len(clauses) - 1)].end
    if found is None or _TELLS_MORE.search(text, found.end(), end):
        return None
    return Clause(0, end)


def wanted(clauses: tuple[Clause, ...], text: str, heard: str) -> Clause | None:
    """What is named after "Caterer?" or "Which colour for the door?"."""
    asked = (
        heard[max(map(heard.rfind, ".!\n;")) + 1 :].strip() if heard.rstrip()[-1:] == "?" else ""
    )
    if not asked or _FACTUAL.match(asked) or _IDLE.search(asked):
        return None
    named = len(asked.split()) <= _FRAGMENT and not _FINITE.search(asked)
    if not named and not _WISHES.search(asked):
        return None
    said = text[clauses[0].start : clauses[0].end]
    if (
        said.rstrip()[-1:] == ":"
        or len(said) > _LONGEST
        or _HAN.search(said)
        or _TELLS(said)
        or _COPULA.search(said)
    ):
        return None
    told = [w for w in map(str.lower, _WORD.findall(said)) if not _SMALL.fullmatch(w)]
    return clauses[0] if 0 < len(told) <= _MOST else None


def beside(text: str, clause: Clause) -> bool:
    """Whether a clause may choose where its neighbours set values: it counts and labels nothing."""
    return not _COUNTS.search(text, clause.start, clause.end)


_COUNTS = re.compile(r"\d|[:：]\s*$")


def picked(clauses: tuple[Clause, ...], text: str, heard: str) -> Clause | None:
    """Han words that are all the answer to a question which leaves a choice: "本子" after "…还是…？"."""
    if heard.rstrip()[-1:] not in ("?", "？"):
        return None
    asked = heard[max(map(heard.rfind, "。！!\n；;")) + 1 :]
    if not _LEAVES_CHOICE.search(asked) or _ASKS_WHY.search(asked):
        return None
    for clause in (clauses[0], clauses[-1]):
        said = text[clause.start : clause.end].strip(" ，。！!…")
        if 2 <= len(said) <= _FEW and _HAN.match(said) and not _NO_PICK.search(said):
            return clause
    return None


def echoed(clauses: tuple[Clause, ...], text: str, heard: str) -> Clause | None:
    """A single Han verb said back to a proposal: "加。" or "行，学。" after "建议…"."""
    if not _PROPOSES.search(heard):
        return None
    for clause in clauses[:_CLAUSES]:
        found = _ECHO.fullmatch(text, clause.start, clause.end)
        if found and found.group(1) in heard:
            return clause
        if not _NOD.fullmatch(text, clause.start, clause.end):
            return None
    return None


_PROPOSES = re.compile(r"建议|推荐|可以|要不要|值得|不妨|需要|最好|吗？|否")
_ECHO = re.compile(
    r"\s*(?:那|就|嗯|行|好|先)*不?([加删改换留学买去拆搬签投报租退停关开迁升降租做写画拍录印发调补])(?:吧|了|掉|上|着|呗)?[，,。！!…\s]*"
)
_NOD = re.compile(r"\s*(?:嗯+|好的?|行[吧叭]?|可以|也是|对|有道理|也行|OK|ok)[，,。！!\s]*")
_FEW = 6  # Han characters that can be nothing but an answer
_LEAVES_CHOICE = re.compile(r"还是|哪|什么|谁|或者|几种|怎么(?:处理|安排|分|办|排|放|走|收|做|付)")
_ASKS_WHY = re.compile(r"为什么|怎么样|怎么看|什么意思|什么问题|什么时候")
_NO_PICK = re.compile(
    r"[?？吗呢么嘛不没别太难好嗯哈呃哦唉啊呀这那你他她我怎哪几再问看想等说对行谢是有懂]|随便|所以|但是|不过|因为|都|可以|知道|一下|明白|了解|收到"
)
_FRAGMENT = 9  # words of a question that only names what is asked for
# Questions of what somebody wants, however they are put.
_WISHES = re.compile(
    r"\b(?:which|want|should|shall|prefer|would (?:you|it|they|that)|like to|rather|or|will|do (?:we|i)|to (?:use|have|grow|go|keep|do|call|put|serve|include)|who (?:does|writes|leads|takes|runs|brings|pays))\b",
    re.I | re.A,
)
_IDLE = re.compile(
    r"\b(?:anything|something|ready|really|right|ok|okay|sure|thoughts?|questions?|deal|agreed|why|sorry|huh|problems?|yes|no|next)\W*$|\banything\b",
    re.I | re.A,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|want|need|know|think|mean)\b|'(?:s|re|d|ll)\b",
    re.I | re.A,
)
# Questions of fact, after which a yes decides nothing.
_FACTUAL = re.compile(
    r"(?:and |so |but |ok(?:ay)?,? )*(?:is|are|was|were|does|did|do (?:they|you have|you know|you own|you use|we)|has|have|had|when|why|who|where|how"
    r"|want me to|shall i (?:write|draft|show|explain|send)|should i (?:write|draft|show|explain|send))\b",
    re.I | re.A,
)
_REPLY = re.compile(
    r"(?:ye+s|yeah|yep|yup|sure|ok(?:ay)?|no|nope|nah)\b[,:]? (?=\w+ \w)", re.I | re.A
)
_TELLS_MORE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|did|do|i|i'[a-z]+|he|she|they|we|you|it|it's|that|that's|yet|later|idea|problem|worries|thanks"
    r"|maybe|perhaps|sure|unsure|depends|because|since|clue|rush|need|please do|way|matter|longer|think|guess|suppose)\b|\?"
    r"|'s (?:too|not|a|an|the|very|so|all|already|been|got|gone|[a-z]+ed|[a-z]+ing)\b",
    re.I | re.A,
)


def named(text: str, clauses: tuple[Clause, ...], heard: str, asked: bool) -> Clause | None:
    """The first clause, or the last after a remark, when it is nothing but a name."""
    for clause in (clauses[0], clauses[-1]):
        said = text[clause.start : clause.end].strip()
        meant = asked and _NAME_ASKED.search(heard[-_QUESTION:]) and _PLAIN.fullmatch(said)
        if meant and not _TELLS(said):
            return clause
        if _NAME.fullmatch(said) and not _YES_NO.fullmatch(said):
            return clause if asked or (_LEVEL.search(heard) and _LEVEL.search(said)) else None
    return None


_QUESTION = 60  # characters of a question that asks for a name
_NAME_ASKED = re.compile(
    r"\b(?:name|call(?:ed)?|title|named|branch|hostname|domain|handle|slug|codename|username|label)\b[^?]*\?\s*$",
    re.I | re.A,
)
_PLAIN = re.compile(r"\w[\w'.-]*(?: \w[\w'.-]*){0,2}[.!]?")
# Levels and sizes are told from other words by their capitals.
_LEVEL = re.compile(r"\b[A-Z]{4,}\b")


@lru_cache(maxsize=8)
def _stems(heard: str) -> frozenset[str]:
    return frozenset(map(_stem, set(_WORD.findall(heard))))


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """A word without its ending: pinning, pinned and pin are one."""
    for ending in ("'s", "ing", "ed", "ly", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
