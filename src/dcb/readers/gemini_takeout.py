"""Gemini Apps (once Bard) in Google Takeout, "My Activity" -> conversations.

Where: takeout.google.com, My Activity, Gemini Apps; `Takeout/My Activity/Gemini Apps/
MyActivity.json` or, by default, `.html`. Folder names, headers and verbs are translated.

JSON: newest first, `[{header: "Gemini Apps"|"Bard"|…, title: "Prompted …", time, products,
safeHtmlItem: [{html}], subtitles, attachedFiles, imageFile}]`: a prompt and its answer a record.
HTML: cells of the same; prompt, time and answer are one cell, or the time is in its header.

Read: oldest first. There are no conversation ids: records less than 30 minutes apart are one
conversation. An answer has the time of its prompt.
Left out: records that are no prompt (used, gave feedback, created), other products.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.content import attachment, join_blocks
from dcb.readers.html_text import markdown
from dcb.readers.loose import fields, items, string
from dcb.readers.takeout_page import CELL, cells
from dcb.readers.takeout_time import TIME_LINE, takeout_ms
from dcb.readers.talk import Talk, each
from dcb.readers.times import noted_ms

NAME = "gemini-takeout"
GAP = 30 * 60 * 1000  # milliseconds

PRODUCT = re.compile(r"(?=.{4,40}\Z).*\b(?:Gemini|Bard)\b")  # "Gemini-Apps", "Applis Gemini" …
PAGE_PRODUCT = re.compile(rb"title[\"'][^<>]{0,80}>[^<>]{0,30}\b(?:Gemini|Bard)\b|>Gemini Apps<")
PROMPTED = re.compile(r"(?:Prompted|Said|Asked|Live Prompt)\s+|Prompt\s*:\s*", re.IGNORECASE)
OTHER = re.compile(r"(?:Used|Gave feedback|Created|Visited|Selected|Viewed|Feedback|Canvas)\b")
ATTACHED = re.compile(r"Attached \d+ files?\.?\Z")

LOOK = 1 << 21  # bytes: a page begins with a long style sheet


@dataclass(frozen=True, kw_only=True, slots=True)
class _Record:
    prompt: str
    answer: str
    at: int | None


def detect(source: Input) -> str | None:
    """Records of Gemini Apps or Bard with a time; or the page of such cells."""
    if source.shape == "array":
        for item in map(fields, source.items):
            if _is_gemini(item) and "time" in item:
                return "activity records of Gemini Apps"
    if source.shape == "html":
        beginning = source.file.data[:LOOK]
        if CELL in beginning and PAGE_PRODUCT.search(beginning):
            return "an activity page of Gemini Apps"
    return None


def read(source: Input) -> Iterator[Item]:
    """Conversations of neighbouring records."""
    notes = Notes()
    records: list[_Record] = []
    for item in _from_page(source, notes) if source.shape == "html" else _from_json(source, notes):
        if isinstance(item, Skipped):
            yield item
        else:
            records.append(item)
    times = [record.at for record in records if record.at]
    if not times or times[0] >= times[-1]:
        records.reverse()
    for number, group in enumerate(list(_groups(records)) or [[]], 1):
        yield _conversation(source, group, number, notes)
        notes = Notes()


def _groups(records: list[_Record]) -> Iterator[list[_Record]]:
    group: list[_Record] = []
    last: int | None = None
    for record in records:
        if group and last and record.at and abs(record.at - last) > GAP:
            yield group
            group = []
        group.append(record)
        last = record.at or last
    if group:
        yield group


def _conversation(source: Input, group: list[_Record], number: int, notes: Notes) -> Item:
    talk = Talk(source)
    for warning in notes.warnings:
        talk.notes.warn(warning)
    for dropped in notes.dropped:
        talk.notes.drop(dropped.reason, dropped.count)
    for record in group:
        for role, text in (("user", record.prompt), ("assistant", record.answer)):
            if text:
                talk.say(role, text, at=record.at)
    times = [record.at for record in group if record.at]
    created, updated = (times[0], times[-1]) if times else (None, None)
    return talk.close(NAME, place=f"conversation {number}", created_at=created, updated_at=updated)


def _from_json(source: Input, notes: Notes) -> Iterator[_Record | Skipped]:
    for _, item, warnings in each(source):
        if isinstance(item, Skipped):
            yield item
            continue
        for warning in warnings:
            notes.warn(warning)
        record = fields(item)
        pages = (fields(part).get("html") for part in items(record.get("safeHtmlItem")))
        answer = join_blocks(markdown(string(page)) for page in pages)
        title = unescape(string(record.get("title")))
        if not _is_gemini(record) or not _is_prompt(title, answer):
            notes.drop("interface")
            continue
        prompt = join_blocks((_asked(title, notes), *_attached(record)))
        yield _Record(prompt=prompt, answer=answer, at=noted_ms(record.get("time"), notes))


def _from_page(source: Input, notes: Notes) -> Iterator[_Record]:
    for header, content in cells(source.file.data):
        record = _from_cell(header, content, notes)
        if record is None:
            notes.drop("interface")
        else:
            yield record


def _from_cell(header: list[str], content: list[str], notes: Notes) -> _Record | None:
    if not any(map(PRODUCT.match, header)):
        return None
    at = next((n for n, line in enumerate(content) if n and TIME_LINE.match(line)), None)
    if at is None:  # the time stands in the header, prompt and answer are paragraphs
        asked, _, answer = "\n".join(content).partition("\n\n")
        moment = next((line for line in header if TIME_LINE.match(line)), "")
        title = " ".join([*(line for line in header if PROMPTED.match(f"{line} ")), asked])
    else:
        title, answer = ("\n".join(part) for part in (content[:at], content[at + 1 :]))
        moment = content[at]
    if not _is_prompt(title, answer):
        return None
    prompt = _with_files(_asked(title, notes))
    return _Record(prompt=prompt, answer=answer.strip(), at=takeout_ms(moment))


def _is_gemini(record: dict[str, Any]) -> bool:
    named = [string(record.get("header")), *map(string, items(record.get("products")))]
    return any(map(PRODUCT.match, named))


def _is_prompt(title: str, answer: str) -> bool:
    """A known verb says so; of an unknown one (a translation), that there is an answer."""
    return bool(PROMPTED.match(title)) or (bool(answer) and not OTHER.match(title))


def _asked(title: str, notes: Notes) -> str:
    verb = PROMPTED.match(title)
    if verb is None:
        notes.warn("Titles begin with a verb of an unknown language, which stands in the prompts")
        return title.strip()
    return title[verb.end() :].strip()


def _attached(record: dict[str, Any]) -> Iterator[str]:
    for name in map(string, items(record.get("attachedFiles"))):
        yield attachment("file", name)
    if string(record.get("imageFile")):
        yield attachment("image", record["imageFile"])


def _with_files(prompt: str) -> str:
    """The prompt of a page, on whose last lines the attached files may be listed."""
    lines = prompt.split("\n")
    at = next((n for n, line in enumerate(lines) if ATTACHED.match(line.strip())), len(lines))
    names = (line.strip(" -\u00a0") for line in lines[at + 1 :])
    return join_blocks(
        ("\n".join(lines[:at]), *(attachment("file", name) for name in names if name))
    )


READER = Reader(name=NAME, title="Gemini in Google Takeout", detect=detect, read=read)
