"""The draft: a compiled snapshot that waits for `save`."""

from __future__ import annotations

import json
from dataclasses import asdict

from dcb.errors import DamagedStore, NotFound
from dcb.store import coding
from dcb.store.answers import Draft
from dcb.store.keeper import Keeper
from dcb.store.sealing import Box

_LAST = "last"


def keep(box: Box, draft: Draft) -> None:
    """Keep a draft in place of the one before."""
    box.unlock()
    with box.writing():
        body = box.wrap(coding.dump_json(asdict(draft)))
        box.database.execute("delete from drafts where name=?", (_LAST,))
        box.database.execute(
            "insert into drafts(name, sealed, body, sha) values (?,?,?,?)",
            (_LAST, box.sealed, body, coding.digest("draft", body)),
        )


def load(box: Box) -> Draft:
    """The draft. Raises NotFound when there is none, DamagedStore."""
    found = box.database.row("select sealed, body, sha from drafts where name=?", (_LAST,))
    if found is None:
        raise NotFound("There is no draft to save; make one with: dcb compile SOURCE")
    sealed, body, sha = found
    if coding.digest("draft", body) != sha:
        raise DamagedStore("The draft is damaged; make it anew with: dcb compile SOURCE")
    values = json.loads(box.unwrap(body, sealed=bool(sealed)))
    return Draft(**{**values, "report": coding.report_of(values["report"])})


def drop(database: Keeper) -> bool:
    """Forget the draft; whether there was one."""
    if database.row("select 1 from drafts where name=?", (_LAST,)) is None:
        return False
    with database.writing():
        database.execute("delete from drafts where name=?", (_LAST,))
    return True
