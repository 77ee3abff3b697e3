"""Text -> the secrets in it that have a provider's shape, and the text with them masked.

Only shapes are known (secret_rules.py); a password told in prose is not found. Every rule
runs in linear time: one pass with all of them says which to look for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import re2

from dcb.secret_rules import RULES, Rule

if TYPE_CHECKING:
    from dcb.model import Snapshot

# Compiled by its first use (`re` keeps it): most texts hold nothing to try it on.
_PLACEHOLDER = r"""(?ix) \$ | \{\{ | %\w+% | ^<.*>$ | \*{3} | \.{3} | x{4} | ^(?:your|my|the|some)[-_]
    | example | change.?me | placeholder | redacted | dummy
    | ^(?:super|db|my|pg)?[-_]?(?:password|passwd|passphrase|secret|pass|pwd|user|token|none|null
        |true|false|test|root|postgres|admin|foobar|key|value|string)[-_0-9]{0,4}$
    | ^(?:os|process|env|settings|config|self|this|args|options)\."""
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[A-Za-z]")


class Secret(NamedTuple):
    """Where a secret stands and what it is; never its value."""

    kind: str
    start: int
    end: int


def find(text: str) -> tuple[Secret, ...]:
    """The secrets of a text, in order, none overlapping."""
    taken: list[Secret] = []
    for index in sorted(_filter().Match(text) or ()):
        taken += _of_rule(RULES[index], _pattern(index), text)
    return tuple(_apart(taken))


def mask(text: str) -> str:
    """The text with every secret replaced by its kind and a number."""
    return masker()(text)


def masker() -> Callable[[str], str]:
    """A `mask` for several texts: the same value gets the same number in all of them."""
    names: dict[str, str] = {}

    def masked(text: str) -> str:
        pieces = []
        end = 0
        for secret in find(text):
            value = text[secret.start : secret.end]
            name = names.setdefault(value, f"[redacted: {secret.kind} #{len(names) + 1}]")
            pieces += [text[end : secret.start], name]
            end = secret.end
        return "".join([*pieces, text[end:]])

    return masked


# --- in snapshots ----------------------------------------------------------------------


class Place(NamedTuple):
    """A secret of a snapshot: its kind, the part that holds it and the message it came from."""

    kind: str
    part: str
    message: str = ""


def places(snapshot: Snapshot) -> tuple[Place, ...]:
    """Where in a snapshot secrets stand; never what they are."""
    return tuple(
        Place(kind=secret.kind, part=part, message=message)
        for part, message, text in _parts(snapshot)
        for secret in find(text)
    )


def masked(snapshot: Snapshot) -> Snapshot:
    """The snapshot with every secret replaced by its kind and a number."""
    mask = masker()
    return replace(
        snapshot,
        title=mask(snapshot.title),
        description=mask(snapshot.description),
        tags=tuple(map(mask, snapshot.tags)),
        verbatim=tuple(replace(item, content=mask(item.content)) for item in snapshot.verbatim),
        summary=tuple(
            replace(item, heading=mask(item.heading), bullets=tuple(map(mask, item.bullets)))
            for item in snapshot.summary
        ),
        preferences=tuple(replace(item, value=mask(item.value)) for item in snapshot.preferences),
    )


def _parts(snapshot: Snapshot) -> Iterator[tuple[str, str, str]]:
    """Part, message and text of everything that `masked` masks."""
    yield "title", "", snapshot.title
    yield "description", "", snapshot.description
    for tag in snapshot.tags:
        yield "tag", "", tag
    for entry in snapshot.verbatim:
        yield f"{entry.kind} {entry.id}", entry.src, entry.content
    for number, section in enumerate(snapshot.summary, 1):
        yield f"summary {number}", "", section.heading
        for place, bullet in enumerate(section.bullets, 1):
            yield f"summary {number}.{place}", "", bullet
    for preference in snapshot.preferences:
        yield f"preference {preference.key}", "", preference.value


# --- rules -----------------------------------------------------------------------------


def _of_rule(rule: Rule, pattern: Any, text: str) -> Iterator[Secret]:
    group = 1 if pattern.groups else 0
    for match in pattern.finditer(text):
        start, end = match.span(group)
        if not (rule.loose and _harmless(rule, text[start:end])):
            yield Secret(kind=rule.kind, start=start, end=end)


def _harmless(rule: Rule, value: str) -> bool:
    """Whether a loosely shaped value is a placeholder or a word rather than a secret."""
    if re.search(_PLACEHOLDER, value):
        return True
    return rule.kind != "url-password" and not (_DIGIT.search(value) and _LETTER.search(value))


def _apart(secrets: list[Secret]) -> Iterator[Secret]:
    """Of overlapping ones the first to begin; at one place the earlier rule's (sort is stable)."""
    end = 0
    for secret in sorted(secrets, key=lambda secret: secret.start):
        if secret.start >= end:
            yield secret
            end = secret.end


@cache
def _filter() -> Any:
    """All rules as one set, which names those that match."""
    found = re2.Set.SearchSet(_options())
    for rule in RULES:
        found.Add(rule.pattern)
    found.Compile()
    return found


@cache
def _pattern(index: int) -> Any:
    # One by one: most texts hold no secret, and a brief must not wait for all of them.
    return re2.compile(RULES[index].pattern, _options())


def _options() -> Any:
    options = re2.Options()
    options.max_mem = 64 << 20
    return options
