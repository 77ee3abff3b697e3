"""What the faults are done to: a program that saves snapshots and says what it saved.

`ACK <id> <sha256 of the document>` is printed only after `put` has returned.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
from pathlib import Path

from dcb.errors import DcbError
from dcb.model import Entry, Section, Snapshot
from dcb.store import Source, Store

WORDS = ("ledger", "invoice", "schema", "review", "泊位", "调度", "total", "owner")


def snapshot(identifier: str, rng: random.Random, size: int | None = None) -> tuple[Snapshot, str]:
    """An invented snapshot and its document, of about `size` characters."""
    body = " ".join(
        f"{rng.choice(WORDS)}{rng.randint(0, 9999)}"
        for _ in range((size or rng.randint(500, 20000)) // 10)
    )
    made = Snapshot(
        id=identifier,
        conversation_id=identifier,
        title=f"title {identifier}",
        created_at=1,
        verbatim=(Entry(id="v-001", kind="decision", content=body),),
        summary=(Section(heading="Other", bullets=(body[:80],)),),
    )
    return made, f"snapshot_id: {identifier}\n{body}\n"


def opened(folder: Path) -> Store:
    """The store under test."""
    return Store(folder, now=lambda: 1)


def save(store: Store, identifier: str, rng: random.Random, size: int | None = None) -> str:
    """Save one snapshot; the hash of its document once it is acknowledged."""
    made, document = snapshot(identifier, rng, size)
    store.put(made, document, source=Source(format="fault"))
    return hashlib.sha256(document.encode()).hexdigest()


def verify(folder: Path, *, thorough: bool = True) -> tuple[dict[str, str], list[str]]:
    """What a reader is served (id -> hash of the document), and every problem that is noticed."""
    served: dict[str, str] = {}
    noticed: list[str] = []
    try:
        with opened(folder) as store:
            for identifier in ids(store):
                try:
                    document = store.get(identifier).document
                    served[identifier] = hashlib.sha256(document.encode()).hexdigest()
                except DcbError as error:
                    noticed.append(str(error))
            if thorough:
                noticed += [f"{item.where}: {item.what}" for item in store.check().problems]
    except DcbError as error:
        noticed.append(str(error))
    return served, noticed


def ids(store: Store) -> list[str]:
    """Ids of the rows, damaged ones included."""
    return [str(name) for (name,) in store._database.rows("select id from snapshots")]


def main(folder: Path, number: int, seed: int, size: int | None) -> None:
    """Save some snapshots, saying so; never close, so that the next to open must recover."""
    rng = random.Random(seed)
    try:
        store = opened(folder)
        for place in range(number):
            identifier = f"s{seed}-{place}"
            os.write(1, f"BEG {identifier}\n".encode())
            digest = save(store, identifier, rng, size)
            os.write(1, f"ACK {identifier} {digest}\n".encode())
    except DcbError as error:
        os.write(1, f"FAIL {type(error).__name__} {error}\n".encode())
        os._exit(3)
    os._exit(0)


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[2:]]
    main(Path(sys.argv[1]), given[0], given[1], given[2] if len(given) > 2 else None)
