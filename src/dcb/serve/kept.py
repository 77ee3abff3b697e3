"""Things that take a while to make -> the same ones again, the least used let go."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

MOST = 256

T = TypeVar("T")


class Kept(Generic[T]):
    """A few things by key, made when they are asked for; `close` is told of those let go."""

    def __init__(self, close: Callable[[T], None], *, most: int = MOST) -> None:
        self._close = close
        self._most = most
        self._turn = threading.Lock()
        self._held: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The thing of that key."""
        gone: list[T] = []
        with self._turn:
            found = self._held.get(key)
            if found is None:
                found = self._held[key] = make()
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                gone.append(self._held.popitem(last=False)[1])
        for thing in gone:
            self._close(thing)
        return found

    def drop(self, which: Callable[[Hashable], bool]) -> None:
        """Let go of those whose keys are meant."""
        with self._turn:
            gone = [self._held.pop(key) for key in [key for key in self._held if which(key)]]
        for thing in gone:
            self._close(thing)
