"""A snapshot -> the pieces that search looks at, and those pieces <-> JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from dcb.model import Snapshot
from dcb.store.coding import dump_json


class Passage(NamedTuple):
    """One searchable piece of a snapshot. A tuple, since a search makes hundreds.

    `kind` is an entry kind, or "summary", "preference", "title", "description", "tag".
    `label` is the heading of a bullet or the scope and key of a preference.
    """

    id: str
    kind: str
    text: str
    role: str = ""
    src: str = ""
    at: int = 0
    label: str = ""
    superseded: bool = False


def of_snapshot(snapshot: Snapshot) -> list[Passage]:
    """Everything of a snapshot that search looks at, in reading order."""
    found = [Passage(id="title", kind="title", text=snapshot.title)]
    if snapshot.description:
        found.append(Passage(id="description", kind="description", text=snapshot.description))
    found += [Passage(id=f"tag:{tag}", kind="tag", text=tag) for tag in snapshot.tags]
    found += [
        Passage(
            id=entry.id,
            kind=entry.kind,
            text=entry.content,
            role=entry.role,
            src=entry.src,
            at=entry.at,
            label=entry.lang,
            superseded=entry.status == "superseded",
        )
        for entry in snapshot.verbatim
    ]
    for number, section in enumerate(snapshot.summary, 1):
        found += [
            Passage(id=f"s-{number}.{place}", kind="summary", text=bullet, label=section.heading)
            for place, bullet in enumerate(section.bullets, 1)
        ]
    found += [
        Passage(
            id=f"{item.scope}.{item.key}",
            kind="preference",
            text=item.value,
            at=item.at,
            label=f"[{item.scope}] {item.key}",
        )
        for item in snapshot.preferences
    ]
    return found


def dump(passages: Iterable[Passage]) -> str:
    """Passages as JSON arrays."""
    return dump_json(list(passages))


def parse(text: str) -> list[Passage]:
    """The passages of `dump`."""
    return list(map(Passage._make, json.loads(text)))
