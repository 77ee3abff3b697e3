"""A way to a server that can be cut, or made to swallow everything, at a chosen moment.

What a client sends at once is one stage; `Proxy.strike` says what becomes of which stage.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

Strike = Literal["cut before", "cut after", "swallow"]
"""Before a stage reaches the server, after it did and before the answer, or no way any more."""


@dataclass(slots=True)
class Proxy:
    """`address` leads through it.

    `sent` are the stages since the last strike was set, `struck` the one that it met.
    """

    address: str
    _target: tuple[str, int]
    _listener: socket.socket
    sent: list[bytes] = field(default_factory=list)
    struck: bytes = b""
    _strike: Strike | None = None
    _at: int = 0
    _end: bytes = b""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _open: list[socket.socket] = field(default_factory=list)
    _dead: set[socket.socket] = field(default_factory=set)
    _swallowing: bool = False

    def strike(self, what: Strike | None, *, at: int = 0, end: bytes = b"") -> None:
        """Do this to the next stage that ends so, after `at` others; once."""
        with self._lock:
            self._strike, self._at, self._end, self._swallowing = what, at, end, False
            self.sent.clear()
            self.struck = b""

    def close(self) -> None:
        """Cut everything."""
        self._listener.close()
        for each in self._open:
            _shut(each)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
                self._open += [near, far]
                for task in ((self._forth, near, far), (self._back, far, near)):
                    threading.Thread(target=task[0], args=task[1:], daemon=True).start()

    def _forth(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := near.recv(1 << 20):
                fate = self._fate(data)
                if fate == "cut before":
                    break
                if fate == "cut after":
                    self._dead.add(far)
                if fate != "swallow":
                    far.sendall(data)
                if fate == "cut after":
                    break
        _shut(near)
        _shut(far)

    def _back(self, far: socket.socket, near: socket.socket) -> None:
        with suppress(OSError):
            while data := far.recv(1 << 20):
                if far not in self._dead and not self._swallowing:
                    near.sendall(data)
        _shut(near)

    def _fate(self, data: bytes) -> Strike | None:
        with self._lock:
            if self._swallowing:
                return "swallow"
            self.sent.append(data)
            if self._strike is None or not data.endswith(self._end):
                return None
            self._at -= 1
            if self._at >= 0:
                return None
            self.struck = data
            fate, self._strike = self._strike, None
            self._swallowing = fate == "swallow"
            return fate


@contextmanager
def proxied(address: str) -> Iterator[Proxy]:
    """A way to the server of that URL."""
    found = urlsplit(address)
    assert found.port is not None
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    proxy = Proxy(
        address=address.replace(f":{found.port}/", f":{port}/"),
        _target=("127.0.0.1", found.port),
        _listener=listener,
    )
    threading.Thread(target=proxy._serve, daemon=True).start()
    try:
        yield proxy
    finally:
        proxy.close()


def _shut(which: socket.socket) -> None:
    # A plain close would not wake up who waits for it.
    with suppress(OSError):
        which.shutdown(socket.SHUT_RDWR)
    which.close()
