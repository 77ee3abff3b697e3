"""Settings -> the page at a port of 127.0.0.1, until the person has had enough."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import uvicorn

from dcb.loopback import ADDRESS, listening
from dcb.settings import Settings
from dcb.web.app import create_app, large_bodies
from dcb.web.desk import Desk
from dcb.web.door import Codes, Door
from dcb.web.tray import Tray

MAX_CONNECTIONS = 64
MAX_HEADERS = 32 << 10
KEEP_ALIVE_SECONDS = 5
STOP_SECONDS = 2


def run(
    settings: Settings,
    *,
    port: int,
    lang: str,
    show: Callable[[str], Any],
    wait_for_more: Callable[[], bool],
) -> None:
    """Serve until interrupted. `show` is given a fresh link, valid once and for a minute.

    `wait_for_more` waits until the person wants another link, or says that none will be
    wanted. Port 0 is any free one. Raises RequestError for a port in use.
    """
    desk = Desk(settings)
    codes = Codes(clock=time.monotonic)
    with listening(port) as listener, Tray() as tray:
        door = Door(port=listener.getsockname()[1], large=large_bodies())

        def give() -> None:
            show(f"http://{ADDRESS}:{door.port}/#{codes.new()}")

        app = create_app(desk, door=door, codes=codes, lang=lang or settings.lang, tray=tray)
        server = uvicorn.Server(
            configuration(
                app,
                connections=MAX_CONNECTIONS,
                keep_alive=KEEP_ALIVE_SECONDS,
                stop=STOP_SECONDS,
                date_header=False,
                lifespan="off",
            )
        )
        _end_well(server)
        give()
        threading.Thread(target=_more, args=(wait_for_more, give), daemon=True).start()
        try:
            # Ctrl-C is how this is meant to end: uvicorn has stopped by then and raises it again.
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[listener])
        finally:
            desk.close()


def _end_well(server: uvicorn.Server) -> None:
    """Have a signal to end be heard as one to stop: what was sent here is removed then."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):
            signal.signal(number, lambda *_: setattr(server, "should_exit", True))


def configuration(
    app: Any, *, connections: int, keep_alive: int, stop: int, **own: Any
) -> uvicorn.Config:
    """What uvicorn is told of pages that people open: seconds, and options `own` to a server."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        http="h11",
        h11_max_incomplete_event_size=MAX_HEADERS,
        limit_concurrency=connections,
        timeout_keep_alive=keep_alive,
        timeout_graceful_shutdown=stop,
        **own,
    )


def _more(wait: Callable[[], bool], give: Callable[[], None]) -> None:
    while wait():
        give()
