"""Requests of several people -> the pages and the tools of each, counted and logged.

Nothing that the log or the figures say names a path, a query or what a store holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from dcb.errors import DcbError, StoreError
from dcb.serve import logs, metrics, proxies, routes
from dcb.serve.admission import Refusal, slow
from dcb.serve.visits import Visit
from dcb.web.door import headers, session_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from dcb.serve.admission import Admission
    from dcb.serve.limits import Buckets
    from dcb.serve.metrics import Metrics
    from dcb.serve.rooms import Rooms

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_MORE = {401: {"WWW-Authenticate": "Bearer"}, 405: {"Allow": "POST"}}
_IN_THE_HALL = (routes.PROJECTS, routes.LEAVE)
_FAULT = Refusal(status=500, sentence="An internal fault; the log of the server says which")
_POST = Refusal(status=405, sentence="Send a POST; nothing is said here unasked")
_AWAY = Refusal(status=503, sentence="The store does not answer; try again in a moment", wait=2)


@dataclass(frozen=True, kw_only=True)
class App:
    """The application. `agents` is the MCP server, behind its own door."""

    rooms: Rooms
    admission: Admission
    agents: ASGIApp
    metrics: Metrics
    addresses: Buckets
    trusted: Collection[str] = ()
    log: Callable[..., Any] = logs.write

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self.agents(scope, receive, send)
        elif scope["type"] == "http":
            await self._counted(scope, receive, _Sent(send))

    async def _counted(self, scope: Scope, receive: Receive, sent: _Sent) -> None:
        visit = Visit(
            route=routes.classed(scope["path"]),
            address=proxies.address(scope, trusted=self.trusted),
            admission=self.admission,
        )
        began = time.perf_counter()
        try:
            await self._answered(visit, scope, receive, sent)
        finally:
            seconds = time.perf_counter() - began
            # 499 as nginx has it: whoever asked went away before there was an answer.
            status = sent.status or 499
            self.metrics.answered(visit.route, status, seconds)
            self.log(
                "request",
                route=visit.route,
                status=status,
                ms=round(seconds * 1000, 1),
                person=visit.person,
            )

    async def _answered(self, visit: Visit, scope: Scope, receive: Receive, sent: _Sent) -> None:
        app: ASGIApp
        try:
            app = await self._app(visit, scope)
            scope = visit.within(_shorn(scope) if visit.route == "mcp" else scope)
            await app(scope, receive, sent)
            return
        except StoreError as error:
            self.log("store", problem=type(error).__name__, route=visit.route)
            app = _refused(_AWAY)
        except Exception as error:
            logs.fault(error, route=visit.route, log=self.log)
            app = _refused(_FAULT)
        if not sent.status:
            await app(scope, receive, sent)

    async def _app(self, visit: Visit, scope: Scope) -> ASGIApp:
        """What answers a request."""
        if visit.route == "health":
            return await run_in_threadpool(self._health)
        if wait := self.addresses.wait(visit.address):
            return _refused(slow(wait))
        if visit.route == "metrics":
            return self._figures(scope)
        if visit.route == "mcp":
            return await self._agent(visit, scope)
        return await self._page(visit, scope)

    def _health(self) -> Response:
        try:
            self.admission.gate.answers()
        except DcbError:
            return _refused(_AWAY)
        return PlainTextResponse("ok\n", headers=_HEADERS)

    def _figures(self, scope: Scope) -> Response:
        # They are for whoever runs the server, who can reach it without the proxy.
        if proxies.is_forwarded(scope):
            return _refused(Refusal(status=404, sentence="There is no page here"))
        return Response(self.metrics.text(), media_type=metrics.CONTENT_TYPE, headers=_HEADERS)

    async def _agent(self, visit: Visit, scope: Scope) -> ASGIApp:
        # A stream that nobody asked anything on would have no end, and the server none either.
        if scope["method"] != "POST":
            return _refused(_POST)
        scheme, _, token = headers(scope).get("authorization", "").partition(" ")
        given = token.strip() if scheme.lower() == "bearer" else ""
        refusal = await run_in_threadpool(self.admission.by_token, visit, given, scope["path"])
        return _refused(refusal) if refusal else self.agents

    async def _page(self, visit: Visit, scope: Scope) -> ASGIApp:
        entrance, path = self.rooms.entrance, scope["path"]
        if path == routes.ENTER or visit.route == "static":
            return entrance
        key = session_of(headers(scope), entrance.door.cookie)
        refusal = await run_in_threadpool(self.admission.by_session, visit, key)
        if refusal is not None:
            return _refused(refusal)
        if visit.session is None or visit.holder is None:
            return entrance
        if path in _IN_THE_HALL or path.startswith(routes.PROJECT):
            return self.rooms.hall(visit.session)
        if visit.place is None:
            return RedirectResponse(routes.PROJECTS, 303)
        return self.rooms.room(visit.session, visit.holder, visit.place)


class _Sent:
    """`send` that remembers the status; 0 before there is one."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


def _shorn(scope: Scope) -> Scope:
    """The scope of a request to the MCP server, without the project in its path."""
    return {**scope, "path": routes.MCP, "raw_path": routes.MCP.encode()}


def _refused(refusal: Refusal) -> Response:
    given = dict(_HEADERS)
    if refusal.wait:
        given["Retry-After"] = str(max(1, round(refusal.wait + 0.5)))
    given |= _MORE.get(refusal.status, {})
    return PlainTextResponse(refusal.sentence + "\n", refusal.status, given)
