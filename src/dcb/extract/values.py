"""Text -> the values in it: numbers with their units, times, dates, versions, names of things.

A value's `type` is what makes two values comparable: "10 秒" and "5 s" are both durations in
seconds, "8443" is a plain number. Values stand at exact offsets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from dcb.extract.han import simplified

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
_ZH_NUMBER = r"(?<!第)(?:[二两三四五六七八九十百千半][零一二两三四五六七八九十百千半]{0,4}|一[百千十万][零一二三四五六七八九十百千]{0,5}|[俩仨])"

# Units that mean the same, by the name used for comparing.
UNITS: dict[str, str] = {
    unit: name
    for name, units in {
        "ms": "ms 毫秒 msec milliseconds millisecond",
        "s": "s 秒 秒钟 sec secs seconds second",
        "min": "min mins minutes minute 分钟 分 刻钟",
        "h": "h hours hour hrs hr 小时 个小时 钟头 个钟头 个半小时",
        "day": "day days 天 日 个工作日 工作日",
        "night": "night nights 晚",
        "week": "week weeks 周 个星期 星期",
        "month": "month months 个月 个半月",
        "year": "year years yr 年 岁",
        "times": "times time 次 遍 轮 回 epochs epoch retries attempts tries",
        "people": "people person users user students participants guests attendees seats 人 名 位 户 个人",
        "item": "个 条 项 款 件 台 套 张 篇 份 页 行 列 层 级 步 段 组 家 只 本 册 道 种 场 桌 间 辆 门 部 排 栋 棵 双 队 批 笔 档 盒 瓶 袋 包 箱 碗 杯 勺 平方 平米 句 字 词 词语 卷 枚 颗 节 课时 集 期 首 支 幅 趟 顿 圈 站 滴 匙 亩 尺 寸 折 倍 盆 株 根 片 粒 串 朵 路 items item"
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
        "money": "元 块 块钱 万元 万 亿 美元 刀 角 毛 毛钱 usd eur cny rmb dollars euros 薪",
    }.items()
    for unit in units.split()
}


def _any_of(words: Iterable[str]) -> str:
    """A pattern for any of these words, longest first, that gives up at the first character."""
    rest: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        rest.setdefault(word[0], []).append(re.escape(word[1:]))
    heads = "".join(re.escape(head) for head in rest)
    branches = "|".join(f"{re.escape(head)}(?:{'|'.join(tails)})" for head, tails in rest.items())
    return f"(?=[{heads}])(?:{branches})"


_UNIT = _any_of(UNITS)
_EDGE = r"(?![A-Za-z0-9_])"

_HAN_UNIT = _any_of(unit for unit in UNITS if not unit.isascii())
_PART_OF_DAY = r"(?:[上下中]午|早上|晚上|凌晨|晚|早)"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May)|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
_WORDS = (
    "jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun",
    "two three four five six seven eight nine ten twelve fifteen twenty thirty fifty",
    "kebab snake camel pascal title upper lower",
)
_CALENDAR, _COUNTS, _CASES = (words.split() for words in _WORDS)
_NUMBER_WORD = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty)\b"
)

_CRON = r"(?:[\d*/,-]{1,12} ){4}[\d*/,-]{1,12}(?![\w*])"
_FILE = r"(?:xlsx?|csv|tsv|docx?|pptx?|pdf|md|txt|json|ya?ml|toml|ini|conf|sql|py|js|tsx?|go|rs|java|sh|log|zip|png|jpe?g|svg|mp[34]|html?)\b"

Form = tuple[ValueType, str]

# The forms by what they begin with; in each, a more particular form stands before the ones
# that it contains. Trying few forms at a place keeps the search fast.
_AT_LETTER: tuple[Form, ...] = (
    ("name", r"https?://[^\s，。；！？）)」”\"'`]+"),
    ("name", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    ("version", r"v\d+(?:\.\d+)*\.?(?![\w.])"),
    (
        "date",
        rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b|{_WEEKDAY}|(?:end|beginning|start|middle) of (?:the )?(?:{_MONTH}|month|week|year|quarter)\b|(?:early|mid|late)[- ]{_MONTH}\b|(?:january|february|(?-i:March|May|August)|april|june|july|september|october|november|december)\b|the \d{{1,2}}(?:st|nd|rd|th)\b",
    ),
    ("name", r"(?:kebab|snake|camel|pascal|title|upper|lower)[- ]?case\b"),
    ("name", r"(?<= at | to | as | be )(?-i:[A-Z]{4,})(?!\w)"),
    ("name", r"(?!i\.e|e\.g)[A-Z]\w*(?:[._:/][A-Z0-9]\w*)+(?!\w)"),
    ("name", rf"\w[\w.\u3400-\u9fff-]{{0,40}}\.{_FILE}"),
    ("name", r"(?-i:[A-Z]{3,}\d+[A-Z0-9]*)(?!\w)"),
    ("name", r"(?!covid|gpt)[A-Z]{2,5}-\d+(?![\w-])"),
    ("name", r"[A-Z0-9]+_[A-Z0-9_]+|[A-Z0-9]+(?:-[A-Z0-9]+){2,}(?!\w)"),
    ("word", _NUMBER_WORD),
)
_AT_DIGIT: tuple[Form, ...] = (
    ("name", _CRON),
    ("name", rf"\w[\w.\u3400-\u9fff-]{{0,40}}\.{_FILE}"),
    (
        "date",
        r"\d{4}[-/]\d{1,2}[-/]\d{1,2}|(?:\d{4} ?年 ?)?\d{1,2} ?月 ?\d{1,2} ?[号日]"
        rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b"
        r"|\d{1,2} ?[号日](?!线)|\d{4} ?年(?: ?\d{1,2} ?月)?|\d{1,2}(?:st|nd|rd|th)\b",
    ),
    (
        "time",
        r"\d{1,2}[:：]\d{2}(?::\d{2})?(?![:：\d])|\d{1,2} ?点(?:半|钟|\d{1,2} ?分)?(?![\d赞评击])"
        r"|\d{1,2} ?(?:am|pm|a\.m\.|p\.m\.)(?![a-z])",
    ),
    ("name", r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d+)?(?::\d+)?(?![\w.])"),
    ("version", r"\d+\.\d+\.\d+(?![\w.])"),
    ("ratio", r"\d+(?:\.\d+)?(?:\s?[:：/]\s?\d+){1,4}(?![\d/])|\d+ ?[x×*] ?\d+\b|\d+[CV]\d+G\b"),
    ("percent", rf"{_NUMBER} ?[%％‰]"),
    ("quantity", rf"{_NUMBER}(?: ?[-–~至到] ?{_NUMBER})?[ -]?个?(?:{_UNIT}){_EDGE}"),
    ("number", rf"{_NUMBER}(?:[KMW]\b)?(?!\w)"),
)
_AT_HAN: tuple[Form, ...] = (
    (
        "time",
        rf"{_PART_OF_DAY} ?(?:\d{{1,2}}[:：]\d{{2}}|(?:\d{{1,2}}|[一二两三四五六七八九十]{{1,3}}) ?点半?)"
        r"|一点(?:半|钟|整)|(?<!一)[二两三四五六七八九十][一二]?点(?:半|钟|整)?(?![赞评击])",
    ),
    (
        "date",
        r"(?:十[一二]|[一二三四五六七八九十])月(?:[一二三四五六七八九十]{1,3}[号日]|底|初|[上中下]旬)?|(?:下|本|这|每)?(?:周|星期|礼拜)[一二三四五六日天]|月底|月初|年底|年初|季度末"
        r"|(?:[一二]?十[一二三四五六七八九]?|三十一?|[一二三四五六七八九])号(?![线楼门机码店文房院])|初[一二三四五六七八九十]",
    ),
    ("percent", r"[千万百]分之[一二三四五六七八九十百点零]{1,6}"),
    ("percent", r"[一二两三四五六七八九]成半?(?![了为就功长本立交年千家果不])"),
    ("ratio", r"押[一二]付[一三六]"),
    ("ratio", r"[一二三四五六七八九]{2}开(?![始头])"),
    (
        "money",
        r"[一二两三四五六七八九十百千万]{1,6}[块毛](?:[一二三四五六七八九](?:毛|分)?|半)?钱?",
    ),
    ("quantity", r"[一二两]米[一二三四五六七八九]{1,2}"),
    ("quantity", r"一个半(?:小时|月|钟头|星期)"),
    ("quantity", r"一刻钟|一(?:年(?![级前后多来])|周|小时|分钟|个(?:月|小时|星期)|公里|公斤)"),
    ("quantity", rf"{_ZH_NUMBER}(?:[到至]{_ZH_NUMBER})? ?(?:{_HAN_UNIT})"),
    (
        "number",
        r"(?:[一二两三四五六七八九][百千万]|[二三四五六七八九]十)[一二三四五六七八九十百千万]{0,6}(?!分)",
    ),
    ("word", rf"(?<![第唯统])一(?![点下起边些般样种个对直定])(?:{_HAN_UNIT})(?!性)"),
)
_AT_SIGN: tuple[Form, ...] = (
    ("name", _CRON),
    ("name", r"\*\.\w+(?:\.\w+)*"),
    ("name", r"(?<!\w)_[a-z]\w+"),
    ("percent", rf"± ?{_NUMBER} ?[%％]?"),
    ("name", r"#[0-9A-F]{6}\b|#[0-9A-F]{3}\b|(?<![\w#])#[A-Z][\w-]{2,}"),
    ("name", r"\{\w+\}(?:[ \w./()\[-]{0,5}\{\w+\})*[)\]]?(?:\.\w{2,4}\b)?"),
    ("name", r"(?<![\w/-])--?[A-Z][\w-]*(?:=\S+)?"),
    ("name", r"(?<![\w/.:])(?:~|\.{1,2})?(?:/[\w.@{}*-]+)+/?"),
    ("money", rf"[$€£¥￥] ?{_NUMBER}(?:[KM]\b|万)?"),
)
_PLACES: tuple[tuple[str, tuple[Form, ...]], ...] = (
    (
        # A word that may be a name, version, date or number; other words are passed over.
        rf"(?=[A-Z])(?<![A-Z0-9_.])(?=\w*+[-@.:/]\w|[^\W_]*+_\w|v\d|(?-i:[A-Z]{{3,}}\d)|"
        rf"{_any_of(_CALENDAR)}\w*+(?: \d|\b)|the \d|(?:end|beginning|start|middle) of |(?:early|mid|late)[- ]|{_any_of(_COUNTS)}\b|{_any_of(_CASES)})",
        _AT_LETTER,
    ),
    (r"(?=\d)(?<![\w.第(（])", _AT_DIGIT),
    (r"(?=[一二两三四五六七八九十百千万半俩仨初押上下中早晚凌每本这周星礼月年季])", _AT_HAN),
    (r"(?=[#$€£¥￥~./{*_±-])", _AT_SIGN),
)
_TYPES: tuple[ValueType, ...] = tuple(kind for _, forms in _PLACES for kind, _ in forms)
_ANY = re.compile(
    "|".join(
        rf"{begins}(?:{'|'.join(f'({pattern})' for _, pattern in forms)})"
        for begins, forms in _PLACES
    ),
    re.I | re.A,
)
_TAIL_UNIT = re.compile(r"[^\W\d]+$|[%％]$")


def values(text: str, start: int = 0, end: int | None = None) -> tuple[Value, ...]:
    """Every value between two offsets of a text, in order."""
    if start or end is not None:
        return tuple(_value(text, found) for found in _ANY.finditer(text, start, end or len(text)))
    return _all(_even(text))


@lru_cache(maxsize=4096)
def _all(text: str) -> tuple[Value, ...]:
    return tuple(_value(text, found) for found in _ANY.finditer(text))


# A digit of a number of three digits or more; what is even already holds none.
_DIGIT = re.compile(r"[1-9](?:(?=\d\d)|(?<=\d\d\d)|(?<=\d\d)(?=\d))", re.A)


def even(text: str) -> str:
    """The text in simplified characters, with zeros for the digits of its longer numbers.

    Texts that are the same then hold values at the same places, and read alike.
    """
    return simplified(_DIGIT.sub("0", text))


_even = lru_cache(maxsize=4096)(even)  # a sentence is asked for by every stage that reads it


def _value(text: str, found: re.Match[str]) -> Value:
    kind = _TYPES[(found.lastindex or 1) - 1]
    unit = ""
    if kind in ("quantity", "percent") or (kind == "word" and found.group()[0] == "一"):
        tail = _TAIL_UNIT.search(found.group())
        word = tail.group().lower() if tail else ""
        word = next((word[i:] for i in range(len(word)) if word[i:] in UNITS), word)
        # Things are counted each in their own word: 3 pages and 3 steps do not compare.
        unit = word.rstrip("s") if UNITS.get(word) == "item" else UNITS.get(word, word)
        kind = "money" if unit == "money" else kind
    elif found.group()[0] == "{":
        unit = "template"
    elif kind == "name" and found.group().count(" ") == 4:
        unit = "cron"
    return Value(kind, unit or kind, found.start(), found.end())
