"""A person's short words after an offer -> which of the offered things they take.

The words need not repeat an option: the one that shares their telling terms is meant, as in
"darke, obviously" after "Darke or Holst".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from dcb.extract.clauses import Clause
from dcb.extract.dialogue import Option, Passage
from dcb.extract.segments import sentences
from dcb.extract.terms import terms

LONGEST = 48  # characters of a clause that is nothing but an answer
_TAIL = 800  # characters of a message that a short answer can refer to
_CLAUSES = 3  # clauses in which an answer is looked for
_STRANGE = 3  # Han characters or Latin words that no option holds


class Answer(NamedTuple):
    """The clause that answers, and the option when the words only allude to it."""

    clause: Clause
    passage: Passage | None


def answer(
    text: str,
    clauses: tuple[Clause, ...],
    content: str,
    options: Callable[[], tuple[Option, ...]],
) -> Answer | None:
    """The first clause that takes something which a message offers."""
    for clause in clauses[:_CLAUSES]:
        said = text[clause.start : clause.end]
        if len(said) > LONGEST:
            return None
        bare = _SMALL.sub("", said)
        named = _bare(bare)
        if len(named) >= 2 and _among(bare, named, content):
            return Answer(clause, _partly(named, content, options()))
        # A blank between Han characters stands for a comma.
        if option := _alluded(_BLANK.split(bare, maxsplit=1)[0], content, options):
            row = content[: option.passage.end].endswith("|")  # the words are one of its cells
            return Answer(clause, None if row else option.passage)
        if named:
            if _STARTS.match(said):
                continue
            return None
    return None


def _partly(named: str, content: str, options: tuple[Option, ...]) -> Passage | None:
    """The only option that words name by a part of its name, since they do not tell the rest."""
    holds = [o.passage for o in options if named in _fold(content, o.passage)]
    if len(holds) != 1 or not _BULLET.search(content, max(0, holds[0].start - 6), holds[0].start):
        return None  # half a sentence tells no more than the words
    return holds[0] if len(_fold(content, holds[0])) > len(named) else None


_BULLET = re.compile(r"(?:^|\n)\s*(?:[-*•]|\d+[.)])\s*\**$")


def _fold(content: str, passage: Passage) -> str:
    return _NOT_SAID.sub("", content[passage.start : passage.end]).casefold()


def _bare(said: str) -> str:
    folded = _NOT_SAID.sub("", said).casefold()
    praised = _PRAISED.match(folded)
    return praised.group(1) if praised else folded


def _among(said: str, named: str, content: str) -> bool:
    """Whether words stand, whole, in a sentence that leaves something to choose."""
    tail, word = content[-_TAIL:], _FIRST.search(said)
    if word is not None and word.group().lower() not in _lower(tail):
        return False  # the cheapest look first: most words were not heard
    # Nor was what has a sign that was not heard; folding the text costs more than a look at it.
    if not all(map(_lower(tail).__contains__, named)):
        return False
    if named not in _folded(tail) or named not in _offers(tail):
        return False
    return word is None or re.search(rf"\b{word.group()}\b", tail, re.I | re.A) is not None


def _alluded(said: str, content: str, options: Callable[[], tuple[Option, ...]]) -> Option | None:
    """The only option that shares terms with words that say little else."""
    heard = _lower(content)
    known = frozenset(term for term in terms(said) if term in heard)
    if not known or _AGAINST.search(said) or _strange(said, known) > _STRANGE:
        return None
    return _only(said, known, options())


def _only(said: str, wanted: frozenset[str], options: tuple[Option, ...]) -> Option | None:
    if len(options) < 2:
        return None
    shared = [len(wanted & option.terms) for option in options]
    most = max(shared)
    if not most or shared.count(most) > 1:
        return None
    chosen = options[shared.index(most)]
    return chosen if _strange(said, wanted & chosen.terms) <= _STRANGE else None


def _strange(said: str, known: frozenset[str]) -> int:
    """How much of the words stands in none of the known terms."""
    rest = said.lower()
    # From the left, since neighbouring pairs of Han characters overlap: a set has no order.
    for term in sorted(known, key=lambda term: (rest.find(term), term)):
        rest = rest.replace(term, " ")
    return len(_UNKNOWN.findall(rest))


_FIRST = re.compile(r"[A-Za-z]\w*", re.A)
_BLANK = re.compile(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")
_UNKNOWN = re.compile(r"[A-Za-z][\w'-]*|[\u3400-\u9fff]", re.A)
_AGAINST = re.compile(
    r"\b(?:no|not|nope|never|too|but|wants?|needs?|likes?|hates?|thinks?|says?|ruins?|later|yet|eventually|someday|isn'?t|don'?t|doesn'?t|aren'?t|won'?t|can'?t|why|how|what|was|were|had|did|tried|vs|than)\b"
    r"|[?？不没太贵怕难吗呢别过]",
    re.I,
)
# What may stand before an answer: a shrug, a yes, a word of praise.
_STARTS = re.compile(r"[^，,：:—]{1,8}[，,：:—]|[A-Za-z' ]{1,16}[,:—]")
_SMALL = re.compile(
    r"^\s*(?:(?:o+h+|ok|okay|yes|yeah|yep|no|so|then|well|right|fine|sure|sold|hm+|the|just|嗯+|哦|对|那|就|先|好|行|确认|是的|保持|要|用|选|走"
    r"|我(?:觉得|选|要|想要|喜欢)|还是|definitely|i (?:like|prefer|choose|pick|think|want)|give me|maybe just)(?:[,，。. ]+|\b|(?=[^a-z])))+"
    r"|(?:吧|了|呢|啊|呗|哈|走起|,|，|。|\.|!|！|…|;|；|:|：|please|pls|obv|obviously|for now|then|\s)+$",
    re.I,
)
_PRAISED = re.compile(
    r"(.{2,30}?)(?:这个|那个)?(?:就|最|挺|更|比较|性价比最|看着)?(?:好|高|划算|顺眼|省心|靠谱|顺手|好看|好听|对味|稳|香|不错|可以|合适|行|好一些|好点|itis|works(?:forme)?|best|please|ithink"
    r"|isfine|isgood|(?:sounds|looks|feels)(?:good|great|best|right|fine))$"
)
# A sentence that leaves something to choose.
_OFFERS = re.compile(
    r"[?？/、]|[^，,；;]{4,}[，,；;][^，,；;]{4,}|或|还是|建议|推荐|可以|方案|候选|选|稳妥|更[^，。]|\b(?:or|options?|could|would|want|recommend|suggest|either|both|versus|vs)\b"
    r"|^\s*(?:[-*•]|\d[.)])|[:：]$",
    re.I,
)
_NOT_SAID = re.compile(r"[\s`*“”\"'「」，,。.、;；:：!！]+")


@lru_cache(maxsize=8)
def _offers(tail: str) -> str:
    """The sentences of a message's end that leave something to choose, folded."""
    return _folded("\n".join(_offering(tail)))


def _offering(tail: str) -> Iterator[str]:
    said = (tail[start:end] for start, end in sentences(tail, 0, len(tail)))
    return filter(_OFFERS.search, said)


@lru_cache(maxsize=8)
def _lower(text: str) -> str:
    return text.casefold()


@lru_cache(maxsize=8)
def _folded(text: str) -> str:
    return _NOT_SAID.sub("", text).casefold()
