"""Pasted talk and Markdown exports: text in which speakers take turns under their names.

Styles: `You said:` / `ChatGPT 说：` alone on a line, with or without `#`; headings
(`## Human`, `#### ChatGPT:`); bold (`**User:**`, `**You**:`, `**我：**`); bracketed
(`[User]`, `【助手】`); plain (`User:`, `用户：`), with full or half colon. Speakers come from a
closed list, so that `Note:`, `Human error:` and `注意：` are text.

One style counts per text: the one whose first label comes first and which has both speakers;
headings of each level are styles of their own. A label opens a line, outside code fences; a
fence of n marks is closed by n or more of them. All up to the next label is the speaker's.
Without two speakers a text is no transcript. YAML front matter gives the title, or the first
heading before the first label. Interface lines ("Thought for 6 seconds", "复制代码") go.
A generic reader: asked when no other knows the input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Reader
from dcb.readers.talk import Talk

NAME = "pasted-text"

SPEAKERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("user", ("you", "user", "human", "me", "我", "您", "你", "用户", "用戶", "使用者", "人类")),
    ("system", ("system", "系统", "系統")),
    (
        "assistant",
        (
            *("assistant", "ai", "ai assistant", "bot", "chatbot", "model"),
            *("chatgpt", "gpt", "gpt-4", "gpt-4o", "gpt-5", "claude", "gemini", "bard"),
            *("copilot", "github copilot", "deepseek", "kimi", "grok", "qwen", "doubao"),
            *("perplexity", "mistral", "le chat", "llama", "meta ai", "cursor", "glm"),
            *("助手", "助理", "ai助手", "ai 助手", "智能助手", "人工智能", "机器人", "模型"),
            *("豆包", "通义", "通义千问", "千问", "文心一言", "元宝", "腾讯元宝"),
            *("智谱", "智谱清言", "讯飞星火", "星火", "海螺", "混元", "小助手"),
        ),
    ),
)
"""Role -> the names that stand for it, in lower case."""

ROLE_OF = {name: role for role, names in SPEAKERS for name in names}

_NAME = "(?P<{0}>" + "|".join(sorted(map(re.escape, ROLE_OF), key=len, reverse=True)) + ")"
_LINE = re.compile(
    rf"""^\x20{{0,3}}(?:
      (?P<fence>`{{3,}}|~{{3,}})(?P<info>[^\n]*)
    | (?:\#{{1,6}}\s?)?{_NAME.format("said")}\x20?(?:said|说|說)\x20?[:：]?\x20*$
    | (?P<level>\#{{1,6}})\x20+\**{_NAME.format("heading")}\x20?[:：]?\**\x20?[:：]?\x20*$
    | (?:\*\*|__){_NAME.format("bold")}\x20?(?:[:：]\x20?(?:\*\*|__)|(?:\*\*|__)\x20?(?:[:：]|\x20*$))
    | [\[【]{_NAME.format("bracket")}[\]】]\x20?(?:[:：]|(?=\x20*$))
    | {_NAME.format("plain")}\x20?[:：]
    )""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[^`\n]*$", re.MULTILINE)
STYLES = ("said", "heading", "bold", "bracket", "plain")

_FRONT = re.compile(
    r"\A---[ \t]*\n((?:(?!---|\.\.\.)[^\n]*\n){0,100})(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_OWN = re.compile(r"^(?:schema_version|snapshot_id):", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]+)$", re.MULTILINE)
_THOUGHT = re.compile(
    r"\A\s*(?:(?:Thought|Reasoned|Worked) for [^\n]{1,40}|已(?:深度)?思考[^\n]{0,20}|思考了[^\n]{1,20})"
    r"(?:\n|\Z)",
    re.IGNORECASE,
)
_BUTTON = re.compile(r"^(?:Copy code|复制代码|複製程式碼)[ \t]*\n?", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Label:
    style: str
    role: str
    start: int
    end: int  # behind the label, where the speaker's text begins


def detect(source: Input) -> str | None:
    """Two speakers who take turns under labels of one style."""
    if source.shape != "text":
        return None
    labels = _labels(_text(source))
    return f"speakers take turns under {labels[0].style} labels" if labels else None


def read(source: Input) -> Iterator[Item]:
    """One conversation."""
    text = _text(source)
    labels = _labels(text)
    if not labels:
        yield Skipped(where=source.file.where, reason="No two speakers take turns in it")
        return
    talk = Talk(source)
    ends = [label.start for label in labels[1:]] + [len(text)]
    for label, end in zip(labels, ends, strict=True):
        said = text[label.end : end]
        talk.say(label.role, _cleaned(said) if label.role == "assistant" else said)
    front = _FRONT.match(text)
    before = text[front.end() if front else 0 : labels[0].start]
    heading = _HEADING.search(before)
    rest = (before.replace(heading[0], "", 1) if heading else before).strip()
    if rest:
        talk.notes.warn(f"{len(rest)} characters before the first speaker were left out")
        talk.notes.drop("preamble")
    title = _FRONT_TITLE.search(front[1]) if front else None
    named = title[1].strip().strip("\"'") if title else heading[1].strip() if heading else ""
    yield talk.close(NAME, title=named)


def _text(source: Input) -> str:
    text = bytes(source.file.data).decode(errors="replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _labels(text: str) -> list[_Label]:
    """The labels of the style that counts; none when no style has both speakers."""
    front = _FRONT.match(text)
    if front and _OWN.search(front[1]):
        return []  # a snapshot document, which quotes talk
    styles: dict[str, list[_Label]] = {}
    for label in _all_labels(text, front.end() if front else 0):
        styles.setdefault(label.style, []).append(label)
    for labels in styles.values():
        if {"user", "assistant"} <= {label.role for label in labels}:
            return labels
    return []


def _all_labels(text: str, pos: int) -> Iterator[_Label]:
    fence = ""
    for found in _LINE.finditer(text, pos):
        mark = found["fence"]
        if mark is None and not fence:
            yield _label(found)
            mark = _fence_behind(text, found.end())
            fence = mark or ""
        elif mark and not fence:
            fence = "" if mark[0] == "`" and "`" in found["info"] else mark
        elif mark and mark[0] == fence[0] and len(mark) >= len(fence) and not found["info"].strip():
            fence = ""


def _fence_behind(text: str, pos: int) -> str | None:
    """The fence that opens on the line of a label, as in ``Assistant: ```python``."""
    found = _FENCE.match(text, pos)
    return found[1] if found else None


def _label(found: re.Match[str]) -> _Label:
    kind = next(name for name in STYLES if found[name] is not None)
    style = f"{kind} {found['level']}" if kind == "heading" else kind
    role = ROLE_OF[found[kind].lower()]
    return _Label(style=style, role=role, start=found.start(), end=found.end())


def _cleaned(said: str) -> str:
    said = _THOUGHT.sub("", said, count=1)
    # Where there are fences the text did not come from a page, and the line may be code.
    return said if "```" in said else _BUTTON.sub("", said)


READER = Reader(name=NAME, title="Pasted talk or Markdown", detect=detect, read=read, generic=True)
