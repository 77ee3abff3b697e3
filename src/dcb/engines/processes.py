"""Calls worked out by processes of this machine; a pool that lost one is made anew.

When a process of the pool dies, the pool does not say over which call: all calls without a
value are made again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from dcb.engines import IN_HAND, TRIES
from dcb.errors import EngineError


@dataclass(slots=True, eq=False)
class _Call:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: Future[Any] | None = None


class Processes:
    """So many processes; a context manager."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._calls: list[_Call] = []  # those whose value nobody has fetched
        self._deaths = 0  # since the last value
        self._pool = self._new_pool()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def room(self) -> int:
        """As `Engine.room`."""
        return self._workers * IN_HAND

    def submit(self, function: Callable[..., Any], *arguments: Any) -> _Call:
        """As `Engine.submit`."""
        call = _Call(function, arguments)
        self._calls.append(call)
        try:
            self._begin(call)
        except BrokenProcessPool:
            self._renew()
        return call

    def value(self, ticket: _Call) -> Any:
        """As `Engine.value`."""
        while True:
            assert ticket.future is not None
            try:
                value = ticket.future.result()
            except BrokenProcessPool:
                self._renew()
                continue
            except BaseException:
                self._calls.remove(ticket)
                raise
            self._calls.remove(ticket)
            self._deaths = 0
            return value

    def _begin(self, call: _Call) -> None:
        call.future = self._pool.submit(call.function, *call.arguments)

    def _renew(self) -> None:
        """A fresh pool that begins every call again which the old one has no value of."""
        self._deaths += 1
        if self._deaths >= TRIES:
            raise EngineError(
                f"Worker processes died {TRIES} times in a row, perhaps for want of memory; what "
                "was stored stays: run the same again, with fewer --workers"
            )
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._new_pool()
        for call in self._calls:
            if call.future is None or not _has_value(call.future):
                self._begin(call)

    def _new_pool(self) -> ProcessPoolExecutor:
        # Not forked: a child must not hold the store's connection, its locks and its threads.
        return ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_end_with_the_parent,
        )


def _has_value(future: Future[Any]) -> bool:
    return (
        future.done()
        and not future.cancelled()
        and not isinstance(future.exception(), BrokenProcessPool)
    )


def _end_with_the_parent() -> None:
    """Leave an interrupt to the parent, and end when it has, however it did."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
