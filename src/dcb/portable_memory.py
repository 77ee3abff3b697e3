"""Preferences of snapshots <-> a MemoryStore of Portable AI Memory v1 (PAM).

`parse(dump(snapshots))` gives every preference back under its conversation. What others wrote
is taken in where it is like a preference; the rest is listed with the reason.
The format is https://portable-ai-memory.org/spec/v1.0; section numbers below refer to it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from dcb.errors import DocumentError, ModelError
from dcb.model import MAX_TIME, MIN_TIME, SCOPES, Omitted, Preference, Scope, Snapshot, tokens_of
from dcb.text import estimate, one_line

SCHEMA = "portable-ai-memory"

# Section 7: what a preference is called there, and what is like one here.
TYPES: dict[Scope, str] = {"style": "preference", "role": "identity", "constraint": "instruction"}
_SCOPES: dict[str, Scope] = {name: scope for scope, name in TYPES.items()}
_STATED = ("explicit_user_input", "manual")  # by the person, not inferred (section 11.4)

_OWN = "dcb"  # our field in `metadata`, where section 13 leaves room
_OTHER_PAM = ("portable-ai-memory-conversation", "portable-ai-memory-embeddings")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_PLATFORM = re.compile(r"[^a-z0-9_-]+")
_RELEASE = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")

Json = Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Memories:
    """What was read: snapshots of preferences, what was left out, and what is wrong, if anything."""

    snapshots: tuple[Snapshot, ...]
    omitted: tuple[Omitted, ...] = ()
    problem: str = ""


def is_json(text: str) -> bool:
    """Whether a text is meant as a JSON object; a snapshot document never begins so."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


# --- writing -----------------------------------------------------------------------------


def dump(sources: Iterable[tuple[Snapshot, str]], *, export_id: str, now: int, version: str) -> str:
    """The preferences of snapshots, each with the format it was compiled from, as a MemoryStore.

    `version` is that of this program. A snapshot without preferences is not mentioned.
    """
    by = _exporter(version)
    memories: list[Json] = []
    index: list[Json] = []
    for snapshot, format in {one.id: (one, format) for one, format in sources}.values():
        if snapshot.preferences:
            made = [_memory(item, snapshot, format, by=by) for item in snapshot.preferences]
            memories += made
            index.append(_conversation(snapshot, format, [memory["id"] for memory in made]))
    store = {
        "schema": SCHEMA,
        "schema_version": "1.0",
        "export_id": export_id,
        **({"exported_by": by} if by else {}),
        "export_date": _time(now),
        "owner": {"id": "local"},  # one person's store; who that is stays out of it
        "memories": memories,
        "conversations_index": index,
        "integrity": {
            "canonicalization": "RFC8785",
            "checksum": checksum(memories),
            "total_memories": len(memories),
        },
        "export_type": "full",
    }
    return json.dumps(store, ensure_ascii=False, indent=2) + "\n"


def _memory(item: Preference, snapshot: Snapshot, format: str, *, by: str) -> Json:
    content = item.value or item.key  # a memory may not be empty
    own = {
        "snapshot": snapshot.id,
        "conversation": snapshot.conversation_id,
        "scope": item.scope,
        "key": item.key,
        "explicit": item.explicit,
        "at": item.at,
        **({} if item.value else {"value": ""}),
    }
    # Defaults are written out: the checksum is counted over them (section 17).
    return {
        "id": f"{snapshot.id}/{item.scope}.{item.key}",
        "type": TYPES[item.scope],
        "status": "active",
        "content": content,
        "content_hash": content_hash(content),
        "tags": [],
        "temporal": {"created_at": _time(item.at or snapshot.created_at)},
        "provenance": {
            "platform": _platform(format),
            "conversation_ref": snapshot.id,
            **({"extraction_method": "explicit_user_input"} if item.explicit else {}),
            **({"extractor": by} if by else {}),
        },
        "metadata": {_OWN: own},
    }


def _conversation(snapshot: Snapshot, format: str, memories: list[str]) -> Json:
    return {
        "id": snapshot.id,
        "platform": _platform(format),
        "title": snapshot.title,
        "temporal": {"created_at": _time(snapshot.created_at)},
        "derived_memories": memories,
    }


def _exporter(version: str) -> str:
    release = _RELEASE.match(version)
    return f"dcb/{release[0]}" if release else ""


def _platform(format: str) -> str:
    name = _NOT_PLATFORM.sub("-", format.lower())[:32].strip("-")
    return name if len(name) > 1 else "dcb"


