"""A request -> who sent it and to which project, by a bearer token or by the session of a browser.

Everything is looked up anew at each request: what was revoked or taken away ends at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dcb.serve import routes
from dcb.team import Gate, Place, tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from dcb.serve.limits import Buckets
    from dcb.serve.sessions import Session, Sessions
    from dcb.serve.visits import Visit


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A status, the sentence that goes with it, and the seconds after which to try again."""

    status: int
    sentence: str
    wait: float = 0


def slow(seconds: float) -> Refusal:
    """The refusal of somebody who asks too often."""
    return Refusal(status=429, sentence="Too many requests; wait a little", wait=seconds)


_UNKNOWN = Refusal(status=401, sentence="Send a token that is good: Authorization: Bearer dcb_…")
# The same for a project that is another's as for one that is nobody's.
_NO_PROJECT = Refusal(status=404, sentence="There is no such project here")
_SEVERAL = Refusal(
    status=400, sentence="Name the project in the address: /p/PROJECT/mcp; this token has several"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Admission:
    """Who comes in. `strangers` counts by address those whose token was not good."""

    gate: Gate
    sessions: Sessions
    holders: Buckets
    strangers: Buckets
    left: Callable[[Session], None]

    # --- tokens --------------------------------------------------------------------------

    def by_token(self, visit: Visit, token: str, path: str) -> Refusal | None:
        """Fill in who and where for a bearer token; why not, if not."""
        refusal = self._recognise(visit, tokens.hashed(token))
        if refusal is not None:
            return refusal
        name, _ = routes.split(path)
        found = [place for place in visit.places if name in ("", place.name)]
        if not found:
            return _NO_PROJECT
        if len(found) > 1:
            return _SEVERAL
        visit.place = found[0]
        return None

    # --- sessions ------------------------------------------------------------------------

    def by_session(self, visit: Visit, key: str) -> Refusal | None:
        """Fill in who and where for the session of a browser, if it has one."""
        session = self.sessions.find(key)
        if session is None:
            return None
        refusal = self._recognise(visit, session.hash)
        if refusal is _UNKNOWN:
            self._end(session)
            return None
        if refusal is None:
            visit.session = session
            visit.place = _looked_at(session, visit.places)
        return refusal

    def enter(self, visit: Visit, token: str) -> Session | None:
        """A session for a token; None for one that is not good, or after too many of those."""
        hash = tokens.hashed(token)
        if self._recognise(visit, hash) is not None or hash is None:
            return None
        return self.sessions.begin(hash)

    def leave(self, visit: Visit) -> None:
        """End the session of a browser."""
        if visit.session is not None:
            self._end(visit.session)

    def _end(self, session: Session) -> None:
        self.sessions.end(session)
        self.left(session)

    def _recognise(self, visit: Visit, hash: bytes | None) -> Refusal | None:
        if wait := self.strangers.exhausted(visit.address):
            return slow(wait)
        admitted = self.gate.admit(hash) if hash else None
        if admitted is None:
            self.strangers.wait(visit.address)
            return _UNKNOWN
        visit.holder, visit.places = admitted
        wait = self.holders.wait(visit.holder.token)
        return slow(wait) if wait else None


def _looked_at(session: Session, places: tuple[Place, ...]) -> Place | None:
    """The project that was chosen; the only one chooses itself."""
    if not session.project and len(places) == 1:
        session.project = places[0].project
    return next((place for place in places if place.project == session.project), None)
