"""A one-time code -> the session cookie."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.web.html import form, render, see_other


def ask(request: Request) -> Response:
    """The page that takes the code out of its own address, or asks for it."""
    return render(request, "enter.html", wrong=False)


def enter(request: Request) -> Response:
    """A session for a code that was not used and is not a minute old."""
    if not request.app.state.codes.use(form(request).get("code", "").strip()):
        return render(request, "enter.html", status=401, wrong=True)
    door = request.app.state.door
    answer = see_other("/")
    answer.set_cookie(door.cookie, door.session, path="/", httponly=True, samesite="strict")
    return answer


routes = (
    Route("/enter", ask, methods=["GET"]),
    Route("/enter", enter, methods=["POST"]),
)
