"""Untrusted text -> text whose every character can be seen and whose markup is only text.

Nothing is removed silently: a control or invisible character becomes its escape, a run of
tag characters or variation selectors its count, a role or tool tag the same words between
‹ and ›. `inert(inert(text)) == inert(text)`.
"""

from __future__ import annotations

import re
from functools import cache

# Joiners hold emoji and Indic or Persian letters together, a selector picks an emoji's
# form: between visible characters outside ASCII they are part of the writing.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
_JOINED = (
    rf"(?<=[^\x00-\x7f{_CONTROL}{_INVISIBLE}])[\u200c\u200d](?=[^\x00-\x7f{_CONTROL}{_INVISIBLE}])"
    rf"|(?<=[^\x00-\x7f{_CONTROL}{_INVISIBLE}])\ufe0f\u200d(?=[^\x00-\x7f{_CONTROL}{_INVISIBLE}])"
    rf"|(?<=[^\x00-\x7f{_CONTROL}{_INVISIBLE}])[\ufe00-\ufe0f](?![{_INVISIBLE}])"
    r"|(?<=[0-9#*])\ufe0f(?=\u20e3)"
)
_HIDDEN = (
    rf"(?P<joined>{_JOINED})"
    r"|(?P<tags>[\U000e0000-\U000e007f]+)"
    r"|(?P<selectors>[\ufe00-\ufe0f\U000e0100-\U000e01ef]+)"
    rf"|[{_CONTROL}{_INVISIBLE}]"
)
# `str.isprintable` tells control and format characters; these few it takes for letters.
_BLANK_LETTERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufffc\ufffd\U000e0100-\U000e01ef]"
)

# Names of tags that some model or agent reads as a change of speaker, a tool call or its
# result. Others (`<div>`) are content and stay as they are.
_TAGS = (
    "system|assistant|developer|background|think(?:ing)?|im_start|im_end|endoftext|bos|eos|"
    "start_of_turn|end_of_turn|function_calls?|function_results?|invoke|arg_key|arg_value|"
    "tool_[a-z]+|observation|antartifact|antthinking|system[-_][a-z_-]+|user[-_][a-z_-]+|"
    "assistant[-_][a-z_-]+|dcb[-_:a-z]*|command-[a-z]+|local-command-[a-z]+"
)
# These are names of types in code as well: `List<User>` stays.
_TAGS_OR_TYPES = (
    "user|human|ai|bot|model|tools?|function|parameter|instructions?|prompt|context|"
    "documents?|results?|output|artifact|s"
)
_ROLES = (
    "human|user|assistant|system|developer|tool|ai|model|bot|function|"
    "chatgpt|claude|gpt|gemini|deepseek|kimi|qwen|"
    "用户|助手|系统|开发者|工具|人类|机器人"
)
_ROLE_KEYS = frozenset(_ROLES.split("|"))
_AROUND_ROLES = " \t>#*_`-[]\"'"
_TAIL = r"(?:[\s/=|][^<>\n]{0,400})?"
_MARKUP = (
    r"(?P<token><[|｜][^\n<>]{0,80}?[|｜]>)"
    r"|(?P<sys><<\s*/?\s*SYS\s*>>)"
    r"|\[(?P<bracket>/?\s*(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|"
    r"TOOL_CONTENT|end background\b[^\]\n]{0,80}|dcb[:\s][^\]\n]{0,80}))\s*\]"
    rf"|<(?P<tag>\s*/?\s*(?:[a-z]{{1,12}}:)?(?:{_TAGS}){_TAIL})>"
    rf"|(?<!\w)<(?P<type>/?(?:{_TAGS_OR_TYPES}){_TAIL})>"
)
_TURN = r"|^(?P<lead>[ \t>#*_`\-\[\"']*)(?P<role>{roles})(?P<colon>[*_`\]]{{0,3}}[ \t]*[:：])"
_FLAGS = re.IGNORECASE | re.MULTILINE
# How everything begins that the pattern takes for markup. Most code has signs like `<` and
# names behind them, but none of these: it is not worth compiling the pattern for.
_TOKENS = ("<|", "<｜")
_BEGINNINGS = (
    "ai|antartifact|antthinking|arg_|artifact|assistant|available_|background|bos|bot|command-|"
    "context|dcb|developer|document|end|eos|function|human|im_|inst|invoke|local-|model|"
    "observation|output|parameter|prompt|result|start_of|sys|think|tool|user"
)
_STEMS = tuple(_BEGINNINGS.split("|"))
_NAMES = re.compile(r"[<\[][\s/]*([a-z_-]+):?([a-z_-]*)", re.IGNORECASE)
_IN_PROSE = _MARKUP + _TURN.format(roles=_ROLES)
# `user: root` is configuration; only the spelling of a transcript is a turn there.
_IN_CODE = _MARKUP + _TURN.format(roles="(?-i:Human|Assistant|System|User)")


def terminal(text: str) -> str:
    """The text with every control, bidi and invisible character but tab and line end escaped."""
    if _all_visible(text):
        return text
    return _compiled(_HIDDEN).sub(_shown, text)


def markup(text: str, *, code: bool = False) -> str:
    """The text with role tags, chat tokens, tool markup and turn headers made plain words."""
    if not _may_open(text) and not _may_turn(text):
        return text
    return _compiled(_IN_CODE if code else _IN_PROSE, _FLAGS).sub(_inert, text)


def inert(text: str, *, code: bool = False) -> str:
    """The text as it may stand in a brief: nothing hidden, no live markup."""
    return markup(terminal(text), code=code)


def _may_open(text: str) -> bool:
    """Whether some tag or bracket may be live: `a < b`, `list[int]` and `<div>` are not."""
    if "<" not in text and "[" not in text:
        return False
    names = (_plain(name) for found in _NAMES.findall(text) for name in found)
    return any(token in text for token in _TOKENS) or any(
        name == "s" or name.startswith(_STEMS) for name in names
    )


def _may_turn(text: str) -> bool:
    """Whether some line may begin with a role and a colon; most texts need no pattern to know."""
    return any(
        _role_key(line.partition(":")[0].partition("：")[0]) in _ROLE_KEYS
        for line in text.split("\n")
        if ":" in line or "：" in line
    )


def _role_key(text: str) -> str:
    return _plain(text.strip(_AROUND_ROLES))


def _plain(name: str) -> str:
    # A pattern that ignores case takes these two for an i; `casefold` knows the others.
    return name.replace("ı", "i").replace("İ", "i").casefold()


def _all_visible(text: str) -> bool:
    """Whether there is surely nothing to escape; most texts need no pattern to know."""
    lines = text.replace("\n", "").replace("\t", "")
    return lines.isprintable() and (lines.isascii() or not _BLANK_LETTERS.search(lines))


@cache
def _compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    # On first use: compiling these takes longer than everything else that `dcb list` does.
    return re.compile(pattern, flags)


def _shown(match: re.Match[str]) -> str:
    hidden = match.group()
    if match.lastgroup == "joined":
        return hidden
    if match.lastgroup == "tags":
        return f"‹{len(hidden)} tag characters›"
    if match.lastgroup == "selectors" and len(hidden) > 1:
        return f"‹{len(hidden)} variation selectors›"
    return _escape(ord(hidden))


def _escape(point: int) -> str:
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _inert(match: re.Match[str]) -> str:
    part = match.groupdict()
    if part["role"]:
        return f"{part['lead']}‹{part['role']}›{part['colon']}"
    inside = part["bracket"] or part["tag"] or part["type"]
    if inside:
        return f"‹{inside}›"
    return match.group().replace("<", "‹").replace(">", "›")
