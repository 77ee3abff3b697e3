"""Filters -> the rows that pass them, the last saved first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from dcb.store import snapshots
from dcb.store.rows import Row
from dcb.store.sealing import Box


def listed(
    box: Box,
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
    """Rows with all `tags`, of one `format`, created in [after, before), saved before `below`."""
    wanted, of_format = _folded(tags), _folded((format,))

    def passes(row: Row) -> bool:
        return (
            (not tags or wanted <= _folded(row.tags))
            and (not format or of_format == _folded((row.format,)))
            and (not conversation_id or row.conversation_id == conversation_id)
            and (before is None or row.created_at < before)
            and (after is None or row.created_at >= after)
        )

    passing = filter(passes, snapshots.newest_first(box, below=below))
    end = None if limit is None else offset + limit
    return tuple(islice(passing, offset, end))


def _folded(names: Iterable[str]) -> set[str]:
    # Imported by the first name, since a plain list must start at once.
    named = list(filter(None, names))
    if not named:
        return set()
    from dcb.query import fold

    return set(map(fold, named))
