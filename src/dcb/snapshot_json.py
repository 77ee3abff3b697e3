"""Snapshot <-> plain data as JSON has it: one shape wherever a snapshot is shown to programs.

`from_json(to_json(snapshot)) == snapshot`. The shape is docs/format.md, section JSON; the
spellings of the original implementation (`snapshotId`, `sourceMessageId` …) are read too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast, get_args

from dcb.errors import ModelError, UnknownChoice
from dcb.model import KINDS, SCOPES, Entry, Origin, Preference, Section, Snapshot, Status

T = TypeVar("T")
Json = Any
Read = Callable[[Json, str], Any]

_SURROGATE = re.compile("[\ud800-\udfff]")


_SCHEMA = re.compile(r"1\.[0-9]{1,9}")


def to_json(snapshot: Snapshot) -> dict[str, Json]:
    """The snapshot as objects, lists, texts and numbers."""
    meta = {key.name: getattr(snapshot, key.field) for key in META if key.field != "extra"}
    meta["tags"] = list(snapshot.tags)
    if snapshot.extra:
        meta["extra"] = {
            name: value if isinstance(value, str) else list(value) for name, value in snapshot.extra
        }
    return {
        "meta": meta,
        "verbatim": [_entry_to_json(entry) for entry in snapshot.verbatim],
        "summary": [
            {"heading": section.heading, "bullets": list(section.bullets)}
            for section in snapshot.summary
        ],
        "preferences": [
            {key.name: getattr(item, key.field) for key in PREFERENCE}
            for item in snapshot.preferences
        ],
    }


def from_json(data: Json) -> Snapshot:
    """The snapshot of such data; lone surrogates become U+FFFD.

    Raises ModelError that names the place: `verbatim[2].at: …`.
    """
    parts = _object(data, "", SNAPSHOT)
    return _build(Snapshot, "meta", **parts.pop("meta"), **parts)


def _entry_to_json(entry: Entry) -> dict[str, Json]:
    shown = {key.name: getattr(entry, key.field) for key in ENTRY}
    shown["extra"] = dict(entry.extra)
    return {name: value for name, value in shown.items() if value or name not in WHEN_SET}


# --- reading ---------------------------------------------------------------------------


def _text(value: Json, path: str) -> str:
    if not isinstance(value, str):
        raise _wrong(path, "text", value)
    return _SURROGATE.sub("\ufffd", value)


def _whole(value: Json, path: str) -> int:
    if type(value) is not int:
        raise _wrong(path, "a whole number", value)
    return value


def _number(value: Json, path: str) -> int | float:
    if type(value) not in (int, float):
        raise _wrong(path, "a number", value)
    return cast(float, value)


def _truth(value: Json, path: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(path, "true or false", value)
    return value


def _list_of(read: Read) -> Read:
    def read_list(value: Json, path: str) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise _wrong(path, "a list", value)
        return tuple(read(item, f"{path}[{index}]") for index, item in enumerate(value))

    return read_list


def _one_of(what: str, known: tuple[str, ...]) -> Read:
    def read_choice(value: Json, path: str) -> str:
        if value not in known:
            choices = ", ".join(filter(None, known))
            raise ModelError(f"{path}: unknown {what} {value!r}; choose one of: {choices}")
        return cast(str, value)

    return read_choice


def _built(build: Callable[..., Any], keys: tuple[Key, ...]) -> Read:
    return lambda value, path: _build(build, path, **_object(value, path, keys))


def _checksum(value: Json, path: str) -> str:
    return _text(value, path).removeprefix("sha256:")


def _schema(value: Json, path: str) -> str:
    version = _text(value, path)
    if not _SCHEMA.fullmatch(version):
        raise ModelError(
            f"{path}: format {version!r} is not one that this version of dcb reads: 1.x"
        )
    return version


def _extra(read: Read) -> Read:
    def read_extra(value: Json, path: str) -> tuple[tuple[str, Any], ...]:
        if not isinstance(value, dict):
            raise _wrong(path, "an object", value)
        return tuple((_text(key, path), read(item, f"{path}.{key}")) for key, item in value.items())

    return read_extra


def _header_value(value: Json, path: str) -> str | tuple[str, ...]:
    read = _list_of(_text) if isinstance(value, list) else _text
    return cast("str | tuple[str, ...]", read(value, path))


def _object(value: Json, path: str, keys: tuple[Key, ...]) -> dict[str, Any]:
    """The fields that an object gives; null stands for a key left out."""
    if not isinstance(value, dict):
        raise _wrong(path or "snapshot", "an object", value)
    by_name = {name: key for key in keys for name in (key.name, key.old) if name}
    fields: dict[str, Any] = {}
    for name, item in value.items():
        place = f"{path}.{name}" if path else str(name)
        key = by_name.get(name)
        if key is None:
            raise ModelError(f"{place}: unknown key; known are: {', '.join(k.name for k in keys)}")
        if key.field in fields:
            raise ModelError(f"{place}: given twice, in two spellings")
        if item is not None:
            fields[key.field] = key.read(item, place)
    for key in keys:
        if key.needed and key.field not in fields:
            raise ModelError(f"{path + '.' if path else ''}{key.name}: missing")
    return fields


def _build(build: Callable[..., T], path: str, **fields: Any) -> T:
    try:
        return build(**fields)
    except (ModelError, UnknownChoice) as error:
        raise ModelError(f"{path}: {error}") from None


def _wrong(path: str, wanted: str, value: Json) -> ModelError:
    return ModelError(f"{path}: must be {wanted}, not {value!r:.60}")


# --- the shape -------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """A key of an object, the field that it fills, and its spelling in the original."""

    name: str
    field: str
    read: Read
    old: str = ""
    needed: bool = False


META = (
    Key(name="schema_version", field="schema", read=_schema, old="schemaVersion"),
    Key(name="snapshot_id", field="id", read=_text, old="snapshotId", needed=True),
    Key(
        name="source_conversation_id",
        field="conversation_id",
        read=_text,
        old="sourceConversationId",
        needed=True,
    ),
    Key(name="title", field="title", read=_text, needed=True),
    Key(name="description", field="description", read=_text),
    Key(name="tags", field="tags", read=_list_of(_text)),
    Key(name="created_at", field="created_at", read=_whole, old="createdAt", needed=True),
    Key(name="token_estimate", field="token_estimate", read=_whole, old="tokenEstimate"),
    Key(name="encrypted", field="encrypted", read=_truth),
    Key(name="checksum", field="checksum", read=_checksum),
    Key(name="weight", field="weight", read=_number),
    Key(name="extra", field="extra", read=_extra(_header_value)),
)
ENTRY = (
    Key(name="id", field="id", read=_text, needed=True),
    Key(name="kind", field="kind", read=_one_of("kind", KINDS), needed=True),
    Key(name="role", field="role", read=_text, old="sourceRole"),
    Key(name="src", field="src", read=_text, old="sourceMessageId"),
    Key(name="at", field="at", read=_whole, old="createdAt"),
    Key(name="lang", field="lang", read=_text, old="language"),
    Key(name="content", field="content", read=_text, needed=True),
    Key(name="status", field="status", read=_one_of("status", get_args(Status))),
    Key(name="by", field="by", read=_text),
    Key(name="origin", field="origin", read=_one_of("origin", get_args(Origin))),
    Key(name="via", field="via", read=_text),
    Key(name="pin", field="pin", read=_truth),
    Key(name="extra", field="extra", read=_extra(_text)),
)
WHEN_SET = frozenset(("status", "by", "origin", "via", "pin", "extra"))
SECTION = (
    Key(name="heading", field="heading", read=_text, needed=True),
    Key(name="bullets", field="bullets", read=_list_of(_text), needed=True),
)
PREFERENCE = (
    Key(name="scope", field="scope", read=_one_of("scope", SCOPES), needed=True),
    Key(name="key", field="key", read=_text, needed=True),
    Key(name="explicit", field="explicit", read=_truth),
    Key(name="value", field="value", read=_text, needed=True),
    Key(name="at", field="at", read=_whole, old="createdAt"),
)
SNAPSHOT = (
    Key(
        name="meta", field="meta", read=lambda value, path: _object(value, path, META), needed=True
    ),
    Key(name="verbatim", field="verbatim", read=_list_of(_built(Entry, ENTRY))),
    Key(name="summary", field="summary", read=_list_of(_built(Section, SECTION))),
    Key(name="preferences", field="preferences", read=_list_of(_built(Preference, PREFERENCE))),
)
