"""A request's head -> the refusal it gets, or None: who may come in, and to what.

Any web page and any program on this machine can send requests here. Host and Origin are
compared whole, so that a name rebound to 127.0.0.1 does not pass; the session is needed
for everything that shows or changes something.
"""

from __future__ import annotations

import hmac
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from dcb.loopback import ADDRESS

if TYPE_CHECKING:
    from starlette.types import Scope

MAX_BODY = 4 << 20
CODE_SECONDS = 60

FORM = "application/x-www-form-urlencoded"
BODIES = (FORM, "application/json", "application/octet-stream")
SAFE_METHODS = ("GET", "HEAD")
# What a browser needs before it has a session: no word of the store is in there.
OPEN_PATHS = ("/enter", "/static/")
LOOK_PATH = "/look"
READ_ONLY = "You may read this project and not change it; ask an owner for the role of a writer"

# Headers of which a second one would make two readers see two requests.
_SINGLE = (b"host", b"origin", b"cookie", b"content-type", b"content-length", b"x-csrf-token")
# Names that are never those of a parameter in an address: addresses are kept by browsers.
_NOT_IN_ADDRESSES = frozenset(("token", "session", "csrf", "code", "passphrase", "password"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A status and the sentence that goes with it."""

    status: int
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Door:
    """Who is let in: the exact names of this server, its session, its sizes.

    `public_url` is what browsers call a server that other machines reach, without a path.
    A form of a page about another `subject` is out of date. `read_only` lets nobody change
    anything but the look.
    """

    port: int
    public_url: str = ""
    subject: str = ""
    read_only: bool = False
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    large: Mapping[str, int] = field(default_factory=dict)  # path -> bytes, where more is allowed

    @property
    def hosts(self) -> tuple[str, ...]:
        """The Host headers of this server."""
        if self.public_url:
            return (urlsplit(self.public_url).netloc,)
        return tuple(f"{name}:{self.port}" for name in (ADDRESS, "localhost", "[::1]"))

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins of its pages."""
        if self.public_url:
            return (self.public_url,)
        return tuple(f"http://{host}" for host in self.hosts)

    @property
    def cookie(self) -> str:
        """The session cookie's name: browsers share cookies among all ports of a host."""
        # A name that begins so is taken over TLS and from this host alone.
        return "__Host-dcb_session" if self.secure else f"dcb_session_{self.port}"

    @property
    def secure(self) -> bool:
        """Whether browsers come over TLS."""
        return self.public_url.startswith("https:")

    @property
    def csrf(self) -> str:
        """What every unsafe request must carry besides the cookie."""
        return hmac.digest(self.session.encode(), f"csrf{self.subject}".encode(), "sha256").hex()

    def knows(self, session: str) -> bool:
        """Whether that is the session, in constant time."""
        return hmac.compare_digest(session.encode(), self.session.encode())

    def trusts(self, token: str) -> bool:
        """Whether that is the CSRF token, in constant time."""
        return hmac.compare_digest(token.encode(), self.csrf.encode())

    def limit(self, path: str) -> int:
        """The most bytes that a body sent to a path may have."""
        return self.large.get(path, MAX_BODY)

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why a request is not let in; None when its head is in order."""
        return next(self._faults(scope), None)

    def _faults(self, scope: Scope) -> Iterator[Refusal]:
        # The order matters: who asks from elsewhere learns nothing about the session.
        counts = Counter(name.lower() for name, _ in scope["headers"])
        if any(counts[name] > 1 for name in _SINGLE):
            yield Refusal(status=400, sentence="A header is given twice")
        given = headers(scope)
        if given.get("host") not in self.hosts:
            yield Refusal(status=421, sentence="This server does not answer to that Host")
        if not self._from_here(given):
            yield Refusal(status=403, sentence="This server does not answer to that Origin")
        if given.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            yield Refusal(status=403, sentence="This server does not answer to other sites")
        if self._gives_away(scope["query_string"]):
            yield Refusal(status=400, sentence="A secret does not belong into an address")
        if not is_open(scope["path"]) and not self.knows(session_of(given, self.cookie)):
            yield Refusal(status=401, sentence="Open the link that dcb web printed at its start")
        yield from self._body_faults(scope, given)

    def _body_faults(self, scope: Scope, given: Mapping[str, str]) -> Iterator[Refusal]:
        length = given.get("content-length", "0")
        limit = self.limit(scope["path"])
        if not length.isdecimal() or int(length[:20]) > limit:
            yield Refusal(status=413, sentence=f"This takes at most {limit:,} bytes")
        if scope["method"] in SAFE_METHODS:
            return
        if self.read_only and scope["path"] != LOOK_PATH:
            yield Refusal(status=403, sentence=READ_ONLY)
        kind = media_type(given)
        if kind not in BODIES:
            yield Refusal(status=415, sentence=f"Send one of: {', '.join(BODIES)}")
        # A form carries its token inside; whoever reads the body looks at it then.
        if is_open(scope["path"]):
            return
        if kind != FORM and not self.trusts(given.get("x-csrf-token", "")):
            yield Refusal(status=403, sentence="The page is out of date; load it again")

    def _from_here(self, given: Mapping[str, str]) -> bool:
        origin = given.get("origin")
        if origin is None or origin in self.origins:
            return True
        # Pages that send no Referer have their own forms sent with this origin; only the
        # browser itself can say that such a form is from here.
        return origin == "null" and given.get("sec-fetch-site") == "same-origin"

    def _gives_away(self, query: bytes) -> bool:
        pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
        return any(name.lower() in _NOT_IN_ADDRESSES for name, _ in pairs) or (
            self.session.encode() in query
        )


class Codes:
    """One-time codes: each opens the door once, within a minute of its making."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def new(self) -> str:
        """A new code."""
        code = secrets.token_urlsafe(24)
        self._until[code] = self._clock() + CODE_SECONDS
        return code

    def use(self, code: str) -> bool:
        """Whether the code opens the door; it never will again."""
        given = code.encode()
        found = [known for known in self._until if hmac.compare_digest(known.encode(), given)]
        return any(self._clock() < self._until.pop(known) for known in found)


def headers(scope: Scope) -> dict[str, str]:
    """The headers of a request, names in lower case."""
    return {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
    }


def is_open(path: str) -> bool:
    """Whether a path needs no session."""
    return path == OPEN_PATHS[0] or path.startswith(OPEN_PATHS[1])


def session_of(given: Mapping[str, str], cookie: str) -> str:
    """The session that a request's cookie names, or ""."""
    return cookies(given).get(cookie, "")


def cookies(given: Mapping[str, str]) -> dict[str, str]:
    """The cookies of a request. What other programs of this host set may be of any shape."""
    pairs = (part.partition("=") for part in given.get("cookie", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def media_type(given: Mapping[str, str]) -> str:
    """The type of a request's body, without its parameters."""
    return given.get("content-type", "").partition(";")[0].strip().lower()
