"""Settings -> the server, until it is told to stop; what runs by then is still answered."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from sse_starlette.sse import AppStatus

from dcb.errors import RequestError
from dcb.loopback import listening
from dcb.serve import proxies
from dcb.serve.admission import Admission
from dcb.serve.agents import agents
from dcb.serve.app import App
from dcb.serve.limits import Buckets
from dcb.serve.metrics import Metrics
from dcb.serve.rooms import Rooms
from dcb.serve.sessions import Sessions
from dcb.settings import Settings
from dcb.store.postgres import Shared
from dcb.team import Gate
from dcb.web.serve import configuration

MAX_CONNECTIONS = 512
# A proxy keeps its connections open longer than we do, and would write into a closed one.
KEEP_ALIVE_SECONDS = 75
STOP_SECONDS = 30
STRANGERS_A_SECOND = 0.5  # requests with a wrong token, of one address
STRANGERS_AT_ONCE = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """How the server is reached and what it allows: requests a second, bytes of a file."""

    public_url: str
    host: str = "127.0.0.1"
    port: int = 8765
    trusted: Collection[str] = ()
    connections: int = 10
    upload: int = 1 << 30
    rate: float = 20
    address_rate: float = 100


def run(settings: Settings, options: Options, *, say: Callable[[str], Any]) -> None:
    """Serve until a signal comes; `say` is told the address. Port 0 is any free one.

    Raises RequestError, StoreError.
    """
    public_url = checked_url(options.public_url)
    for address in options.trusted:
        proxies.checked(address)
    with (
        listening(options.port, host=options.host) as listener,
        Shared(settings.store, size=options.connections) as shared,
        application(settings, options, shared, public_url=public_url) as app,
    ):
        # An answer that is being made is made to its end; only the signal may not cut it off.
        AppStatus.enable_automatic_graceful_drain = False
        port = listener.getsockname()[1]
        say(f"{public_url} at http://{options.host}:{port}")
        server = uvicorn.Server(
            configuration(
                app,
                connections=MAX_CONNECTIONS,
                keep_alive=KEEP_ALIVE_SECONDS,
                stop=STOP_SECONDS,
                lifespan="on",
            )
        )
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


@contextmanager
def application(
    settings: Settings, options: Options, shared: Shared, *, public_url: str
) -> Iterator[App]:
    """The application over a pool of connections."""
    gate, metrics = Gate(shared), Metrics(shared.states)
    rooms = Rooms(
        settings=settings,
        shared=shared,
        gate=gate,
        metrics=metrics,
        public_url=public_url,
        port=options.port,
        upload=options.upload,
    )
    admission = Admission(
        gate=gate,
        sessions=Sessions(),
        holders=Buckets(options.rate),
        strangers=Buckets(STRANGERS_A_SECOND, burst=STRANGERS_AT_ONCE),
        left=rooms.leave,
    )
    door = rooms.entrance.door
    try:
        yield App(
            rooms=rooms,
            admission=admission,
            agents=agents(rooms, hosts=door.hosts, origins=door.origins),
            metrics=metrics,
            addresses=Buckets(options.address_rate),
            trusted=options.trusted,
        )
    finally:
        rooms.close()


def checked_url(given: str) -> str:
    """The public address without a slash at its end. Raises RequestError."""
    parts = urlsplit(given)
    plain = parts.hostname in ("127.0.0.1", "localhost", "::1")
    whole = parts.netloc and not parts.query and not parts.fragment and parts.path in ("", "/")
    if not whole or parts.username or parts.scheme not in ("https", *(["http"] * plain)):
        raise RequestError(
            f"{given!r} cannot be the public address; give what browsers will open, "
            "as https://memory.example.org (http only for this machine itself)"
        )
    return f"{parts.scheme}://{parts.netloc}"
