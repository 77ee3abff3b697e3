"""Messages -> spans: sentences, list items, table rows, code and quotes, cut by exact offsets.

`conversation.messages[span.message].content[span.start:span.end] == span.text` for every span:
nothing is stripped, joined or rebuilt. The walk is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from dcb.model import Conversation

Shape = Literal[
    "sentence",  # prose
    "item",  # one list item, without its bullet
    "row",  # one table row
    "heading",  # a Markdown heading, without its signs
    "code",  # the inside of a fence, or indented code
    "config",  # a `key = value` line outside a fence
    "quote",  # a Markdown quotation, all its lines
    "log",  # lines that a program printed
    "tool",  # a whole tool message
]


class Fence(NamedTuple):
    """What surrounds a code block: its language, the whole info text, and a file it names."""

    lang: str
    info: str
    path: str


class Span(NamedTuple):
    """A passage of one message. A tuple, since a long conversation has millions of them."""

    message: int  # index into conversation.messages
    start: int
    end: int
    shape: Shape
    role: str
    lead: str  # what it stands under: list lead-in, table header, or heading
    fence: Fence | None
    content: str  # the whole content of the message

    @property
    def text(self) -> str:
        """The passage itself."""
        return self.content[self.start : self.end]

    @property
    def lang(self) -> str:
        """The language of a code block, or ""."""
        return self.fence.lang if self.fence else ""

    @property
    def path(self) -> str:
        """The file that a code block belongs to, or ""."""
        return self.fence.path if self.fence else ""


class Spans:
    """The spans of a conversation, message by message, each message cut when first asked for."""

    def __init__(self, conversation: Conversation) -> None:
        self.messages = conversation.messages
        self._cut: dict[int, tuple[Span, ...]] = {}

    def of(self, message: int) -> tuple[Span, ...]:
        """The spans of a message, in order."""
        spans = self._cut.get(message)
        if spans is None:
            if len(self._cut) >= _REMEMBERED:
                self._cut.clear()
            said = self.messages[message]
            spans = self._cut[message] = tuple(message_spans(message, said.role, said.content))
        return spans

    def code(self, message: int) -> tuple[Span, ...]:
        """The code blocks of a message, without a look at the sentences around them."""
        said = self.messages[message]
        content = said.content
        if not content.startswith(_INDENTS) and not any(sign in content for sign in _OF_CODE):
            return ()
        walk = _Walk(message, said.role, said.content, prose=False)
        return tuple(span for span in walk.spans() if span.shape == "code")

    def __iter__(self) -> Iterator[Span]:
        for message in range(len(self.messages)):
            yield from self.of(message)


# Messages whose spans are kept; cutting again costs less than keeping millions.
_REMEMBERED = 2048


def segments(conversation: Conversation) -> tuple[Span, ...]:
    """All spans of a conversation, in order."""
    return tuple(Spans(conversation))


def message_spans(number: int, role: str, content: str) -> Iterator[Span]:
    """The spans of one message."""
    if role == "tool":
        if content.strip():
            yield Span(number, 0, len(content), "tool", role, "", None, content)
    elif not _BLOCK.search(content):
        for start, end in sentences(content, 0, len(content)):
            yield Span(number, start, end, "sentence", role, "", None, content)
    else:
        yield from _Walk(number, role, content).spans()


# --- lines ------------------------------------------------------------------------------

# What the first line of anything but plain prose begins with.
_BLOCK = re.compile(
    r"^(?=[`~>#|*+•·‣▪–—(（\[①-⑳=\-\d \t一二三四五六七八九十A-Za-z_])"
    r"(?:[`~>#|*+•·‣▪–—(（\[①-⑳=-]|\d|[ \t]|[一二三四五六七八九十]{1,2}、|[A-Ha-h][.)）、]"
    r"|ERROR|WARN|INFO|DEBUG|FATAL|TRACE|Traceback|File |at |npm |error|panic|export "
    r"|[A-Za-z.]+(?:Error|Exception): |[A-Za-z_][\w.-]*(?:\[[^\]\n]*\])?[ \t]*[=:][ \t]*\S)",
    re.M,
)
_INDENTS = ("    ", "\t")
_OF_CODE = ("```", "~~~", "\n    ", "\n\t")  # one of these stands where code does not begin a text
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^\n]*)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"[ \t]{0,3}>")
_ITEM = re.compile(
    r"[ \t]*(?:[-*+•·‣▪–—][ \t]+(?:\[[ xX]\][ \t]+)?"
    r"|\(?\d{1,2}[.)][ \t]+|[（(]?\d{1,2}[、）][ \t]*|[（(][一二三四五六七八九十]+[)）][ \t]*"
    r"|[一二三四五六七八九十]{1,2}、[ \t]*|[①-⑳][ \t]*(?=\S)|\(?[A-Ha-h][.)）、][ \t]*(?=\S))"
)
_RULE_ROW = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*\Z")
_LOG = re.compile(
    r"[ \t]*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d:\d\d|\[?\d\d:\d\d:\d\d\b"
    r"|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE)\b[\]:： ]"
    r"|Traceback \(most recent|File \"[^\"\n]+\", line \d+|at [\w$.<>]+\([^)\n]*:\d+\)"
    r"|npm ERR!|error(?:\[E\d+\])?: |panic: |[A-Za-z.]+(?:Error|Exception): |==> |\+\+\+ |--- FAIL)"
)
_CONFIG = re.compile(
    r"[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*(?:\[[^\]\n]*\])?[ \t]*=[ \t]*[^=\s>][^\n]*\Z"
    r"|[ \t]*[A-Za-z][\w-]*[_.][\w.-]*:[ \t]+\S[^\n]*\Z"
)
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
_PATH_WORD = re.compile(
    r"(?:[\w.@-]+/)*[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,9}\Z|Dockerfile\Z|Makefile\Z"
)
_PATH_ABOVE = re.compile(
    r"[`*“\"]{1,3}((?:[\w.@-]+/)*[\w@.-]+\.[A-Za-z][A-Za-z0-9]{0,9}|Dockerfile|Makefile)[`*”\"]{1,3}"
    r"|^[ \t]*((?:[\w.@-]+/)*[\w@.-]+\.[A-Za-z][A-Za-z0-9]{0,9})[ \t]*[:：][ \t]*$"
)
_PATH_INSIDE = re.compile(
    r"[ \t]*(?:#|//|--|;|<!--|/\*)[ \t]*(?:[Ff]ile(?:name)?[:：][ \t]*|文件[:：][ \t]*)?"
    r"((?:[\w.@-]+/)*[\w@.-]+\.[A-Za-z][A-Za-z0-9]{0,9})[ \t]*(?:\*/|-->)?[ \t]*(?:\n|\Z)"
)
_WORD = re.compile(r"[^\s:{,]+")


class _Walk:
    """One pass over the lines of a message; `lead` is what following lines stand under."""

    def __init__(self, number: int, role: str, content: str, *, prose: bool = True) -> None:
        self.number = number
        self.role = role
        self.content = content
        self.prose = prose  # whether sentences are asked for
        self.heading = ""
        self.above = ""  # the last prose line, a lead-in when a list follows
        self.lead_in = ""  # of the list we are in
        self.columns = ""  # header of the table we are in
        self.blank = True  # the line before was blank

    def spans(self) -> Iterator[Span]:
        content, pos = self.content, 0
        while pos < len(content):
            found = None if self.columns else _BLOCK.search(content, pos)
            stop = found.start() if found else len(content)
            if stop > pos and not self.columns:
                yield from self._prose(pos, stop)
                pos = stop
                continue
            end = self._line_end(pos)
            step = self._block(pos, end)
            if step is None:
                yield from self._prose(pos, min(end + 1, len(content)))
                pos = end + 1
            else:
                pos, span = step
                if span is not None:
                    yield span

    def _block(self, pos: int, end: int) -> tuple[int, Span | None] | None:
        """The block that begins on this line, and where the next line starts; None for prose."""
        content = self.content
        line = content[pos:end]
        bare = line.lstrip(" \t")
        if not bare.strip():
            self.blank, self.columns = True, ""
            return end + 1, None
        blank, self.blank = self.blank, False
        first = bare[0]
        # An info text with a backtick is inline code: CommonMark 4.5.
        if (
            first in "`~"
            and (fence := _FENCE.match(line))
            and not (first == "`" and "`" in fence.group(2))
        ):
            return self._fenced(pos, end, fence)
        if first == ">":
            return self._run(pos, end, _QUOTE, "quote")
        if first == "#" and (mark := _HEADING.match(line)):
            self.heading, self.lead_in = line[mark.end() :].strip(" #"), ""
            return end + 1, self._span(pos + mark.end(), end, "heading")
        if first == "|" or (self.columns and "|" in bare):
            return self._row(pos, end, line)
        if blank and not self.lead_in and _INDENTED.match(line):
            return self._indented(pos, end)
        if _LOG.match(line):
            return self._run(pos, end, _LOG, "log")
        item = _ITEM.match(line)
        if item and not (bare[:2].isdigit() and _answers(content, pos, bare[:2])):
            if not self.lead_in:
                self.lead_in = self.above or self.heading
            return end + 1, self._span(pos + item.end(), end, "item", self.lead_in)
        if _CONFIG.match(line):
            return end + 1, self._span(pos, end, "config", self.above)
        return None

    def _span(
        self, start: int, end: int, shape: Shape, lead: str = "", fence: Fence | None = None
    ) -> Span | None:
        """A span without the white space around it, or None when nothing else is there."""
        if shape != "code":
            start, end = _trimmed(self.content, start, end)
        if start >= end:
            return None
        return Span(self.number, start, end, shape, self.role, lead, fence, self.content)

    def _prose(self, pos: int, end: int) -> Iterator[Span]:
        """Sentences of plain lines; the last of them may lead a list in."""
        content = self.content
        text = content[pos:end].rstrip(" \t\n")
        indented = text[:1] in (" ", "\t")
        if not (indented and self.lead_in):  # an indented line continues its list item
            self.lead_in, self.above = "", text[text.rfind("\n") + 1 :].strip()
        self.blank = content.endswith("\n\n", pos, end)
        if self.prose:
            for start, stop in sentences(content, pos, end):
                yield Span(
                    self.number, start, stop, "sentence", self.role, self.heading, None, content
                )

    def _run(
        self, pos: int, end: int, line: re.Pattern[str], shape: Shape
    ) -> tuple[int, Span | None]:
        """Consecutive lines that begin like this one."""
        stop, after = end, end + 1
        while after < len(self.content) and line.match(self.content, after):
            stop = self._line_end(after)
            after = stop + 1
        return after, self._span(pos, stop, shape, self.above)

    def _line_end(self, pos: int) -> int:
        end = self.content.find("\n", pos)
        return len(self.content) if end < 0 else end

    def _row(self, pos: int, end: int, line: str) -> tuple[int, Span | None]:
        if _RULE_ROW.match(line):
            return end + 1, None
        header, self.columns = self.columns, self.columns or line.strip()
        if not header:
            return end + 1, self._span(pos, end, "heading")
        return end + 1, self._span(pos, end, "row", header)

    def _indented(self, pos: int, end: int) -> tuple[int, Span | None]:
        stop, after = end, end + 1
        while after < len(self.content) and _INDENTED.match(self.content, after):
            stop = self._line_end(after)
            after = stop + 1
        return after, self._span(pos, stop, "code", self.above, Fence("", "", ""))

    def _fenced(self, pos: int, end: int, fence: re.Match[str]) -> tuple[int, Span | None]:
        """The inside of a fence; an unclosed one reaches to the end of the message."""
        signs = fence.group(1)
        closing = _closing(signs)
        close = closing.search(self.content, end + 1) if end < len(self.content) else None
        inside = min(end + 1, len(self.content))
        stop = close.start() - 1 if close else len(self.content)
        after = close.end() + 1 if close else len(self.content)
        info = fence.group(2).strip()
        word = _WORD.match(info)
        path = self._path(info, inside, stop)
        lang = word.group() if word and not _PATH_WORD.match(word.group()) else ""
        return after, self._span(inside, stop, "code", self.above, Fence(lang, info, path))

    def _path(self, info: str, inside: int, stop: int) -> str:
        """The file that a fence names: in its info text, in its first line, or above it."""
        for word in re.split(r"[\s:={},\"']+", info):
            if _PATH_WORD.match(word):
                return word
        if inside < stop and (named := _PATH_INSIDE.match(self.content, inside, stop)):
            return named.group(1)
        named_above = None
        if "." in self.above or "file" in self.above:
            for named_above in _PATH_ABOVE.finditer(self.above):
                pass
        return (named_above.group(1) or named_above.group(2)) if named_above else ""


@lru_cache(maxsize=64)
def _closing(signs: str) -> re.Pattern[str]:
    """What closes a fence that these signs open."""
    return re.compile(rf"^[ \t]*{re.escape(signs[0])}{{{len(signs)},}}[ \t]*$", re.M)


# --- sentences --------------------------------------------------------------------------

# Everything that may end a sentence, or that must be stepped over whole.
_STOP = re.compile(
    r"[。！？；!?;…\n]|\.|[“「『\"`]|https?://[^\s，。；！？）)」”]+|www\.[^\s，。；！？）)」”]+"
)
_CLOSERS = "”’」』）)\"']】*_"
_PAIRS = {"“": "”", "「": "」", "『": "』", '"': '"', "`": "`"}
_QUOTE_REACH = 600  # a quotation longer than this is taken for an unpaired sign
_ENDS = "。！？!?.…"
_ABBREVIATIONS = frozenset(
    (
        *("e.g", "i.e", "etc", "vs", "cf", "mr", "mrs", "ms", "dr", "prof", "st", "fig", "no"),
        *("vol", "approx", "dept", "inc", "ltd", "jan", "feb", "mar", "apr", "jun", "jul", "aug"),
        *("sep", "sept", "oct", "nov", "dec", "al", "p", "pp", "min", "max", "ca", "a.m", "p.m"),
        *("u.s", "u.k", "pte", "corp"),
    )
)
_LONGER = 1 + max(map(len, _ABBREVIATIONS))
_LAST_WORD = re.compile(r"[A-Za-z][A-Za-z.]*\Z")


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences between two offsets, without the white space around them."""
    ends = _tricky_ends if _tricky(text, start, end) else _plain_ends
    begin = start
    for pos in ends(text, start, end):
        last = pos
        while begin < last and text[begin] in _SPACE:
            begin += 1
        while last > begin and text[last - 1] in _SPACE:
            last -= 1
        if begin < last:
            yield begin, last
        begin = pos


