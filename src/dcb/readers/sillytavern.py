"""SillyTavern chats: role play between a person and one or several characters.

Where: `data/<user>/chats/<Character>/*.jsonl`, group chats in `data/<user>/group chats/`.

Row 1 is `{user_name, character_name, create_date, chat_metadata}`, the others `{name, is_user,
is_system, send_date, mes, swipes, swipe_id, extra}`; `mes` is the swipe that was chosen. Read
in file order; messages have no ids. `send_date` counts where it is a number (milliseconds) or
an ISO text with a zone: every other form is local time, which nobody can place, so it is None.
Left out: system rows, swipes not chosen, reasoning.

The text is role play. Nothing in it is a fact about the person unless the person says so,
which is why every conversation carries a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dcb.readers.base import Input, Item, Reader
from dcb.readers.content import attachment, join_blocks
from dcb.readers.jsontext import rows
from dcb.readers.loose import fields, items, string
from dcb.readers.talk import Talk, stem
from dcb.readers.times import epoch_ms

NAME = "sillytavern"
ROLE_PLAY = "Role play: do not take what is said here as facts about the person"

HEADER = frozenset({"user_name", "character_name"})
ROW = frozenset({"is_user", "mes"})
NO_NAME = ("", "unused")  # what group chats write for the character
_ZONED = re.compile(r"\d{4}-\d\d-\d\d[T ].*(?:Z|[+-]\d\d:?\d\d)\Z")


def detect(source: Input) -> str | None:
    """A row of `user_name` and `character_name`, or rows of `is_user` and `mes`."""
    if source.shape not in ("jsonl", "object"):
        return None
    found = [item.keys() for item in source.items if isinstance(item, dict)]
    if any(keys >= HEADER for keys in found):
        return "a row with `user_name` and `character_name`"
    if any(keys >= ROW for keys in found):
        return "rows with `is_user` and `mes`"
    return None


def read(source: Input) -> Iterator[Item]:
    """The one chat of the file."""
    talk = Talk(source)
    talk.notes.warn(ROLE_PLAY)
    header: dict[str, Any] = {}
    for _, row in rows(source.file, warn=talk.notes.warn):
        if ROW & fields(row).keys():
            _say(talk, row)
        elif HEADER & fields(row).keys():
            header = header or row
        else:
            talk.notes.drop("unknown")
    name = string(header.get("character_name")).strip()
    started = string(header.get("create_date"))
    own = stem(source.file)
    yield talk.close(
        NAME,
        id=own if started in own else f"{own} {started}",
        title=own if name in NO_NAME else name,
        created_at=_moment(header.get("create_date")),
    )


def _say(talk: Talk, row: dict[str, Any]) -> None:
    if row.get("is_system") is True:
        talk.notes.drop("system")
        return
    swipes = items(row.get("swipes"))
    talk.notes.drop("branch", max(0, len(swipes) - 1))
    extra = fields(row.get("extra"))
    if extra.get("reasoning"):
        talk.notes.drop("thinking")
    role = "user" if row.get("is_user") is True else "assistant"
    content = join_blocks((_text(row, swipes), *_attachments(extra)))
    talk.say(role, content, at=_moment(row.get("send_date")))


def _text(row: dict[str, Any], swipes: list[Any]) -> str:
    chosen = row.get("swipe_id")
    if isinstance(row.get("mes"), str):
        return string(row["mes"])
    if isinstance(chosen, int) and 0 <= chosen < len(swipes):
        return string(swipes[chosen])
    return ""


def _attachments(extra: dict[str, Any]) -> Iterator[str]:
    if string(extra.get("image")):
        yield attachment("image")
    for file in (extra.get("file"), *items(extra.get("files"))):
        if isinstance(file, dict):
            yield attachment("file", file.get("name"))


def _moment(value: Any) -> int | None:
    if isinstance(value, str) and not (_ZONED.match(value) or value.isdigit()):
        return None
    return epoch_ms(value)


READER = Reader(name=NAME, title="SillyTavern", detect=detect, read=read)
