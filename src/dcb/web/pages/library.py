"""The stored snapshots as a list, and what a search finds in them while one types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.model import KINDS
from dcb.web.html import desk, link, render

if TYPE_CHECKING:
    from dcb.library import Library
    from dcb.store import Answer, Found, Hit, Row

PAGE = 30
FOUND = 20
MOST = 60
HITS = 3
# Sources and tags are offered from so many of the last snapshots: looking through all of a
# large store takes longer than a person waits for a page.
OFFERED_FROM = 100
OFFERED = 40

FILTERS = ("kind", "source", "tag", "after", "before")
SEARCHED = (*KINDS, "summary", "preference")


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A snapshot of the list: its row, its passages counted by kind, what was found in it."""

    row: Row
    kinds: tuple[tuple[str, int], ...]
    hits: tuple[tuple[Hit, tuple[tuple[str, bool], ...]], ...] = ()
    more: int = 0


def page(request: Request) -> Response:
    """The list, or what a search in the address finds."""
    return _page(request, "library.html")


def results(request: Request) -> Response:
    """The part of the page that changes while one types."""
    return _page(request, "library_results.html")


def _page(request: Request, template: str) -> Response:
    given = {name: request.query_params.get(name, "").strip() for name in ("q", *FILTERS)}
    typed = _query(given)
    whole = template == "library.html"
    with desk(request) as library:
        found = _search(library, request, typed) if typed else _list(library, request)
        offered = _offered(library) if whole else {}
        private = library.store.sealed
    answer = render(
        request, template, part=not whole, given=given, typed=typed, offered=offered, **found
    )
    if not whole and not private:
        # So that going back shows what was found. Browsers keep addresses, which must not
        # hold what somebody looked for in an encrypted store.
        answer.headers["HX-Replace-Url"] = link("/", **given)
    return answer


def _query(given: dict[str, str]) -> str:
    """The filters of the form as one would type them, after the words."""
    filters = (f'{name}:"{_unquoted(given[name])}"' for name in FILTERS if given[name])
    return " ".join(filter(None, (given["q"], *filters)))


def _unquoted(value: str) -> str:
    return value.replace('"', " ")


def _list(library: Library, request: Request) -> dict[str, Any]:
    below = request.query_params.get("below", "")
    with library.reading():
        rows = library.list(limit=PAGE + 1, below=int(below) if _is_number(below) else None)
        shown = [_shown(library, row) for row in rows[:PAGE]]
    more = link("/", below=shown[-1].row.seq) if len(rows) > PAGE else ""
    return {"shown": shown, "more": more, "answer": None, "first": not _is_number(below)}


def _search(library: Library, request: Request, typed: str) -> dict[str, Any]:
    wanted = request.query_params.get("limit", "")
    limit = min(MOST, int(wanted)) if _is_number(wanted) else FOUND
    answer = library.search(typed, limit=limit + 1, hits=HITS)
    with library.reading():
        shown = [_found(library, found) for found in answer.found[:limit]]
    again = {name: value for name, value in request.query_params.items() if name != "limit"}
    larger = len(answer.found) > limit and limit < MOST
    more = link("/", **again, limit=min(MOST, limit + 2 * FOUND)) if larger else ""
    return {
        "shown": shown,
        "more": more,
        "answer": answer,
        "first": True,
        "mended": _mended(answer),
    }


def _mended(answer: Answer) -> str:
    return link("/", q=answer.suggestion) if answer.suggestion else ""


def _found(library: Library, found: Found) -> Shown:
    hits = tuple((hit, tuple(_marked(hit))) for hit in found.hits)
    return _shown(library, found.row, hits=hits, more=found.more)


def _shown(library: Library, row: Row, **found: Any) -> Shown:
    counts = library.kinds(row.id)
    kinds = tuple((kind, counts[kind]) for kind in SEARCHED if counts[kind])
    return Shown(row=row, kinds=kinds, **found)


def _marked(hit: Hit) -> Iterator[tuple[str, bool]]:
    """The snippet in pieces, each with whether it was looked for."""
    end = 0
    for start, stop in hit.highlights:
        yield hit.snippet[end:start], False
        yield hit.snippet[start:stop], True
        end = stop
    yield hit.snippet[end:], False


def _offered(library: Library) -> dict[str, tuple[str, ...]]:
    """Sources and tags to choose from."""
    rows = library.list(limit=OFFERED_FROM)
    return {
        "source": _first(row.format for row in rows),
        "tag": _first(tag for row in rows for tag in row.tags),
    }


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(islice(dict.fromkeys(filter(None, names)), OFFERED)))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 16


routes = (
    Route("/", page, methods=["GET"]),
    Route("/results", results, methods=["GET"]),
)
