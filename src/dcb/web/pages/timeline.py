"""When decisions were made and replaced, across the snapshots of a tag or a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.model import KINDS
from dcb.web.html import desk, render
from dcb.web.timeline import draw, events

if TYPE_CHECKING:
    from dcb.library import Library
    from dcb.store import Row

SNAPSHOTS = 60
EVENTS = 300
OFFERED_FROM = 200
OFFERED = 60


def page(request: Request) -> Response:
    """The drawing and the table."""
    given = {name: request.query_params.get(name, "").strip() for name in ("tag", "q", "kinds")}
    kinds = KINDS if given["kinds"] == "all" else ("decision",)
    with desk(request) as library:
        rows = _rows(library, given)
        snapshots = [library.get(row.id).snapshot for row in rows[:SNAPSHOTS]]
        # One more than are shown tells whether that is all.
        found = events(snapshots, kinds=kinds, last=EVENTS + 1)
        tags = dict.fromkeys(tag for row in library.list(limit=OFFERED_FROM) for tag in row.tags)
    # What was replaced last matters most: the beginning is what may be missing.
    bounded = len(rows) > SNAPSHOTS or len(found) > EVENTS
    if len(found) > EVENTS:
        found = events(snapshots, kinds=kinds, last=EVENTS)
    return render(
        request,
        "timeline.html",
        given=given,
        tags=sorted(tags)[:OFFERED],
        events=found,
        drawing=draw(found) if found else None,
        bounded=bounded,
        snapshots=SNAPSHOTS,
        most=EVENTS,
    )


def _rows(library: Library, given: dict[str, str]) -> list[Row]:
    """The rows of a tag, a search, both or neither, one more than are shown."""
    if given["q"]:
        query = given["q"]
        if given["tag"]:
            query += ' tag:"' + given["tag"].replace('"', " ") + '"'
        return [found.row for found in library.search(query, limit=SNAPSHOTS + 1, hits=0).found]
    return list(library.list(tag=given["tag"] or None, limit=SNAPSHOTS + 1))


routes = (Route("/timeline", page, methods=["GET"]),)
