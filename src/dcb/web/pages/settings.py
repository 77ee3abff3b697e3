"""Every setting: what it is now, what it does, how to change it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb import settings
from dcb.settings import Settings
from dcb.web.html import desk, render

# Not set by a variable of the environment: they are tables.
_FILE_ONLY = ("limits", "model")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A setting as shown. `example` is a line for the configuration file."""

    name: str
    value: str
    variable: str
    example: str


def page(request: Request) -> Response:
    """All settings; nothing is changed here."""
    with desk(request) as library:
        sealed = library.store.sealed
    state = request.app.state.desk
    return render(
        request,
        "settings.html",
        lines=tuple(_lines(state.settings)),
        folder=str(state.settings.data_dir),
        file=str(settings.config_path()),
        sealed=sealed,
        minutes=round(state.seconds / 60),
    )


def _lines(given: Settings) -> list[Line]:
    return [
        Line(
            name=item.name,
            value=_said(getattr(given, item.name)),
            variable="" if item.name in _FILE_ONLY else f"DCB_{item.name.upper()}",
            example=_EXAMPLES[item.name],
        )
        for item in fields(given)
    ]


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} = {part}" for name, part in value.items())
    return "" if value is None else str(value)


_EXAMPLES = {
    "data_dir": 'data_dir = "~/notes/dcb"',
    "max_tokens": "max_tokens = 8192",
    "tokens": 'tokens = "o200k"',
    "lang": 'lang = "zh"',
    "limits": "limits = { archive_entries = 20000 }",
    "hook_tokens": "hook_tokens = 1000",
    "hook_seconds": "hook_seconds = 5",
    "model": 'model = { base_url = "http://127.0.0.1:8080/v1", name = "local" }',
}

routes = (Route("/settings", page, methods=["GET"]),)
