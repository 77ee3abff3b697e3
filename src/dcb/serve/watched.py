"""A store that tells what is done with it: which verb, on which snapshot, never what is in it.

What is written is logged by the database in the transaction that writes it; what is only
read leaves no trace there, and is told to `note`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NoReturn

from dcb.errors import RequestError
from dcb.store import Action, Row, Saved, Source, Store, Stored, Version

if TYPE_CHECKING:
    from dcb.model import Omitted, Snapshot
    from dcb.store import Answer, Waiting
    from dcb.store.postgres.connection import Database

SEALED = (
    "This project is encrypted end to end, and this server has no key: use dcb with DCB_STORE "
    "on your own machine, which searches and reads it there"
)

Note = Callable[[str, str], None]
"""Told an action and the id of a snapshot, which is "" where it is about none."""


class Watched(Store):
    """The store of one person in one project. `note` is told of reads, `count` of everything."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], int],
        note: Note,
        count: Callable[[str], None],
    ) -> None:
        super().__init__(database, now=now, passphrase=_refuse)
        self._note = note
        self._count = count

    def get(self, identifier: str) -> Stored:
        """A snapshot, as `Store.get`; logged."""
        found = super().get(identifier)
        self._read("read", found.row.id)
        return found

    def version(self, identifier: str, number: int) -> tuple[Version, str]:
        """A version, as `Store.version`; logged."""
        found = super().version(identifier, number)
        self._read("read", identifier)
        return found

    def search(self, text: str, *, limit: int = 10, hits: int = 3) -> Answer:
        """As `Store.search`; that there was a search is logged, and nothing of it."""
        found = super().search(text, limit=limit, hits=hits)
        self._read("search", "")
        return found

    def put(
        self,
        snapshot: Snapshot,
        document: str,
        *,
        source: Source | None = None,
        omitted: Iterable[Omitted] = (),
        action: Action = "save",
        note: str = "",
    ) -> Saved:
        """As `Store.put`; the database logs it under its action."""
        saved = super().put(
            snapshot, document, source=source, omitted=omitted, action=action, note=note
        )
        self._count(action)
        return saved

    def remove(self, identifier: str) -> Row:
        """As `Store.remove`; the database logs it."""
        row = super().remove(identifier)
        self._count("remove")
        return row

    def submit(self, item: Waiting) -> int:
        """As `Store.submit`; logged."""
        waiting = super().submit(item)
        self._read("propose", item.id)
        return waiting

    def _read(self, action: str, identifier: str) -> None:
        self._note(action, identifier)
        self._count(action)


def _refuse() -> NoReturn:
    raise RequestError(SEALED)
