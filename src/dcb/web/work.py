"""Something that takes a while -> a thread that can be watched and stopped.

What is done is told by counting; whoever asks sees how much is done, how fast it goes and
how long the rest will take.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from dcb.errors import DcbError

T = TypeVar("T")


class Stopped(Exception):
    """The person has no more use for it."""


class Work:
    """`run` is called with this in a thread. `total` is how much there is to do, if known."""

    def __init__(
        self,
        run: Callable[[Work], None],
        *,
        total: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total = total
        self.done = 0
        self.problem = ""
        self.stopped = False
        self._clock = clock
        self._began = clock()
        self._ended: float | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(run,), daemon=True)

    def start(self) -> Work:
        """Begin."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Have it end after the present item."""
        self._stop.set()

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, so long at most."""
        if self._thread.is_alive():
            self._thread.join(seconds)

    def watched(self, items: Iterable[T]) -> Iterator[T]:
        """The same items, counted when they are done. Raises Stopped between two of them."""
        for item in items:
            self.check()
            yield item
            self.done += 1

    def check(self) -> None:
        """Raises Stopped where it is to end."""
        if self._stop.is_set():
            raise Stopped

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._ended is None

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return (self._ended or self._clock()) - self._began

    @property
    def rate(self) -> float:
        """Items a second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds that the rest will take; None when nobody can tell."""
        if self.total is None or not self.done or not self.rate:
            return None
        return max(0, self.total - self.done) / self.rate

    def _run(self, run: Callable[[Work], None]) -> None:
        try:
            run(self)
        except Stopped:
            self.stopped = True
        except DcbError as error:
            self.problem = str(error)
        except Exception as error:
            # Its words may hold those of a conversation; its kind cannot.
            self.problem = f"An internal fault: {type(error).__name__}"
        finally:
            self._ended = self._clock()
