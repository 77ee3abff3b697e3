"""What the store asks of whatever keeps its tables: statements, transactions, an index of words.

Statements are SQL that SQLite and PostgreSQL understand alike, with `?` for values; where
they differ, the difference is a method here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

Value = str | bytes | int | float | None

Places = Callable[[int], Sequence[int]]
"""How often a phrase of an expression, by its number, stands in each column of the index."""

Score = Callable[[int, Places], float]
"""The score of a snapshot of so many terms that holds the phrases in those places."""


class Words(Protocol):
    """The index of words. `expression` is in the language of SQLite's FTS5."""

    def add(self, seq: int, texts: Sequence[str]) -> None:
        """Index a snapshot: one text for each column, the facets last."""

    def drop(self, seq: int) -> None:
        """Take a snapshot out of the index."""

    def clear(self) -> None:
        """Empty the index and the words for "did you mean"."""

    def renew(self) -> None:
        """An empty index in place of one that may be damaged."""

    def forget(self) -> None:
        """Empty the words for "did you mean"."""

    def spell(self, words: Iterable[str]) -> None:
        """Count the words of one more snapshot."""

    def unspell(self, words: Iterable[str]) -> None:
        """Count the words of one snapshot less; a word that none holds is forgotten."""

    def scored(
        self, expression: str, score: Score, *, dates: str, values: Sequence[Value], limit: int
    ) -> dict[int, float]:
        """The newest snapshots that match, and pass the condition on dates, with their scores."""

    def newest(self, expression: str, *, limit: int) -> list[int]:
        """The numbers of the newest snapshots that match, the last saved first."""


class Reads(Protocol):
    """Statements over an open store."""

    @property
    def words(self) -> Words:
        """The index of words."""

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """All rows of a statement."""

    def row(self, sql: str, values: Sequence[Value] = ()) -> tuple[Any, ...] | None:
        """The first row, or None."""

    def stream(self, sql: str, values: Sequence[Value] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a statement, one by one."""

    def execute(self, sql: str, values: Sequence[Value] = ()) -> None:
        """Run a statement inside `writing()`."""

    def execute_many(self, sql: str, values: Sequence[Sequence[Value]]) -> None:
        """Run a statement once for each of `values`, inside `writing()`."""


class Keeper(Reads, Protocol):
    """An open store: its transactions, and where it lies."""

    @property
    def folder(self) -> Path | None:
        """The folder of the store; None where a server keeps it."""

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""

    @property
    def guest(self) -> bool:
        """Whether who asks was shown some snapshots only, and may not use the index."""

    def reading(self) -> AbstractContextManager[None]:
        """Several reads of one state of the store."""

    def writing(self) -> AbstractContextManager[None]:
        """One transaction, among writers the only one; inside another one, part of it.

        StoreUnwritable from the closing commit means "unknown": the caller looks up what it
        wrote, after `reopen`.
        """

    def log_as(self, action: str) -> None:
        """What the rest of the transaction does, for the log of a server that keeps one."""

    def reopen(self) -> None:
        """Connect anew, to learn what an unclear commit left behind."""

    @property
    def where(self) -> str:
        """Where it lies, as a person is told; without a password."""

    def indexed(self) -> set[int]:
        """The numbers of all snapshots in the index of words. Raises DamagedStore."""

    def unshare(self, identifier: str) -> None:
        """Show a snapshot to nobody outside of the project any more, inside `writing()`."""

    @property
    def restoring(self) -> str:
        """What brings back what a backup holds, as a person is told."""

    def tidy(self) -> bool:
        """Leave nothing behind of texts that were replaced, as far as can be; whether it could."""

    def close(self) -> None:
        """Close it."""