_SPACE = frozenset(filter(str.isspace, map(chr, range(0x3001))))
# Signs that a stop may stand inside of.
_TRICKY = ("“", "「", "『", '"', "`", "://", "www.")
_PLAIN_STOP = re.compile(r"[。！？；…\n!?.;][。！？!?.…；;]*[”’」』）)\"'\]】*_]*")
_RUNS = frozenset(".!?…")
_WESTERN = frozenset(".!?;")


def _tricky(text: str, start: int, end: int) -> bool:
    return any(text.find(sign, start, end) >= 0 for sign in _TRICKY)


def _plain_ends(text: str, start: int, end: int) -> Iterator[int]:
    begin = start
    for found in _PLAIN_STOP.finditer(text, start, end):
        at, pos = found.span()
        sign = text[at]
        if sign in _WESTERN:
            # The run decides: "..." ends a sentence, "." may belong to a short form.
            run = text[at : at + 2] if text[at + 1 : at + 2] in _RUNS else sign
            if not _western_stop(text, run, at, pos, begin, end):
                continue
        yield pos
        begin = pos
    yield end


def _tricky_ends(text: str, start: int, end: int) -> Iterator[int]:
    begin = pos = start
    while found := _STOP.search(text, pos, end):
        pos = _after(text, found, begin, end)
        if pos < 0:
            pos = -pos
        else:
            yield pos
            begin = pos
    yield end


