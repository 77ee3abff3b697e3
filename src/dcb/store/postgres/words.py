"""The index of words in PostgreSQL: a tsvector proposes, the indexed text confirms and is scored.

A tsvector holds neither long phrases nor counts, so it only says which terms stand somewhere;
phrases, columns and the score are read from the text, and come out as SQLite's do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dcb.store.keeper import Score, Value
from dcb.store.postgres import expressions
from dcb.store.postgres.expressions import OVERFULL, SPAN
from dcb.store.postgres.searching import SPANS

if TYPE_CHECKING:
    from dcb.store.postgres.connection import Database

_ROOM = 700_000  # bytes of terms; a tsvector may have 1 MB with what it needs beside them


class Lexemes:
    """The tables `words` and `spellings` of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, seq: int, texts: Sequence[str]) -> None:
        """Index a snapshot: one text for each column, the facets last."""
        project = self._database.project
        terms = expressions.lexemes(texts, project)
        if sum(len(term.encode()) + 8 for term in terms) > _ROOM:
            terms = [f"{project}:{OVERFULL}"]
        terms += [f"{project}:{SPAN}{width}.{seq // width}" for width in SPANS]
        self._run(
            "insert into words(seq, size, said, terms, created_at) values (?, ?, ?, "
            "array_to_tsvector(?::text[]), (select created_at from snapshots where seq = ?))",
            (
                seq,
                sum(len(text.split()) for text in texts),
                "\n".join(f" {text} " for text in texts),
                terms,
                seq,
            ),
        )

    def drop(self, seq: int) -> None:
        """Take a snapshot out of the index."""
        self._database.execute("delete from words where seq=?", (seq,))

    def clear(self) -> None:
        """Empty both tables."""
        self._database.execute("delete from words")
        self.forget()

    def renew(self) -> None:
        """Empty tables: the server mends its own indexes."""
        self.clear()

    def forget(self) -> None:
        """Empty the words for "did you mean"."""
        self._database.spelled.clear()
        self._database.execute("delete from spellings")

    def spell(self, words: Iterable[str]) -> None:
        """Count the words of one more snapshot, when the transaction ends."""
        self._database.spelled.update(dict.fromkeys(words, 1))

    def unspell(self, words: Iterable[str]) -> None:
        """Count the words of one snapshot less; a word that none holds is forgotten."""
        self._database.spelled.subtract(dict.fromkeys(words, 1))

    def settle(self) -> None:
        """Write down how the counts have changed: most words of a changed snapshot stay."""
        changed = sorted(item for item in self._database.spelled.items() if item[1])
        self._database.spelled.clear()
        if changed:
            self._run(
                "insert into spellings(word, held) select * from unnest(?::text[], ?::integer[]) "
                "on conflict (project, word) do update set held = spellings.held + excluded.held",
                tuple(map(list, zip(*changed, strict=True))),
            )
        if gone := [word for word, change in changed if change < 0]:
            self._run("delete from spellings where word = any(?) and held < 1", (gone,))

    def scored(
        self, expression: str, score: Score, *, dates: str, values: Sequence[Value], limit: int
    ) -> dict[int, float]:
        """The newest snapshots that match, with their scores."""
        tree = expressions.parse(expression)
        found = self._newest(tree, "seq, size, said", dates=dates, values=values, limit=limit)
        return {int(seq): _score(tree, said, size, score) for seq, size, said in found}

    def newest(self, expression: str, *, limit: int) -> list[int]:
        """The numbers of the newest snapshots that match."""
        found = self._newest(expressions.parse(expression), "seq", limit=limit)
        return [int(seq) for (seq,) in found]

    def _newest(
        self,
        tree: expressions.Expression,
        columns: str,
        *,
        dates: str = "",
        values: Sequence[Value] = (),
        limit: int,
    ) -> list[tuple[Any, ...]]:
        """Of the rows that match the newest, looked for in the newest spans, then in all."""
        asked = f"({expressions.proposing(tree, self._database.project)})"
        confirmed, wanted = expressions.confirming(tree)
        # Sorted before the text is read, and by a sum, so that nobody walks the primary key.
        sql = (
            f"select {columns} from (select seq, size, said from words where true {dates} "
            f"order by seq + 0 desc offset 0) as found where {confirmed} limit ?"
        )

        def among(which: str) -> list[tuple[Any, ...]]:
            question = f"?::text || {which}"
            return self._database.asking(question, (asked,), sql, (*values, *wanted, limit))

        found: list[tuple[Any, ...]] = []
        for narrower, width in pairwise((1, *SPANS)):
            # If it stands as thinly in a wider span, there are not enough of them there either.
            if narrower > 1 and len(found) * width < limit * narrower:
                break
            found = among(f"' & (' || dcb.lately({width}) || ')'")
            if len(found) >= limit:
                return found
        return among("''")

    def _run(self, sql: str, values: Sequence[Any]) -> None:
        # Lists become arrays, which the tables shared with SQLite do not have.
        self._database.execute(sql, values)


def _score(tree: expressions.Expression, said: str, size: int, score: Score) -> float:
    times = expressions.counted(tree, said.split("\n"))
    return score(size, times.__getitem__)
