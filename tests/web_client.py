"""The local web page over a store of its own, as a browser that may come in meets it.

`web` is a `Browser`: `get`, `post` (with the CSRF token), `text` (what a page says, markup
taken off). A test module takes the fixture over with `web = web_client.web`, or with
`web = web_client.anywhere` where both kinds of store are to show the same.
"""

from __future__ import annotations

import html
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest
from starlette.testclient import TestClient

from dcb.library import Library
from dcb.settings import Settings
from dcb.web.app import create_app, large_bodies
from dcb.web.desk import Desk
from dcb.web.door import Codes, Door

PORT = 8377
SESSION = "TEST-TOKEN-NOT-SECRET"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@dataclass
class Browser:
    """A browser with a session. `desk` is the server's; `faults` are its internal ones."""

    client: TestClient
    desk: Desk
    door: Door
    codes: Codes
    clock: Clock
    settings: Settings
    faults: list

    def get(self, path, **headers):
        """The answer to a GET; redirects are not followed."""
        return self.client.get(path, headers=headers)

    def post(self, path, fields=None, *, csrf=True, **headers):
        """The answer to a form that is sent from this page."""
        token = {"csrf": self.door.csrf} if csrf else {}
        return self.client.post(path, data={**token, **(fields or {})}, headers=headers)

    def text(self, path):
        """What a page says, in one line."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return said(answer.text)

    def library(self):
        """The library of the same store, as another program opens it."""
        return Library(self.settings)

    def speaking(self, lang):
        """The same browser after the person chose a language."""
        self.client.cookies.set("dcb_lang", lang)
        return self


def said(page):
    """The words of a page without its markup, white space as single blanks."""
    body = re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", page)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def browser(settings: Settings, *, session: str = SESSION) -> Browser:
    """A browser at a server over a store."""
    clock, faults = Clock(), []
    desk = Desk(settings, clock=clock, seconds=900)
    door = Door(port=PORT, session=SESSION, large=large_bodies())
    codes = Codes(clock=clock)
    app = create_app(
        desk, door=door, codes=codes, report=lambda error, path: faults.append((path, error))
    )
    client = TestClient(
        app,
        base_url=f"http://127.0.0.1:{PORT}",
        headers={"Accept": "text/html", "Accept-Language": "en"},
        cookies={door.cookie: session} if session else None,
        follow_redirects=False,
    )
    return Browser(client, desk, door, codes, clock, settings, faults)


@pytest.fixture
def web(tmp_path):
    """A browser with a session at a server over an empty store in a folder."""
    with _closed(browser(Settings(data_dir=tmp_path / "data"))) as made:
        yield made


@pytest.fixture
def anywhere(place, tmp_path):
    """The same over an empty store of each kind, for pages that show what it holds."""
    with _closed(browser(place.settings(tmp_path / "data"))) as made:
        yield made


@contextmanager
def _closed(made):
    yield made
    made.desk.close()
    assert made.faults == []


def as_stranger(web: Browser) -> Browser:
    """A browser without a session at the same server."""
    client = TestClient(
        web.client.app,
        base_url=f"http://127.0.0.1:{PORT}",
        headers={"Accept": "text/html", "Accept-Language": "en"},
        follow_redirects=False,
    )
    return replace(web, client=client)
