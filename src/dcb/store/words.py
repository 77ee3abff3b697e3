"""The index of words in SQLite: a table of its full-text search, scored where it lies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dcb.migrations import SEARCHED
from dcb.store.keeper import Score, Value

if TYPE_CHECKING:
    import apsw

    from dcb.store.connection import Queries


class FullText:
    """The tables `words` and `spellings` of an open database."""

    def __init__(self, database: Queries) -> None:
        self._database = database

    def add(self, seq: int, texts: Sequence[str]) -> None:
        """Index a snapshot: one text for each column, the facets last."""
        places = ",".join("?" * (len(texts) + 1))
        self._database.execute(
            "insert into words(rowid, title, description, tags, settled, preferences, summary, "
            f"other, facets) values ({places})",
            (seq, *texts),
        )

    def drop(self, seq: int) -> None:
        """Take a snapshot out of the index."""
        self._database.execute("delete from words where rowid=?", (seq,))

    def clear(self) -> None:
        """Empty both tables."""
        self._database.execute("insert into words(words) values ('delete-all')")
        self.forget()

    def renew(self) -> None:
        """Empty tables in place of those that may be damaged."""
        for table in ("words", "spellings"):
            self._database.execute(f"drop table if exists {table}")
        for statement in SEARCHED:
            self._database.execute(statement)

    def forget(self) -> None:
        """Empty the words for "did you mean"."""
        self._database.execute("delete from spellings")

    def spell(self, words: Iterable[str]) -> None:
        """Count the words of one more snapshot."""
        self._database.execute_many(
            "insert into spellings(word, held) values (?, 1) "
            "on conflict(word) do update set held = held + 1",
            [(word,) for word in words],
        )

    def unspell(self, words: Iterable[str]) -> None:
        """Count the words of one snapshot less; a word that none holds is forgotten."""
        found = [(word,) for word in words]
        self._database.execute_many("update spellings set held = held - 1 where word=?", found)
        self._database.execute_many("delete from spellings where word=? and held < 1", found)

    def scored(
        self, expression: str, score: Score, *, dates: str, values: Sequence[Value], limit: int
    ) -> dict[int, float]:
        """The newest snapshots that match, with their scores."""

        def scored(api: apsw.FTS5ExtensionApi, *_: object) -> float:
            return score(
                api.column_size(-1), lambda phrase: list(map(len, api.phrase_locations(phrase)))
            )

        self._database.connection.register_fts5_function("dcb_score", scored)
        # Reading the dates of a snapshot costs a look into its row, so only where asked.
        joined = "join snapshots on snapshots.seq = words.rowid" if dates else ""
        return dict(
            self._database.rows(
                f"select words.rowid, dcb_score(words) from words {joined} "
                f"where words match ? {dates} order by words.rowid desc limit ?",
                (expression, *values, limit),
            )
        )

    def newest(self, expression: str, *, limit: int) -> list[int]:
        """The numbers of the newest snapshots that match."""
        found = self._database.rows(
            "select rowid from words where words match ? order by rowid desc limit ?",
            (expression, limit),
        )
        return [int(seq) for (seq,) in found]
