"""Whoever is logged in chooses a project here, or leaves."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.errors import NotFound
from dcb.serve import visits
from dcb.serve.routes import ENTER, LEAVE, PROJECT, PROJECTS
from dcb.web.html import form, link, local, render, say_for, see_other


def page(request: Request) -> Response:
    """All projects of the person."""
    visit = visits.of(request.scope)
    assert visit.holder is not None
    now = visit.session.project if visit.session else 0
    return render(request, "projects.html", person=visit.holder.name, places=visit.places, now=now)


def choose(request: Request) -> Response:
    """Look at a project from now on."""
    _choose(request, form(request).get("project", ""))
    return see_other("/")


def go(request: Request) -> Response:
    """To a page of a project that an address names."""
    _choose(request, request.path_params["name"])
    query = request.url.query
    rest = local(f"/{request.path_params['rest']}")
    return see_other(f"{rest}?{query}" if query else link(rest))


def leave(request: Request) -> Response:
    """Forget the session."""
    visit = visits.of(request.scope)
    visit.admission.leave(visit)
    answer = see_other(ENTER)
    answer.delete_cookie(request.app.state.door.cookie, path="/")
    return answer


def _choose(request: Request, name: str) -> None:
    visit = visits.of(request.scope)
    place = next((place for place in visit.places if place.name == name), None)
    if place is None or visit.session is None:
        # The same for a project that is another's as for one that is nobody's.
        raise NotFound(say_for(request, "projects.none"))
    visit.session.project = place.project


routes = (
    Route(PROJECTS, page, methods=["GET"]),
    Route(PROJECTS, choose, methods=["POST"]),
    Route(LEAVE, leave, methods=["POST"]),
    Route(f"{PROJECT}{{name}}", go, methods=["GET"]),
    Route(f"{PROJECT}{{name}}/{{rest:path}}", go, methods=["GET"]),
)
