"""Any snapshot that can be built, from one number, rich in what could break a document.

One number makes a snapshot a hundred times as fast as a strategy per field does; the number
and the snapshot are shown when a law fails.
"""

import random
import sys
from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import strategies as st

from dcb.model import (
    KINDS,
    KNOWN_ATTRIBUTES,
    KNOWN_HEADER_KEYS,
    MAX_TIME,
    MAX_TOKENS,
    MIN_TIME,
    SCOPES,
    Entry,
    Preference,
    Section,
    Snapshot,
)

# Pieces that mean something to a document, to YAML, to Markdown or to some line splitter.
PIECES = (
    *("<!-- dcb:end -->", "<!-- dcb:layer:summary -->", "<!-- dcb:entry id=x -->", "<!--", "-->"),
    *("&lt;!--", "&amp;lt;!--", "&", "amp;", "lt;!--", "--", "---", "```", "````", "~~~", "`"),
    *("\n", "\r", "\r\n", "\t", " ", "\x00", "\x0b", "\x0c", "\x1b[0m", "\x1c", "\x85", "\u2028"),
    *("\ufeff", "\u00a0", "\u3000", "\u202e", "\U000e0041", "\U0001f6a2", "\uffff", "%", "%41"),
    *(": ", " #", "#", "'", '"', "\\", "[", "]", "{", ",", "- ", "? ", "| ", "*", "!", "=", "<<"),
    *("yes", "~", "null", "1.0", "0x1F", "1e5", "2026-01-01", "2026-99-99", "12:30", "决定", "a"),
    *("### ", "## ", "> ", "- **[style] a** — b <!-- at=1 -->", " <!-- at=7 -->", "id=y", "——"),
)
TEXT = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.text(max_size=12),
)
_NAMES = "AZ_az09.-"
_KEYS = "az09._-"
_WEIGHTS = (0, 1, -3, 2.5, 1e-7, -1.5e-300, 10**20, sys.float_info.max, sys.float_info.min)


def any_snapshot(seed: int) -> Snapshot:
    """The snapshot of a number."""
    chance = random.Random(seed)

    def text() -> str:
        return "".join(_piece(chance) for _ in range(chance.choice((0, 1, 1, 2, 3, 5, 9))))

    def some(make: Callable[[], Any]) -> tuple[Any, ...]:
        return tuple(make() for _ in range(chance.randint(0, 3)))

    def name(letters: str, known: Iterable[str] = ()) -> str:
        length = chance.randint(0, 5)
        found = "a" + "".join(chance.choice(letters) for _ in range(length))
        return found if found not in known else found + "_"

    def extra(known: Iterable[str], value: Callable[[], Any]) -> tuple[Any, ...]:
        return tuple(
            {name(_NAMES, known): value() for _ in range(chance.choice((0, 0, 1, 3)))}.items()
        )

    def entry() -> Entry:
        return Entry(
            id=text() or "v",
            kind=chance.choice(KINDS),
            content=text(),
            role=text(),
            src=text(),
            at=chance.choice((0, 1, MAX_TIME)),
            lang=text(),
            status=chance.choice(("", "superseded")),
            by=text(),
            origin=chance.choice(("", "accepted")),
            via=text(),
            pin=chance.random() < 0.5,
            extra=extra(KNOWN_ATTRIBUTES, text),
        )

    def section() -> Section:
        return Section(heading=text().strip() or "h", bullets=some(text))

    def preference() -> Preference:
        return Preference(
            scope=chance.choice(SCOPES),
            key=name(_KEYS),
            value=text(),
            explicit=chance.random() < 0.5,
            at=chance.choice((0, 1, MAX_TIME)),
        )

    def header_value() -> str | tuple[str, ...]:
        return text() if chance.random() < 0.6 else some(text)

    return Snapshot(
        id="".join(text().split()) or "s",
        conversation_id=text(),
        title=text(),
        created_at=chance.choice((0, MIN_TIME, MAX_TIME, chance.randint(MIN_TIME, MAX_TIME))),
        description=text(),
        tags=some(text),
        token_estimate=chance.choice((0, 7, MAX_TOKENS)),
        encrypted=chance.random() < 0.5,
        weight=chance.choice((*_WEIGHTS, chance.random())),
        verbatim=tuple({item.id: item for item in some(entry)}.values()),
        summary=some(section),
        preferences=some(preference),
        extra=extra(KNOWN_HEADER_KEYS, header_value),
    )


def _piece(chance: random.Random) -> str:
    if chance.random() < 0.7:
        return chance.choice(PIECES)
    code = chance.choice((chance.randint(0, 0xFF), chance.randint(0, 0x10FFFF)))
    return "?" if 0xD800 <= code < 0xE000 else chr(code)


SNAPSHOTS = st.integers(0, 2**48).map(any_snapshot)
