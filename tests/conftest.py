"""Hypothesis without deadlines: the machines that run these tests are busy.

A test that asks for `place`, or for something that does, runs once for each kind of store.
`postgres` is a server of one's own, started by the first test of a worker that asks for it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.command_line import Run, commands, configured
from tests.places import Databases, Folders, Place
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


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def lasting_place(request: pytest.FixtureRequest) -> Place:
    """Where a store lies that several tests read."""
    if request.param == "sqlite":
        return Folders()
    return Databases(request.getfixturevalue("postgres"))


@pytest.fixture(scope="session")
def used_databases(postgres: Server) -> Databases:
    """Databases that the tests use one after the other."""
    return Databases(postgres)


@pytest.fixture
def databases(used_databases: Databases) -> Iterator[Databases]:
    """Databases that are empty."""
    yield used_databases
    used_databases.clear()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> Place:
    """Where a store lies that is named by a folder: there, or in a database of its own."""
    if request.param == "sqlite":
        return Folders()
    databases: Databases = request.getfixturevalue("databases")
    return databases


@pytest.fixture
def dcb(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Run `dcb` on the store "data"."""
    variables = place.variables(tmp_path / "data")
    with commands({**variables, **configured(tmp_path)}, monkeypatch) as run:
        yield run
