"""A desk and a door -> the application: pages behind the guard, errors as pages."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from dcb.errors import DamagedStore, DcbError, NotFound, SourceError, StoreError
from dcb.web.desk import Desk, Locked
from dcb.web.door import Codes, Door, Refusal
from dcb.web.guard import MAX_REQUESTS, Guard, Refused
from dcb.web.html import link, render, say_for
from dcb.web.pages import HERE, PAGES, Site
from dcb.web.tray import Tray

STATIC = Path(__file__).parent / "static"

# The first that fits; what is not ours is a fault of ours.
_STATUSES: tuple[tuple[type[DcbError], int], ...] = (
    (NotFound, 404),
    (DamagedStore, 500),
    (StoreError, 503),
    (SourceError, 422),
    (DcbError, 400),
)


def large_bodies() -> dict[str, int]:
    """Paths of all pages that take more than an ordinary body, with their bytes."""
    return {path: size for page in PAGES for path, size in getattr(page, "large", {}).items()}


def create_app(
    desk: Desk,
    *,
    door: Door,
    codes: Codes | None = None,
    site: Site = HERE,
    lang: str = "",
    tray: Tray | None = None,
    at_once: int = MAX_REQUESTS,
    report: Callable[[Exception, str], Any] | None = None,
) -> Guard:
    """The application over a library; `lang` is what it speaks before anyone chooses."""
    app = Starlette(
        routes=[
            *site.routes(),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={
            Locked: _locked,
            DcbError: _failed,
            HTTPException: _http,
            Refused: _broken_off,
        },
    )
    app.state.desk = desk
    app.state.door = door
    app.state.codes = codes
    app.state.site = site
    app.state.lang = lang
    app.state.tray = tray or Tray()

    def answer(scope: Any, refusal: Refusal) -> Response:
        return _refused(Request({**scope, "app": app}), refusal)

    return Guard(app, door, answer, report or _report, at_once)


def _locked(request: Request, error: Exception) -> Response:
    """To the passphrase, and back afterwards."""
    query = request.url.query
    here = f"{request.url.path}?{query}" if query else request.url.path
    there = link("/unlock", next=here if request.method == "GET" else "/")
    if "hx-request" in request.headers:
        return Response(status_code=204, headers={"HX-Redirect": link("/unlock")})
    return Response(status_code=303, headers={"Location": there})


def _failed(request: Request, error: Exception) -> Response:
    status = next(status for kind, status in _STATUSES if isinstance(error, kind))
    return _problem(request, status, str(error))


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return _problem(request, 404, say_for(request, "error.not-found"))
    return _problem(request, error.status_code, error.detail)


def _broken_off(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _refused(request, error.refusal)


def _refused(request: Request, refusal: Refusal) -> Response:
    """The refusal; who has no session and opens a page is asked for the code."""
    if refusal.status == 401 and "text/html" in request.headers.get("accept", ""):
        return render(request, request.app.state.site.entrance, status=401, wrong=False)
    return PlainTextResponse(refusal.sentence + "\n", refusal.status)


def _problem(request: Request, status: int, sentence: str) -> Response:
    if "hx-request" in request.headers:
        return render(request, "problem.html", status=status, sentence=sentence)
    return render(request, "error.html", status=status, sentence=sentence)


def _report(error: Exception, path: str) -> None:
    """Where and what kind, never the words of an error that may hold those of the store."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    print(f"dcb web: {type(error).__name__} at {where}, asked for {path}", file=sys.stderr)
