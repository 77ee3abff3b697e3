"""A clause -> whether it sets a value under a name, or only mentions one.

Evidence is added up: words that set or bound ("改成", "at most"), an answer to a question, a
bare clause of name and value; against it measuring, telling and guessing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dcb.extract.clauses import Clause, Parts
from dcb.extract.matcher import Hit
from dcb.extract.values import Value, values

_NEEDED = 2

# Words that set or bound a value, right before it (a few characters may stand between).
_STRONG = re.compile(
    r"(?:改|设|定|调|放|加|提|降|压|升|缩|延|推迟|提前|限|锁|统一|写|取|译|固定|控制|保留|保持|维持|开)(?:成|为|到|至|在|作|了)?"
    r"|叫|名字|命名|取名|名叫|限制|上限|下限|不(?:要)?(?:超过|多于|低于|少于|高于|大于|小于)|最(?:多|少|低|高|大|小|长|短)|至(?:少|多)|默认|阈值|截止|目标|每(?:人|组|个|天|周|次|月|户|条|页|台|篇|隔)|就按|先按|=|＝|→"
    r"|\b(?:set|make (?:it|that|them)|change[sd]?|bump(?:ed)?|raise|lower|drop|reduce|increase|cap(?:ped)?|limit(?:ed)?|default(?:s|ing)?|max(?:imum)?|min(?:imum)?|call (?:it|them|this|that)|named?|move (?:it|that)|pin(?:ned)?|lock(?:ed)?|keep|target|deadline|due|budget|at (?:most|least)|no (?:more|less|fewer) than|up to|under|below|within|exactly|never over|retention|timeout|interval|threshold|port|version)\b",
    re.I | re.A,
)
# Words that set a value when they stand after it.
_AFTER = re.compile(
    r"\s*(?:以内|之内|以下|以上|为限|封顶|起步|就(?:行|好|够|可以)|吧|一(?:组|个|次|档|人|月)|each\b|per\b|then\b|max\b|min\b|tops\b|or (?:less|fewer|more)\b|is (?:fine|ok|enough|good)\b|a (?:day|week|month|piece)\b|够了|清零|一次|运行|跑|开始|前)",
    re.I | re.A,
)
_WEAK = re.compile(
    r"(?:用|为|是|要|按|走|放|跑|定|报|就|先|那|：|:)|\b(?:is|are|at|to|be|of|use|with|over|by|for|prefix|on|ok|okay|fine)\b",
    re.I | re.A,
)
_STORY = re.compile(r"[了过]|\b(?:[a-z]+ed|is|are|was|because|that|who|which)\b", re.I | re.A)
_FILLER = re.compile(
    r"[\s，,。.；;！!：:、…]|吧|了|呢|啊|嗯|那|就|先|也|都|then|please|ok|okay|fine|right|yes|no",
    re.I,
)


def settings(
    text: str,
    divided: Parts,
    hits: tuple[Hit, ...],
    stops: Mapping[tuple[int, str], str],
    *,
    asked: bool,
    first: bool,
) -> Iterator[tuple[Clause, str]]:
    """The clauses of a sentence that set a value, each with the evidence that weighed most."""
    measured = {divided.clause_at(hit.start) for hit in hits if hit.act in ("measured", "past")}
    for number, clause in enumerate(divided.clauses):
        if (number, "parameter") in stops:
            continue
        found = [
            value
            for value in values(text, clause.start, clause.end)
            if not divided.quoted(value.start, value.end)
        ]
        if not found:
            continue
        weight, rule = _weigh(text, clause, found, asked=asked)
        weight -= 2 * (number in measured) + first
        if weight >= _NEEDED:
            yield clause, rule


def _weigh(text: str, clause: Clause, found: list[Value], *, asked: bool) -> tuple[int, str]:
    weight, rule = 0, "value.named"
    rest = _rest(text, clause, found)
    bare = len(rest) <= (8 if not rest.isascii() else 18)
    for value in found:
        before = text[max(clause.start, value.start - 14) : value.start]
        if _STRONG.search(before) or _AFTER.match(text, value.end, clause.end):
            weight, rule = 2, "value.set"
            break
        if _WEAK.search(before[-6:]):
            weight = max(weight, 1)
    if all(value.type == "word" for value in found) and not (asked and bare):
        return 0, rule
    if bare:
        weight += 1
    if asked and bare:
        weight, rule = weight + 1, "value.answer"
    if any(value.type in ("name", "ratio", "version") for value in found):
        weight += 1
    return weight, rule


def _rest(text: str, clause: Clause, found: list[Value]) -> str:
    """What a clause says beside its values and small words."""
    pieces, at = [], clause.start
    for value in found:
        pieces.append(text[at : value.start])
        at = value.end
    pieces.append(text[at : clause.end])
    return _FILLER.sub("", "".join(pieces))