def _time(at: int) -> str:
    moment = _EPOCH + timedelta(milliseconds=at)
    return moment.replace(tzinfo=None).isoformat() + "Z"


# --- hashes (sections 9.4 and 17) --------------------------------------------------------


def content_hash(content: str) -> str:
    """The hash of a memory's content, blind to case and white space."""
    plain = unicodedata.normalize("NFC", content.strip().lower())
    return _sha256(re.sub(r"\s+", " ", plain))


def checksum(memories: Iterable[Json]) -> str:
    """The hash of all memories, in the order of their ids. Raises TypeError for odd ids."""
    return _sha256(canonical(sorted(memories, key=lambda memory: memory.get("id", ""))))


def canonical(value: Json) -> str:
    """JSON of a value as RFC 8785 has it. Raises ValueError for a number that is not finite."""
    if isinstance(value, dict):
        # Keys are ordered by their UTF-16 units.
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        inside = ",".join(f"{_quoted(key)}:{canonical(value[key])}" for key in keys)
        return f"{{{inside}}}"
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    if isinstance(value, float):
        return _number(value)
    return _quoted(value)


def _quoted(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """A number as ECMAScript writes it: it turns to exponents later than Python does."""
    if not math.isfinite(value):
        raise ValueError("JSON has no such number")
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        text = format(Decimal(repr(abs(value))), "f").removesuffix(".0")
        return f"-{text}" if value < 0 else text
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa}e{int(exponent):+d}"


