"""The versions of a snapshot, what changed from one to the next, and the way back."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.differ import differences
from dcb.errors import NotFound
from dcb.web.html import desk, form, render, see_other


def page(request: Request) -> Response:
    """The versions, the newest first; those of a removed snapshot too."""
    identifier = request.query_params.get("id", "")
    with desk(request) as library:
        versions = library.store.versions(identifier)
        private = library.store.sealed
    if not versions:
        raise NotFound(f"No snapshot {identifier!r}")
    return render(
        request,
        "history.html",
        versions=tuple(reversed(versions)),
        last=versions[-1],
        private=private,
    )


def compare(request: Request) -> Response:
    """What changed from one version or snapshot to another: `ID@2`, or `ID` for the present."""
    before, after = (request.query_params.get(name, "") for name in ("before", "after"))
    if not before or not after:
        raise NotFound("Name two versions: before and after")
    with desk(request) as library:
        changes = differences(library.snapshot(before), library.snapshot(after))
    part = "hx-request" in request.headers
    template = "history_changes.html" if part else "history_compare.html"
    return render(request, template, changes=changes, before=before, after=after)


def roll_back(request: Request) -> Response:
    """Make an earlier version the present one, as a new version."""
    with desk(request) as library:
        kept = library.rollback(form(request).get("version", ""))
    return see_other("/snapshot", id=kept.id, done="rolled-back")


routes = (
    Route("/snapshot/history", page, methods=["GET"]),
    Route("/snapshot/compare", compare, methods=["GET"]),
    Route("/snapshot/rollback", roll_back, methods=["POST"]),
)
