"""Snapshot documents from files, folders and other stores -> the store, nothing overwritten."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from dcb import document
from dcb.errors import DocumentError, RequestError
from dcb.model import Snapshot
from dcb.store import Source, Store, Stored, is_original, read_original

SUFFIX = ".md"


@dataclass(frozen=True, kw_only=True, slots=True)
class Added:
    """What became of one document that was to be added."""

    path: str
    id: str = ""
    title: str = ""
    change: Literal["new", "same", "renamed", ""] = ""
    problem: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Adder:
    """Adds documents to one store.

    `strict` refuses a document whose checksum does not match; `passphrase` is asked for a
    store of the original that holds sealed snapshots.
    """

    store: Store
    new_id: Callable[[], str]
    strict: bool = False
    passphrase: Callable[[], str] | None = None

    def add(self, paths: Iterable[str]) -> Iterator[Added]:
        """Add the documents of each path, one result for each."""
        for path in paths:
            if Path(path).is_dir():
                for file in sorted(Path(path).rglob(f"*{SUFFIX}")):
                    yield self._file(str(file))
            elif is_original(Path(path)):
                yield from self._store(path)
            else:
                yield self._file(path)

    def _file(self, path: str) -> Added:
        try:
            return self.document(path, _read(path).decode())
        except OSError as error:
            return Added(path=path, problem=error.strerror or str(error))
        except (DocumentError, UnicodeDecodeError) as error:
            return Added(path=path, problem=str(error))

    def _store(self, path: str) -> Iterator[Added]:
        for found in read_original(Path(path), self.passphrase):
            place = f"{path}:{found.id}"
            if found.problem:
                yield Added(path=place, problem=found.problem)
                continue
            try:
                yield self.document(place, found.document)
            except DocumentError as error:
                yield Added(path=place, problem=str(error))

    def document(self, path: str, text: str) -> Added:
        """Add a document that was read from a path. Raises DocumentError."""
        problem = _problem(text)
        if problem and self.strict:
            raise DocumentError(problem)
        snapshot = document.parse(text)
        held = self._held(snapshot)
        change: Literal["new", "same", "renamed"] = "new"
        if held is not None and held.document == document.dump(snapshot):
            change = "same"
        elif held is not None:
            snapshot, change = replace(snapshot, id=self.new_id()), "renamed"
        if change != "same":
            source = Source(format="document", where=path)
            written = document.dump(snapshot)
            self.store.put(snapshot, written, source=source, action="import")
        return Added(
            path=path, id=snapshot.id, title=snapshot.title, change=change, problem=problem
        )

    def _held(self, snapshot: Snapshot) -> Stored | None:
        """What the store has under exactly this id."""
        try:
            found = self.store.get(snapshot.id)
        except RequestError:
            return None
        return found if found.row.id == snapshot.id else None


def _read(path: str) -> bytes:
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()


def _problem(text: str) -> str:
    verdict = document.verify(text)
    return "" if verdict.status in ("intact", "no-checksum") else verdict.message
