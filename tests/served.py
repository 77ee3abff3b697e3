"""A server for several people over a database of its own, as their browsers and agents meet it.

`served` knows Ada, who owns `north`, Bo, who owns `south`, and Cy, who may read `north`. A test
module takes the fixture over with `served = served_by.served`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import pytest
from starlette.testclient import TestClient

pytest.importorskip("psycopg_pool")
pytest.importorskip("prometheus_client")

from dcb import document
from dcb.serve.app import App
from dcb.serve.run import Options, application
from dcb.settings import Settings
from dcb.store import Store
from dcb.store.postgres import Shared
from dcb.team import Team
from tests.postgres_server import Server
from tests.test_store import snapshot

URL = "https://memory.example.test"
HEADERS = {"Accept": "application/json, text/event-stream"}


@dataclass
class Browser:
    """A browser of one person. Forms carry the token of the page that they are on."""

    client: TestClient

    def get(self, path: str, **headers: str):
        """The answer to a GET; redirects are not followed."""
        return self.client.get(path, headers=headers)

    def post(self, path: str, fields: dict | None = None, *, of: str = "/", csrf: str = ""):
        """The answer to a form of the page `of`."""
        token = csrf or csrf_of(self.get(of).text)
        return self.client.post(path, data={"csrf": token, **(fields or {})})


@dataclass
class Served:
    """A running server. `lines` is its log."""

    app: App
    team: Team
    shared: Shared
    address: str
    lines: list = field(default_factory=list)

    def client(self) -> TestClient:
        """Somebody who is not logged in."""
        return TestClient(
            self.app,
            base_url=URL,
            headers={"Accept": "text/html", "Accept-Language": "en"},
            follow_redirects=False,
        )

    def token(self, person: str, **options) -> str:
        """A new token."""
        return self.team.new_token(person, **options)[1]

    def browser(self, person: str, **options) -> Browser:
        """The browser of somebody who is logged in."""
        client = self.client()
        answer = client.post("/enter", data={"token": self.token(person, **options)})
        assert answer.status_code == 303, answer.text
        return Browser(client)

    def store(self, person: str, project: str) -> Store:
        """A project as somebody has it on their own machine."""
        with self.shared.administering() as connection:
            row = connection.execute(
                "select p.id, j.id from dcb.people p, dcb.projects j "
                "where p.name = %s and j.name = %s",
                (person, project),
            ).fetchone()
        return Store(self.shared.open_for(*row), now=lambda: 1)

    def call(self, token: str, method: str, params: dict | None = None, *, path: str = "/mcp"):
        """The answer to a call of an agent."""
        return self.client().post(
            path,
            json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}},
            headers={**HEADERS, "Authorization": f"Bearer {token}"},
        )

    def tool(self, token: str, name: str, arguments: dict, **options) -> dict:
        """What a tool answered."""
        answer = self.call(token, "tools/call", {"name": name, "arguments": arguments}, **options)
        return result(answer)


def result(answer) -> dict:
    """The result in an answer of the MCP server."""
    assert answer.status_code == 200, answer.text
    data = next(line for line in answer.text.splitlines() if line.startswith("data: "))
    return json.loads(data.removeprefix("data: "))["result"]


def csrf_of(page: str) -> str:
    """The token of the forms of a page."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None, page
    return found[1]


@cache
def _database(postgres: Server) -> str:
    """The one database of all these tests, which are run one after the other."""
    return postgres.fresh()


@contextmanager
def serving(postgres: Server, folder: Path, **options) -> Iterator[Served]:
    """A server with those people, and one snapshot in each project."""
    address = postgres.emptied(_database(postgres))
    settings = Settings(data_dir=folder, store=address)
    chosen = Options(public_url=URL, **options)
    with (
        Shared(address, size=4) as shared,
        application(settings, chosen, shared, public_url=URL) as made,
    ):
        lines: list = []
        app = replace(made, log=lambda event, **fields: lines.append({"event": event, **fields}))
        served = Served(app, Team(shared), shared, address, lines)
        settle(served)
        # The MCP server lives as long as the application does.
        with TestClient(served.app):
            yield served


def settle(served: Served) -> None:
    """Make the people, their projects and a snapshot in each."""
    for person in ("Ada", "Bo", "Cy"):
        served.team.add_person(person)
    for number, (project, owner) in enumerate((("north", "Ada"), ("south", "Bo")), 1):
        served.team.add_project(project)
        served.team.set_member(project, owner, role="owner")
        made = snapshot(number)
        served.store(owner, project).put(made, document.dump(made))
    served.team.set_member("north", "Cy", role="reader")


@pytest.fixture
def served(postgres: Server, tmp_path: Path) -> Iterator[Served]:
    """A server that lets everyone ask as often as they like."""
    with serving(postgres, tmp_path, rate=10_000, address_rate=10_000) as found:
        yield found
        faults = [line for line in found.lines if line["event"] == "fault"]
        assert faults == []
