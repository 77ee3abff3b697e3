"""A snapshot's passages <-> its row of the full-text index."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dcb.model import SCOPES
from dcb.query import fold, index_text
from dcb.store import spelling
from dcb.store.keeper import Reads
from dcb.store.passages import Passage
from dcb.store.rows import Row

# Column of each kind of passage; the others go to `other`. Search weighs columns.
COLUMNS = ("title", "description", "tags", "settled", "preferences", "summary", "other")
_COLUMN_OF = {
    "title": "title",
    "description": "description",
    "tag": "tags",
    "decision": "settled",
    "directive": "settled",
    "preference": "preferences",
    "summary": "summary",
}
_FACET = "\ue002"
_TITLED = "\ue003"
_QUOTED = re.compile(r'"([^"]*)"')


def column_of(passage: Passage) -> str:
    """The column in which a passage is indexed."""
    return "other" if passage.superseded else _COLUMN_OF.get(passage.kind, "other")


def columns_of(kind: str) -> str:
    """The columns in which a passage of this kind or scope may be indexed."""
    column = "preferences" if kind in SCOPES else _COLUMN_OF.get(kind, "other")
    return f"{column} other" if column == "settled" else column


def searched(passage: Passage) -> str:
    """The text of a passage as search sees it: of a preference, its key as well."""
    return f"{passage.label}: {passage.text}" if passage.kind == "preference" else passage.text


def facet(name: str, value: str) -> str:
    """The index term for a filter. Hexadecimal, so that any value is one term."""
    # What was typed may hold half a character (a surrogate), which no stored text does.
    return f"{_FACET}{name}{fold(value).encode(errors='surrogatepass').hex()}"


def titled(words: str) -> str:
    """An expression for the same words, standing in title or tags.

    These have terms of their own: a word that many snapshots hold and few titles is else
    looked for in all of them.
    """
    marked = _QUOTED.sub(lambda found: f'"{_marked(found[1])}"', words)
    return f"facets : ({marked})"


def _marked(terms: str) -> str:
    return " ".join(f"{_TITLED}{term}" for term in terms.split())


def facets(row: Row, passages: Iterable[Passage]) -> str:
    """The index terms of everything a filter may ask for."""
    found = {facet("tag", tag) for tag in row.tags} | {facet("source", row.format)}
    for passage in passages:
        found.add(facet("kind", passage.kind))
        if passage.role:
            found.add(facet("role", passage.role))
        if passage.kind == "preference":
            found.add(facet("kind", passage.id.partition(".")[0]))
    return " ".join((*sorted(found), _marked(index_text((row.title, *row.tags)))))


def add(database: Reads, row: Row, passages: list[Passage], *, seq: int) -> None:
    """Index a snapshot."""
    texts: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for passage in passages:
        texts[column_of(passage)].append(searched(passage))
    columns = [index_text(texts[name]) for name in COLUMNS]
    database.words.add(seq, (*columns, facets(row, passages)))
    spell(database, passages)


def spell(database: Reads, passages: list[Passage]) -> None:
    """Count the words of a snapshot for "did you mean"."""
    database.words.spell(spelling.words_of(passages))


def drop(database: Reads, passages: list[Passage], *, seq: int) -> None:
    """Take a snapshot out of the index."""
    database.words.drop(seq)
    database.words.unspell(spelling.words_of(passages))
