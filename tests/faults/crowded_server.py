"""The disk of a PostgreSQL server runs full: a sentence for each save, and nothing by halves.

Where only the disk of the tables is full, the server says so. Where its log cannot be written
either, it ends, and starts again when there is room.
"""

from __future__ import annotations

import hashlib
import random
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

from dcb.errors import DcbError, NotFound, StoreError
from dcb.store import Store, opened
from tests.faults.filling import disk, grow
from tests.faults.harness import Tally
from tests.faults.target import save
from tests.postgres_server import NoServer, Server

_SIZE = 50_000  # characters of a snapshot
_ENOUGH = 400  # saves that fill every disk used here
SKIPPED = "skipped: may not mount"


def tables(folder: Path) -> Tally:
    """Start a server, and fill the disk of its tables."""
    try:
        server = Server.start()
    except NoServer as reason:
        return Tally("full disk of tables", bad=[str(reason)])
    try:
        return tables_on(server)
    finally:
        server.stop()


def tables_on(server: Server, *, refusals: int = 3) -> Tally:
    """As `tables`, on a server that runs."""
    tally = Tally("full disk of tables")
    folder = server.folder / "small"
    with disk(folder, "16m") as mounted:
        if not mounted:
            tally.figures[SKIPPED] = 1
            return tally
        server.own(folder)
        server.run(f"create tablespace small location '{folder}'")
        address = server.fresh(tablespace="small")
        try:
            with opened(Path(), address=address, now=lambda: 1) as store:
                kept = _fill(store, tally, refusals=refusals)
                grow(folder, "64m")
                kept |= _again(store, tally)
                _judge(store, kept, tally)
        finally:
            server.run(
                f"drop database {address.rpartition('/')[2]} with (force)", "drop tablespace small"
            )
    return tally


def whole(folder: Path) -> Tally:
    """Fill the disk on which all of a server lies, until it ends; give it room, and look."""
    tally = Tally("full disk of a server")
    with disk(folder, "72m") as mounted:
        if not mounted:
            tally.figures[SKIPPED] = 1
            return tally
        folder.chmod(0o755)
        (folder / "server").mkdir()
        server = Server.start(folder=folder / "server", options=("max_wal_size=8MB",))
        try:
            address = server.fresh()
            # Nobody waits here for a server that is to be started by hand.
            with (
                patch("dcb.store.postgres.connection._PATIENCE", 1.0),
                opened(Path(), address=address, now=lambda: 1) as store,
            ):
                kept = _fill(store, tally, refusals=2, only_full=False)
            grow(folder, "256m")
            with suppress(NoServer):
                server.resume()  # unless it came back by itself
            with opened(Path(), address=address, now=lambda: 1) as store:
                kept |= _again(store, tally)
                _judge(store, kept, tally)
        finally:
            server.stop()
    return tally


def _fill(store: Store, tally: Tally, *, refusals: int, only_full: bool = True) -> dict[str, str]:
    """Save until so many were refused; the hashes of those that were not."""
    kept: dict[str, str] = {}
    full = (
        f"The disk of {store._database.where} is full; nothing was changed. Free some space there "
        "and try again"
    )
    for number in range(_ENOUGH):
        name = f"s{number}"
        try:
            kept[name] = save(store, name, random.Random(number), _SIZE)
        except StoreError as error:
            tally.figures["refusals"] += 1
            tally.figures["of a full disk"] += str(error) == full
            if only_full and str(error) != full:
                tally.bad.append(str(error))
            if only_full and _there(store, name):
                tally.bad.append(f"{name} was refused and is there")
            if tally.figures["refusals"] == refusals:
                break
    else:
        tally.bad.append("The disk did not run full")
    return kept


def _there(store: Store, name: str) -> bool:
    try:
        store.get(name)
    except NotFound:
        return bool(store.versions(name))
    return True


def _again(store: Store, tally: Tally) -> dict[str, str]:
    kept = {f"again{n}": save(store, f"again{n}", random.Random(n), _SIZE) for n in range(3)}
    tally.figures["saved when there was room again"] = len(kept)
    return kept


def _judge(store: Store, kept: dict[str, str], tally: Tally) -> None:
    tally.figures["acknowledged"] = len(kept)
    tally.figures["lost"] = 0
    for name, sha in kept.items():
        try:
            held = hashlib.sha256(store.get(name).document.encode()).hexdigest()
        except DcbError as error:
            held = str(error)
        tally.figures["lost"] += held != sha
    tally.bad += [f"{problem.where}: {problem.what}" for problem in store.check().problems]
