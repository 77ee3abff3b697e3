"""Snapshots kept in one folder, or on a server: put, get, list, search, remove; drafts and versions.

Everything acknowledged is on the disk, everything read matches its hash. Callers see frozen
data and the errors of `dcb.errors`, never the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcb.errors import RequestError
from dcb.store import listing, snapshots, versions
from dcb.store.connection import Database, in_folder
from dcb.store.outbox import Outbox
from dcb.store.rows import Action, Row, Saved, Stored
from dcb.store.sealing import Ask, Box
from dcb.store.snapshots import Source

# `list` and `get` are called by hooks and scripts and must start at once: what they do
# without is imported by the verb or the name that needs it.
if TYPE_CHECKING:
    from dcb.model import Omitted, Report, Snapshot
    from dcb.store.answers import Answer, Draft, Erased, Found, Health, Hit, Problem, Version
    from dcb.store.backup import restore
    from dcb.store.inbox import Waiting
    from dcb.store.keeper import Keeper
    from dcb.store.moving import Moved
    from dcb.store.original import Foreign, is_original, read_original
    from dcb.store.passages import Passage
    from dcb.store.recoding import Progress

_HOMES = {
    "Answer": "answers",
    "Draft": "answers",
    "Erased": "answers",
    "Foreign": "original",
    "Found": "answers",
    "Health": "answers",
    "Hit": "answers",
    "Moved": "moving",
    "Passage": "passages",
    "Problem": "answers",
    "Version": "answers",
    "Waiting": "inbox",
    "is_original": "original",
    "read_original": "original",
    "restore": "backup",
}

__all__ = [
    "Action",
    "Answer",
    "Draft",
    "Erased",
    "Foreign",
    "Found",
    "Health",
    "Hit",
    "Moved",
    "Passage",
    "Problem",
    "Row",
    "Saved",
    "Source",
    "Store",
    "Stored",
    "Version",
    "Waiting",
    "is_original",
    "opened",
    "read_original",
    "restore",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def opened(
    folder: Path,
    *,
    address: str = "",
    project: str = "",
    now: Callable[[], int],
    passphrase: Ask | None = None,
    git: bool = False,
) -> Store:
    """The store of a folder, or that of a project on the server at `address`.

    Raises as `Store` does, and RequestError when PostgreSQL's client is not installed.
    """
    place: Path | Keeper = folder
    if address:
        with needing_client():
            from dcb.store import postgres
        place = postgres.connect(address, project=project)
    return Store(place, now=now, passphrase=passphrase, git=git)


@contextmanager
def needing_client() -> Iterator[None]:
    """Around an import of PostgreSQL's client. Raises RequestError where it is not installed."""
    try:
        yield
    except ImportError:
        raise RequestError(
            "A store on PostgreSQL needs its client; install it with: "
            "pip install 'dialogue-context-bridge[postgres]'"
        ) from None


