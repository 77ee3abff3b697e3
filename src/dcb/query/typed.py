"""What a person typed -> Query. No input raises.

Words are all required; `"quoted words"` stand together; `-word` must not occur; `tag:`,
`role:`, `kind:`, `source:`, `before:` and `after:` narrow the search. A filter whose value
is not understood is looked for as words, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from dcb.model import KINDS, SCOPES
from dcb.query import terms

# An optional minus, an optional filter name, then a quoted text or a word. An opening quote
# without its partner reaches to the end.
_ITEM = re.compile(
    r"(?P<minus>[-－](?=[\w\"“「]))?(?:(?P<name>[A-Za-z]+)[:：])?"
    r"(?:\"(?P<q1>[^\"]*)(?:\"|\Z)|“(?P<q2>[^”]*)(?:”|\Z)|「(?P<q3>[^」]*)(?:」|\Z)|(?P<word>[^\s\"“]+))"
    r"|(?P<rest>\S)"
)
_DATE = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?\Z")
_LONGEST = 1000  # characters; more is nobody's query
_MOST = 100  # words; each is looked for by itself where nothing holds all of them

SEARCHED_KINDS = (*KINDS, "preference", "summary", "title", "description", "tag")
ROLES = ("user", "assistant", "system")


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """One word or quoted text to look for. `expression` is for the full-text index."""

    text: str
    expression: str
    pattern: str  # regular expression over folded text
    phrase: bool = False  # typed in quotes

    @property
    def folded(self) -> str:
        """The text as it is compared."""
        return terms.fold(self.text)


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """`name:value`; times are epoch milliseconds. `without` reverses it."""

    name: str
    value: str | int
    without: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A search as understood. `notes` say what was not."""

    text: str
    terms: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()
    filters: tuple[Filter, ...] = ()
    notes: tuple[str, ...] = ()

    def named(self, name: str) -> tuple[Filter, ...]:
        """The filters of one name."""
        return tuple(item for item in self.filters if item.name == name)


def parse(text: str) -> Query:
    """A query from what was typed; whatever is not understood is words."""
    found: list[Term] = []
    excluded: list[Term] = []
    filters: list[Filter] = []
    notes: list[str] = []
    for item in _ITEM.finditer(text[:_LONGEST]):
        name, value, without = _read(item)
        made = _filter(name, value, without, notes)
        if made:
            filters.append(made)
            continue
        literal = f"{name}:{value}" if name else value
        term = make_term(literal, phrase=item["word"] is None and item["rest"] is None)
        if term:
            (excluded if without else found).append(term)
    return Query(
        text=text,
        terms=tuple(dict.fromkeys(found))[:_MOST],
        excluded=tuple(dict.fromkeys(excluded))[:_MOST],
        filters=tuple(filters),
        notes=tuple(notes),
    )


def _read(item: re.Match[str]) -> tuple[str, str, bool]:
    value = item["q1"] or item["q2"] or item["q3"] or item["word"] or item["rest"] or ""
    return item["name"] or "", value, bool(item["minus"])


def _filter(name: str, value: str, without: bool, notes: list[str]) -> Filter | None:
    reader = _FILTERS.get(name.lower())
    if reader is None:
        return None
    understood, known = reader(value)
    if understood is None:
        notes.append(f"{name}:{value} is not understood and looked for as words; {known}")
        return None
    return Filter(name=name.lower(), value=understood, without=without)


def _one_of(known: tuple[str, ...]) -> Callable[[str], tuple[str | None, str]]:
    def read(value: str) -> tuple[str | None, str]:
        lowered = value.lower()
        return (lowered if lowered in known else None), f"known: {', '.join(known)}"

    return read


def _anything(value: str) -> tuple[str | None, str]:
    return terms.fold(value).strip() or None, "give a value"


def _day(value: str) -> tuple[int | None, str]:
    hint = "give a day as 2026-03-14, a month or a year"
    found = _DATE.match(value)
    if not found:
        return None, hint
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        return int(datetime(year, month, day, tzinfo=UTC).timestamp() * 1000), hint
    except ValueError:
        return None, hint


_FILTERS: dict[str, Callable[[str], tuple[str | int | None, str]]] = {
    "tag": _anything,
    "role": _one_of(ROLES),
    "kind": _one_of((*SEARCHED_KINDS, *SCOPES)),
    "source": _anything,
    "before": _day,
    "after": _day,
}


def make_term(text: str, *, phrase: bool = False) -> Term | None:
    """What to look for when a person typed this; None when it holds nothing but white space."""
    text = text.strip()
    folded = terms.fold(text)
    found = terms.runs(folded)
    if not found:
        return _symbols(text, folded.strip(), phrase=phrase)
    lead = _edge(folded[: found[0][1]][::-1])[::-1]
    tail = _edge(folded[found[-1][2] :])
    runs = [run for run, _, _ in found]
    parts = terms.parts_of(text) if len(runs) == 1 and text.isalnum() else []
    expression = _phrase(runs, parts)
    if lead or tail:
        expression = f"({expression} AND {_all(set(lead + tail))})"
    core = _joined(parts or runs)
    return Term(
        text=text,
        expression=expression,
        pattern=re.escape(lead) + core + re.escape(tail),
        phrase=phrase,
    )


def _symbols(text: str, folded: str, *, phrase: bool) -> Term | None:
    marks = terms.symbols(folded)
    if not marks:
        return None
    return Term(text=text, expression=_all(marks), pattern=re.escape(folded), phrase=phrase)


def _joined(runs: list[str]) -> str:
    """Runs one after the other as a pattern; between two of CJK something must stand."""
    pattern = re.escape(runs[0])
    for before, after in pairwise(runs):
        some = "+" if terms.is_cjk(before) and terms.is_cjk(after) else "*"
        pattern += rf"[\W_]{some}" + re.escape(after)
    return pattern


def _edge(text: str) -> str:
    """The symbols next to a word, as far as they belong to it."""
    length = 0
    while length < len(text) and terms.counts(text[length]):
        length += 1
    return text[:length]


def _all(marks: set[str]) -> str:
    return " AND ".join(f'"{terms.symbol_term(mark)}"' for mark in sorted(marks))


def _phrase(found: list[str], parts: list[str]) -> str:
    """The runs of a term as a phrase of the index; a compound word also as its parts."""
    stream = [term for run in found for term in (terms.pairs(run) if terms.is_cjk(run) else [run])]
    last, star = found[-1], ""
    if terms.is_cjk(last) and len(stream) > 1:
        # What is typed may go on in the text, so its last character is not the end of a run:
        # it is covered by the pair before, or begins some pair.
        star = "*" if len(last) == 1 else ""
        stream = stream if star else stream[:-1]
    phrase = f'"{" ".join(stream)}"{star}'
    return f'({phrase} OR "{" ".join(parts)}")' if parts else phrase
