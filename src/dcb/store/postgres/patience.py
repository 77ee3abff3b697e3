"""A connection that waits for an answer so long and no longer.

The server gives up slow statements by itself, but one that is frozen, or behind a network that
swallows what is sent, gives up nothing: then the connection is closed at this end.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

T = TypeVar("T")

# It tells of what fails while something else fails; our sentence says that once.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class NoAnswer(psycopg.OperationalError):
    """The server did not answer in time; what became of the statement is unknown."""


class Patient(psycopg.Connection[tuple[Any, ...]]):
    """A connection on which nothing takes longer than `patience` seconds, unless it is None."""

    # Longer than the server's own limit for a statement, so that it can say so itself.
    patience: float | None = 75.0

    def wait(self, gen: PQGen[T], *args: Any, **options: Any) -> T:
        """As psycopg does, for so long. Raises NoAnswer, and closes the connection."""
        if self.patience is not None:
            gen = _until(time.monotonic() + self.patience, gen)
        try:
            return super().wait(gen, *args, **options)
        except NoAnswer:
            self.close()
            raise

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """Inside, answers are waited for however long they take."""
        usual, self.patience = self.patience, None
        try:
            yield
        finally:
            self.patience = usual


def _until(end: float, inner: PQGen[T]) -> PQGen[T]:
    """The same conversation with the server; psycopg looks in ten times a second meanwhile."""
    try:
        wanted = next(inner)
        while True:
            wanted = inner.send((yield wanted))
            if time.monotonic() > end:
                raise NoAnswer("no answer in time")
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        inner.close()
