"""Snapshot documents and portable memories, from files, folders and other stores -> the store.

Nothing is overwritten, and what was added before is not added again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from dcb import document, portable_memory
from dcb.errors import DocumentError, ModelError, RequestError
from dcb.model import Omitted, Snapshot
from dcb.store import Source, Store, Stored, is_original, read_original

SUFFIX = ".md"


@dataclass(frozen=True, kw_only=True, slots=True)
class Added:
    """What became of one document, or of one snapshot in it, that was to be added.

    `omitted` is what was left out of a file of memories, and why.
    """

    path: str
    id: str = ""
    title: str = ""
    change: Literal["new", "same", "renamed", ""] = ""
    problem: str = ""
    omitted: tuple[Omitted, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Adder:
    """Adds documents to one store.

    `strict` refuses a document whose checksum does not match; `passphrase` is asked for a
    store of the original that holds sealed snapshots; `now` tells which memories still hold.
    """

    store: Store
    new_id: Callable[[], str]
    now: int
    strict: bool = False
    passphrase: Callable[[], str] | None = None

    def add(self, paths: Iterable[str]) -> Iterator[Added]:
        """Add the documents of each path, one result for each snapshot."""
        for path in paths:
            if Path(path).is_dir():
                for file in sorted(Path(path).rglob(f"*{SUFFIX}")):
                    yield from self._file(str(file))
            elif is_original(Path(path)):
                yield from self._store(path)
            else:
                yield from self._file(path)

    def _file(self, path: str) -> Iterator[Added]:
        try:
            text = _read(path).decode()
            if portable_memory.is_json(text):
                yield from self._memories(path, text)
            else:
                yield self.document(path, text)
        except OSError as error:
            yield Added(path=path, problem=error.strerror or str(error))
        except (DocumentError, ModelError, UnicodeDecodeError) as error:
            yield Added(path=path, problem=str(error))

    def _memories(self, path: str, text: str) -> Iterator[Added]:
        found = portable_memory.parse(text, now=self.now)
        if found.problem and self.strict:
            raise DocumentError(found.problem)
        if not found.snapshots:
            what = found.problem or "None of its memories is a preference that holds"
            yield Added(path=path, problem=what, omitted=found.omitted)
        source = Source(format=portable_memory.SCHEMA, where=path)
        # What was left out belongs to the file as a whole, and is kept and told once.
        omitted, problem = found.omitted, found.problem
        for snapshot in found.snapshots:
            yield self._keep(snapshot, source, problem=problem, omitted=omitted)
            omitted, problem = (), ""

    def _store(self, path: str) -> Iterator[Added]:
        for found in read_original(Path(path), self.passphrase):
            place = f"{path}:{found.id}"
            if found.problem:
                yield Added(path=place, problem=found.problem)
                continue
            try:
                yield self.document(place, found.document)
            except (DocumentError, ModelError) as error:
                yield Added(path=place, problem=str(error))

    def document(self, path: str, text: str) -> Added:
        """Add a document that was read from a path. Raises DocumentError, ModelError."""
        problem = _problem(text)
        if problem and self.strict:
            raise DocumentError(problem)
        snapshot = document.parse(text)
        return self._keep(snapshot, Source(format="document", where=path), problem=problem)

    def _keep(
        self,
        snapshot: Snapshot,
        source: Source,
        *,
        problem: str,
        omitted: tuple[Omitted, ...] = (),
    ) -> Added:
        held = self._held(snapshot)
        change: Literal["new", "same", "renamed"] = "new"
        if held is not None and held.document == document.dump(snapshot):
            change = "same"
        elif held is not None:
            snapshot, change = replace(snapshot, id=self.new_id()), "renamed"
        if change != "same":
            written = document.dump(snapshot)
            self.store.put(snapshot, written, source=source, omitted=omitted, action="import")
        return Added(
            path=source.where,
            id=snapshot.id,
            title=snapshot.title,
            change=change,
            problem=problem,
            omitted=omitted,
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
