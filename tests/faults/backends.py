"""The server's side of a connection dies while a save is on its way over it.

What was acknowledged must be there; what was not must be whole, or not there at all.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dcb.errors import NotFound, StoreError
from dcb.store import Store, opened
from tests.faults.harness import Tally
from tests.faults.target import save, snapshot
from tests.postgres_server import NoServer, Server

# One in so many is killed like the server itself would be by the system when memory is short:
# the server then ends every session and recovers. The others are ended by an administrator.
_KILLED = 5
_FIND = (
    "select pid from pg_stat_activity where application_name = 'dcb' and pid <> pg_backend_pid()"
)


def kill(saves: int) -> Tally:
    """Start a server and save so many times while its sessions are killed."""
    try:
        server = Server.start()
    except NoServer as reason:
        tally = Tally("backends")
        tally.bad.append(str(reason))
        return tally
    try:
        return kill_on(server, saves)
    finally:
        server.stop()


def kill_on(server: Server, saves: int) -> Tally:
    """As `kill`, on a server that runs."""
    tally = Tally("backends")
    rng = random.Random(1)
    acknowledged: dict[str, str] = {}
    with opened(Path(), address=server.fresh(), now=lambda: 1) as store:
        usual = _usual(server, store, rng)
        for number in range(saves):
            name, seed = f"b{number}", rng.randrange(1 << 30)
            killed = number % _KILLED == 0
            with _killing(server, after=rng.uniform(0, 1.5 * usual), with_signal=killed) as hits:
                try:
                    acknowledged[name] = save(store, name, random.Random(seed))
                except StoreError:
                    tally.figures["not acknowledged"] += 1
            tally.figures["killed" if killed else "ended"] += len(hits)
            store._database.reopen()
            if name not in acknowledged:
                _whole_or_absent(store, name, seed, tally)
        _all_there(store, acknowledged, tally)
    return tally


def _usual(server: Server, store: Store, rng: random.Random) -> float:
    """How many seconds a save takes over a new connection, as each one after a kill is."""
    taken = []
    for number in range(5):
        server.run(f"select pg_terminate_backend(pid) from ({_FIND}) as found")
        store._database.reopen()
        begun = time.perf_counter()
        save(store, f"first{number}", rng)
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


@contextmanager
def _killing(server: Server, *, after: float, with_signal: bool) -> Iterator[list[int]]:
    """Kill the sessions of the store once, meanwhile; the list of those that were hit."""
    import psycopg

    hits: list[int] = []
    with psycopg.connect(server.superuser, autocommit=True) as superuser:

        def strike() -> None:
            time.sleep(after)
            for (pid,) in superuser.execute(_FIND).fetchall():
                hits.append(pid)
                _end(superuser, pid, with_signal=with_signal)

        thread = threading.Thread(target=strike)
        thread.start()
        try:
            yield hits
        finally:
            thread.join()


def _end(superuser: Any, pid: int, *, with_signal: bool) -> None:
    if with_signal:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    else:
        superuser.execute("select pg_terminate_backend(%s)", (pid,))


def _whole_or_absent(store: Store, name: str, seed: int, tally: Tally) -> None:
    try:
        document = store.get(name).document
    except NotFound:
        return
    tally.figures["stored without saying so"] += 1
    if document != snapshot(name, random.Random(seed))[1] or len(store.versions(name)) != 1:
        tally.bad.append(f"{name} is there, but not whole")


def _all_there(store: Store, acknowledged: dict[str, str], tally: Tally) -> None:
    tally.figures["acknowledged"] = len(acknowledged)
    tally.figures["lost"] = 0
    for name, sha in acknowledged.items():
        if hashlib.sha256(store.get(name).document.encode()).hexdigest() != sha:
            tally.figures["lost"] += 1
    health = store.check()
    tally.bad += [f"{problem.where}: {problem.what}" for problem in health.problems]