def _after(text: str, found: re.Match[str], begin: int, end: int) -> int:
    """Where the sentence ends that stops here; minus where to look on when it goes on."""
    sign, pos = found.group(), found.end()
    if sign in _PAIRS:
        return _after_quote(text, sign, pos, end)
    if len(sign) > 1:  # an address
        return -pos
    if sign == "\n":  # what stands on the next line closes nothing here
        return pos
    while pos < end and text[pos] in "。！？!?.…；;":
        pos += 1
    run = text[found.start() : pos]
    while pos < end and text[pos] in _CLOSERS:
        pos += 1
    if sign in "。！？；…\n":
        return pos
    return pos if _western_stop(text, run, found.start(), pos, begin, end) else -pos


def _after_quote(text: str, sign: str, pos: int, end: int) -> int:
    close = text.find(_PAIRS[sign], pos, min(end, pos + _QUOTE_REACH))
    if close < 0:
        return -pos
    after = close + 1
    # A quotation that ends like a sentence ends the one around it, when another begins.
    if text[close - 1] in _ENDS and close > pos and sign != "`":
        rest = text[after : after + 2].lstrip(" ")
        if after >= end or (text[after] in " \n" and rest[:1].isupper()):
            return after
    return -after


def _western_stop(text: str, run: str, at: int, pos: int, begin: int, end: int) -> bool:
    """Whether `.`, `!`, `?` or `;` ends a sentence: not inside numbers, names or short forms."""
    if pos < end and not text[pos].isspace():
        # 句子用半角标点: a Han character on both sides.
        return run[0] in "!?;" and at > begin and _han(text[at - 1]) and _han(text[pos])
    if run != "." or (at >= _LONGER and text[at - _LONGER : at].isalpha()):
        return True
    word = _LAST_WORD.search(text, max(begin, at - 12), at)
    if word and word.group().lower() == "no":  # "No. 5" goes on, "No. It stays." does not
        return not text[pos : pos + 2].strip().isdigit()
    if word and (
        word.group().lower() in _ABBREVIATIONS
        or (
            len(word.group()) == 1
            and word.group().isupper()
            and text[word.start() - 1 : word.start()] not in ("-", "_", "/")
        )
    ):
        return _next_is_start(text, pos, end) and word.group().lower() in {"etc", "p.m", "a.m"}
    counted = text[begin:at].strip() if at - begin <= 3 else ""
    return not counted.isdigit() or _answers(text, begin, counted)


def _answers(text: str, begin: int, number: str) -> bool:
    """Whether a number at the head of a message is what is said: no list begins with 19."""
    return len(number) > 1 and not text[:begin].strip()


def _next_is_start(text: str, pos: int, end: int) -> bool:
    rest = text[pos : min(end, pos + 4)].lstrip()
    return not rest or rest[0].isupper()


def _han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff"


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
