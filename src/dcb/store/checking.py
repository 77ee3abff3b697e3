"""The whole store -> what is wrong with it, and what can be rebuilt from what is whole.

A snapshot lies in the store twice: as its row and as its last version. Where one is damaged
the other mends it; the index and everything else is made from documents.
"""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import apsw

from dcb.errors import DamagedStore, DcbError, NotFound, StoreError
from dcb.model import Snapshot
from dcb.store import index, mirroring, snapshots, versions
from dcb.store.answers import Health, Problem
from dcb.store.connection import in_folder
from dcb.store.keeper import Reads
from dcb.store.outbox import Outbox
from dcb.store.passages import Passage
from dcb.store.rows import Row
from dcb.store.sealing import Box

Parse = Callable[[str], Snapshot]
Look = Callable[[Box], Iterator[Problem]]

_REPAIR = "dcb doctor --repair"
_PRAGMAS = (
    "journal_mode",
    "synchronous",
    "secure_delete",
    "foreign_keys",
    "trusted_schema",
    "busy_timeout",
    "user_version",
)


def check(outbox: Outbox) -> Health:
    """Look at everything: structure, rows, versions, index, permissions, git mirror."""
    if outbox.box.database.folder is None:
        from dcb.store.postgres.care import check as check_server

        return check_server(outbox)
    box, database = outbox.box, in_folder(outbox.box.database, "This look at the disk")
    problems = found_by((_structure, *CONTENTS, _files), box)
    mirror, wrong = mirroring.check(outbox)
    return Health(
        path=str(database.path),
        engine="sqlite",
        release=apsw.sqlite_lib_version(),
        settings=tuple((name, str(database.connection.pragma(name))) for name in _PRAGMAS),
        snapshots=count(database, "snapshots"),
        versions=count(database, "versions"),
        drafts=count(database, "drafts"),
        waiting=count(database, "outbox"),
        size=sum(path.stat().st_size for path in database.folder.rglob("*") if path.is_file()),
        free=shutil.disk_usage(database.folder).free,
        sealed=box.sealed,
        mirror=mirror,
        problems=(*problems, *wrong),
    )


def repair(outbox: Outbox, parse: Parse) -> tuple[str, ...]:
    """Rebuild what can be rebuilt; a sentence for each thing done.

    `parse` reads a document; the store itself does not know the format.
    """
    box = outbox.box
    box.unlock()
    done: list[str] = []
    with box.writing():
        for identifier in _broken(box):
            done.append(_mend(box, identifier, parse))
        done += _named_anew(box)
        done.append(_rebuild_index(box))
    if box.database.folder is None:
        return tuple(done)
    with in_folder(box.database, "Mending files").alone() as connection:
        connection.execute("reindex")
    return (*done, *mirroring.repair(outbox))


def _named_anew(box: Box) -> list[str]:
    from dcb.store import inbox

    count = inbox.name_anew(box)
    return [f"{count} items of the inbox that had lost their names have new ones"] * bool(count)


def _rebuild_index(box: Box) -> str:
    box.database.words.renew()
    count = 0
    for row, passages in whole(box):
        index.add(box.database, row, passages, seq=row.seq)
        count += 1
    return f"The index was made anew from {count} snapshots"


def whole(box: Box) -> Iterator[tuple[Row, list[Passage]]]:
    """Rows and passages of what can be read, for the index of an open store."""
    for (identifier,) in box.database.rows("select id from snapshots where not sealed"):
        with suppress(DcbError):
            row = snapshots.find(box, identifier)
            if row:
                yield row, snapshots.raw_passages(box, row)


# --- looking -----------------------------------------------------------------------------


def found_by(looks: Iterable[Look], box: Box) -> list[Problem]:
    """What each of these looks at a store finds wrong."""
    return [problem for look in looks for problem in _looked(look, box)]


def _looked(look: Look, box: Box) -> list[Problem]:
    # What one look cannot read at all is itself a finding, and must not hide the others.
    found: list[Problem] = []
    try:
        found.extend(look(box))
    except StoreError as error:
        found.append(Problem(where=box.database.where, what=str(error), remedy=_REPAIR))
    return found


