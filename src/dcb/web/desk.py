"""The one open library of the server, used by one request at a time.

An encrypted store is unlocked for a limited time: the passphrase is forgotten as soon as the
key is made, and the key with the library that is closed when nobody has used it for a while.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dcb.errors import StoreLocked
from dcb.library import Library
from dcb.settings import Settings

UNLOCKED_SECONDS = 15 * 60


class Locked(StoreLocked):
    """An encrypted store that the person has to unlock on the page."""


class Desk:
    """Gives the library to whoever asks, one after the other. `seconds` without use lock it.

    `opened` makes the library where it is another than that of the settings.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], float] = time.monotonic,
        seconds: float = UNLOCKED_SECONDS,
        opened: Callable[[], Library] | None = None,
    ) -> None:
        self.settings = settings
        self.seconds = seconds
        self._clock = clock
        self._turn = threading.RLock()
        self._opened = opened or self._local
        self._passphrase = ""
        self._until: float | None = None  # None: nothing is unlocked
        self._library = self._opened()

    @contextmanager
    def library(self) -> Iterator[Library]:
        """The library. Raises Locked when the store is encrypted and not unlocked."""
        with self._turn:
            self.expire()
            if self._library.store.sealed:
                self._use_key()
            yield self._library

    def _use_key(self) -> None:
        try:
            # With a key this does nothing; there is none after another program has rekeyed.
            self._library.store.unlock()
        except StoreLocked:
            self.lock()
            raise Locked("The store is encrypted; unlock it first") from None
        self._until = self._clock() + self.seconds

    @property
    def sealed(self) -> bool:
        """Whether the store is encrypted, locked or not."""
        with self._turn:
            return self._library.store.sealed

    @property
    def seconds_left(self) -> int:
        """How long an encrypted store stays unlocked without use; 0 where nothing is unlocked."""
        until = self._until
        return 0 if until is None else max(0, round(until - self._clock()))

    def unlock(self, passphrase: str) -> None:
        """Open an encrypted store. Raises WrongPassphrase, StoreLocked."""
        with self._turn:
            self.lock()
            self._passphrase = passphrase
            try:
                self._library.store.unlock()
            finally:
                self._passphrase = ""
            self._until = self._clock() + self.seconds
            self._watch()

    def lock(self) -> None:
        """Forget the key."""
        with self._turn:
            self._library.__exit__()
            self._library = self._opened()
            self._until = None

    def expire(self) -> None:
        """Forget the key when its time is up."""
        with self._turn:
            if self._until is not None and self._clock() >= self._until:
                self.lock()

    def adopt(self, settings: Settings) -> None:
        """Go by other settings of the same store; one that is unlocked stays so."""
        with self._turn:
            self.settings = settings
            if not self._library.store.sealed:
                self.lock()

    def close(self) -> None:
        """Close the library."""
        self.lock()

    def _local(self) -> Library:
        return Library(self.settings, passphrase=lambda: self._passphrase)

    def _watch(self) -> None:
        """Look again when the time is up: a key must not wait for the next request."""
        watcher = threading.Timer(self.seconds_left + 1, self._look)
        watcher.daemon = True
        watcher.start()

    def _look(self) -> None:
        with self._turn:
            self.expire()
            if self._until is not None:
                self._watch()
