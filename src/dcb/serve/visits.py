"""What is known of one request while it is answered, for the log and for whoever answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from dcb.team import Holder, Place

if TYPE_CHECKING:
    from starlette.types import Scope

    from dcb.serve.admission import Admission
    from dcb.serve.sessions import Session

_KEY = "dcb.visit"


@dataclass(kw_only=True, slots=True)
class Visit:
    """A request. `holder` is None while nobody knows whose it is, `place` before it is chosen."""

    route: str
    address: str
    admission: Admission
    holder: Holder | None = None
    places: tuple[Place, ...] = ()
    place: Place | None = None
    session: Session | None = None

    @property
    def person(self) -> int | None:
        """Who it is, for the log."""
        return self.holder.person if self.holder else None

    def within(self, scope: Scope) -> Scope:
        """The request's scope with this in it."""
        return {**scope, _KEY: self}


def of(scope: Scope) -> Visit:
    """The visit of a request."""
    return cast("Visit", scope[_KEY])
