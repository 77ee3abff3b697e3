"""Aider's chat history, a Markdown file that grows in the root of a repository.

Where: `.aider.chat.history.md` (or what `--chat-history-file` names).

`# aider chat started at YYYY-MM-DD HH:MM:SS` opens a session, in local time, so no message has
a time. The person's lines are written `#### …` with two blanks at the end; a run of them is one
message. Tool output is `> …`; everything else is the assistant.

Where any `#### ` line ends in two blanks, only such lines are the person's, and the others are
the assistant's headings. Editors strip blanks: where none has them, every `#### ` line outside
a code fence is taken. `# ` inside a fence is code. An answer that was interrupted may leave its
fence open: a fence that does not close before the person speaks again is none.
Left out: `/commands` (Aider writes the text of `/ask …` once more, as a prompt of its own),
`!commands`, tool output.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from dcb.readers.base import Input, Item, Reader
from dcb.readers.talk import Talk, base_name, opening_id

NAME = "aider"
FILE_NAME = ".aider.chat.history.md"

HEADER = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[ \t]*\Z")
HEADER_IN_TEXT = re.compile(r"^# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.M)
USER = "#### "
TOOL = "> "
SIGNED = "  "  # how Aider ends the lines that it writes itself
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\r\n]*)\Z")


@dataclass(frozen=True, slots=True)
class _Line:
    """`header`, `user`, `tool` or `text`, with the text behind the mark."""

    kind: str
    text: str


def detect(source: Input) -> str | None:
    """The file's name, or a line `# aider chat started at`."""
    if source.shape not in ("text", "html"):
        return None
    if base_name(source.file) == FILE_NAME:
        return f"named {FILE_NAME}"
    if HEADER_IN_TEXT.search(source.head):
        return "a line `# aider chat started at`"
    return None


def read(source: Input) -> Iterator[Item]:
    """One conversation per session."""
    text = bytes(source.file.data).decode("utf-8", "replace")
    lines = text.replace("\r\n", "\n").split("\n")
    session: list[_Line] = []
    started = ""
    for line in _marked(lines):
        if line.kind == "header":
            yield from _session(source, session, started)
            session, started = [], line.text
        else:
            session.append(line)
    yield from _session(source, session, started)


def _session(source: Input, lines: Sequence[_Line], started: str) -> Iterator[Item]:
    talk = Talk(source)
    for role, text in _turns(lines):
        if role == "user" and text.startswith(("/", "!")):
            talk.notes.drop("interface")
        else:
            talk.say(role, text)
    talk.notes.drop("tool", sum(line.kind == "tool" for line in lines))
    if started or talk.messages:
        # Local time is no time, but it tells sessions apart.
        own = f"{started} {opening_id(talk.messages)}".strip()
        yield talk.close(NAME, id=own, place=f"session of {started}" if started else "")


def _turns(lines: Sequence[_Line]) -> Iterator[tuple[str, str]]:
    """`(role, text)`: a run of the person's lines, or what stands between two such runs."""
    for is_user, run in groupby(lines, key=lambda line: line.kind == "user"):
        if is_user:
            yield "user", "\n".join(line.text for line in run)
        else:
            answer = "\n\n".join(_blocks(run))
            if answer:
                yield "assistant", answer


def _blocks(run: Iterable[_Line]) -> Iterator[str]:
    """The assistant's text, apart where tool output stood."""
    for is_text, lines in groupby(run, key=lambda line: line.kind == "text"):
        block = "\n".join(line.text for line in lines).strip("\n")
        if is_text and block.strip():
            yield block


def _marked(lines: Sequence[str]) -> Iterator[_Line]:
    signed = any(map(_is_signed, lines))
    for line, fenced in zip(lines, _fenced(lines, signed=signed), strict=True):
        header = HEADER.match(line)
        if header and not fenced:
            yield _Line("header", header[1])
        elif _is_signed(line) if signed else not fenced and _is_heading(line):
            yield _Line("user", line[len(USER) :].rstrip(" "))
        elif not fenced and (line.startswith(TOOL) or line == TOOL.strip()):
            yield _Line("tool", line)
        else:
            yield _Line("text", line)


def _is_signed(line: str) -> bool:
    return line.startswith(USER) and line.endswith(SIGNED)


def _is_heading(line: str) -> bool:
    return line.startswith(USER) or line == USER.strip()


def _fenced(lines: Sequence[str], *, signed: bool) -> list[bool]:
    """For each line, whether it stands in a code fence that is closed where it should be."""
    inside = [False] * len(lines)
    opened, mark = -1, ""
    for number, line in enumerate(lines):
        if signed and _is_signed(line):
            mark = ""
            continue
        fence = _FENCE.match(line)
        if fence and not mark and not (fence[1][0] == "`" and "`" in fence[2]):
            opened, mark = number, fence[1]
        elif fence and mark and fence[1].startswith(mark) and not fence[2].strip():
            inside[opened : number + 1] = [True] * (number + 1 - opened)
            mark = ""
    return inside


READER = Reader(name=NAME, title="Aider", detect=detect, read=read)
