"""Every setting: what it is now, what it does, and a field where it may be changed from here."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb import configure, settings
from dcb.errors import DcbError
from dcb.settings import KEYS, Settings
from dcb.web.html import desk, form, render, say_for, see_other


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A setting as shown. `example` is a line for the file; `overridden`: the variable is set."""

    name: str
    key: str
    value: str
    variable: str
    overridden: bool
    example: str

    @property
    def range(self) -> tuple[int, int] | None:
        """The least and the greatest, where it is a number that may be changed."""
        return configure.RANGES.get(self.name)

    @property
    def choices(self) -> tuple[str, ...]:
        """What there is to choose from, where it may be changed so."""
        return configure.CHOICES.get(self.name, ())


def page(request: Request) -> Response:
    """All settings."""
    return _page(request)


def change(request: Request) -> Response:
    """Write one setting into the configuration file and go by it from now on."""
    sent = form(request)
    name, value = sent.get("name", ""), sent.get("value", "")
    try:
        with desk(request) as library:
            if name == "history_git" and value == "true" and library.store.sealed:
                return _page(request, problem=say_for(request, "settings.no-mirror"), at=name)
            configure.write(name, value)
        _adopt(request, settings.load())
    except DcbError as error:
        if name not in configure.NAMES:
            raise
        return _page(request, problem=str(error), at=name, given=value)
    return see_other("/settings", changed=name)


def _adopt(request: Request, loaded: Settings) -> None:
    state = request.app.state
    # The folder may be that of an option; the language is that of an option or of the file.
    if state.lang == state.desk.settings.lang:
        state.lang = loaded.lang
    state.desk.adopt(replace(loaded, data_dir=state.desk.settings.data_dir))


def _page(request: Request, *, problem: str = "", at: str = "", given: str = "") -> Response:
    with desk(request) as library:
        sealed = library.store.sealed
    state = request.app.state.desk
    changed = request.query_params.get("changed", "")
    return render(
        request,
        "settings.html",
        status=400 if problem else 200,
        lines=tuple(_lines(state.settings)),
        folder=str(state.settings.data_dir),
        file=str(settings.config_path()),
        sealed=sealed,
        minutes=round(state.seconds / 60),
        changed=changed if changed in configure.NAMES else "",
        problem=problem,
        at=at,
        given=given,
    )


def _lines(given: Settings) -> list[Line]:
    return [
        Line(
            name=item.name,
            key=KEYS[item.name],
            value=_said(settings.shown(item.name, getattr(given, item.name))),
            variable=settings.variable(item.name),
            overridden=bool(os.environ.get(settings.variable(item.name) or " ")),
            example=_EXAMPLES[item.name],
        )
        for item in fields(given)
    ]


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
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
    "history_git": "history.git = true",
    "store": 'store = "postgresql://anna@db.example.org/memory"',
    "project": 'project = "harbour"',
    "model": 'model = { base_url = "http://127.0.0.1:8080/v1", name = "local" }',
}

routes = (
    Route("/settings", page, methods=["GET"]),
    Route("/settings", change, methods=["POST"]),
)
