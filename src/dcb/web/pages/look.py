"""The person's choice of language and colours -> two cookies that hold nothing else."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dcb.web.html import LANG_COOKIE, LANGUAGES, THEME_COOKIE, THEMES, form, local

_YEAR = 365 * 24 * 3600


def look(request: Request) -> Response:
    """Remember what was chosen and show the same page again."""
    sent = form(request)
    secure = request.app.state.door.secure
    answer = RedirectResponse(local(sent.get("back", "/")), 303)
    for field, cookie, known in (
        ("lang", LANG_COOKIE, tuple(LANGUAGES)),
        ("theme", THEME_COOKIE, THEMES),
    ):
        chosen = sent.get(field, "")
        if chosen in known:
            answer.set_cookie(
                cookie, chosen, max_age=_YEAR, httponly=True, samesite="strict", secure=secure
            )
    return answer


routes = (Route("/look", look, methods=["POST"]),)
