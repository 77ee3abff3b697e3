"""A passphrase -> an encrypted store that is open on this page for a limited time."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.errors import StoreLocked, WrongPassphrase
from dcb.web.html import form, local, render, see_other


def ask(request: Request) -> Response:
    """The page that asks for the passphrase; where nothing is locked, the one after it."""
    there = local(request.query_params.get("next", "/"))
    desk = request.app.state.desk
    if not desk.sealed or desk.seconds_left:
        return see_other(there)
    return _page(request, there)


def unlock(request: Request) -> Response:
    """Open the store, and go where the person wanted to go."""
    sent = form(request)
    there = local(sent.get("next", "/"))
    try:
        request.app.state.desk.unlock(sent.get("passphrase", ""))
    except (WrongPassphrase, StoreLocked):
        return _page(request, there, wrong=True)
    return see_other(there)


def lock(request: Request) -> Response:
    """Forget the key."""
    request.app.state.desk.lock()
    return see_other("/unlock")


def _page(request: Request, there: str, *, wrong: bool = False) -> Response:
    minutes = round(request.app.state.desk.seconds / 60)
    return render(
        request,
        "unlock.html",
        status=401 if wrong else 200,
        there=there,
        minutes=minutes,
        wrong=wrong,
    )


routes = (
    Route("/unlock", ask, methods=["GET"]),
    Route("/unlock", unlock, methods=["POST"]),
    Route("/lock", lock, methods=["POST"]),
)
