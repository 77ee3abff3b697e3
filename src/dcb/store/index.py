"""A snapshot's passages <-> its row of the full-text index."""

from __future__ import annotations

from collections.abc import Iterable

from dcb.query import fold, index_text
from dcb.store import spelling
from dcb.store.connection import Database
from dcb.store.rows import Passage, Row

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


def column_of(passage: Passage) -> str:
    """The column in which a passage is indexed."""
    return "other" if passage.superseded else _COLUMN_OF.get(passage.kind, "other")


def facet(name: str, value: str) -> str:
    """The index term for a filter. Hexadecimal, so that any value is one term."""
    return f"{_FACET}{name}{fold(value).encode().hex()}"


def facets(row: Row, passages: Iterable[Passage]) -> str:
    """The index terms of everything a filter may ask for."""
    found = {facet("tag", tag) for tag in row.tags} | {facet("source", row.format)}
    for passage in passages:
        found.add(facet("kind", passage.kind))
        if passage.role:
            found.add(facet("role", passage.role))
        if passage.kind == "preference":
            found.add(facet("kind", passage.id.partition(".")[0]))
    return " ".join(sorted(found))


def add(database: Database, row: Row, passages: list[Passage], *, seq: int) -> None:
    """Index a snapshot."""
    texts: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for passage in passages:
        text = passage.text
        if passage.kind == "preference":
            text = f"{passage.label}: {text}"
        texts[column_of(passage)].append(text)
    database.execute(
        f"insert into words(rowid, {', '.join(COLUMNS)}, facets) values (?,?,?,?,?,?,?,?,?)",
        (seq, *(index_text(texts[name]) for name in COLUMNS), facets(row, passages)),
    )
    spelling.add(database, spelling.words_of(passages))


def drop(database: Database, passages: list[Passage], *, seq: int) -> None:
    """Take a snapshot out of the index."""
    database.execute("delete from words where rowid=?", (seq,))
    spelling.drop(database, spelling.words_of(passages))
