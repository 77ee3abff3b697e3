"""Calls worked out by Ray: on a cluster, or on one of this machine made for the run.

Ray makes a call again whose worker died, on another worker. Nothing is told to anybody: usage
reports are off, there is no dashboard, and a cluster made here listens on loopback only.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any

from dcb.engines import IN_HAND, TRIES
from dcb.errors import EngineError, RequestError

# Bytes of shared memory: a conversation lies there only while it waits for its worker.
_SHARED = 128 << 20
_SECONDS = 10  # to wait for the cluster to answer
_PORTS = 65535


class Cluster:
    """Workers of Ray; a context manager. Without `address`, so many of this machine."""

    def __init__(self, workers: int | None, *, address: str = "") -> None:
        """Connect to the cluster, or start one. Raises RequestError without Ray, EngineError."""
        # Read by Ray when it is imported, and by every process that it starts.
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        try:
            import ray
        except ImportError:
            raise RequestError(
                "--engine ray needs Ray; install it with: "
                "pip install 'dialogue-context-bridge[ray]'"
            ) from None
        self._ray: Any = ray
        self._connect(workers, address)
        self._call = self._ray.remote(num_cpus=1, max_retries=TRIES - 1)(_called)
        self._workers = workers or int(self._ray.cluster_resources().get("CPU", 1))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()

    @property
    def room(self) -> int:
        """As `Engine.room`."""
        return self._workers * IN_HAND

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """As `Engine.submit`."""
        return self._call.remote(function, *arguments)

    def value(self, ticket: Any) -> Any:
        """As `Engine.value`."""
        failed = self._ray.exceptions
        try:
            return self._ray.get(ticket)
        except failed.RayTaskError as error:
            raise error.cause from None
        except failed.RayError as error:
            raise EngineError(
                f"Ray gave a call up after {TRIES} tries ({type(error).__name__}); what was "
                "stored stays: run the same again"
            ) from None

    def _connect(self, workers: int | None, address: str) -> None:
        if address:
            _reach(address)
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        alone: dict[str, Any] = {
            "num_cpus": workers,
            "object_store_memory": _SHARED,
            "include_dashboard": False,
            "_node_ip_address": "127.0.0.1",
        }
        try:
            self._ray.init(address=address or "local", **quiet, **({} if address else alone))
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            said = str(error).strip().partition("\n")[0]
            where = f"the Ray cluster at {address}" if address else "a Ray cluster here"
            raise EngineError(f"Cannot use {where}: {said}") from None


def _reach(address: str) -> None:
    """Ray itself would knock for minutes. Raises RequestError, EngineError."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _PORTS:
        raise RequestError(f"{address!r} is no address of a Ray cluster; write HOST:PORT")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise EngineError(f"No Ray cluster answers at {address}: {reason}") from None


def _called(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)
