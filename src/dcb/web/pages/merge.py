"""Two sides and a policy -> one snapshot, shown with every conflict before it is stored.

A side is a stored snapshot or a draft: a conversation under review, a document that was
sent. What the person decides about a conflict goes before the policy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.errors import RequestError
from dcb.merge import CHOSEN, POLICIES, about
from dcb.web import tray
from dcb.web.html import desk, form, render, say_for, see_other
from dcb.web.pages.bring_in import tags

if TYPE_CHECKING:
    from dcb.library import Library
    from dcb.merge import Matters, Side
    from dcb.model import Conflict, Snapshot

DRAFT = "draft:"
OFFERED = 100
SIDES: tuple[Side, ...] = ("base", "current")


@dataclass(frozen=True, kw_only=True, slots=True)
class Offered:
    """A side that can be picked."""

    name: str
    title: str
    at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A conflict with the name of its field, and which side the policy takes."""

    name: str
    conflict: Conflict
    policy: Side


class Chosen(Mapping["Matters", "Side"]):
    """What a form says about conflicts, each named by a hash of what it is about."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._sides = {
            name: side for name, given in fields.items() for side in SIDES if given == side
        }

    def __getitem__(self, matters: Matters) -> Side:
        return self._sides[name_of(matters)]

    def __iter__(self) -> Iterator[Matters]:
        return iter(())

    def __len__(self) -> int:
        return len(self._sides)


def name_of(matters: Matters) -> str:
    """The name of a conflict's field."""
    return "c-" + hashlib.sha256(json.dumps(matters).encode()).hexdigest()[:16]


def page(request: Request) -> Response:
    """Pick two sides, or see what becomes of those in the address."""
    given = request.query_params
    sides = {"base": given.get("base") or given.get("id", ""), "current": given.get("current", "")}
    return _page(request, sides, given.get("policy", "") or "new-wins", {})


def decide(request: Request) -> Response:
    """The same with what the person decided."""
    sent = form(request)
    return _page(request, _sides(sent), sent.get("policy", "new-wins"), sent)


def save(request: Request) -> Response:
    """Store the merged snapshot."""
    sent = form(request)
    with desk(request) as library:
        merged, _ = _merged(request, library, _sides(sent), sent.get("policy", ""), sent)
        titled = replace(
            merged, title=sent.get("title", ""), tags=tuple(tags(sent.get("tags", "")))
        )
        kept = library.save_merged(titled)
    return see_other("/snapshot", id=kept.id, done="saved")


def _page(
    request: Request, sides: Mapping[str, str], policy: str, fields: Mapping[str, str]
) -> Response:
    query = request.query_params.get("q", "").strip()
    with desk(request) as library:
        values: dict[str, Any] = {"merged": None, "conflicts": ()}
        if all(sides.values()):
            merged, conflicts = _merged(request, library, sides, policy, fields)
            values = {
                "merged": merged,
                "snapshot": merged,
                "conflicts": tuple(map(_shown, conflicts)),
                "title": fields.get("title", merged.title),
                "tagged": fields.get("tags", ", ".join(merged.tags)),
                "titles": {side: _side(request, library, sides[side]).title for side in SIDES},
            }
        part = "hx-request" in request.headers
        return render(
            request,
            "merge_preview.html" if part else "merge.html",
            sides=sides,
            policy=policy,
            policies=tuple(POLICIES),
            drafts=tuple(_drafts(request)),
            stored=tuple(_stored(library, query, sides)),
            query=query,
            **values,
        )


def _merged(
    request: Request,
    library: Library,
    sides: Mapping[str, str],
    policy: str,
    fields: Mapping[str, str],
) -> tuple[Snapshot, tuple[Conflict, ...]]:
    if not all(sides.values()):
        raise RequestError(say_for(request, "merge.two"))
    if sides["base"] == sides["current"]:
        raise RequestError(say_for(request, "merge.same"))
    base, current = (_side(request, library, sides[side]) for side in SIDES)
    return library.merge(base, current, policy=policy, chosen=Chosen(fields))


def _sides(sent: Mapping[str, str]) -> dict[str, str]:
    return {side: sent.get(side, "") for side in SIDES}


def _side(request: Request, library: Library, name: str) -> Snapshot:
    if name.startswith(DRAFT):
        return tray.of(request).draft(name.removeprefix(DRAFT)).fit().compiled.snapshot
    return library.get(name).snapshot


def _shown(conflict: Conflict) -> Shown:
    policy = conflict.winner
    if conflict.reason == CHOSEN:
        policy = "base" if conflict.winner == "current" else "current"
    return Shown(name=name_of(about(conflict)), conflict=conflict, policy=policy)


def _drafts(request: Request) -> Iterator[Offered]:
    for key, draft in reversed(tray.of(request).drafts().items()):
        if draft.origin != "snapshot":
            snapshot = draft.snapshot
            yield Offered(name=DRAFT + key, title=snapshot.title, at=snapshot.created_at)


def _stored(library: Library, query: str, sides: Mapping[str, str]) -> Iterator[Offered]:
    """The last snapshots, or those that a search finds; those that were picked always."""
    if query:
        rows = [found.row for found in library.search(query, limit=OFFERED, hits=0).found]
    else:
        rows = list(library.list(limit=OFFERED))
    known = {row.id for row in rows}
    for name in sides.values():
        if name and not name.startswith(DRAFT) and name not in known:
            row = library.store.find(name)
            known.add(row.id)
            rows.append(row)
    for row in rows:
        yield Offered(name=row.id, title=row.title, at=row.created_at)


routes = (
    Route("/merge", page, methods=["GET"]),
    Route("/merge", decide, methods=["POST"]),
    Route("/merge/save", save, methods=["POST"]),
)
