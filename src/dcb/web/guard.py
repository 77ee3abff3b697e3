"""An application -> the same one behind the door, with every answer under the same headers.

Bodies are counted while they arrive and may not dawdle; a form is read here, since its token
stands inside. A fault ends in one sentence and tells the terminal nothing of the content.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from dcb.web.door import FORM, SAFE_METHODS, Door, Refusal, headers, is_open, media_type

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_REQUESTS = 8
BODY_SECONDS = 30  # between two pieces of a body
MAX_FIELDS = 20_000

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_SET_HERE = frozenset(name for name, _ in _RAW_HEADERS)

Answer = Callable[["Scope", Refusal], "ASGIApp"]
"""Makes the answer to a request that is refused."""


class Refused(Exception):
    """A body that turns out not to be in order."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = Refusal(status=status, sentence=sentence)


@dataclass(slots=True)
class Guard:
    """The application behind its door. `report` is told of internal faults."""

    app: ASGIApp
    door: Door
    answer: Answer
    report: Callable[[Exception, str], Any]
    at_once: int = MAX_REQUESTS
    body_seconds: float = BODY_SECONDS
    _busy: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with the refusal."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            self._busy += 1
            try:
                await self._serve(scope, receive, _Sender(send))
            finally:
                self._busy -= 1

    async def _serve(self, scope: Scope, receive: Receive, send: _Sender) -> None:
        refusal = self.door.refusal(scope)
        if refusal is None and self._busy > self.at_once:
            refusal = Refusal(status=503, sentence="Too many requests at once; try again")
        body = _Body(receive, limit=self.door.limit(scope["path"]), seconds=self.body_seconds)
        try:
            if refusal is None:
                await self._admit(scope, body, send)
        except Refused as found:
            refusal = found.refusal
        except Exception as error:
            self.report(error, scope["path"])
            refusal = Refusal(status=500, sentence="An internal fault; the terminal says which")
        if refusal is not None and not send.begun:
            await self.answer(scope, refusal)(scope, receive, send)

    async def _admit(self, scope: Scope, body: _Body, send: Send) -> None:
        given = headers(scope)
        if scope["method"] in SAFE_METHODS or media_type(given) != FORM:
            await self.app(scope, body.receive, send)
            return
        fields = _fields(await body.whole())
        token = given.get("x-csrf-token") or dict(fields).get("csrf", "")
        if not is_open(scope["path"]) and not self.door.trusts(token):
            raise Refused(403, "The page is out of date; load it again")
        scope["dcb.form"] = fields
        await self.app(scope, body.receive, send)


class _Sender:
    """`send` with our headers in place of any others of their names."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in _SET_HERE]
            message = {**message, "headers": [*kept, *_RAW_HEADERS]}
        await self._send(message)


class _Body:
    """`receive` that counts, and gives up on a sender who dawdles."""

    def __init__(self, receive: Receive, *, limit: int, seconds: float) -> None:
        self._receive = receive
        self._limit = limit
        self._seconds = seconds
        self._seen = 0
        self._more = True

    async def receive(self) -> Message:
        """The next message; after the body, whatever comes whenever it comes."""
        if not self._more:
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), self._seconds)
        except TimeoutError:
            raise Refused(408, "The request took too long to arrive") from None
        self._seen += len(message.get("body", b""))
        self._more = bool(message.get("more_body", False))
        if self._seen > self._limit:
            raise Refused(413, f"This takes at most {self._limit:,} bytes")
        return message

    async def whole(self) -> bytes:
        """The whole body."""
        pieces = []
        while self._more:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Refused(400, "The request was broken off")
            pieces.append(message.get("body", b""))
        return b"".join(pieces)


def _fields(body: bytes) -> list[tuple[str, str]]:
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise Refused(400, "The form cannot be read") from None
    # Browsers send every line end of a field as CR LF, whatever it was.
    return [(name, value.replace("\r\n", "\n")) for name, value in pairs]
