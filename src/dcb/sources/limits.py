"""How large, deep and many an input may be, and the sentence that refuses what is more.

Every limit is a setting; the sentence names it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from dcb.errors import LimitExceeded

MIB = 1 << 20
GIB = 1 << 30


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Limits on what is opened. Sizes are bytes."""

    file_bytes: int = 4 * GIB  # a plain file; it is mapped, not loaded
    unpacked_bytes: int = GIB  # a member of an archive, a decompressed file, standard input
    archive_bytes: int = 4 * GIB  # all members of an archive, unpacked, as declared
    archive_entries: int = 5_000
    ratio: int = 200  # unpacked : packed, of what unpacks to more than a MiB
    nesting: int = 1  # archives inside an archive, one in the other
    folder_files: int = 200_000
    database_bytes: int = 16 * GIB  # an SQLite file, which is copied before it is opened
    database_value_bytes: int = 64 * MIB
    database_steps: int = 5_000_000_000  # of SQLite's virtual machine, all queries together


SETTINGS: tuple[str, ...] = tuple(field.name for field in fields(Limits))
"""The names of the limits, as `limits.NAME` in the settings."""


def refuse_above(value: int, limit: int, setting: str, *, what: str) -> None:
    """Raise LimitExceeded naming the setting when a figure is above its limit."""
    if value > limit:
        raise LimitExceeded(
            f"{what}: {value:,} is above the limit of {limit:,}; "
            f"raise limits.{setting} if you trust it"
        )
