"""One snapshot: its three layers, where it came from, and what one may do with it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.errors import RequestError
from dcb.model import WRITTEN_BY
from dcb.web.html import desk, form, language, render, say_for, see_other

if TYPE_CHECKING:
    from dcb.model import Snapshot

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
# What a page may say after something was done; an address could ask for anything else.
DONE = ("saved", "same", "rolled-back", "tags", "weight", "accepted")


def page(request: Request) -> Response:
    """The snapshot."""
    with desk(request) as library:
        held = library.get(_id(request))
        private = library.store.sealed
    done = request.query_params.get("done", "")
    return render(
        request,
        "snapshot.html",
        held=held,
        snapshot=held.snapshot,
        row=held.row,
        secrets=held.secrets(),
        agent=dict(held.snapshot.extra).get(WRITTEN_BY, ""),
        private=private,
        done=done if done in DONE else "",
    )


def document(request: Request) -> Response:
    """The document itself, secrets masked, as text to read or copy."""
    with desk(request) as library:
        text = library.get(_id(request)).masked()
    return render(request, "snapshot_document.html", text=text)


def export(request: Request) -> Response:
    """The document as a file; its secrets are masked unless the person asks to keep them."""
    with desk(request) as library:
        held = library.get(_id(request))
    text = held.document if request.query_params.get("secrets") == "keep" else held.masked()
    return Response(
        text.encode(),
        media_type="text/markdown; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{_file_name(held.row.id)}"'},
    )


def brief(request: Request) -> Response:
    """The brief for a new conversation, within so many tokens."""
    given = request.query_params
    limit = _tokens(request, given.get("limit", "").strip())
    with desk(request) as library:
        text = library.brief(
            _id(request),
            limit=limit,
            query=given.get("about", "").strip() or None,
            lang=language(request),
        )
    return render(request, "snapshot_brief.html", text=text)


def weigh(request: Request) -> Response:
    """Give it another weight."""
    sent = form(request)
    try:
        weight = float(sent.get("weight", ""))
    except ValueError:
        raise RequestError(say_for(request, "snapshot.weight.wrong")) from None
    with desk(request) as library:
        kept = library.weigh(sent.get("id", ""), weight)
    return see_other("/snapshot", id=kept.id, done="weight")


def tag(request: Request) -> Response:
    """Add a tag, or take one off."""
    sent = form(request)
    with desk(request) as library:
        snapshot = library.get(sent.get("id", "")).snapshot
        kept = library.edit(_tagged(snapshot, sent.get("add", ""), sent.get("drop", "")))
    return see_other("/snapshot", id=kept.id, done="tags")


def remove(request: Request) -> Response:
    """Take it out of the list; its versions stay."""
    with desk(request) as library:
        row = library.remove(form(request).get("id", ""))
    return see_other("/snapshot/history", id=row.id)


def _tagged(snapshot: Snapshot, add: str, drop: str) -> Snapshot:
    kept = (tag for tag in snapshot.tags if tag != drop)
    return replace(snapshot, tags=tuple(dict.fromkeys((*kept, *([add] if add.strip() else [])))))


def _tokens(request: Request, text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise RequestError(say_for(request, "snapshot.brief.wrong"))
    return int(text)


def _file_name(identifier: str) -> str:
    """A name of plain letters, whatever the id is."""
    return (_NOT_IN_NAMES.sub("-", identifier).strip("-")[:100] or "snapshot") + ".md"


def _id(request: Request) -> str:
    return request.query_params.get("id", "")


routes = (
    Route("/snapshot", page, methods=["GET"]),
    Route("/snapshot/document", document, methods=["GET"]),
    Route("/snapshot/export", export, methods=["GET"]),
    Route("/snapshot/brief", brief, methods=["GET"]),
    Route("/snapshot/weight", weigh, methods=["POST"]),
    Route("/snapshot/tags", tag, methods=["POST"]),
    Route("/snapshot/remove", remove, methods=["POST"]),
)
