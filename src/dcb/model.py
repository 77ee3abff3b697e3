"""The words of the field, as frozen data: conversations on the way in, snapshots on the way out.

Times are epoch milliseconds. `None` means the source does not say; a snapshot writes 0 there.
Building a value checks and normalises it, so an object always equals its re-read document.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from dcb.errors import ModelError, UnknownChoice
from dcb.text import Counter, estimate, one_line

# The way in is not imported by a command that only brings a snapshot back out: making its
# types would take a third of the time in which `dcb brief` starts.
if TYPE_CHECKING:
    from dcb.conversation import *  # noqa: F403

Kind = Literal["directive", "decision", "code", "parameter"]
Scope = Literal["style", "role", "constraint"]
Layer = Literal["verbatim", "summary", "preference"]
Status = Literal["", "superseded"]
Origin = Literal["", "accepted"]

KINDS: tuple[Kind, ...] = get_args(Kind)
SCOPES: tuple[Scope, ...] = get_args(Scope)
LAYERS: tuple[Layer, ...] = get_args(Layer)
STATUSES: tuple[Status, ...] = get_args(Status)
ORIGINS: tuple[Origin, ...] = get_args(Origin)

MAX_TIME = 253_402_300_799_999  # the last millisecond of the year 9999
MAX_TOKENS = 2**53 - 1  # what every JSON reader holds exactly
MIN_TIME = -62_135_596_800_000  # the first of the year 1

_KEY = re.compile(r"[a-z0-9][a-z0-9._-]*\Z")
_NOT_KEY = re.compile(r"[^a-z0-9._-]+")
_ATTRIBUTE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")

# What the format itself puts on an entry and into a header: `extra` may hold none of these.
KNOWN_ATTRIBUTES = frozenset(
    ("id", "kind", "lang", "role", "src", "at", "status", "by", "origin", "via", "pin")
)
KNOWN_HEADER_KEYS = frozenset(
    (
        *("dcb_schema", "snapshot_id", "source_conversation_id", "title", "description", "tags"),
        *("created_at", "token_estimate", "encrypted", "checksum", "weight", "layers"),
    )
)
WRITTEN_BY = "written_by"
"""The key in a snapshot's `extra` that says of it that an agent wrote it."""