def _sha256(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# --- reading -----------------------------------------------------------------------------


def parse(text: str, *, now: int) -> Memories:
    """The preferences of a MemoryStore. `now` tells what is valid no longer.

    What we wrote comes back as one snapshot for each it was taken from, anything else as one
    snapshot. The same text gives the same ids. Raises DocumentError for what is no MemoryStore.
    """
    try:
        store = _checked(_loaded(text))
        problem = _problem(store)
        omitted: list[Omitted] = []
        groups: dict[str, list[tuple[Json, Preference]]] = {}
        for memory in store["memories"]:
            read = _read(memory, now=now)
            if isinstance(read, Omitted):
                omitted.append(read)
            else:
                groups.setdefault(_snapshot_of(memory), []).append((memory, read))
        snapshots = tuple(_snapshot(store, name, found) for name, found in groups.items())
    except RecursionError:
        raise DocumentError("This JSON is nested too deeply for a MemoryStore") from None
    return Memories(snapshots=snapshots, omitted=tuple(omitted), problem=problem)


def _loaded(text: str) -> Json:
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise DocumentError(f"This is not valid JSON: {error.msg}", error.doc, error.pos) from None
    except ValueError as error:  # a number with thousands of digits, or NaN
        raise DocumentError(f"This is not valid JSON: {error}") from None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _checked(store: Json) -> dict[str, Json]:
    schema = _text(_get(store, "schema"))
    if schema in _OTHER_PAM:
        raise DocumentError(
            f"This is a {schema} file, which holds no preferences; add the MemoryStore beside it"
        )
    if schema != SCHEMA:
        raise DocumentError(
            "This JSON is neither a snapshot document nor a MemoryStore of Portable AI Memory "
            f'("schema": "{SCHEMA}"); conversations are read by: dcb compile'
        )
    version = _text(_get(store, "schema_version"))
    if version.partition(".")[0] != "1":
        raise DocumentError(
            f"Portable AI Memory {version or 'without a schema_version'} is not read here, only 1.x"
        )
    if not isinstance(store.get("memories"), list):
        raise DocumentError('This MemoryStore has no list of "memories"')
    return dict(store)


def _problem(store: dict[str, Json]) -> str:
    """What the integrity block says against the memories (section 17); it need not be there."""
    integrity = store.get("integrity")
    if not isinstance(integrity, dict):
        return ""
    if integrity.get("total_memories") != len(store["memories"]):
        return f"The integrity block counts {integrity.get('total_memories')!r:.20} memories, there are {len(store['memories'])}"
    try:
        whole = integrity.get("checksum") == checksum(store["memories"])
    except (AttributeError, TypeError, ValueError):
        whole = False
    return "" if whole else "The memories were changed since the integrity checksum was written"


# --- one memory --------------------------------------------------------------------------


def _read(memory: Json, *, now: int) -> Preference | Omitted:
    content = _text(_get(memory, "content"))
    reason = _reason_against(memory, content, now=now)
    if not reason:
        try:
            return _preference(memory, content)
        except ModelError as error:
            reason = str(error)
    kind, name = _text(_get(memory, "type")) or "memory", _text(_get(memory, "id"))
    tokens = estimate(content)
    return Omitted(
        layer="preference", kind=kind, text=content, src=name, tokens=tokens, reason=reason
    )


def _reason_against(memory: Json, content: str, *, now: int) -> str:
    """Why a memory is not taken in; "" when it is."""
    kind, status = _get(memory, "type"), _get(memory, "status")
    until = _milliseconds(_get(memory, "temporal", "valid_until"))
    if not content.strip():
        return "no content"
    if not isinstance(kind, str) or kind not in _SCOPES:
        return "not a preference"
    if status not in (None, "active"):
        return _text(status) or "unknown status"
    if _get(memory, "content_hash") not in (None, content_hash(content)):
        return "content and hash differ"
    return "no longer valid" if until is not None and until < now else ""


def _preference(memory: Json, content: str) -> Preference:
    own = _own(memory)
    if own is not None:
        value = "" if content == own["key"] and own.get("value") == "" else content
        return Preference(
            scope=own["scope"], key=own["key"], value=value, explicit=own["explicit"], at=own["at"]
        )
    temporal = _get(memory, "temporal")
    at = _milliseconds(_get(temporal, "updated_at")) or _milliseconds(_get(temporal, "created_at"))
    return Preference(
        scope=_SCOPES[memory["type"]],
        key=_key(memory, content),
        value=content,
        explicit=_get(memory, "provenance", "extraction_method") in _STATED,
        at=max(0, at or 0),
    )


def _own(memory: Json) -> dict[str, Json] | None:
    """What `dump` wrote of the preference, if it did and nobody has spoilt it."""
    own = _get(memory, "metadata", _OWN)
    at = _get(own, "at")
    fits = (
        isinstance(own, dict)
        and own.get("scope") in SCOPES
        and all(isinstance(own.get(name), str) for name in ("snapshot", "conversation", "key"))
        and isinstance(own.get("explicit"), bool)
        and type(at) is int
        and 0 <= at <= MAX_TIME
    )
    return own if fits else None


def _key(memory: Json, content: str) -> str:
    """A key that is the memory's own, and the same in a later export of the same program."""
    name = _text(_get(memory, "id")).lower()
    if not re.fullmatch(r"[a-z0-9._-]+", name):
        name = hashlib.sha256((name or content).encode()).hexdigest()[:16]
    return f"memory.{name}"


# --- the snapshot ------------------------------------------------------------------------


def _snapshot_of(memory: Json) -> str:
    own = _own(memory)
    return str(own["snapshot"]) if own else ""


def _snapshot(store: dict[str, Json], name: str, found: list[tuple[Json, Preference]]) -> Snapshot:
    memories = [memory for memory, _ in found]
    own = _own(memories[0]) if name else None
    about = next(_about(store, name), {}) if name else {}
    exporter = one_line(_text(store.get("exported_by"))) or "an unnamed program"
    exported = _milliseconds(store.get("export_date"))
    made = _milliseconds(_get(about, "temporal", "created_at")) if about else exported
    snapshot = Snapshot(
        id=f"pam-{_sha256(_quoted(memories))[7:27]}",
        conversation_id=_text(own["conversation"] if own else store.get("export_id")),
        title=_text(about.get("title")) or f"Memories of {exporter}",
        description=f"Preferences from a Portable AI Memory export by {exporter}",
        created_at=made if made is not None else max(item.at for _, item in found),
        preferences=tuple(item for _, item in found),
    )
    return replace(snapshot, token_estimate=tokens_of(snapshot))


def _about(store: dict[str, Json], name: str) -> Iterator[dict[str, Json]]:
    index = store.get("conversations_index")
    for item in index if isinstance(index, list) else ():
        if isinstance(item, dict) and item.get("id") == name:
            yield item


# --- plain data --------------------------------------------------------------------------


def _get(value: Json, *names: str) -> Json:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _text(value: Json) -> str:
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) else ""


def _milliseconds(value: Json) -> int | None:
    """Epoch milliseconds of a date and time; one without a zone is in UTC."""
    try:
        moment = datetime.fromisoformat(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        at = (moment - _EPOCH) // timedelta(milliseconds=1)
    except (TypeError, ValueError, OverflowError):
        return None
    return at if MIN_TIME <= at <= MAX_TIME else None
