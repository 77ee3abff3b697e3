"""A port of this machine, that only this machine can reach unless one asks for more."""

from __future__ import annotations

import socket

from dcb.errors import RequestError

ADDRESS = "127.0.0.1"


def listening(port: int, *, host: str = ADDRESS) -> socket.socket:
    """A listening socket; port 0 is any free one. Raises RequestError for a port in use."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise RequestError(
            f"Port {port} cannot be used ({error.strerror}); give another one with --port"
        ) from None
    listener.listen()
    return listener
