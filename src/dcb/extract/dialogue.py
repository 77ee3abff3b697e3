"""What was proposed before, and which passage of it a person's words point at.

Options are read only when somebody points: listed items, "1) … 2) …", "A, B or C",
"甲还是乙". A passage is given by message and offsets, so it can be kept word for word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import re2

from dcb.extract.segments import Span, sentences
from dcb.extract.terms import terms


class Passage(NamedTuple):
    """A part of a message: offsets into its content."""

    message: int
    start: int
    end: int


class Option(NamedTuple):
    """One of several things to choose from, with the label it was given."""

    label: str
    passage: Passage
    terms: frozenset[str] = frozenset()  # what it can be known by


_INLINE = re.compile(
    r"(?:^|[\s：:，,。；;（(])(?:[（(]?([1-9](?!\.\d)|[A-Ha-h])[)）.、：:]|#([1-9])(?=\s)|(?:option|plan|version|variant|idea) ([1-9A-H]|one|two|three)\b[^:.\n]{0,30}:|(first|second|third|fourth)(?: [a-z]+)?:|(?:方案|选项|option |plan )?([A-H甲乙丙丁])(?:[)）.、：:]| ?方案[:：])|([一二三四五六])[、：:]|([①-⑧]))\s*(?=\S)",
    re.I,
)
_ANY_LABEL = re2.compile(
    r"(?i)[①-⑧]|(?:^|[^0-9a-z])(?:[1-9a-h甲乙丙丁一二三四五六] ?(?:[)）.、：:]|方案)|#[1-9]|(?:first|second|third|fourth|option|plan|version|variant|idea)\b[^:.\n]{0,32}:)"
)
_OR = re.compile(
    r"\s*(?:，|,|；|;|。|\.)?\s*(?:或者说?|还是|或是|或|\bor\b|\bversus\b|\bvs\.?(?=\s))\s*", re.I
)
_ANY_OR = re2.compile(r"(?i)或|还是|\bor\b|\bversus\b|\bvs\b")
_LIST = re.compile(r"\s*[、，,]\s*|\s+(?:and|和|与)\s+")
_STOP = re.compile(r"[。！？!?\n：:]|[.] ")
_SEMI = re.compile(r"\s*[;；]\s*")
_LABEL = re.compile(r"[（(]?([A-Ha-h]|[1-9]|[一二三四五六])(?:[)）.、：:]| ?方案| ?[:：])")
_CIRCLED = {chr(0x2460 + n): str(n + 1) for n in range(9)}
_DIGITS = {
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "甲": 1,
    "乙": 2,
    "丙": 3,
    "丁": 4,
}
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "former": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "fifth": 5,
    "last": -1,
    "latter": -1,
    "other": -1,
    "middle": 0,
    "上面": 1,
    "前面": 1,
    "下面": -1,
    "前者": 1,
    "后者": -1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
}
_ORDINAL = re.compile(
    r"\b(first|second|third|fourth|fifth|1st|2nd|3rd|4th|last|former|latter|other|middle)\b|第([一二三四五六1-6])|(前者|后者|[上前下]面(?=[一那这的]))|(?:最后|后面)的?(?:那)?一?个()|(中间)",
    re.I,
)
_CHOSEN = re.compile(
    r"(?:\b(?:option|plan|variant|version|choice|approach|number)|方案|选|按|走|用|就|投|with|for|take|taking|pick|choose|prefer)\s*[(（]?([A-Ha-h1-6①-⑧一二三四甲乙丙丁])[)）]?(?![A-Za-z0-9\u4e00-\u9fff个种条天次分秒元]|\s*\d)"
    r"|(?:选|按|走|用|就|投) ?([A-Ha-h])(?=走|办|来|做|吧|了|方案|，|。|$)"
    r"|^[(（]?([A-Ea-e甲乙丙丁])[)）]?(?=[\s.!,，。吧]|$)|[(（]([1-6])[)）]|^第?([1-9])(?=[ 一和、要做])",
    re.I,
)


def options(message: int, content: str, spans: Sequence[Span]) -> tuple[Option, ...]:
    """What a message offers to choose from, in order; empty when it offers nothing."""
    items = [span for span in spans if span.shape == "item"]
    rows = [span for span in spans if span.shape == "row"]
    if len(items) >= 2:
        return _known(content, _listed(message, content, items))
    if found := _enumerated(message, content):
        return _known(content, found)
    return _known(content, _listed(message, content, rows) + _alternatives(message, content))


def _listed(message: int, content: str, items: Sequence[Span]) -> tuple[Option, ...]:
    return tuple(
        Option(_label(content[: item.start], item.text, n), Passage(message, item.start, item.end))
        for n, item in enumerate(items, 1)
    )


def _known(content: str, found: tuple[Option, ...]) -> tuple[Option, ...]:
    """The options with the terms that tell them apart from each other."""
    said = [terms(content[o.passage.start : o.passage.end]) for o in found]
    often = Counter(term for words in said for term in words)
    return tuple(
        option._replace(terms=frozenset(term for term in words if often[term] == 1))
        for option, words in zip(found, said, strict=True)
    )


def _label(before: str, text: str, number: int) -> str:
    line = before[before.rfind("\n") + 1 :]
    found = _LABEL.search(line) or _LABEL.match(text)
    return found.group(1).upper() if found else str(number)


def _enumerated(message: int, content: str) -> tuple[Option, ...]:
    """`1) … 2) …`, `A 方案：…` or `一、…；二、…` in running text."""
    marks = list(_INLINE.finditer(content)) if _ANY_LABEL.search(content) else []
    if len(marks) < 2:
        return ()
    found = []
    for number, mark in enumerate(marks):
        stop = marks[number + 1].start() if number + 1 < len(marks) else len(content)
        newline = content.find("\n", mark.end(), stop)
        stop = newline if newline >= 0 else stop
        first = next(iter(sentences(content, mark.end(), stop)), (mark.end(), stop))
        sign = next(filter(None, mark.groups()))
        found.append(Option(label(sign), Passage(message, mark.end(), first[1])))
    return tuple(found)


def _alternatives(message: int, content: str) -> tuple[Option, ...]:
    """`A, B or C`: the pieces of the passage around the word for or."""
    marks = list(_OR.finditer(content)) if _ANY_OR.search(content) else []
    if not marks:
        return ()
    edges = [0, *(edge for mark in marks for edge in (mark.start(), mark.end())), len(content)]
    pieces = [(edges[i], edges[i + 1]) for i in range(0, len(edges), 2)]
    start, listed = _before(content, pieces[0][1])  # a list: "Kafka、RabbitMQ 或 Redis"
    pieces[0] = start, pieces[0][1]
    start, end = pieces[-1]
    pieces[-1] = start, next((stop for _, stop in sentences(content, start, end)), end)
    edges_of = [*listed, *pieces]
    return tuple(Option(str(n), Passage(message, *edge)) for n, edge in enumerate(edges_of, 1))


def _before(content: str, end: int) -> tuple[int, list[tuple[int, int]]]:
    begin = 0
    for mark in _STOP.finditer(content, 0, end):
        begin = mark.end()
    marks = list(_SEMI.finditer(content, begin, end)) or list(_LIST.finditer(content, begin, end))
    listed, start = [], begin
    for mark in marks:
        if mark.start() > start:
            listed.append((start, mark.start()))
        start = mark.end()
    return start, listed


def chosen(text: str, choices: Sequence[Option]) -> Option | None:
    """The option that a reference names by place or by label."""
    if not choices:
        return None
    if _MIDDLE.search(text):
        return choices[(len(choices) - 1) // 2]
    place = _place(text)
    if place and abs(place) <= len(choices):
        return choices[place - 1 if place > 0 else place]
    if label := _named(text):
        for option in choices:
            if option.label == label:
                return option
        number = ord(label) - 64 if label.isalpha() else int(label)
        if 0 < number <= len(choices):
            return choices[number - 1]
    return None


_MIDDLE = re.compile(r"\bmiddle\b|中间", re.I)


def points_at_list(text: str) -> bool:
    """Whether a reference needs a list: an ordinal or a label."""
    return bool(_MIDDLE.search(text) or _place(text) or _named(text))


def _place(text: str) -> int:
    found = _ORDINAL.search(text)
    if found is None:
        return 0
    word = next(filter(None, found.groups()), "last").lower()
    return _ORDINALS.get(word) or _DIGITS.get(word) or (int(word) if word.isdigit() else -1)


def _named(text: str) -> str:
    found = _CHOSEN.search(text)
    if found is None:
        return ""
    return label(next(filter(None, found.groups())))


def label(sign: str) -> str:
    """A label as options carry it: 二, ② and 2 are one."""
    if place := _DIGITS.get(sign) or _ORDINALS.get(sign.lower()):
        return str(place)
    return _CIRCLED.get(sign, sign.upper())
