"""Who is logged in, in memory only: a random key in a cookie -> a token's hash and a project.

The token itself is not kept. It is looked up again at every request, so that one that is
revoked ends its sessions at once.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

IDLE_SECONDS = 8 * 3600
MOST_SECONDS = 7 * 24 * 3600
MOST = 10_000


@dataclass(kw_only=True, slots=True)
class Session:
    """One browser's. `project` is the one that it looks at, 0 before it has chosen."""

    key: str
    hash: bytes
    began: float
    used: float
    project: int = 0


class Sessions:
    """All sessions of a server."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._held: OrderedDict[bytes, Session] = OrderedDict()

    def begin(self, hash: bytes) -> Session:
        """A new session for a token; the one that was used the longest ago makes room."""
        now = self._clock()
        session = Session(key=secrets.token_urlsafe(32), hash=hash, began=now, used=now)
        self._held[_place(session.key)] = session
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return session

    def find(self, key: str) -> Session | None:
        """The session of that key, unless its time is up."""
        session = self._held.get(_place(key))
        if session is None:
            return None
        now = self._clock()
        if now - session.used > IDLE_SECONDS or now - session.began > MOST_SECONDS:
            self.end(session)
            return None
        session.used = now
        self._held.move_to_end(_place(key))
        return session

    def end(self, session: Session) -> None:
        """Forget a session."""
        self._held.pop(_place(session.key), None)


def _place(key: str) -> bytes:
    """Where a key is looked for; how long that takes tells nothing about other keys."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()
