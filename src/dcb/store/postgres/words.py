"""The index of words in PostgreSQL: a tsvector proposes, the indexed text confirms and is scored.

A tsvector holds neither long phrases nor counts, so it only says which terms stand somewhere;
phrases, columns and the score are read from the text, and come out as SQLite's do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dcb.store.keeper import Score, Value
from dcb.store.postgres import expressions
from dcb.store.postgres.expressions import LONGEST, OVERFULL

if TYPE_CHECKING:
    from dcb.store.postgres.connection import Database

_ROOM = 700_000  # bytes of terms; a tsvector may have 1 MB with what it needs beside them


class Lexemes:
    """The tables `words` and `spellings` of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, seq: int, texts: Sequence[str]) -> None:
        """Index a snapshot: one text for each column, the facets last."""
        terms = sorted({term[:LONGEST] for text in texts for term in text.split(" ") if term})
        if sum(len(term.encode()) + 8 for term in terms) > _ROOM:
            terms = [OVERFULL]
        self._run(
            "insert into words(seq, said, terms) values (?, ?, array_to_tsvector(?::text[]))",
            (seq, "\n".join(f" {text} " for text in texts), terms),
        )

    def drop(self, seq: int) -> None:
        """Take a snapshot out of the index."""
        self._database.execute("delete from words where seq=?", (seq,))

    def clear(self) -> None:
        """Empty both tables."""
        self._database.execute("delete from words")
        self._database.execute("delete from spellings")

    def renew(self) -> None:
        """Empty tables: the server mends its own indexes."""
        self.clear()

    def spell(self, words: Iterable[str]) -> None:
        """Count the words of one more snapshot."""
        self._run(
            "insert into spellings(word, held) select unnest(?::text[]), 1 "
            "on conflict (project, word) do update set held = spellings.held + 1",
            (list(words),),
        )

    def unspell(self, words: Iterable[str]) -> None:
        """Count the words of one snapshot less; a word that none holds is forgotten."""
        found = list(words)
        self._run("update spellings set held = held - 1 where word = any(?)", (found,))
        self._run("delete from spellings where word = any(?) and held < 1", (found,))

    def scored(
        self, expression: str, score: Score, *, dates: str, values: Sequence[Value], limit: int
    ) -> dict[int, float]:
        """The newest snapshots that match, with their scores."""
        tree = expressions.parse(expression)
        joined = "join snapshots using (project, seq)" if dates else ""
        sql, wanted = _matching(tree)
        found = self._database.rows(
            f"select seq, said from words {joined} where {sql} {dates} order by seq desc limit ?",
            (*wanted, *values, limit),
        )
        return {int(seq): _score(tree, said, score) for seq, said in found}

    def newest(self, expression: str, *, limit: int) -> list[int]:
        """The numbers of the newest snapshots that match."""
        sql, wanted = _matching(expressions.parse(expression))
        found = self._database.rows(
            f"select seq from words where {sql} order by seq desc limit ?", (*wanted, limit)
        )
        return [int(seq) for (seq,) in found]

    def _run(self, sql: str, values: Sequence[Any]) -> None:
        # Lists become arrays, which the tables shared with SQLite do not have.
        self._database.execute(sql, values)


def _matching(tree: expressions.Expression) -> tuple[str, list[str]]:
    sql, values = expressions.confirming(tree)
    return f"terms @@ ?::tsquery and {sql}", [expressions.proposing(tree), *values]


def _score(tree: expressions.Expression, said: str, score: Score) -> float:
    columns = said.split("\n")
    times = expressions.counted(tree, columns)
    return score(sum(len(text.split()) for text in columns), times.__getitem__)
