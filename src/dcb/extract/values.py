"""Text -> the values in it: numbers with their units, times, dates, versions, names of things.

A value's `type` is what makes two values comparable: "10 秒" and "5 s" are both durations in
seconds, "8443" is a plain number. Values stand at exact offsets.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

ValueType = Literal[
    "quantity", "time", "date", "version", "money", "percent", "ratio", "number", "word", "name"
]


class Value(NamedTuple):
    """A value at a place of a text; `unit` is its normalised unit, or ""."""

    type: ValueType
    unit: str
    start: int
    end: int


_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?"
# 一 alone counts nothing: 一点, 一下, 一个.
_ZH_NUMBER = (
    r"(?<!第)(?:[二两三四五六七八九十百千半][一二两三四五六七八九十百千半]{0,3}|一[百千十])"
)

# Units that mean the same, by the name used for comparing.
UNITS: dict[str, str] = {
    unit: name
    for name, units in {
        "ms": "ms 毫秒 msec milliseconds millisecond",
        "s": "s 秒 秒钟 sec secs seconds second",
        "min": "min mins minutes minute 分钟 分",
        "h": "h hours hour hrs hr 小时 个小时 钟头",
        "day": "day days 天 日 个工作日 工作日",
        "week": "week weeks 周 个星期 星期",
        "month": "month months 个月",
        "year": "year years yr 年 岁",
        "times": "times time 次 遍 轮 回 epochs epoch retries attempts tries",
        "people": "people person users user students participants guests attendees seats 人 名 位 户 个人",
        "item": "个 条 项 款 件 台 套 张 篇 份 页 行 列 层 级 步 段 组 家 只 本 册 字 词 词语 卷 枚 颗 节 课时 items item"
        " rows row pages page lines line words word characters chars tokens token copies copy papers"
        " steps step threads thread workers worker pods pod replicas replica connections shards"
        " partitions nodes cores core 核 arms questions slides paragraphs sentences chapters",
        "byte": "b kb mb gb tb kib mib gib tib ki mi gi ti k m g t 字节",
        "px": "px pt em rem dpi ppi 像素",
        "length": "mm cm km 米 厘米 毫米 公里 英寸 inch inches feet ft",
        "weight": "kg mg 克 公斤 千克 斤 lb lbs grams gram oz 毫升 ml 升 l",
        "rate": "qps tps rps rpm hz khz mhz ghz mbit mbps gbps kbps kbit fps 卡",
        "percent": "% ％ percent",
        "degree": "度 °c °f ℃",
        "money": "元 块 块钱 万元 万 亿 美元 刀 角 usd eur cny rmb dollars euros 薪",
    }.items()
    for unit in units.split()
}
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_EDGE = r"(?![A-Za-z0-9_])"

# First come, first served: a more particular form stands before the ones it contains.
_FORMS: tuple[tuple[ValueType, str], ...] = (
    ("name", r"https?://[^\s，。；！？）)」”\"'`]+"),
    ("name", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    ("name", r"#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b"),
    ("name", r"(?<![\w/])--?[a-z][\w-]*(?:=\S+)?"),
    ("name", r"(?<![\w/.:])(?:~|\.{1,2})?(?:/[\w.@{}*-]+)+/?"),
    ("money", rf"[$€£¥￥] ?{_NUMBER}(?:[kKmM]\b|万)?"),
    (
        "date",
        r"\d{4}[-/]\d{1,2}[-/]\d{1,2}|(?:\d{4} ?年 ?)?\d{1,2} ?月 ?\d{1,2} ?[号日]|\d{1,2} ?[号日](?!线)|\d{4} ?年(?: ?\d{1,2} ?月)?",
    ),
    (
        "time",
        r"(?:(?:[上下中]午|早上|晚上|凌晨|晚|早) ?)?\d{1,2}[:：]\d{2}(?::\d{2})?(?!\d)|(?:(?:[上下中]午|早上|晚上|凌晨|晚|早) ?)?(?:\d{1,2}|[一二两三四五六七八九十]{1,3}) ?点(?:半|钟|\d{1,2} ?分)?(?![\d赞评击])|(?<![\w])\d{1,2} ?(?:am|pm|a\.m\.|p\.m\.)(?![a-z])",
    ),
    (
        "date",
        r"(?:the )?\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:下|本|这|每)?(?:周|星期|礼拜)[一二三四五六日天]|(?:月底|月初|年底|年初|季度末)",
    ),
    ("version", r"\b[vV]\d+(?:\.\d+)*\.?(?![\w.])|(?<![\w.])\d+\.\d+\.\d+(?![\w.])"),
    (
        "ratio",
        r"(?<![\d.])\d+(?:\s?[:：/]\s?\d+){1,4}(?![\d/])|\b\d+ ?[x×*] ?\d+\b|\b\d+[CcVv]\d+[Gg]\b",
    ),
    ("percent", rf"{_NUMBER} ?[%％]"),
    (
        "quantity",
        rf"(?<![\w.第]){_NUMBER}(?: ?[-–~至到] ?{_NUMBER})?[ -]?(?:个)?(?:{_UNIT}){_EDGE}",
    ),
    ("quantity", rf"{_ZH_NUMBER} ?(?:{'|'.join(u for u in UNITS if not u.isascii())})"),
    (
        "name",
        r"(?<![\w.])[A-Za-z][\w]*(?:[._:][A-Za-z0-9]\w*)+(?![\w])|(?<!\w)[A-Z][A-Z0-9]*_[A-Z0-9_]+|(?<!\w)[a-z0-9]+(?:-[a-z0-9]+){2,}(?!\w)",
    ),
    ("number", rf"(?<![\w.第(（]){_NUMBER}(?:[KkMmWw]\b)?(?![\w])"),
    (
        "word",
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|a dozen|half)\b",
    ),
)
_ANY = re.compile("|".join(f"({pattern})" for _, pattern in _FORMS), re.I | re.A)
_TAIL_UNIT = re.compile(r"[^\W\d]+$|[%％]$")


def values(text: str, start: int = 0, end: int | None = None) -> tuple[Value, ...]:
    """Every value between two offsets of a text, in order."""
    stop = len(text) if end is None else end
    return tuple(_value(text, found) for found in _ANY.finditer(text, start, stop))


def _value(text: str, found: re.Match[str]) -> Value:
    kind = _FORMS[(found.lastindex or 1) - 1][0]
    unit = ""
    if kind in ("quantity", "percent"):
        tail = _TAIL_UNIT.search(found.group())
        word = tail.group().lower() if tail else ""
        word = next((word[i:] for i in range(len(word)) if word[i:] in UNITS), word)
        # Things are counted each in their own word: 3 pages and 3 steps do not compare.
        unit = word.rstrip("s") if UNITS.get(word) == "item" else UNITS.get(word, word)
        kind = "money" if unit == "money" else kind
    return Value(kind, unit or kind, found.start(), found.end())
