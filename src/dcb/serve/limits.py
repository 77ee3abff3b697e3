"""Who asks and when -> how long they have to wait: token buckets, the least used forgotten."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

BURST = 4  # seconds' worth that may come at once
MOST = 10_000


class Buckets:
    """A bucket for each key; `rate` requests a second flow in, up to `burst`."""

    def __init__(
        self,
        rate: float,
        *,
        burst: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST,
    ) -> None:
        self._rate = rate
        self._burst = rate * BURST if burst is None else burst
        self._clock = clock
        self._most = most
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def wait(self, key: Hashable, *, cost: float = 1) -> float:
        """Take `cost` out; 0 where there was enough, else the seconds until there will be."""
        level = self._level(key)
        if level >= cost:
            self._keep(key, level - cost)
            return 0
        return (cost - level) / self._rate

    def exhausted(self, key: Hashable) -> float:
        """The seconds until one more may come, without taking anything out."""
        return max(0.0, (1 - self._level(key)) / self._rate)

    def _level(self, key: Hashable) -> float:
        level, at = self._levels.get(key, (self._burst, self._clock()))
        return min(self._burst, level + (self._clock() - at) * self._rate)

    def _keep(self, key: Hashable, level: float) -> None:
        self._levels[key] = (level, self._clock())
        self._levels.move_to_end(key)
        # Who is forgotten has a full bucket again: enough others must have come to make room.
        if len(self._levels) > self._most:
            self._levels.popitem(last=False)
