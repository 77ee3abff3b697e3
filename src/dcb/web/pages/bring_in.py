"""A file, a path or a text that a person brings -> its conversations, to review or to store.

A file that is sent goes piece by piece to a private place on the disk, sealed where the store
is, and is never held in memory; when the sender goes away, so does what had arrived.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dcb.document import parse
from dcb.errors import NotFound, RequestError, SourceError
from dcb.web import tray
from dcb.web.compiling import Compiling
from dcb.web.drafts import Draft, of_snapshot
from dcb.web.held import Held
from dcb.web.html import desk, form, link, render, say_for, see_other
from dcb.web.survey import ByTurns, Ingest, Reading, Survey, is_document
from dcb.web.tray import Source

MAX_FILE = 4 << 30
MAX_DOCUMENT = 16 << 20
PAGE = 100
NAME = 200
# So many seconds a review may take to appear without a word about it.
AT_ONCE = 0.7

UPLOAD = "/bring-in/upload"

large = {UPLOAD: MAX_FILE}


def page(request: Request) -> Response:
    """Where one drops a file."""
    with desk(request):
        limit = request.app.state.door.limit(UPLOAD)
        return render(request, "bring_in.html", limit=limit, sources=tray.of(request).sources())


async def upload(request: Request) -> Response:
    """A file that is sent, under the name in the header `X-File-Name`."""
    name = unquote(request.headers.get("x-file-name", ""))[:NAME]
    held = await run_in_threadpool(_place, request, name)
    try:
        await _receive(request, held)
    except ClientDisconnect:
        tray.remove(held)
        return PlainTextResponse("The file did not arrive whole\n", 400)
    except BaseException:
        tray.remove(held)
        raise
    return JSONResponse({"next": _take(request, held, name or held.path.name, sent=True)}, 201)


def text(request: Request) -> Response:
    """A conversation that was pasted."""
    given = form(request).get("text", "")
    if not given.strip():
        raise RequestError(say_for(request, "bring-in.text.none"))
    held = _place(request, "pasted.txt")
    with held.writing() as file:
        file.write(given.encode("utf-8", "replace"))
    return see_other(_take(request, held, say_for(request, "bring-in.text.name"), sent=True))


def local(request: Request) -> Response:
    """A file or folder of this machine, by its path; it is read where it lies."""
    given = form(request).get("path", "").strip()
    _unlocked(request)
    path = Path(given).expanduser()
    if not given or not path.exists():
        raise SourceError(say_for(request, "bring-in.path.none", path=given))
    return see_other(_take(request, Held(path=path), given, sent=False))


def source(request: Request) -> Response:
    """What a source was taken for, and what it holds."""
    found = _source(request, request.query_params.get("id", ""))
    # Asked first: what ends after this is in the list of the next look, never in half of this one.
    looking = found.survey.work.running
    query = request.query_params.get("q", "").strip()
    matching = _matching(found.survey, query)
    first = min(_number(request.query_params.get("from", "")), max(0, len(matching) - 1))
    first -= first % PAGE
    with desk(request):
        return render(
            request,
            "bring_in_found.html" if "hx-request" in request.headers else "bring_in_source.html",
            source=found,
            survey=found.survey,
            looking=looking,
            document=found.sent and is_document(found.held),
            query=query,
            shown=matching[first : first + PAGE],
            matching=len(matching),
            first=first,
            page=PAGE,
        )


def drop(request: Request) -> Response:
    """Let go of a source."""
    tray.of(request).drop(form(request).get("id", ""))
    return see_other("/bring-in")


def review(request: Request) -> Response:
    """Compile one conversation, to review it; a long one while the page shows how far."""
    sent = form(request)
    found = _source(request, sent.get("id", ""))
    place = _number(sent.get("place", ""))
    if place >= len(found.survey.listed):
        raise NotFound("This source has no such conversation; load its list again")
    _unlocked(request)
    if found.compiling is not None:
        found.compiling.work.stop()
    found.compiling = Compiling(
        _reading(request, found),
        place,
        desk=partial(desk, request),
        settings=request.app.state.desk.settings,
        keep=partial(_keep, request, found.key),
    )
    found.works.append(found.compiling.work.start())
    found.compiling.work.wait(AT_ONCE)
    return _compiled(found) or see_other("/bring-in/compiling", id=found.key)


def compiling(request: Request) -> Response:
    """How far compiling has come; at its end, the review."""
    found = _source(request, request.query_params.get("id", ""))
    if found.compiling is None:
        return see_other("/bring-in/source", id=found.key)
    part = "hx-request" in request.headers
    running = found.compiling.work.running  # before the draft: it may come at any moment
    if there := _compiled(found):
        place = there.headers["location"]
        return Response(status_code=204, headers={"HX-Redirect": place}) if part else there
    template = "bring_in_compiled.html" if part else "bring_in_compiling.html"
    with desk(request):
        return render(request, template, source=found, work=found.compiling.work, running=running)


def break_off(request: Request) -> Response:
    """Stop compiling."""
    found = _source(request, form(request).get("id", ""))
    if found.compiling is not None:
        found.compiling.work.stop()
    return see_other("/bring-in/source", id=found.key)


def ingest(request: Request) -> Response:
    """Store many conversations: those that are ticked, or all that a search matches."""
    sent = form(request)
    found = _source(request, sent.get("id", ""))
    places = _places(found.survey, sent)
    if not places:
        raise RequestError(say_for(request, "bring-in.none-ticked"))
    settings = request.app.state.desk.settings
    work = Ingest(
        _reading(request, found),
        places,
        ByTurns(partial(desk, request)),
        with_instructions="instructions" in sent,
        max_tokens=settings.max_tokens,
        count=settings.tokens,
        tags=tuple(tags(sent.get("tags", ""))),
    )
    _unlocked(request)
    found.works.append(work.work.start())
    found.ingest = work
    return see_other("/bring-in/work", id=found.key)


def work(request: Request) -> Response:
    """How far storing many conversations has come; the account at its end."""
    found = tray.of(request).source(request.query_params.get("id", ""))
    if found.ingest is None:
        return see_other("/bring-in/source", id=found.key)
    part = "hx-request" in request.headers
    template = "bring_in_account.html" if part else "bring_in_work.html"
    with desk(request):
        return render(request, template, source=found, ingest=found.ingest, work=found.ingest.work)


def stop(request: Request) -> Response:
    """Stop storing after the present conversation; what is stored stays."""
    found = tray.of(request).source(form(request).get("id", ""))
    if found.ingest is not None:
        found.ingest.work.stop()
        found.ingest.work.wait(5)
    return see_other("/bring-in/work", id=found.key)


def add(request: Request) -> Response:
    """Store a snapshot document as it is."""
    found = _source(request, form(request).get("id", ""))
    with desk(request) as library:
        added = library.add_document(_document(found.held), where=found.name)
    tray.of(request).drop(found.key)
    return see_other("/snapshot", id=added.id, done="same" if added.change == "same" else "saved")


def merge(request: Request) -> Response:
    """Take a snapshot document to the merge."""
    found = _source(request, form(request).get("id", ""))
    with desk(request):
        draft = of_snapshot(parse(_document(found.held)), origin="document")
    return see_other("/merge", current=f"draft:{tray.of(request).put(draft)}")


def tags(given: str) -> list[str]:
    """The tags of a field: between commas of any script."""
    parts = given.replace("，", ",").replace("、", ",").split(",")
    return list(dict.fromkeys(filter(None, (" ".join(part.split()) for part in parts))))


async def _receive(request: Request, held: Held) -> None:
    try:
        with held.writing() as file:
            async for piece in request.stream():
                await run_in_threadpool(file.write, piece)
    except OSError as error:
        raise SourceError(f"The file cannot be kept here: {error.strerror}") from None


def _place(request: Request, name: str) -> Held:
    """A place for a file that is sent. Raises Locked where the store is locked."""
    with desk(request) as library:
        return tray.of(request).place(name, sealed=library.store.sealed)


def _unlocked(request: Request) -> None:
    """Raises Locked where the store is locked: nothing is taken in for it then."""
    with desk(request):
        return


def _take(request: Request, held: Held, name: str, *, sent: bool) -> str:
    """Take a source in and begin to look through it; the address of its page."""
    found = tray.of(request).add(held, name=name, sent=sent)
    _look(request, found)
    return link("/bring-in/source", id=found.key)


def _look(request: Request, found: Source) -> None:
    found.survey = Survey(_reading(request, found))
    found.works.append(found.survey.work.start())


def _source(request: Request, key: str) -> Source:
    return tray.of(request).source(key)


def _reading(request: Request, found: Source) -> Reading:
    limits = request.app.state.desk.settings.limits
    return Reading(found.held, shown=found.name, limits=limits)


def _keep(request: Request, key: str, draft: Draft) -> str:
    draft.source = key
    return tray.of(request).put(draft)


def _compiled(found: Source) -> Response | None:
    """To the draft, once there is one."""
    draft = found.compiling.draft
    return see_other("/review", draft=draft) if draft else None


def _matching(survey: Survey, query: str) -> list[Any]:
    listed = survey.listed
    if not query:
        return listed[:]
    words = query.casefold().split()
    return [item for item in listed if all(word in item.title.casefold() for word in words)]


def _places(survey: Survey, sent: Any) -> frozenset[int]:
    if sent.get("what") == "all":
        return frozenset(item.place for item in _matching(survey, sent.get("q", "").strip()))
    known = range(len(survey.listed))
    return frozenset(place for place in map(_number, sent.getlist("place")) if place in known)


def _document(held: Held) -> str:
    with held.reading() as file:
        read = file.read(MAX_DOCUMENT + 1)
    if len(read) > MAX_DOCUMENT:
        raise SourceError(f"A document of more than {MAX_DOCUMENT:,} bytes is not read here")
    return read.decode("utf-8", "replace")


def _number(given: str) -> int:
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 10 else 0


routes = (
    Route("/bring-in", page, methods=["GET"]),
    Route(UPLOAD, upload, methods=["POST"]),
    Route("/bring-in/text", text, methods=["POST"]),
    Route("/bring-in/source", source, methods=["GET"]),
    Route("/bring-in/drop", drop, methods=["POST"]),
    Route("/bring-in/review", review, methods=["POST"]),
    Route("/bring-in/compiling", compiling, methods=["GET"]),
    Route("/bring-in/compiling/stop", break_off, methods=["POST"]),
    Route("/bring-in/ingest", ingest, methods=["POST"]),
    Route("/bring-in/work", work, methods=["GET"]),
    Route("/bring-in/stop", stop, methods=["POST"]),
    Route("/bring-in/add", add, methods=["POST"]),
    Route("/bring-in/merge", merge, methods=["POST"]),
)
local_routes = (Route("/bring-in/path", local, methods=["POST"]),)