def __getattr__(name: str) -> Any:
    # The import system itself asks for names such as `__path__`.
    if not name.startswith("__"):
        from dcb import conversation

        if name in conversation.__all__:
            return getattr(conversation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# --- what a snapshot holds -------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A passage kept word for word (原文条目)."""

    id: str
    kind: Kind
    content: str
    role: str = "user"
    src: str = ""  # id of the message it was cut from
    at: int = 0
    lang: str = ""
    status: Status = ""
    by: str = ""  # id of the entry that replaced it, when superseded
    origin: Origin = ""
    via: str = ""  # id of the message that accepted it, when origin is "accepted"
    pin: bool = False
    extra: tuple[tuple[str, str], ...] = ()  # unknown attributes, in order

    def __post_init__(self) -> None:
        if not self.id:
            raise ModelError("An entry needs an id")
        _choice("kind", self.kind, KINDS)
        _choice("status", self.status, STATUSES)
        _choice("origin", self.origin, ORIGINS)
        _time("entry time", self.at, low=0)
        if self.extra:
            _extra_names("entry attribute", self.extra, KNOWN_ATTRIBUTES)
            _encodable(*(value for _, value in self.extra))
        _encodable(self.id, self.content, self.role, self.src, self.lang, self.by, self.via)


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A heading of the summary with its bullets, all single lines."""

    heading: str
    bullets: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "heading", one_line(self.heading))
        bullets = tuple(filter(None, map(one_line, self.bullets)))
        object.__setattr__(self, "bullets", bullets)
        if not self.heading:
            raise ModelError("A summary section needs a heading")
        _encodable(self.heading, *bullets)


@dataclass(frozen=True, kw_only=True, slots=True)
class Preference:
    """A standing preference (偏好) under a stable key; its identity is (scope, key)."""

    scope: Scope
    key: str
    value: str
    explicit: bool = True
    at: int = 0

    def __post_init__(self) -> None:
        _choice("scope", self.scope, SCOPES)
        object.__setattr__(self, "key", preference_key(self.key))
        object.__setattr__(self, "value", one_line(self.value))
        _time("preference time", self.at, low=0)
        _encodable(self.value)


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """One conversation (or several, merged) as three layers under a self-describing header.

    `checksum` is what a document that was read declared; `dump` counts it anew, so it takes
    no part in comparison. `extra` keeps unknown header keys as written.
    """

    id: str
    conversation_id: str
    title: str
    created_at: int
    description: str = ""
    tags: tuple[str, ...] = ()
    token_estimate: int = 0
    encrypted: bool = False
    weight: int | float = 0
    verbatim: tuple[Entry, ...] = ()
    summary: tuple[Section, ...] = ()
    preferences: tuple[Preference, ...] = ()
    extra: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    checksum: str = field(default="", compare=False)
    schema: str = field(default="1.0", compare=False)

    def __post_init__(self) -> None:
        if not self.id or any(map(str.isspace, self.id)):
            raise ModelError(f"A snapshot id may hold no white space: {self.id!r}")
        for name in ("conversation_id", "title", "description"):
            object.__setattr__(self, name, one_line(getattr(self, name)))
        tags = tuple(filter(None, map(one_line, self.tags)))
        object.__setattr__(self, "tags", tags)
        sections = tuple(section for section in self.summary if section.bullets)
        object.__setattr__(self, "summary", sections)
        object.__setattr__(self, "preferences", united(self.preferences))
        object.__setattr__(self, "weight", _weight(self.weight))
        _time("created_at", self.created_at, low=MIN_TIME)
        _tokens(self.token_estimate)
        _unique_ids(self.verbatim)
        _encodable(self.id, self.conversation_id, self.title, self.description, *tags)
        _extra_names("header key", self.extra, KNOWN_HEADER_KEYS)
        object.__setattr__(self, "extra", tuple(map(_extra_field, self.extra)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Omitted:
    """One item that a snapshot does not hold, and why: a line of the left-out list."""

    layer: Layer
    kind: str  # entry kind, "bullet" or scope
    text: str
    src: str
    tokens: int
    reason: str  # "budget", "duplicate", "superseded", "dropped by hand" …


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """What a budget did: limits and figures in tokens, every item left out."""

    limit: int
    needed: int  # tokens that everything would take
    kept: int  # tokens of what is kept
    omitted: tuple[Omitted, ...] = ()
    enough_for_verbatim: int = 0  # smallest limit that keeps all of layer 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflict:
    """Two values for one preference or matter, and the rule that settled it."""

    scope: str
    key: str
    base: str
    current: str
    winner: Literal["base", "current"]
    reason: str


def preference_key(text: str) -> str:
    """The stable form of a preference key: lower case, `[a-z0-9][a-z0-9._-]*`.

    Raises ModelError when nothing usable is left.
    """
    if _KEY.match(text):
        return text
    key = _NOT_KEY.sub("-", text.strip().lower()).strip("-._")
    if not key:
        raise ModelError(f"{text!r} cannot be a preference key: use a-z, 0-9, '.', '_' and '-'")
    return key


def united(preferences: Iterable[Preference]) -> tuple[Preference, ...]:
    """One preference per (scope, key): the later wins, but inferred never replaces explicit.

    Specification section 5.1.
    """
    kept: dict[tuple[str, str], Preference] = {}
    for item in preferences:
        identity = (item.scope, item.key)
        before = kept.get(identity)
        if before is None or item.explicit or not before.explicit:
            kept[identity] = item
    return tuple(kept.values())


def tokens_of(snapshot: Snapshot, *, count: Counter = estimate) -> int:
    """Tokens of a snapshot: contents, headings, bullets, `key value` of preferences.

    Specification section 6.
    """
    texts = [entry.content for entry in snapshot.verbatim]
    for section in snapshot.summary:
        texts += [section.heading, *section.bullets]
    texts += [f"{item.key} {item.value}" for item in snapshot.preferences]
    return sum(map(count, texts))


def together(entries: Sequence[Entry]) -> tuple[tuple[int, ...], ...]:
    """Positions of entries that are kept or dropped as one, in order of their first.

    A passage that a message accepted (`origin=accepted`, `via`) goes with the entry that
    points at it: that message's first decision, else its first entry.
    """
    heads = _heads(entries)
    groups: dict[tuple[str, str | int], list[int]] = {}
    for position, entry in enumerate(entries):
        name: tuple[str, str | int] = ("alone", position)
        if entry.origin == "accepted" and entry.via:
            name = ("via", entry.via)
        elif heads.get(entry.src) == position:
            name = ("via", entry.src)
        groups.setdefault(name, []).append(position)
    return tuple(map(tuple, groups.values()))


def _heads(entries: Sequence[Entry]) -> dict[str, int]:
    pointing = {entry.via for entry in entries if entry.origin == "accepted" and entry.via}
    heads: dict[str, int] = {}
    for position, entry in enumerate(entries):
        if entry.src in pointing and entry.origin != "accepted":
            first = heads.setdefault(entry.src, position)
            if entry.kind == "decision" and entries[first].kind != "decision":
                heads[entry.src] = position
    return heads


def _choice(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UnknownChoice(what, value, filter(None, known))


def _time(what: str, value: Any, *, low: int) -> None:
    if type(value) is not int or not low <= value <= MAX_TIME:
        raise ModelError(f"{what} must be whole milliseconds since 1970, not {value!r}")


def _tokens(value: Any) -> None:
    if type(value) is not int or not 0 <= value <= MAX_TOKENS:
        raise ModelError(f"A token estimate is a whole number, 0 or more, not {value!r:.40}")


def _weight(value: Any) -> int | float:
    if type(value) not in (int, float) or not -sys.float_info.max <= value <= sys.float_info.max:
        raise ModelError(f"A weight is a finite number, not {value!r:.40}")
    return int(value) if value == int(value) else value


def _extra_names(what: str, extra: Iterable[tuple[str, object]], known: frozenset[str]) -> None:
    seen = set(known)
    for name, _ in extra:
        if not _ATTRIBUTE.match(name):
            raise ModelError(f"{name!r} cannot name an unknown {what}")
        if name in seen:
            raise ModelError(f"The {what} {name!r} is known or given twice")
        seen.add(name)


def _extra_field(
    field: tuple[str, str | tuple[str, ...]],
) -> tuple[str, str | tuple[str, ...]]:
    name, value = field
    if isinstance(value, str):
        _encodable(value)
        return name, value
    items = tuple(filter(None, value))
    _encodable(*items)
    return name, items


def _unique_ids(entries: tuple[Entry, ...]) -> None:
    seen: set[str] = set()
    for entry in entries:
        if entry.id in seen:
            raise ModelError(f"Two entries have the id {entry.id!r}")
        seen.add(entry.id)


def _encodable(*texts: str) -> None:
    for text in texts:
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise ModelError(
                    f"Text holds a lone surrogate at character {error.start}; "
                    "replace it by U+FFFD before building"
                ) from None
