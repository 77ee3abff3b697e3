"""A request and values -> a page in the person's language and colours.

Every value that a template prints is escaped and has its invisible characters shown, so no
text of a conversation can be markup or hide on the page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import HTMLResponse, RedirectResponse, Response

from dcb import visible
from dcb.web import door, markdown
from dcb.web.words import Lang, say

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from starlette.requests import Request

    from dcb.library import Library

LANGUAGES: dict[Lang, str] = {"en": "English", "zh": "中文"}
THEMES = ("auto", "light", "dark")
LANG_COOKIE = "dcb_lang"
THEME_COOKIE = "dcb_theme"


def desk(request: Request) -> AbstractContextManager[Library]:
    """The library, for the length of a `with`."""
    return cast("AbstractContextManager[Library]", request.app.state.desk.library())


def form(request: Request) -> ImmutableMultiDict[str, str]:
    """The fields of a form that was sent; line ends are LF."""
    return ImmutableMultiDict(request.scope.get("dcb.form", ()))


def render(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """The page of a template."""
    text = _environment().get_template(template).render(**_common(request), **values)
    return HTMLResponse(text, status)


def see_other(path: str, **parameters: str) -> Response:
    """What a POST ends in: the browser loads that page."""
    return RedirectResponse(link(path, **parameters), 303)


def link(path: str, **parameters: object) -> str:
    """A path with parameters; those that are empty are left out."""
    given = {name: value for name, value in parameters.items() if value not in ("", None)}
    return f"{path}?{urlencode(given)}" if given else path


def language(request: Request) -> Lang:
    """What the person chose, else what was configured, else what the browser asks for."""
    wanted = request.headers.get("accept-language", "")[:2]
    for lang in (_cookies(request).get(LANG_COOKIE), request.app.state.lang, wanted):
        if lang in LANGUAGES:
            return cast("Lang", lang)
    return "en"


def say_for(request: Request, key: str, **values: object) -> str:
    """The sentence of that key in the person's language."""
    return say(language(request), key, **values)


def local(path: str) -> str:
    """A path of this server to go back to; anything else is the first page."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if plain else "/"


def _common(request: Request) -> dict[str, Any]:
    from dcb.web.pages import ACTIONS

    site = request.app.state.site
    lang = language(request)
    theme = _cookies(request).get(THEME_COOKIE)
    query = request.url.query
    return {
        "t": partial(say, lang),
        "lang": lang,
        "languages": LANGUAGES,
        "theme": theme if theme in THEMES else "auto",
        "themes": THEMES,
        "csrf": request.app.state.door.csrf,
        "navigation": site.navigation,
        "local": site.local,
        "project": request.app.state.door.subject,
        "actions": ACTIONS,
        "bring_in": next((path for path, key in site.navigation if key == "nav.bring-in"), ""),
        "path": request.url.path,
        "here": f"{request.url.path}?{query}" if query else request.url.path,
        "unlocked": request.app.state.desk.seconds_left,
    }


def _cookies(request: Request) -> Mapping[str, str]:
    return door.cookies(door.headers(request.scope))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("dcb.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["link"] = link
    made.filters |= {
        "anchor": anchor,
        "day": day,
        "exact": _exact,
        "markdown": markdown.render,
        "moment": moment,
    }
    return made


def _shown(value: Any) -> Any:
    return visible.terminal(value) if type(value) is str else value


def _exact(value: str) -> Markup:
    """Escaped, but every character as it is: for fields that are sent back."""
    return escape(value)


def anchor(identifier: str) -> str:
    """The id of an element for something of a conversation, whose own id may be any text."""
    return "at-" + hashlib.sha256(identifier.encode()).hexdigest()[:12]


def day(at: int | None) -> str:
    """A date (UTC) for epoch milliseconds; nothing for unknown."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d") if at else ""


def moment(at: int | None) -> str:
    """Date and time (UTC) for epoch milliseconds."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M") if at else ""
