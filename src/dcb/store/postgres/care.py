"""A project on a server -> what is wrong with what it holds; the server looks after its disk."""

from __future__ import annotations

from dcb.store import checking
from dcb.store.answers import Health
from dcb.store.outbox import Outbox

_NO_MIRROR = "none: a mirror is for a store in a folder"
_SETTINGS = ("fsync", "synchronous_commit", "full_page_writes", "data_checksums")


def check(outbox: Outbox) -> Health:
    """Look at everything the project holds; reads all of it."""
    box, database = outbox.box, outbox.box.database
    wrong = checking.found_by(checking.CONTENTS, box)
    with database.reading():
        return Health(
            path=database.where,
            engine="postgresql",
            # A packager's words follow the number.
            release=_asked(outbox, "select current_setting('server_version')").partition(" ")[0],
            settings=tuple(
                (name, _asked(outbox, f"select current_setting('{name}')")) for name in _SETTINGS
            ),
            snapshots=checking.count(database, "snapshots"),
            versions=checking.count(database, "versions"),
            drafts=checking.count(database, "drafts"),
            waiting=checking.count(database, "outbox"),
            size=int(_asked(outbox, "select pg_database_size(current_database())")),
            free=0,
            sealed=box.sealed,
            mirror=_NO_MIRROR,
            problems=tuple(wrong),
        )


def _asked(outbox: Outbox, sql: str) -> str:
    found = outbox.box.database.row(sql)
    return str(found[0]) if found else ""
