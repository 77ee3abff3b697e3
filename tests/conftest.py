"""Hypothesis without deadlines: the machines that run these tests are busy.

`postgres` is a server of one's own, started by the first test of a worker that asks for it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from dcb.store.keeper import Keeper
from tests.postgres_server import NoServer, Server

settings.register_profile(
    "dcb",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("dcb")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server; the test is skipped where its programs are missing."""
    pytest.importorskip("psycopg_pool", reason="the extra 'postgres' is not installed")
    try:
        # Nothing here cuts the power: what a killed server wrote is still with the system.
        server = Server.start(fsync=False)
    except NoServer as reason:
        pytest.skip(str(reason))
    yield server
    server.stop()


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Callable[[Path], Path | Keeper]:
    """Where a store lies that is named by a folder: there, or in a database of its own."""
    if request.param == "sqlite":
        return lambda folder: folder
    server = request.getfixturevalue("postgres")
    from dcb.store.postgres import connect

    addresses: dict[Path, str] = {}

    def opened(folder: Path) -> Keeper:
        if folder not in addresses:
            addresses[folder] = server.fresh()
        return connect(addresses[folder])

    return opened
