"""Calls of a function -> their values, worked out in other processes, here or on a cluster.

An engine may lose a worker at any moment: the call is then made again, so what it is given to
call must be a function of its arguments alone. It knows nothing of what it works out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from dcb.errors import RequestError

TRIES = 4
"""How often a call is made before the engine gives it up."""

IN_HAND = 4
"""Calls that may wait for each worker: enough that none is idle, few enough for the memory."""


class Engine(Protocol):
    """Workers. `room` is how many calls may be under way at once."""

    @property
    def room(self) -> int:
        """How many calls keep all workers busy; who asks for more only fills the memory."""
        ...

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Begin a call; a ticket for its value. All of it can be pickled."""
        ...

    def value(self, ticket: Any) -> Any:
        """The value of a call, waited for; what it raised is raised.

        Raises EngineError when workers die over it again and again.
        """
        ...


def opened(
    name: str, *, workers: int | None = None, address: str = ""
) -> AbstractContextManager[Engine | None]:
    """The engine of a name; None where this process is to do the work itself.

    `workers` is 1 for `local` and every processor for `ray` unless it is given; `address` is
    that of a Ray cluster. Raises RequestError, EngineError.
    """
    if address and name != "ray":
        raise RequestError("--address names a Ray cluster; give --engine ray with it")
    return _ENGINES[name](workers, address)


def _local(workers: int | None, _: str) -> AbstractContextManager[Engine | None]:
    if workers is None or workers == 1:
        from contextlib import nullcontext

        return nullcontext()
    from dcb.engines.processes import Processes

    return Processes(workers)


def _ray(workers: int | None, address: str) -> AbstractContextManager[Engine]:
    from dcb.engines.cluster import Cluster

    return Cluster(workers if address else workers or os.cpu_count(), address=address)


_ENGINES: Mapping[str, Callable[[int | None, str], AbstractContextManager[Engine | None]]] = {
    "local": _local,
    "ray": _ray,
}

NAMES = tuple(_ENGINES)