def _structure(box: Box) -> Iterator[Problem]:
    for (answer,) in box.database.rows("pragma integrity_check(20)"):
        if answer != "ok":
            yield Problem(where="store.db", what=answer, remedy="dcb restore FILE, or " + _REPAIR)


def _rows(box: Box) -> Iterator[Problem]:
    for (identifier,) in box.database.rows("select id from snapshots order by seq"):
        what = _wrong_with(box, str(identifier))
        if what:
            yield Problem(where=f"snapshot {identifier}", what=what, remedy=_REPAIR)


def _wrong_with(box: Box, identifier: str) -> str:
    try:
        row = snapshots.find(box, identifier)
        if row is None:
            return "it is listed but cannot be found by its id"
        snapshots.body(box, row)
    except DcbError as error:
        return str(error)
    return ""


def _vanished(box: Box) -> Iterator[Problem]:
    """Snapshots that the versions know and that were not removed."""
    for identifier in _missing(box):
        yield Problem(where=f"snapshot {identifier}", what="its row is gone", remedy=_REPAIR)


def _missing(box: Box) -> Iterator[str]:
    known = box.database.rows(
        "select id, max(number) from versions where id not in (select id from snapshots) group by id"
    )
    for identifier, number in known:
        version, _ = versions.read(box, str(identifier), number)
        if version.action != "remove":
            yield str(identifier)


def _versions(box: Box) -> Iterator[Problem]:
    for identifier, number in box.database.rows("select id, number from versions"):
        try:
            versions.read(box, str(identifier), number)
        except DcbError as error:
            yield Problem(
                where=f"{identifier}@{number}", what=str(error), remedy=box.database.restoring
            )


def _drafts(box: Box) -> Iterator[Problem]:
    from dcb.store import drafts, inbox

    try:
        drafts.load(box)
    except NotFound:
        pass
    except DcbError as error:
        yield Problem(where="draft", what=str(error), remedy="dcb compile SOURCE")
    try:
        inbox.listed(box)
    except DcbError as error:
        yield Problem(where="inbox", what=str(error), remedy="dcb inbox reject ID")


def _index(box: Box) -> Iterator[Problem]:
    if box.database.guest:
        return
    try:
        indexed = box.database.indexed()
    except DamagedStore:
        yield Problem(where="search index", what="it is damaged", remedy=_REPAIR)
        return
    wanted = {seq for (seq,) in box.database.rows("select seq from snapshots where not sealed")}
    if indexed != wanted:
        yield Problem(
            where="search index",
            what=f"{len(wanted - indexed)} snapshots are missing from it and "
            f"{len(indexed - wanted)} in it do not exist",
            remedy=_REPAIR,
        )


def _files(box: Box) -> Iterator[Problem]:
    folder = in_folder(box.database, "This look at files").folder
    for path in (folder, *sorted(folder.iterdir())):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            yield Problem(
                where=str(path),
                what=f"others may read it (mode {mode:o})",
                remedy=f"chmod go= {path}",
            )


def count(database: Reads, table: str) -> int:
    """How many rows a table has."""
    found = database.row(f"select count(*) from {table}")
    return int(found[0]) if found else 0


CONTENTS: tuple[Look, ...] = (_rows, _vanished, _versions, _drafts, _index)
"""The looks at what is stored, wherever the store lies."""


# --- mending -----------------------------------------------------------------------------


def _broken(box: Box) -> list[str]:
    known = box.database.rows("select id from snapshots")
    broken = [str(name) for (name,) in known if _wrong_with(box, str(name))]
    return [*broken, *_missing(box)]


def _mend(box: Box, identifier: str, parse: Parse) -> str:
    """Write the row of a snapshot anew from its last whole version."""
    last = versions.next_number(box.database, identifier) - 1
    for number in range(last, 0, -1):
        try:
            version, document = versions.read(box, identifier, number)
            snapshot = parse(document)
        except DcbError:
            continue
        box.database.execute("delete from snapshots where id=?", (identifier,))
        snapshots.restore(box, snapshot, document, version=version)
        return f"Snapshot {identifier} was made anew from its version {number} of {last}"
    return (
        f"Snapshot {identifier} cannot be mended: no version of it is whole; "
        f"{box.database.restoring}"
    )
