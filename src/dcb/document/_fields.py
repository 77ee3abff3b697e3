"""Header fields -> the values of a snapshot, each checked against its type."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from dcb.document._header import Field, read_flow, read_kept, read_scalar
from dcb.document._text import SURROGATE
from dcb.errors import DocumentError
from dcb.model import LAYERS, MAX_TOKENS

REQUIRED = ("dcb_schema", "snapshot_id", "source_conversation_id", "title", "created_at")

_SCHEMA = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")
_CHECKSUM = re.compile(r"(?:sha256:)?([0-9a-f]{64})")
_WHOLE = re.compile(r"[0-9]{1,16}")
_NUMBER = re.compile(
    r"[-+]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,4})?"
)
_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?"
    r" ?(?:([Zz])|([-+])([0-9]{2}):?([0-9]{2}))"
)
_EPOCH_DAY = datetime(1970, 1, 1).toordinal()


def header_values(text: str, fields: tuple[Field, ...]) -> dict[str, Any]:
    """Keyword arguments of Snapshot. Raises DocumentError at the field that is wrong."""
    given = {field.key for field in fields}
    for key in REQUIRED:
        if key not in given:
            raise DocumentError(f"The header has no line {key!r}", text, 0)
    values: dict[str, Any] = {"extra": ()}
    for field in fields:
        name, read = FIELDS.get(field.key, ("extra", read_kept))
        value = _value(text, field, read)
        values[name] = (*values["extra"], (field.key, value)) if name == "extra" else value
    values.pop("layers", None)
    return values


def check(text: str, field: Field, warn: Callable[[str], None]) -> None:
    """Refuse another major version of the format, warn of another minor one."""
    if field.key != "dcb_schema":
        return
    version = _value(text, field, _schema)
    major, _, minor = version.partition(".")
    if int(major) != 1:
        raise DocumentError(
            f"This document is of format {version}, and this version of dcb reads 1.x: update dcb",
            text,
            field.pos,
        )
    if int(minor) != 0:
        warn(f"The document is of format {version}; it was read as 1.0, the newest known here")


def _value(text: str, field: Field, read: Callable[[str], Any]) -> Any:
    try:
        value = read(field.raw)
    except ValueError as error:
        shown = field.raw if len(field.raw) <= 60 else f"{field.raw[:60]}…"
        message = f"The value of {field.key!r} {error}, not {shown!r}"
        raise DocumentError(message, text, field.pos) from None
    items = value if isinstance(value, tuple) else (value,)
    if any(isinstance(item, str) and SURROGATE.search(item) for item in items):
        raise DocumentError(f"The value of {field.key!r} holds a lone surrogate", text, field.pos)
    return value


def _schema(raw: str) -> str:
    return _matched(_SCHEMA, raw, 'must be a version like "1.0"').group()


def _id(raw: str) -> str:
    value = read_scalar(raw)
    if not value or any(map(str.isspace, value)):
        raise ValueError("must be an id without white space")
    return value


def _checksum(raw: str) -> str:
    return _matched(_CHECKSUM, raw, "must be 64 lower-case hexadecimal digits").group(1)


def _whole(raw: str) -> int:
    value = int(_matched(_WHOLE, raw, "must be a whole number, 0 or more").group())
    if value > MAX_TOKENS:
        raise ValueError(f"must be at most {MAX_TOKENS}")
    return value


def _truth(raw: str) -> bool:
    word = read_scalar(raw).lower()
    if word not in ("true", "false"):
        raise ValueError("must be true or false")
    return word == "true"


def _number(raw: str) -> int | float:
    digits = _matched(_NUMBER, raw, "must be a number").group()
    value = float(digits)
    if abs(value) == float("inf"):
        raise ValueError("must be a finite number")
    return int(digits) if digits.lstrip("-+").isdigit() else value


def _time(raw: str) -> int:
    problem = "must be a time like 2026-08-26T15:52:02.000Z"
    match = _matched(_TIME, raw, problem)
    year, month, day, hour, minute = map(int, match.group(1, 2, 3, 4, 5))
    try:
        moment = datetime(year, month, day, hour, minute, int(match[6] or 0))
    except ValueError as error:
        raise ValueError(f"{problem} ({error})") from None
    seconds = (moment.toordinal() - _EPOCH_DAY) * 86_400
    seconds += hour * 3600 + minute * 60 + moment.second - _offset(match)
    return seconds * 1000 + int((match[7] or "").ljust(3, "0")[:3])


def _offset(match: re.Match[str]) -> int:
    if match[8]:
        return 0
    seconds = int(match[10]) * 3600 + int(match[11]) * 60
    return -seconds if match[9] == "-" else seconds


def _layers(raw: str) -> tuple[str, ...]:
    layers = read_flow(raw)
    if layers != LAYERS:
        raise ValueError(f"must be [{', '.join(LAYERS)}]")
    return layers


def _matched(pattern: re.Pattern[str], raw: str, problem: str) -> re.Match[str]:
    match = pattern.fullmatch(read_scalar(raw))
    if match is None:
        raise ValueError(problem)
    return match


FIELDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "dcb_schema": ("schema", _schema),
    "snapshot_id": ("id", _id),
    "source_conversation_id": ("conversation_id", read_scalar),
    "title": ("title", read_scalar),
    "description": ("description", read_scalar),
    "tags": ("tags", read_flow),
    "created_at": ("created_at", _time),
    "token_estimate": ("token_estimate", _whole),
    "encrypted": ("encrypted", _truth),
    "checksum": ("checksum", _checksum),
    "weight": ("weight", _number),
    "layers": ("layers", _layers),
}
