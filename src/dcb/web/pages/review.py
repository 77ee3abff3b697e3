"""A draft beside its conversation: what is kept, what is not and why, and the person's say in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dcb.budget import MAX_LIMIT, MIN_LIMIT
from dcb.errors import RequestError
from dcb.model import KINDS, Entry, Preference
from dcb.text import estimate
from dcb.web import tray
from dcb.web.drafts import Draft, State, of_snapshot
from dcb.web.html import desk, form, link, render, say_for, see_other
from dcb.web.pages.bring_in import tags
from dcb.web.talk import Passages, Window

# So many of each list are shown until somebody asks for all.
SHOWN = 80
SHOWN_LEFT_OUT = 40
STEP = 64
_KIND = "kind-"


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """An item as shown. `moved` says whether the last change made it come or go."""

    place: int
    value: Any
    state: State
    moved: str = ""
    heading: str = ""
    tokens: int = 0
    replaced: int | None = None  # the place of what replaced it
    message: int | None = None  # where it was said, from 1
    decided: bool = False

    @property
    def layer(self) -> str:
        """The layer it belongs to."""
        if isinstance(self.value, Entry):
            return "verbatim"
        return "preference" if isinstance(self.value, Preference) else "summary"

    @property
    def kind(self) -> str:
        """What kind of thing it is."""
        if isinstance(self.value, Entry):
            return self.value.kind
        return "preference" if isinstance(self.value, Preference) else "bullet"

    @property
    def words(self) -> str:
        """What it says."""
        if isinstance(self.value, Entry):
            return self.value.content
        if isinstance(self.value, Preference):
            return self.value.value
        return str(self.value)


def page(request: Request) -> Response:
    """The draft."""
    key = request.query_params.get("draft", "")
    with desk(request) as library:
        draft = tray.of(request).draft(key)
        values = _layers(request, key, draft, draft.fit().states)
        place = _item(draft, request.query_params.get("item", ""))
        return render(
            request,
            "review.html",
            private=library.store.sealed,
            **values,
            **_talk(request, draft, place),
        )


def talk(request: Request) -> Response:
    """Another window of the conversation."""
    key = request.query_params.get("draft", "")
    if "hx-request" not in request.headers:
        return see_other("/review", **request.query_params)
    with desk(request):
        draft = tray.of(request).draft(key)
        place = _item(draft, request.query_params.get("item", ""))
        return render(request, "review_talk.html", key=key, **_talk(request, draft, place))


def choose(request: Request) -> Response:
    """Drop, keep, pin or unpin an item, or change kinds."""
    sent = form(request)
    with desk(request):
        draft = _draft(request)
        before = draft.fit().states
        place = None
        for action, name in sent.multi_items():
            if action in _DECISIONS:
                place = draft.item(name)
                draft.decide(place, **_DECISIONS[action])
            elif action.startswith(_KIND):
                place = _rekind(draft, action, name) or place
        return _changed(request, draft, before, place)


def budget(request: Request) -> Response:
    """Give the draft another budget."""
    given = form(request).get("limit", "").strip()
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise RequestError(say_for(request, "review.budget.wrong", low=MIN_LIMIT, high=MAX_LIMIT))
    with desk(request):
        draft = _draft(request)
        before = draft.fit().states
        draft.budget(int(given))
        return _changed(request, draft, before, None)


def reword(request: Request) -> Response:
    """Where one writes other words for a bullet or a preference."""
    key = request.query_params.get("draft", "")
    with desk(request):
        draft = tray.of(request).draft(key)
        place = draft.item(request.query_params.get("item", ""))
        item = draft.fit().items[place]
        part = "hx-request" in request.headers
        shown = Shown(place=place, value=item.value, state="kept")
        template = "review_reword.html" if part else "review_reword_page.html"
        return render(request, template, key=key, item=shown)


def rewords(request: Request) -> Response:
    """Take other words."""
    sent = form(request)
    with desk(request):
        draft = _draft(request)
        before = draft.fit().states
        place = draft.item(sent.get("item", ""))
        draft.decide(place, text=sent.get("text", ""))
        return _changed(request, draft, before, place)


def save(request: Request) -> Response:
    """Store the draft under a title and tags."""
    sent = form(request)
    with desk(request) as library:
        draft = _draft(request)
        draft.head(title=sent.get("title", ""), tags=tuple(tags(sent.get("tags", ""))))
        kept = draft.save(library)
    tray.of(request).forget(sent.get("draft", ""))
    return see_other("/snapshot", id=kept.id, done="saved")


def discard(request: Request) -> Response:
    """Let go of the draft."""
    with desk(request):
        draft = _draft(request)
    tray.of(request).forget(form(request).get("draft", ""))
    if draft.origin == "snapshot":
        return see_other("/snapshot", id=draft.stored)
    return see_other("/bring-in")


def stored(request: Request) -> Response:
    """A draft of a stored snapshot: the one there is, or a new one."""
    with desk(request) as library:
        held = library.get(request.query_params.get("id", ""))
        wanted = ("snapshot", held.row.id, held.row.version)
        for key, draft in tray.of(request).drafts().items():
            if (draft.origin, draft.stored, draft.version) == wanted:
                return see_other("/review", draft=key)
        draft = of_snapshot(
            held.snapshot, origin="snapshot", omitted=held.omitted, version=held.row.version
        )
    return see_other("/review", draft=tray.of(request).put(draft))


_DECISIONS: dict[str, dict[str, Any]] = {
    "drop": {"gone": True},
    "keep": {"gone": False},
    "pin": {"pin": True},
    "unpin": {"pin": False},
}


def _draft(request: Request) -> Draft:
    return tray.of(request).draft(form(request).get("draft", ""))


def _item(draft: Draft, name: str) -> int | None:
    return draft.item(name) if name else None


def _rekind(draft: Draft, field: str, kind: str) -> int | None:
    """Every kind is sent with every form; the place of one that differs."""
    place = draft.item(field.removeprefix(_KIND))
    value = draft.fit().items[place].value
    if not isinstance(value, Entry) or value.kind == kind:
        return None
    draft.decide(place, kind=kind)
    return place


def _changed(
    request: Request, draft: Draft, before: tuple[State, ...], place: int | None
) -> Response:
    """The layers after a change: a part of the page, or the page at the item."""
    key = form(request).get("draft", "")
    if "hx-request" in request.headers:
        values = _layers(request, key, draft, before) | {"said": True}
        return render(request, "review_layers.html", **values)
    there = link("/review", draft=key, all=form(request).get("all", ""))
    return see_other_at(there, f"item-{place}" if place is not None else "layers")


def see_other_at(path: str, element: str) -> Response:
    """What a POST without a script ends in: the same page, at an element."""
    answer = see_other(path)
    answer.headers["Location"] = f"{path}#{element}"
    return answer


# --- what is shown ----------------------------------------------------------------------


def _layers(request: Request, key: str, draft: Draft, before: tuple[State, ...]) -> dict[str, Any]:
    fit = draft.fit()
    everything = bool(request.query_params.get("all") or form(request).get("all"))
    items = tuple(_shown(draft, before))
    kept = [item for item in items if item.state == "kept"]
    left = [item for item in items if item.state != "kept"]
    # What just went stands first: one sees it go.
    left.sort(key=lambda item: item.moved != "went")
    room, room_left = (None, None) if everything else (SHOWN, SHOWN_LEFT_OUT)
    layers = {
        layer: [item for item in kept if item.layer == layer]
        for layer in ("verbatim", "summary", "preference")
    }
    report = fit.compiled.report
    return {
        "key": key,
        "draft": draft,
        "snapshot": fit.compiled.snapshot,
        "report": report,
        "counts": {layer: len(found) for layer, found in layers.items()},
        "verbatim": layers["verbatim"][:room],
        "summary": _sections(layers["summary"][:room]),
        "preferences": layers["preference"][:room],
        "left_out": left[:room_left],
        "left_out_count": len(left),
        "others": draft.compiled.report.omitted[:room_left],
        "others_count": len(draft.compiled.report.omitted),
        "hidden": any(len(found) > SHOWN for found in layers.values())
        or len(left) > SHOWN_LEFT_OUT,
        "everything": everything,
        "came": sum(item.moved == "came" for item in items),
        "went": sum(item.moved == "went" for item in items),
        "kinds": KINDS,
        "low": MIN_LIMIT,
        "high": MAX_LIMIT,
        "most": _most(report.needed),
        "enough": min(MAX_LIMIT, report.enough_for_verbatim),
        "said": False,
    }


def _most(needed: int) -> int:
    """Where the slider ends: more than all there is changes nothing."""
    return min(MAX_LIMIT, -(-max(needed, 4 * MIN_LIMIT) // STEP) * STEP)


def _shown(draft: Draft, before: tuple[State, ...]) -> Iterator[Shown]:
    fit = draft.fit()
    numbers = _Numbers(draft)
    costs = {_told(o.layer, o.text, o.src): o.tokens for o in fit.compiled.report.omitted}
    for place, (item, state) in enumerate(zip(fit.items, fit.states, strict=True)):
        shown = Shown(
            place=place,
            value=item.value,
            state=state,
            moved=_moved(before[place], state),
            heading=numbers.headings.get(place, ""),
            decided=place in draft.decisions,
        )
        if isinstance(item.value, Entry):
            shown = replace(
                shown,
                replaced=numbers.places.get(item.value.by),
                message=numbers.message(item.value),
            )
        if state != "kept":
            source = item.value.src if isinstance(item.value, Entry) else ""
            told = _told(shown.layer, _line(shown), source)
            shown = replace(shown, tokens=costs.get(told, estimate(shown.words)))
        yield shown


class _Numbers:
    """What entries of a draft refer to: other entries, messages, headings."""

    def __init__(self, draft: Draft) -> None:
        items = draft.items
        self.places = {
            item.value.id: place
            for place, item in enumerate(items)
            if isinstance(item.value, Entry)
        }
        bullets = (place for place, item in enumerate(items) if isinstance(item.value, str))
        headings = (part.heading for part in draft.snapshot.summary for _ in part.bullets)
        self.headings = dict(zip(bullets, headings, strict=True))
        messages = draft.compiled.conversation.messages
        self._numbers = {str(message.id): at for at, message in enumerate(messages, 1)}

    def message(self, entry: Entry) -> int | None:
        return self._numbers.get(entry.src)


def _told(layer: str, text: str, source: str) -> tuple[str, str, str]:
    return layer, text, source


def _line(item: Shown) -> str:
    value = item.value
    return f"{value.key} {value.value}" if isinstance(value, Preference) else item.words


def _moved(before: State, after: State) -> str:
    if (before == "kept") == (after == "kept"):
        return ""
    return "came" if after == "kept" else "went"


def _sections(bullets: list[Shown]) -> list[tuple[str, list[Shown]]]:
    return [(heading, list(part)) for heading, part in groupby(bullets, lambda item: item.heading)]


def _talk(request: Request, draft: Draft, place: int | None) -> dict[str, Any]:
    messages = draft.compiled.conversation.messages
    if not messages:
        return {"window": None, "now": place, "kind_of": {}, "kept_of": {}}
    fit = draft.fit()
    entries = [
        (at, item.value) for at, item in enumerate(fit.items) if isinstance(item.value, Entry)
    ]
    passages = Passages(messages, entries)
    whole = _number(request.query_params.get("whole", ""))
    first = _number(request.query_params.get("at", ""))
    if place is not None and isinstance(fit.items[place].value, Entry):
        # One message before it, to see what it answers.
        first = max(0, (passages.number(fit.items[place].value.src) or 0) - 1)
    window: Window = passages.window(first or 0, whole=whole)
    return {
        "window": window,
        "now": place,
        "kind_of": {at: entry.kind for at, entry in entries},
        "kept_of": {at: fit.states[at] == "kept" for at, _ in entries},
    }


def _number(given: str) -> int | None:
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 10 else None


routes = (
    Route("/review", page, methods=["GET"]),
    Route("/review/talk", talk, methods=["GET"]),
    Route("/review/choose", choose, methods=["POST"]),
    Route("/review/budget", budget, methods=["POST"]),
    Route("/review/reword", reword, methods=["GET"]),
    Route("/review/reword", rewords, methods=["POST"]),
    Route("/review/save", save, methods=["POST"]),
    Route("/review/discard", discard, methods=["POST"]),
    Route("/review/stored", stored, methods=["GET"]),
)
