"""What agents wrote, for the person to read, accept or reject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.differ import differences
from dcb.web.html import desk, form, render, see_other

if TYPE_CHECKING:
    from dcb.differ import Change
    from dcb.library import Library
    from dcb.model import Snapshot
    from dcb.store import Waiting

DONE = ("rejected",)


def page(request: Request) -> Response:
    """All that waits, the first to come first."""
    with desk(request) as library:
        items = library.inbox()
    done = request.query_params.get("done", "")
    return render(request, "inbox.html", items=items, done=done if done in DONE else "")


def item(request: Request) -> Response:
    """One item with its layers, and what it would change where it was stored before."""
    with desk(request) as library:
        waiting, snapshot = library.waiting(request.query_params.get("id", ""))
        stored, changes = _against(library, waiting, snapshot)
        private = library.store.sealed
    return render(
        request,
        "inbox_item.html",
        item=waiting,
        snapshot=snapshot,
        omitted=waiting.draft.report.omitted,
        stored=stored,
        changes=changes,
        private=private,
    )


def accept(request: Request) -> Response:
    """Store an item."""
    with desk(request) as library:
        kept = library.accept(form(request).get("id", ""))
    return see_other("/snapshot", id=kept.id, done="accepted")


def reject(request: Request) -> Response:
    """Drop an item for good."""
    with desk(request) as library:
        library.reject(form(request).get("id", ""))
    return see_other("/inbox", done="rejected")


def _against(
    library: Library, waiting: Waiting, snapshot: Snapshot
) -> tuple[str, tuple[Change, ...]]:
    """The id of the snapshot whose next version it would be, and what would change in it."""
    row = None
    if snapshot.conversation_id:
        row = library.store.find_conversation(waiting.draft.format, snapshot.conversation_id)
    if row is None:
        return "", ()
    return row.id, differences(library.get(row.id).snapshot, snapshot)


routes = (
    Route("/inbox", page, methods=["GET"]),
    Route("/inbox/item", item, methods=["GET"]),
    Route("/inbox/accept", accept, methods=["POST"]),
    Route("/inbox/reject", reject, methods=["POST"]),
)
