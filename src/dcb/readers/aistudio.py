"""Google AI Studio prompts -> the talk.

Where: the folder "Google AI Studio" of Google Drive; a JSON file without extension, named by
its title: `{runSettings, systemInstruction: {text | parts}, chunkedPrompt: {chunks: [{role:
user|model, text, parts, isThought, createTime?, driveDocument | driveImage | inlineFile …}],
pendingInputs}}`.

Read in order. `text` repeats the `parts`, so only one of them is read; the system instruction
is the person's own and comes first. A file is a chunk of its own.
Left out: thoughts, executed code and its results, errors, input that was never sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.content import attachment, join_blocks, string_in
from dcb.readers.gemini_parts import TOOL_KEYS
from dcb.readers.jsontext import document
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, base_name
from dcb.readers.times import noted_ms

NAME = "aistudio"

ROLES = {"user": "user", "model": "assistant"}
IMAGES = ("driveImage", "inlineImage")
FILES = (
    *("driveDocument", "driveFile", "driveVideo", "driveAudio", "inlineFile", "inlineData"),
    *("inlineDocument", "inlineVideo", "inlineAudio", "youtubeVideo"),
)


def detect(source: Input) -> str | None:
    """An object with `chunkedPrompt`."""
    if source.shape == "object" and "chunkedPrompt" in source.keys:
        return "an object with `chunkedPrompt`"
    return None


def read(source: Input) -> Iterator[Item]:
    """The one prompt of a file."""
    talk = Talk(source)
    whole = fields(document(source.file, warn=talk.notes.warn))
    prompt = fields(whole.get("chunkedPrompt"))
    order = fields(whole.get("systemInstruction"))
    told = string(whole.get("systemInstruction")) or _text(order, talk.notes)
    if told:
        talk.say("system", told)
    for chunk in items(prompt.get("chunks")):
        _say(talk, {"role": "user", "text": chunk} if isinstance(chunk, str) else fields(chunk))
    unsent = map(fields, items(prompt.get("pendingInputs")))
    talk.notes.drop("interface", sum(bool(string(chunk.get("text")).strip()) for chunk in unsent))
    yield talk.close(NAME, id=whole.get("id"), title=_title(source))


def _say(talk: Talk, chunk: dict[str, Any]) -> None:
    role = ROLES.get(string(chunk.get("role")))
    if chunk.get("isThought") is True:
        talk.notes.drop("thinking")
    elif role is None:
        talk.notes.warn(f"Unknown role {string(chunk.get('role'))[:60]!r} skipped")
        talk.notes.drop("unknown")
    else:
        text = join_blocks((*_files(chunk), _text(chunk, talk.notes)))
        talk.notes.drop("tool", sum(key in chunk for key in TOOL_KEYS))
        talk.notes.drop("interface", int(bool(chunk.get("errorMessage"))))
        talk.say(
            role,
            text,
            id=identity(chunk.get("id")),
            at=noted_ms(chunk.get("createTime"), talk.notes),
        )


def _text(chunk: dict[str, Any], notes: Notes) -> str:
    """The `text`, or the parts put together: they are pieces of one stream."""
    if string(chunk.get("text")):
        return string(chunk["text"])
    pieces = []
    for part in map(fields, items(chunk.get("parts"))):
        if part.get("thought") is True:
            notes.drop("thinking")
        else:
            pieces.append(string(part.get("text")))
    return "".join(pieces)


def _files(chunk: dict[str, Any]) -> Iterator[str]:
    for key in (*IMAGES, *FILES):
        if key in chunk:
            file = fields(chunk[key])
            image = key in IMAGES or string(file.get("mimeType")).startswith("image/")
            named = string_in(file, "name", "displayName", "title", "id", "url")
            drive = key.startswith("drive") and named
            yield attachment("image" if image else "file", f"{key} {named}" if drive else named)


def _title(source: Input) -> str:
    name = base_name(source.file)
    return name[: -len(".json")] if name.casefold().endswith(".json") else name


READER = Reader(name=NAME, title="Google AI Studio prompt", detect=detect, read=read)
