"""A token -> a session, whose key is a cookie that scripts cannot read."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.serve import visits
from dcb.serve.routes import ENTER
from dcb.web.html import form, render, see_other


def ask(request: Request) -> Response:
    """The page that asks for a token."""
    return render(request, "login.html", wrong=False)


def enter(request: Request) -> Response:
    """A session for a token that is good."""
    visit = visits.of(request.scope)
    session = visit.admission.enter(visit, form(request).get("token", "").strip())
    if session is None:
        return render(request, "login.html", status=401, wrong=True)
    door = request.app.state.door
    answer = see_other("/")
    answer.set_cookie(
        door.cookie,
        session.key,
        path="/",
        httponly=True,
        samesite="strict",
        secure=door.secure,
    )
    return answer


routes = (
    Route(ENTER, ask, methods=["GET"]),
    Route(ENTER, enter, methods=["POST"]),
)
