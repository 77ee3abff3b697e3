"""The log of a project, for who owns it: who did what to which snapshot, and when."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.errors import NotFound, UnknownChoice
from dcb.serve import visits
from dcb.serve.routes import LOG
from dcb.team.audit import Asked, Event
from dcb.web.html import render, say_for

SHOWN = 200
FIELDS = ("person", "action", "since")


def page(request: Request) -> Response:
    """The last lines, of one person, action or time if that is asked."""
    given = {name: request.query_params.get(name, "").strip() for name in FIELDS}
    return render(request, "log.html", events=_found(request, given), given=given, shown=SHOWN)


def _found(request: Request, given: dict[str, str]) -> tuple[Event, ...]:
    visit = visits.of(request.scope)
    # Asked anew: a role may have been taken away since this page came into the menu.
    if visit.holder is None or visit.place is None or visit.place.role != "owner":
        raise NotFound(say_for(request, "log.none"))
    asked = Asked(action=given["action"], since=_day(given["since"]), limit=SHOWN)
    try:
        return visit.admission.gate.log(visit.holder, visit.place, asked, person=given["person"])
    except UnknownChoice:
        return ()


def _day(text: str) -> datetime | None:
    """A day as the field for it sends it; what is none asks for all."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None


routes = (Route(LOG, page, methods=["GET"]),)
