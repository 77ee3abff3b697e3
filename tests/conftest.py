"""Hypothesis without deadlines: the machines that run these tests are busy.

`postgres` is a server of one's own, started by the first test of a worker that asks for it.
"""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

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
        server = Server.start()
    except NoServer as reason:
        pytest.skip(str(reason))
    yield server
    server.stop()