class Store:
    """The store of one data folder; a context manager.

    `now` gives epoch milliseconds; `passphrase` is asked at most once, and only by a store
    that is encrypted. `git` mirrors history into a git repository, unless it is encrypted.
    """

    def __init__(
        self,
        place: Path | Keeper,
        *,
        now: Callable[[], int],
        passphrase: Ask | None = None,
        git: bool = False,
    ) -> None:
        """Open the store of a folder, making it where it is missing, or one that is open already.

        What a program that died owes to the outbox is done first.
        Raises NewerStore, DamagedStore, StoreUnwritable, StoreLocked.
        """
        self._database: Keeper = Database(place) if isinstance(place, Path) else place
        self._box = Box.of(self._database, passphrase)
        # A mirror lies in the folder of the store; a server has none.
        self._outbox = Outbox(self._box, git=git and self._database.folder is not None)
        self._now = now
        self._outbox.settle()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self._database.close()

    @property
    def where(self) -> str:
        """Where it lies, as a person is told; without a password."""
        return self._database.where

    def reading(self) -> AbstractContextManager[None]:
        """Several reads of one state of the store; nothing is written meanwhile."""
        return self._box.reading()

    # --- snapshots -----------------------------------------------------------------------

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
        """Store a snapshot with the document that `dump` wrote for it.

        The same one again is a no-op ("same"); another document under the same id is its
        next version ("changed"). Without `source`, that of the stored snapshot is kept.
        Raises StoreUnwritable only when nothing was stored.
        """
        saved = snapshots.put(
            self._box,
            snapshot,
            document,
            now=self._now(),
            source=source,
            omitted=omitted,
            action=action,
            note=note,
            follow=self._outbox.note,
        )
        self._outbox.settle()
        return saved

    def get(self, identifier: str) -> Stored:
        """A snapshot by its id or a unique beginning of it.

        Raises NotFound, Ambiguous with the candidates, DamagedStore.
        """
        return snapshots.get(self._box, identifier)

    def find(self, identifier: str) -> Row:
        """The row of a snapshot, as `get` finds it, without its content."""
        return snapshots.resolve(self._box, identifier)

    def passages(self, identifier: str) -> tuple[Passage, ...]:
        """The searchable pieces of a snapshot, in reading order. Raises as `get` does."""
        with self._box.reading():
            return tuple(
                snapshots.raw_passages(self._box, snapshots.resolve(self._box, identifier))
            )

    def find_conversation(self, format: str, conversation_id: str) -> Row | None:
        """The snapshot last made of a conversation, to know it again at the next ingest."""
        return snapshots.find_conversation(
            self._box, format=format, conversation_id=conversation_id
        )

    def list(
        self,
        *,
        tags: tuple[str, ...] = (),
        format: str = "",
        conversation_id: str = "",
        before: int | None = None,
        after: int | None = None,
        below: int | None = None,
        limit: int | None = 50,
        offset: int = 0,
    ) -> tuple[Row, ...]:
        """Rows with all `tags`, created in [after, before), the last saved first.

        `below` is the `seq` of the last row of the page before this one.
        """
        return listing.listed(
            self._box,
            tags=tags,
            format=format,
            conversation_id=conversation_id,
            before=before,
            after=after,
            below=below,
            limit=limit,
            offset=offset,
        )

    def search(self, text: str, *, limit: int = 10, hits: int = 3) -> Answer:
        """The best `limit` snapshots for what was typed, each with its best `hits` passages.

        No text raises: what is not understood as a filter is looked for as words.
        """
        from dcb.store import search

        return search.search(self._box, text, limit=limit, hits=hits)

    def remove(self, identifier: str) -> Row:
        """Take a snapshot out of the store; its versions stay until it is erased."""
        row = snapshots.remove(self._box, identifier, now=self._now(), follow=self._outbox.note)
        self._outbox.settle()
        return row

    # --- drafts --------------------------------------------------------------------------

    def save_draft(self, document: str, report: Report, *, source: Source) -> None:
        """Keep a draft in place of the one before."""
        from dcb.store import drafts
        from dcb.store.answers import Draft

        draft = Draft(
            document=document,
            report=report,
            format=source.format,
            where=source.where,
            source_hash=source.hash,
            at=self._now(),
        )
        drafts.keep(self._box, draft)

    def load_draft(self) -> Draft:
        """The draft. Raises NotFound when there is none."""
        from dcb.store import drafts

        return drafts.load(self._box)

    def drop_draft(self) -> bool:
        """Forget the draft; whether there was one."""
        from dcb.store import drafts

        return drafts.drop(self._database)

    # --- inbox ---------------------------------------------------------------------------

    def submit(self, item: Waiting) -> int:
        """Keep what an agent wrote until the person decides; how many items wait now.

        Raises RequestError when too many wait.
        """
        from dcb.store import inbox

        return inbox.put(self._box, item)

    def inbox(self) -> tuple[Waiting, ...]:
        """What waits in the inbox, the first to come first."""
        from dcb.store import inbox

        return inbox.listed(self._box)

    def waiting(self, identifier: str) -> Waiting:
        """One item of the inbox. Raises NotFound, Ambiguous, DamagedStore."""
        from dcb.store import inbox

        return inbox.find(self._box, identifier)

    def drop_waiting(self, identifier: str) -> None:
        """Take an item out of the inbox for good. Raises NotFound, Ambiguous."""
        from dcb.store import inbox

        inbox.drop(self._box, identifier)

    # --- versions ------------------------------------------------------------------------

    def versions(self, identifier: str) -> tuple[Version, ...]:
        """All versions of a snapshot, oldest first, of a removed one too."""
        return versions.listed(self._box, identifier)

    def version(self, identifier: str, number: int) -> tuple[Version, str]:
        """One version and its document (empty for a removal)."""
        return versions.read(self._box, identifier, number)

    # --- encryption ----------------------------------------------------------------------

    @property
    def sealed(self) -> bool:
        """Whether the store is encrypted."""
        self._box.refresh()
        return self._box.sealed

    @property
    def mirrored(self) -> bool:
        """Whether there is a git mirror of its history."""
        return self._outbox.mirrored

    def unlock(self) -> None:
        """Ask for the passphrase now. Raises StoreLocked, WrongPassphrase."""
        self._box.unlock()

    def encrypt(self, passphrase: str, *, progress: Progress | None = None) -> int:
        """Seal everything in the store; the number of snapshots. All or nothing.

        A git mirror, which would hold it all in plain text, is removed.
        """
        from dcb.store import recoding

        return recoding.encrypt(self._outbox, passphrase, progress=progress)

    def decrypt(self, *, progress: Progress | None = None) -> int:
        """Open everything in the store; the number of snapshots. All or nothing."""
        from dcb.store import recoding

        return recoding.decrypt(self._outbox, progress=progress)

    def rekey(self, passphrase: str, *, progress: Progress | None = None) -> int:
        """Seal everything with another passphrase; the number of snapshots. All or nothing."""
        from dcb.store import recoding

        return recoding.rekey(self._outbox, passphrase, progress=progress)

    # --- care ----------------------------------------------------------------------------

    def erase(self, *identifiers: str) -> Erased:
        """Erase snapshots with all their versions, then search the folder for traces.

        Raises NotFound for an id of which nothing was ever kept, Ambiguous.
        """
        from dcb.store import erasing

        self._box.unlock()
        return erasing.erase(self._outbox, identifiers)

    def erase_all(self) -> Erased:
        """Erase everything that was ever kept here."""
        from dcb.store import erasing

        self._box.unlock()
        return erasing.erase_all(self._outbox)

    def back_up(self, target: Path) -> int:
        """Write the whole store into a new file, sealed if it is; the size in bytes."""
        from dcb.store import backup

        return backup.back_up(in_folder(self._database, "A backup into one file"), target)

    def move_to(self, target: Store) -> Iterator[Moved]:
        """Copy everything into another store and hash every copy; one `Moved` for each row.

        Raises RequestError where the target holds something else, DamagedStore.
        """
        from dcb.store import moving

        yield from moving.move(self._database, target._database)
        with target._box.writing():
            target._outbox.renew()
        target._outbox.settle()

    def check(self) -> Health:
        """Look at everything in the store; reads all of it."""
        from dcb.store import checking

        self._box.unlock()
        return checking.check(self._outbox)

    def repair(self, parse: Callable[[str], Snapshot]) -> tuple[str, ...]:
        """Rebuild what can be rebuilt from whole documents; a sentence for each thing done.

        `parse` reads a document; the store itself does not know the format.
        """
        from dcb.store import checking

        return checking.repair(self._outbox, parse)
