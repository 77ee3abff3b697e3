"""Snapshots of one entry, under documents of two lines that a test can read back."""

from __future__ import annotations

import re
from dataclasses import replace

from dcb.model import Entry, Snapshot
from dcb.store import Store

SNAPSHOT = Snapshot(
    id="s-1",
    conversation_id="c",
    title="Keys",
    created_at=1,
    verbatim=(Entry(id="v-001", kind="decision", content="The port is 5433."),),
)


def document(of: Snapshot) -> str:
    return f"snapshot_id: {of.id}\ntitle: {of.title}\n"


def parse(text: str) -> Snapshot:
    found = re.match(r"snapshot_id: (.*)\ntitle: (.*)\n", text)
    assert found
    return replace(SNAPSHOT, id=found[1], title=found[2])


def put(store: Store, *identifiers: str) -> None:
    for identifier in identifiers:
        made = replace(SNAPSHOT, id=identifier)
        store.put(made, document(made))
