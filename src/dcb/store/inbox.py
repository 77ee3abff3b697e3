"""The inbox: what an agent wrote, waiting until the person accepts or rejects it.

A waiting snapshot is a draft under its own name: sealed like everything else, in no list,
search or brief, and nothing but the two verbs of the person takes it out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from dcb.errors import Ambiguous, DamagedStore, NotFound, RequestError
from dcb.store import coding
from dcb.store.answers import Draft
from dcb.store.sealing import Box

MAX_WAITING = 200
"""More than a person would look through: an agent that writes on and on is stopped here."""

_PREFIX = "inbox:"


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """One item of the inbox. `by` is what the agent called itself; nobody has checked it."""

    id: str  # of the snapshot in its draft
    title: str
    by: str
    note: str
    draft: Draft


def put(box: Box, item: Waiting) -> int:
    """Keep an item, in place of one with its id; how many wait now.

    Raises RequestError when too many wait.
    """
    box.unlock()
    name = _PREFIX + item.id
    with box.writing():
        others = [other for other in _names(box) if other != name]
        if len(others) >= MAX_WAITING:
            raise RequestError(
                f"{len(others)} items wait in the inbox; the person decides about them first: dcb inbox"
            )
        body = box.wrap(coding.dump_json(asdict(item)))
        box.database.execute("delete from drafts where name=?", (name,))
        box.database.execute(
            "insert into drafts(name, sealed, body, sha) values (?,?,?,?)",
            (name, box.sealed, body, coding.digest("draft", body)),
        )
    return len(others) + 1


def listed(box: Box) -> tuple[Waiting, ...]:
    """All items, the first to come first."""
    with box.reading():
        return tuple(_read(box, name) for name in _names(box))


def count(box: Box) -> int:
    """How many items wait; needs no passphrase."""
    return len(list(_names(box)))


def find(box: Box, identifier: str) -> Waiting:
    """An item by its id or a unique beginning of it. Raises NotFound, Ambiguous, DamagedStore."""
    with box.reading():
        return _read(box, _named(box, identifier))


def drop(box: Box, identifier: str) -> None:
    """Forget an item, damaged or not. Raises NotFound, Ambiguous."""
    with box.writing():
        box.database.execute("delete from drafts where name=?", (_named(box, identifier),))


def name_anew(box: Box) -> int:
    """Give the items that lost their names to damage others; how many there were."""
    lost = box.database.rows("select rowid from drafts where name is null")
    for (number,) in lost:
        box.database.execute(
            "update drafts set name=? where rowid=?", (f"{_PREFIX}found-{number}", number)
        )
    return len(lost)


def _names(box: Box) -> Iterator[str]:
    for (name,) in box.database.rows("select name from drafts order by rowid"):
        if not isinstance(name, str):
            raise DamagedStore(
                "An item of the inbox has lost its name; look at the store with: dcb doctor, mend "
                "it with: dcb doctor --repair"
            )
        if name.startswith(_PREFIX):
            yield name


def _named(box: Box, identifier: str) -> str:
    names = list(_names(box))
    if _PREFIX + identifier in names:
        return _PREFIX + identifier
    found = [name for name in names if identifier and name.startswith(_PREFIX + identifier)]
    if not found:
        raise NotFound(f"Nothing in the inbox has the id {identifier!r}; see: dcb inbox")
    if len(found) > 1:
        raise Ambiguous(f"{identifier!r} begins several ids of the inbox; give more of it")
    return found[0]


def _read(box: Box, name: str) -> Waiting:
    sealed, body, sha = box.database.rows(
        "select sealed, body, sha from drafts where name=?", (name,)
    )[0]
    identifier = name.removeprefix(_PREFIX)
    if coding.digest("draft", body) != sha:
        raise DamagedStore(
            f"Item {identifier} of the inbox is damaged; remove it with: dcb inbox reject {identifier}"
        )
    values: dict[str, Any] = json.loads(box.unwrap(body, sealed=bool(sealed)))
    draft = values.pop("draft")
    report = coding.report_of(draft.pop("report"))
    return Waiting(**values, draft=Draft(**draft, report=report))
