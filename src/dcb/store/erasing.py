"""A snapshot -> no trace of it in the folder, shown by searching every byte.

Backups kept elsewhere, exported files, other clones of a git mirror and the spare blocks of
a flash disk are out of reach; nothing here says otherwise. Of a server only the rows are in reach.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Iterable, Iterator
from pathlib import Path

from dcb.errors import DcbError, NotFound
from dcb.store import checking, index, lock, snapshots, versions
from dcb.store.answers import Erased
from dcb.store.outbox import FOLDER, Outbox, states
from dcb.store.passages import Passage
from dcb.store.rows import Row
from dcb.store.sealing import Box
from dcb.store.unpacking import unpacked

_SHORTEST = 12  # bytes of a passage that are looked for; shorter ones stand in many
_MOST = 400  # of them


def erase(outbox: Outbox, identifiers: Iterable[str]) -> Erased:
    """Erase snapshots with everything that was ever kept of them.

    Raises NotFound for an id that neither a snapshot nor a version has, Ambiguous.
    """
    box, database = outbox.box, outbox.box.database
    wanted = [_named(box, identifier) for identifier in identifiers]
    needles = {needle for identifier in wanted for needle in _needles(outbox, identifier)}
    with box.writing():
        count = sum(_delete(box, identifier) for identifier in wanted)
        needles -= _still_needed(outbox, needles)
        outbox.erased()
    outbox.settle(patience=lock.PATIENCE)
    tidied = database.tidy()
    remaining, searched = _search(database.folder, needles) if database.folder else ((), None)
    return Erased(
        ids=tuple(wanted),
        versions=count,
        searched_bytes=searched,
        tidied=tidied,
        remaining=remaining,
    )


def erase_all(outbox: Outbox) -> Erased:
    """Erase everything in the store."""
    found = outbox.box.database.rows(
        "select id from snapshots union select id from versions order by id"
    )
    return erase(outbox, [identifier for (identifier,) in found])


def _named(box: Box, identifier: str) -> str:
    try:
        return snapshots.resolve(box, identifier).id
    except NotFound:
        if box.database.row("select 1 from versions where id=?", (identifier,)):
            return identifier
        raise
    except DcbError:
        # Damaged, but named in full: that is reason enough to want it gone.
        if box.database.row("select 1 from snapshots where id=?", (identifier,)):
            return identifier
        raise


def _delete(box: Box, identifier: str) -> int:
    database = box.database
    row = database.row("select seq from snapshots where id=?", (identifier,))
    if row:
        database.words.drop(row[0])
        database.execute("delete from snapshots where seq=?", row)
    database.execute("delete from outbox where id=?", (identifier,))
    database.execute("delete from drafts")
    count = versions.next_number(database, identifier) - 1
    database.execute("delete from versions where id=?", (identifier,))
    database.unshare(identifier)
    _respell(box)
    return count


def _respell(box: Box) -> None:
    # Counted anew rather than down: what is to be erased may be too damaged to be read.
    box.database.words.forget()
    for _, passages in checking.whole(box):
        index.spell(box.database, passages)


def _needles(outbox: Outbox, identifier: str) -> set[bytes]:
    """Pieces of what is to go, as bytes: its id, its passages, and what a mirror tells of it."""
    box = outbox.box
    found = {identifier.encode()}
    row = box.database.row("select seq from snapshots where id=?", (identifier,))
    if row and not box.sealed:
        found |= {
            raw for item in _passages(box, identifier) if len(raw := _bytes(item)) >= _SHORTEST
        }
    found |= {raw for line in _mirrored(outbox, identifier) if len(raw := line) >= _SHORTEST}
    return set(sorted(found, key=lambda raw: hashlib.sha256(raw).digest())[:_MOST])


def _mirrored(outbox: Outbox, identifier: str) -> Iterator[bytes]:
    """Lines of every version of a snapshot: a mirror holds what the present one does not."""
    if outbox.mirrored and not outbox.box.sealed:
        for version, document in states(outbox.box, identifier):
            yield from (version.title.encode(), version.note.encode())
            yield from map(str.encode, document.splitlines())


def _passages(box: Box, identifier: str) -> list[Passage]:
    try:
        row: Row | None = snapshots.find(box, identifier)
        return snapshots.raw_passages(box, row) if row else []
    except DcbError:
        return []


def _bytes(passage: Passage) -> bytes:
    # As the file holds it: text inside JSON has its quotes and line ends escaped.
    lines = passage.text.splitlines() or [""]
    return max(lines, key=len).strip().encode()


def _still_needed(outbox: Outbox, needles: set[bytes]) -> set[bytes]:
    """Those that other snapshots hold as well: finding them would mean nothing."""
    if outbox.box.sealed:
        return set()
    kept: set[bytes] = set()
    for text in _texts(outbox):
        raw = text.encode()
        kept |= {needle for needle in needles if needle in raw}
    return kept


def _texts(outbox: Outbox) -> Iterator[str]:
    box = outbox.box
    for texts in box.database.stream("select document, passages from bodies"):
        yield "\n".join(texts)
    if outbox.mirrored:
        for version, document in states(box):
            yield "\n".join((version.title, version.note, document))


def _search(folder: Path, needles: set[bytes]) -> tuple[tuple[str, ...], int]:
    found, searched = [], 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size:
            searched += path.stat().st_size
            with (
                path.open("rb") as file,
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw,
            ):
                if any(_holds(text, needles) for text in _layers(folder, path, raw)):
                    found.append(str(path.relative_to(folder)))
    return tuple(found), searched


def _layers(folder: Path, path: Path, raw: mmap.mmap) -> Iterator[bytes | mmap.mmap]:
    """The bytes of a file, and of the mirror those that are packed in them."""
    yield raw
    if path.is_relative_to(folder / FOLDER):
        yield from unpacked(raw)


def _holds(text: bytes | mmap.mmap, needles: set[bytes]) -> bool:
    return any(text.find(needle) >= 0 for needle in needles)
