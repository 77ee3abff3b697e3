"""A store from a folder to a PostgreSQL server and back: how long, and whether anything changed.

    python benchmarks/move.py URL [N]       10,000 snapshots unless N is given

The snapshots are those of `store.py`, every tenth with a second version. They go into a project
of their own on the server, which stays there. Status 1 when a row is another after the way back.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from dcb import document
from dcb.store import Source, Store, opened
from store import invented

TABLES = (
    "select id, origin, created_at, meta, meta_sha from snapshots order by seq",
    "select s.id, document, passages, omitted, sha from bodies b join snapshots s on s.seq = b.seq "
    "order by s.seq",
    "select id, number, body, sha from versions order by rowid",
)


def main(address: str, count: int = 10_000) -> int:
    """Fill, move there, move back, compare."""
    project = f"move-{time.time_ns()}"
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "a", now=lambda: 1) as first,
        opened(Path(folder), address=address, project=project, now=lambda: 1) as server,
        Store(Path(folder) / "b", now=lambda: 1) as last,
    ):
        fill(first, count)
        timed("to the server", first, server)
        timed("and back", server, last)
        before, after = digest(first), digest(last)
    print(f"digest before {before}, after {after}")
    return int(before != after)


def fill(store: Store, count: int) -> None:
    """So many snapshots, every tenth with a second version."""
    for number, snapshot in enumerate(invented(count)):
        for kept in (snapshot, replace(snapshot, weight=2))[: 1 + (number % 10 == 0)]:
            store.put(kept, document.dump(kept), source=Source(format="chatgpt-export"))


def timed(name: str, source: Store, target: Store) -> None:
    """Move a store and print what it took."""
    begun = time.perf_counter()
    fates = [moved.fate for moved in source.move_to(target)]
    seconds = time.perf_counter() - begun
    print(
        f"{name}: {fates.count('copied'):,} rows copied, {fates.count('verified'):,} verified, "
        f"{seconds:.0f} s, {fates.count('copied') / seconds:,.0f} rows/s"
    )


def digest(store: Store) -> str:
    """A digest of all rows, in their order."""
    total = hashlib.sha256()
    for sql in TABLES:
        for row in store._database.stream(sql):
            total.update(repr(row).encode())
    return total.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
