"""Snapshots in and out of their tables, each read checked against its hash."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from dcb.errors import Ambiguous, DamagedStore, ModelError, NotFound, StoreLocked, StoreUnwritable
from dcb.store import coding, versions
from dcb.store.rows import Action, Row, Saved, Stored
from dcb.store.sealing import Box

# The index and the model come with the verbs that write: reading rows does without them.
if TYPE_CHECKING:
    from dcb.model import Omitted, Snapshot
    from dcb.store.answers import Version
    from dcb.store.keeper import Keeper
    from dcb.store.passages import Passage

_SHOWN_CANDIDATES = 5
_HEAD = "seq, sealed, id, meta, meta_sha"
_HEADED = 5  # columns
_TOGETHER = 16  # rows read at once: a search shows ten, and looks at a few more


class Source(NamedTuple):
    """Where a snapshot came from: format, file, and a hash of the conversation as read."""

    format: str = ""
    where: str = ""
    hash: str = ""


def put(
    box: Box,
    snapshot: Snapshot,
    document: str,
    *,
    now: int,
    source: Source | None,
    omitted: Iterable[Omitted] = (),
    action: Action = "save",
    note: str = "",
    follow: Callable[[Row], None],
) -> Saved:
    """Store a snapshot. The same one again is a no-op; a changed one is a new version.

    `follow` is called inside the transaction with the row of a new version. Raises ModelError
    for a document with NUL.
    """
    from dcb.store import passages

    _refuse_nul(snapshot.id, document)
    box.unlock()
    left_out = coding.omitted_text(omitted)
    row = _row(snapshot, now=now, source=source or Source())
    try:
        with box.writing():
            before = find(box, snapshot.id)
            if before and source is None:
                row = _with_source_of(row, before)
            if before and _same(box, before, row, document):
                return Saved(row=before, change="same")
            row = replace(row, version=versions.next_number(box.database, row.id))
            row = _replace(
                box, row, document, passages.of_snapshot(snapshot), left_out, before=before
            )
            versions.append(box, row, document, action=action, note=note)
            follow(row)
    except StoreUnwritable:
        # An error of the commit means "unknown": the disk says what became of it.
        stored = _looked_up(box, row.id)
        if stored is None or stored.version != row.version or not row.version:
            raise
        row = stored
    return Saved(row=row, change="changed" if before else "new")


def _looked_up(box: Box, identifier: str) -> Row | None:
    """The row of an id whose save ended in an error. Raises StoreUnwritable."""
    try:
        box.database.reopen()
        return find(box, identifier)
    except (StoreLocked, StoreUnwritable) as error:
        raise StoreUnwritable(
            f"{error}. Whether snapshot {identifier!r} was saved is not known; saving it again "
            "does no harm"
        ) from None


def restore(box: Box, snapshot: Snapshot, document: str, *, version: Version) -> None:
    """Write the row of a snapshot anew from one of its versions, inside a transaction."""
    from dcb.store import passages

    last = versions.next_number(box.database, snapshot.id) - 1
    row = _row(snapshot, now=version.at, source=Source())
    _replace(
        box,
        replace(row, version=last),
        document,
        passages.of_snapshot(snapshot),
        coding.omitted_text(()),
        before=None,
    )


def get(box: Box, identifier: str) -> Stored:
    """A snapshot by its id or a unique beginning of it.

    Raises NotFound, Ambiguous with the candidates, DamagedStore.
    """
    with box.reading():
        row = resolve(box, identifier)
        document, _, left_out = body(box, row)
    return Stored(row=row, document=document, omitted=coding.omitted_of(left_out))


def resolve(box: Box, identifier: str) -> Row:
    """The row of an id or of a unique beginning of one."""
    exact = find(box, identifier)
    if exact:
        return exact
    # Ids compare as bytes: everything that begins alike stands together.
    found = box.database.rows(
        f"select {_HEAD} from snapshots where id >= ? and id < ? order by id limit ?",
        (identifier, identifier + "\U0010ffff", _SHOWN_CANDIDATES + 1),
    )
    if not identifier or not found:
        raise NotFound(_not_found(box.database, identifier))
    rows = [_head(box, item) for item in found]
    if len(rows) > 1:
        raise Ambiguous(_candidates(identifier, rows))
    return rows[0]


def find(box: Box, identifier: str) -> Row | None:
    """The row of exactly this id."""
    found = box.database.row(f"select {_HEAD} from snapshots where id=?", (identifier,))
    return _head(box, found) if found else None


def find_conversation(box: Box, *, format: str, conversation_id: str) -> Row | None:
    """The snapshot last made of a conversation."""
    found = box.database.row(
        f"select {_HEAD} from snapshots where origin=? order by seq desc",
        (box.origin(format, conversation_id),),
    )
    return _head(box, found) if found else None


def at(box: Box, seq: int) -> Row:
    """The row of a number that is there."""
    return _head(box, box.database.rows(f"select {_HEAD} from snapshots where seq=?", (seq,))[0])


def with_passages(box: Box, seqs: Iterable[int]) -> Iterator[tuple[Row, list[Passage]]]:
    """Rows by their numbers, with their searchable pieces; several are read at once."""
    from dcb.store import passages

    numbers = iter(seqs)
    while some := list(islice(numbers, _TOGETHER)):
        found = box.database.rows(
            "select s.seq, s.sealed, s.id, s.meta, s.meta_sha, b.document, b.passages, b.omitted, "
            "b.sha from snapshots s left join bodies b on b.seq = s.seq "
            f"where s.seq in ({','.join('?' * len(some))})",
            some,
        )
        by_number = {item[0]: item for item in found}
        for item in filter(None, map(by_number.get, some)):
            row = _head(box, item[:_HEADED])
            yield row, passages.parse(_opened(box, row, item[_HEADED:])[1])


def newest_first(box: Box, *, below: int | None = None) -> Iterator[Row]:
    """All rows, or those with a smaller number than `below`, the last saved first."""
    where, values = ("", ()) if below is None else ("where seq < ?", (below,))
    found = box.database.stream(f"select {_HEAD} from snapshots {where} order by seq desc", values)
    for item in found:
        yield _head(box, item)


def body(box: Box, row: Row) -> tuple[str, str, str]:
    """Document, passages and left-out list of a row, as texts. Raises DamagedStore."""
    found = box.database.row(
        "select document, passages, omitted, sha from bodies where seq=?", (row.seq,)
    )
    return _opened(box, row, found)


def _opened(box: Box, row: Row, found: tuple[Any, ...] | None) -> tuple[str, str, str]:
    if found is None or found[-1] is None:
        raise _damaged(row.id, "its content is missing")
    *texts, sha = found
    if not all(isinstance(text, str) for text in texts) or coding.digest(row.id, *texts) != sha:
        raise _damaged(row.id, "its content does not match its hash")
    document, passages, left_out = (box.unwrap(text, sealed=row.sealed) for text in texts)
    return document, passages, left_out


def raw_passages(box: Box, row: Row) -> list[Passage]:
    """The searchable pieces of a row."""
    from dcb.store import passages

    return passages.parse(body(box, row)[1])


def remove(box: Box, identifier: str, *, now: int, follow: Callable[[Row], None]) -> Row:
    """Take a snapshot out of the store; its versions stay. Returns the row it had."""
    box.unlock()
    with box.writing():
        row = resolve(box, identifier)
        drop(box, row)
        gone = replace(row, saved_at=now, version=versions.next_number(box.database, row.id))
        versions.append(box, gone, "", action="remove")
        follow(gone)
    return row


def drop(box: Box, row: Row) -> None:
    """Delete the rows of a snapshot, inside a transaction."""
    from dcb.store import index

    if not row.sealed:
        index.drop(box.database, raw_passages(box, row), seq=row.seq)
    box.database.execute("delete from snapshots where seq=?", (row.seq,))


def _refuse_nul(identifier: str, document: str) -> None:
    # PostgreSQL keeps no text with it, and what one store takes the other must take too.
    before, found, _ = document.partition("\0")
    if found:
        line = before.count("\n") + 1
        raise ModelError(
            f"Snapshot {identifier!r} holds the character NUL (line {line} of its document), which "
            "no store keeps; take it out and save it again"
        )


def _row(snapshot: Snapshot, *, now: int, source: Source) -> Row:
    return Row(
        id=snapshot.id,
        title=snapshot.title,
        description=snapshot.description,
        tags=snapshot.tags,
        conversation_id=snapshot.conversation_id,
        format=source.format,
        where=source.where,
        source_hash=source.hash,
        created_at=snapshot.created_at,
        saved_at=now,
        token_estimate=snapshot.token_estimate,
        weight=snapshot.weight,
        checksum=snapshot.checksum,
        version=0,
        entries=len(snapshot.verbatim),
        bullets=sum(len(section.bullets) for section in snapshot.summary),
        preferences=len(snapshot.preferences),
    )


def _with_source_of(row: Row, before: Row) -> Row:
    return replace(row, format=before.format, where=before.where, source_hash=before.source_hash)


def _same(box: Box, before: Row, row: Row, document: str) -> bool:
    return before.source_hash == row.source_hash and body(box, before)[0] == document


def _replace(
    box: Box,
    row: Row,
    document: str,
    pieces: list[Passage],
    left_out: str,
    *,
    before: Row | None,
) -> Row:
    """Write the rows of a snapshot in place of earlier ones; the row as numbered."""
    from dcb.store import index, passages

    if before:
        drop(box, before)
    meta = box.wrap(coding.row_text(row))
    numbered = box.database.rows(
        "insert into snapshots(id, origin, sealed, created_at, meta, meta_sha) "
        "values (?,?,?,?,?,?) returning seq",
        (
            row.id,
            box.origin(row.format, row.conversation_id),
            box.sealed,
            None if box.sealed else row.created_at,
            meta,
            coding.digest(row.id, meta),
        ),
    )
    seq = int(numbered[0][0])
    texts = [box.wrap(text) for text in (document, passages.dump(pieces), left_out)]
    box.database.execute(
        "insert into bodies(seq, document, passages, omitted, sha) values (?,?,?,?,?)",
        (seq, *texts, coding.digest(row.id, *texts)),
    )
    row = replace(row, seq=seq, sealed=box.sealed)
    if not row.sealed:
        index.add(box.database, row, pieces, seq=seq)
    return row


def _head(box: Box, item: tuple[Any, ...]) -> Row:
    seq, sealed, identifier, meta, sha = item
    if not isinstance(meta, str) or coding.digest(str(identifier), meta) != sha:
        raise _damaged(str(identifier), "its header does not match its hash")
    row = coding.row_of(box.unwrap(meta, sealed=bool(sealed)), sealed=bool(sealed), seq=seq)
    if row.id != identifier:
        raise _damaged(str(identifier), f"it holds the header of {row.id}")
    return row


def _damaged(identifier: str, what: str) -> DamagedStore:
    return DamagedStore(
        f"Snapshot {identifier} is damaged: {what}. Mend the store with: dcb doctor --repair"
    )


def _not_found(database: Keeper, identifier: str) -> str:
    if database.row("select 1 from versions where id=?", (identifier,)):
        return (
            f"Snapshot {identifier} was removed; its versions are still there: "
            f"dcb history {identifier}"
        )
    if database.row("select 1 from snapshots") is None:
        return f"No snapshot {identifier!r}: nothing is stored yet"
    near = database.rows(
        "select id from snapshots where replace(id, ?, '') <> id order by seq desc limit 3",
        (identifier,),
    )
    hint = f"; did you mean {near[0][0]}?" if near and identifier else "; see: dcb list"
    return f"No snapshot {identifier!r}{hint}"


def _candidates(identifier: str, rows: list[Row]) -> str:
    shown = "\n".join(f"  {row.id}  {row.title}" for row in rows[:_SHOWN_CANDIDATES])
    more = "\n  …" if len(rows) > _SHOWN_CANDIDATES else ""
    return f"{identifier!r} begins several ids; give more of it:\n{shown}{more}"
