"""Hypothesis strategies: any snapshot that can be built, rich in what could break a document."""

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
SOME_TEXT = TEXT.filter(bool)
NAME = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,5}", fullmatch=True)
TIME = st.one_of(st.just(0), st.integers(0, MAX_TIME))


def _fields(known: frozenset[str], values: st.SearchStrategy) -> st.SearchStrategy:  # type: ignore[type-arg]
    names = NAME.filter(lambda name: name not in known)
    return st.dictionaries(names, values, max_size=3).map(lambda found: tuple(found.items()))


ENTRIES = st.builds(
    Entry,
    id=SOME_TEXT,
    kind=st.sampled_from(KINDS),
    content=TEXT,
    role=TEXT,
    src=TEXT,
    at=TIME,
    lang=TEXT,
    status=st.sampled_from(("", "superseded")),
    by=TEXT,
    origin=st.sampled_from(("", "accepted")),
    via=TEXT,
    pin=st.booleans(),
    extra=_fields(KNOWN_ATTRIBUTES, TEXT),
)
SECTIONS = st.builds(
    Section,
    heading=TEXT.filter(lambda text: bool(text.strip())),
    bullets=st.lists(TEXT, max_size=3).map(tuple),
)
PREFERENCES = st.builds(
    Preference,
    scope=st.sampled_from(SCOPES),
    key=st.from_regex(r"[a-z0-9][a-z0-9._-]{0,8}", fullmatch=True),
    value=TEXT,
    explicit=st.booleans(),
    at=TIME,
)
SNAPSHOTS = st.builds(
    Snapshot,
    id=SOME_TEXT.map(lambda text: "".join(text.split())).filter(bool),
    conversation_id=TEXT,
    title=TEXT,
    created_at=st.integers(MIN_TIME, MAX_TIME),
    description=TEXT,
    tags=st.lists(TEXT, max_size=4).map(tuple),
    token_estimate=st.integers(0, MAX_TOKENS),
    encrypted=st.booleans(),
    weight=st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)).filter(
        lambda value: abs(value) < 10**300
    ),
    verbatim=st.lists(ENTRIES, max_size=3, unique_by=lambda entry: entry.id).map(tuple),
    summary=st.lists(SECTIONS, max_size=2).map(tuple),
    preferences=st.lists(PREFERENCES, max_size=3).map(tuple),
    extra=_fields(KNOWN_HEADER_KEYS, st.one_of(TEXT, st.lists(TEXT, max_size=3).map(tuple))),
)
