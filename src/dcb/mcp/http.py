"""The server over HTTP on 127.0.0.1, for clients that cannot start a program.

Any web page and any program on the machine can send requests here, so every one is checked
before the SDK sees it: exact Host, exact Origin, no other site, the bearer token, JSON, size.
The Host header is what stops a page that rebinds its name to 127.0.0.1.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.server.transport_security import TransportSecuritySettings

from dcb.errors import RequestError
from dcb.loopback import ADDRESS, listening

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from dcb.mcp.server import Service

PATH = "/mcp"
TOKEN_VARIABLE = "DCB_MCP_TOKEN"
SHORTEST_TOKEN = 16
MAX_BODY = 4 << 20
MAX_CONNECTIONS = 64

# Headers of which a second one would make two readers see two requests.
_SINGLE = (b"host", b"origin", b"authorization", b"content-type", b"content-length")


@dataclass(frozen=True, kw_only=True, slots=True)
class Door:
    """Who is let in: the exact names of this server, and its token.

    A token of None was looked at before a request comes here.
    """

    hosts: tuple[str, ...]
    origins: tuple[str, ...]
    token: str | None

    @staticmethod
    def of(port: int, token: str) -> Door:
        """The door of the server at a port."""
        hosts = tuple(f"{name}:{port}" for name in (ADDRESS, "localhost"))
        return Door(hosts=hosts, origins=tuple(f"http://{host}" for host in hosts), token=token)

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence for a request that is not let in."""
        return next(self._faults(scope), None)

    def _faults(self, scope: Scope) -> Iterator[tuple[int, str]]:
        # The order matters: who asks from elsewhere learns nothing about the token.
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        counts = Counter(name.lower() for name, _ in headers)
        if any(counts[name] > 1 for name in _SINGLE):
            yield 400, "A header is given twice"
        found = {name.lower(): value.decode("latin-1") for name, value in headers}
        if found.get(b"host") not in self.hosts:
            yield 421, "This server does not answer to that Host"
        if b"origin" in found and found[b"origin"] not in self.origins:
            yield 403, "This server does not answer to that Origin"
        if found.get(b"sec-fetch-site", "none") not in ("none", "same-origin"):
            yield 403, "This server does not answer to other sites"
        if b"token" in scope["query_string"].lower():
            yield 400, "A token does not belong into an address; send it as a bearer token"
        if not self._knows(found.get(b"authorization", "")):
            yield 401, "Send the bearer token that dcb mcp printed at its start"
        if scope["method"] == "POST" and not _json(found.get(b"content-type", "")):
            yield 415, "Send application/json"
        length = found.get(b"content-length", "0")
        if not length.isdecimal() or int(length[:20]) > MAX_BODY:
            yield 413, f"A request may have at most {MAX_BODY:,} bytes"

    def _knows(self, given: str) -> bool:
        if self.token is None:
            return True
        scheme, _, token = given.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(
            token.strip().encode(), self.token.encode()
        )


class Guarded:
    """An application behind a door."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with the refusal."""
        refusal = self._door.refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
            return
        from starlette.responses import PlainTextResponse

        status, sentence = refusal
        headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        if status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        await PlainTextResponse(sentence + "\n", status, headers)(scope, receive, send)


def application(service: Service, door: Door, *, stateless: bool = False) -> Guarded:
    """The guarded application; the SDK's own checks are set to the same names.

    Where it is `stateless`, no request depends on one before it: nobody can take over the
    session of another.
    """
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=list(door.hosts),
        allowed_origins=list(door.origins),
    )
    app = service.server().streamable_http_app(
        streamable_http_path=PATH,
        transport_security=security,
        stateless_http=stateless,
        max_request_body_size=MAX_BODY,
        max_sessions=MAX_CONNECTIONS,
    )
    return Guarded(app, door)


def run_http(service: Service, *, port: int, say: Callable[[str], Any]) -> None:
    """Serve until interrupted; `say` is told address and token. Port 0 is any free one.

    Raises RequestError for a port in use and a token that is too short.
    """
    import uvicorn

    token = _token()
    with listening(port) as listener:
        port = listener.getsockname()[1]
        say(f"http://{ADDRESS}:{port}{PATH}")
        say(f"Authorization: Bearer {token}")
        config = uvicorn.Config(
            application(service, Door.of(port, token)),
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=2,
        )
        uvicorn.Server(config).run(sockets=[listener])


def _token() -> str:
    given = os.environ.get(TOKEN_VARIABLE, "")
    if given and len(given) < SHORTEST_TOKEN:
        raise RequestError(
            f"{TOKEN_VARIABLE} is too short; take {SHORTEST_TOKEN} characters or more"
        )
    return given or secrets.token_urlsafe(24)


def _json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == "application/json"
