"""To come."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.web.html import render


def page(request: Request) -> Response:
    """To come."""
    return render(request, "error.html", sentence="snapshot")


routes = (Route("/snapshot", page, methods=["GET"]),)
