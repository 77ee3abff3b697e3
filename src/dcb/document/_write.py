"""Snapshot -> document text, the same bytes for the same snapshot everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from dcb.document import _header
from dcb.document._marks import END, LAYER_MARKERS
from dcb.document._text import encode, escape, fenced, is_plain
from dcb.model import LAYERS, Entry, Layer, Preference, Section, Snapshot

SCHEMA = "1.0"
UNTITLED = "未命名快照"

HEADINGS: dict[Layer, str] = {
    "verbatim": "## 1. 关键消息原文",
    "summary": "## 2. 结构化摘要",
    "preference": "## 3. 用户偏好与设定",
}
PLACEHOLDERS: dict[Layer, str] = {
    "verbatim": "_（本快照没有需要逐字保留的内容。）_",
    "summary": "_（无摘要内容。）_",
    "preference": "_（未识别到显式偏好。）_",
}
_EPOCH = datetime(1970, 1, 1)


def dump(snapshot: Snapshot) -> str:
    """The snapshot as a document; its checksum is counted anew."""
    body = _body(snapshot)
    lines = "".join(f"{key}: {value}".rstrip(" ") + "\n" for key, value in _fields(snapshot, body))
    return f"---\n{lines}---\n\n{body}"


def checksum(snapshot: Snapshot) -> str:
    """The checksum that the document of a snapshot carries."""
    return sha256(_body(snapshot))


def sha256(body: str) -> str:
    """The checksum of a body, as the header carries it."""
    return hashlib.sha256(body.encode()).hexdigest()


def timestamp(ms: int) -> str:
    """Epoch milliseconds as UTC with milliseconds and `Z`."""
    return (_EPOCH + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds") + "Z"


def _fields(snapshot: Snapshot, body: str) -> Iterator[tuple[str, str]]:
    yield "dcb_schema", f'"{SCHEMA}"'
    yield "snapshot_id", _header.scalar(snapshot.id)
    yield "source_conversation_id", _header.scalar(snapshot.conversation_id)
    yield "title", _header.scalar(snapshot.title)
    yield "description", _header.scalar(snapshot.description)
    yield "tags", _header.flow(snapshot.tags)
    yield "created_at", timestamp(snapshot.created_at)
    yield "token_estimate", str(snapshot.token_estimate)
    yield "encrypted", str(snapshot.encrypted).lower()
    yield "checksum", _header.scalar(sha256(body))
    if snapshot.weight:
        yield "weight", _number(snapshot.weight)
    for key, value in snapshot.extra:
        yield key, _header.kept(value)
    yield "layers", _header.flow(LAYERS)


def _number(value: float) -> str:
    # YAML 1.1 takes `1e-07` for text: a number with an exponent needs a point there.
    digits, e, exponent = repr(value).partition("e")
    return f"{digits if '.' in digits or not e else digits + '.0'}{e}{exponent}"


def _body(snapshot: Snapshot) -> str:
    blocks = [f"# {escape(snapshot.title) or UNTITLED}"]
    if snapshot.description:
        blocks.append(f"> {escape(snapshot.description)}")
    blocks += _layer("verbatim", map(_entry, snapshot.verbatim))
    blocks += _layer("summary", map(_section, snapshot.summary))
    preferences = "\n".join(map(_preference, snapshot.preferences))
    blocks += _layer("preference", [preferences] if preferences else [])
    return "\n\n".join([*blocks, END]) + "\n"


def _layer(layer: Layer, blocks: Iterable[str]) -> list[str]:
    return [LAYER_MARKERS[layer], HEADINGS[layer], *(list(blocks) or [PLACEHOLDERS[layer]])]


def _entry(entry: Entry) -> str:
    attributes = " ".join(f"{name}={encode(value)}" for name, value in _attributes(entry))
    return f"<!-- dcb:entry {attributes} -->\n{_content(entry)}"


def _attributes(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "id", entry.id
    yield "kind", entry.kind
    if entry.lang:
        yield "lang", entry.lang
    yield "role", entry.role
    if entry.src:
        yield "src", entry.src
    yield "at", str(entry.at)
    for name in ("status", "by", "origin", "via"):
        if value := getattr(entry, name):
            yield name, value
    if entry.pin:
        yield "pin", "1"
    yield from entry.extra


def _content(entry: Entry) -> str:
    if entry.kind == "code":
        return fenced(entry.content, info=_info(entry.lang))
    return escape(entry.content) if is_plain(entry.content) else fenced(entry.content)


def _info(lang: str) -> str:
    # Only what a fence may carry: the attribute holds the whole of it.
    word = next(iter(lang.split()), "")
    return word if word.isprintable() and "`" not in word else ""


def _section(section: Section) -> str:
    bullets = "\n".join(f"- {escape(bullet)}" for bullet in section.bullets)
    return f"### {section.heading}\n\n{bullets}"


def _preference(item: Preference) -> str:
    flag = "explicit" if item.explicit else "inferred"
    value = escape(item.value)
    return f"- **[{item.scope}] {item.key}** ({flag}) — {value} <!-- at={item.at} -->"
