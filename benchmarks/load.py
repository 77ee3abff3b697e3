"""Many people at one `dcb serve`, reading, searching and saving: how much, how fast, how heavy.

    python benchmarks/load.py [--seconds N] [--clients N] [--snapshots N] [--postgres URL]

Without `--postgres` a PostgreSQL server is started in a temporary folder, with fsync. Each
client is a person with a token of their own in one of five projects; half of them are browsers,
half agents. Every answer is looked at: one that is not what it should be is an error. Prints
requests a second, p50 and p95 of each kind, CPU time a request, and the memory of the server as
it goes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import httpx

# The server of the tests is a module of theirs, beside this folder.
sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.postgres_server import Server

from dcb import document
from dcb.store import Store
from dcb.store.postgres import Shared
from dcb.team import Team
from store import invented

PROJECTS = 5
WORDS = ("泊位调度", "scheduler", "排班", "queues", "nautilus", "超时", "kind:decision 排班")
# Of a hundred requests so many are …
SEARCHES, SAVES = 25, 15
SAMPLES = 10


@dataclass
class Measured:
    """What was asked, how long each took in milliseconds, what went wrong; MB and CPU seconds."""

    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    used: dict[str, float] = field(default_factory=dict)

    def note(self, kind: str, began: float, fault: str) -> None:
        """Count one request."""
        self.took[kind].append((time.perf_counter() - began) * 1000)
        if fault:
            self.errors.append(f"{kind}: {fault}")


@dataclass
class Client:
    """One person's browser or agent."""

    http: httpx.AsyncClient
    agent: bool
    ids: list[str]
    rng: random.Random
    csrf: str = ""
    weights: Iterator[int] = field(default_factory=lambda: itertools.cycle(range(1, 10)))

    async def enter(self, token: str) -> None:
        """Log in, or remember the token."""
        if self.agent:
            self.http.headers["Authorization"] = f"Bearer {token}"
            return
        answer = await self.http.post("/enter", data={"token": token})
        assert answer.status_code == 303, answer.text
        page = (await self.http.get("/timeline")).text
        found = re.search(r'name="csrf" value="([^"]+)"', page)
        assert found is not None
        self.csrf = found[1]

    async def act(self, measured: Measured) -> None:
        """One request of some kind."""
        drawn = self.rng.randrange(100)
        kind = "search" if drawn < SEARCHES else "save" if drawn < SEARCHES + SAVES else "read"
        if kind == "save" and self.agent:
            kind = "read"  # what an agent saves waits in an inbox that has an end
        name = f"{kind}, {'agent' if self.agent else 'browser'}"
        began = time.perf_counter()
        try:
            answer, expected = await self._ask(kind)
            good = answer.status_code in (200, 303) and expected in answer.text
            measured.note(name, began, "" if good else f"{answer.status_code}")
        except httpx.HTTPError as error:
            measured.note(name, began, type(error).__name__)

    async def _ask(self, kind: str) -> tuple[httpx.Response, str]:
        identifier, words = self.rng.choice(self.ids), self.rng.choice(WORDS)
        if kind == "save":
            fields = {"id": identifier, "weight": f"{next(self.weights)}", "csrf": self.csrf}
            return await self.http.post("/snapshot/weight", data=fields), ""
        if self.agent and kind == "search":
            return await self._tool("search_context", query=words), '"isError":false'
        if self.agent:
            return await self._tool("get_snapshot", id=identifier), identifier
        if kind == "search":
            return await self.http.get("/results", params={"q": words}), "<"
        return await self.http.get("/snapshot", params={"id": identifier}), identifier

    async def _tool(self, name: str, **arguments: str) -> httpx.Response:
        call = {"name": name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        accept = {"Accept": "application/json, text/event-stream"}
        return await self.http.post("/mcp", json=body, headers=accept)


def filled(shared: Shared, *, clients: int, snapshots: int) -> list[tuple[str, list[str]]]:
    """People with tokens in projects with snapshots: a token and the ids it may read, for each."""
    team, made = Team(shared), list(invented(snapshots))
    ids = [snapshot.id for snapshot in made]
    run = f"{time.time_ns():x}"
    for number in range(PROJECTS):
        project, owner = f"load-{run}-{number}", f"owner {run} {number}"
        person, place = team.add_person(owner), team.add_project(project)
        team.set_member(project, owner, role="owner")
        with Store(shared.open_for(person, place), now=lambda: 1) as store:
            for snapshot in made:
                store.put(snapshot, document.dump(snapshot))
    entered = []
    for number in range(clients):
        name, project = f"person {run} {number}", f"load-{run}-{number % PROJECTS}"
        team.add_person(name)
        team.set_member(project, name, role="writer")
        entered.append((team.new_token(name, project=project)[1], ids))
    return entered


@contextmanager
def serving(address: str) -> Iterator[tuple[str, int]]:
    """A `dcb serve` without limits of rate: its address and process."""
    command = [sys.executable, "-m", "dcb", "serve", "--port", "0", "--connections", "16"]
    limits = ["--rate", "100000", "--address-rate", "100000"]
    with tempfile.TemporaryFile("w+") as log:
        running = subprocess.Popen(
            [*command, *limits, "--public-url", "http://127.0.0.1"],
            env={**os.environ, "DCB_STORE": address},
            stderr=log,
        )
        try:
            yield _address(running, log), running.pid
        finally:
            running.terminate()
            running.wait(60)


def _address(running: subprocess.Popen[bytes], log: object) -> str:
    name = f"/proc/self/fd/{log.fileno()}"  # type: ignore[attr-defined]
    while running.poll() is None:
        found = re.search(r"at (http://\S+)\n", Path(name).read_text())
        if found:
            return found[1]
        time.sleep(0.05)
    raise SystemExit(Path(name).read_text())


def resident(pid: int) -> float:
    """The resident memory of a process in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def busy(pid: int) -> float:
    """Seconds of CPU that a process and its children have used, those that are gone too."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parts = path.read_text().rpartition(")")[2].split()
            if int(path.parent.name) == pid:
                ticks += sum(map(int, parts[11:15]))
            elif int(parts[1]) == pid:
                ticks += sum(map(int, parts[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


async def load(
    url: str, entered: list[tuple[str, list[str]]], *, seconds: float, memory: Callable[[], float]
) -> Measured:
    """All clients at once for so long."""
    measured = Measured()
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for number, (token, ids) in enumerate(entered):
            http = await stack.enter_async_context(
                # The Host is that of the public address: no other is answered.
                httpx.AsyncClient(base_url=url, timeout=60, headers={"Host": "127.0.0.1"})
            )
            client = Client(http, bool(number % 2), ids, random.Random(number))
            await client.enter(token)
            clients.append(client)
        until = time.perf_counter() + seconds
        await asyncio.gather(
            *(_busy(client, measured, until) for client in clients),
            _weigh(measured, until, seconds / SAMPLES, memory),
        )
    return measured


async def _busy(client: Client, measured: Measured, until: float) -> None:
    while time.perf_counter() < until:
        await client.act(measured)


async def _weigh(
    measured: Measured, until: float, every: float, memory: Callable[[], float]
) -> None:
    measured.memory.append(memory())
    while time.perf_counter() < until:
        await asyncio.sleep(every)
        measured.memory.append(memory())


def show(measured: Measured, *, clients: int, seconds: float) -> None:
    """Print the figures."""
    asked = sum(map(len, measured.took.values()))
    print(f"{clients} clients, {seconds:g} s: {asked:,} requests, {asked / seconds:.1f} a second, "
          f"{len(measured.errors)} errors")  # fmt: skip
    for kind, took in sorted(measured.took.items()):
        cut = quantiles(took, n=20, method="inclusive") if len(took) > 1 else took * 19
        print(f"{kind:16} {len(took):>7,}   p50 {cut[9]:7.1f} ms   p95 {cut[18]:7.1f} ms")
    for name, used in measured.used.items():
        print(f"CPU a request, {name}: {used / max(asked, 1) * 1000:.1f} ms")
    print("memory of the server, MB:", " ".join(f"{size:.0f}" for size in measured.memory))
    for fault in sorted(set(measured.errors)):
        print(f"{measured.errors.count(fault):>6} × {fault}")


def measure(address: str, given: argparse.Namespace, *, database: int = 0) -> int:
    """Fill, load and print; whether anything went wrong. `database` is the process of a server."""
    with Shared(address, size=2) as shared:
        entered = filled(shared, clients=given.clients, snapshots=given.snapshots)
    with serving(address) as (url, pid):
        programs = {"dcb serve": pid} | ({"PostgreSQL": database} if database else {})
        before = {name: busy(number) for name, number in programs.items()}
        measured = asyncio.run(
            load(url, entered, seconds=given.seconds, memory=lambda: resident(pid))
        )
        measured.used = {name: busy(number) - before[name] for name, number in programs.items()}
    show(measured, clients=given.clients, seconds=given.seconds)
    return bool(measured.errors)


def main() -> int:
    """Measure as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--snapshots", type=int, default=100, help="in each of five projects")
    parser.add_argument("--postgres", default="", help="an address, in place of a server of ours")
    given = parser.parse_args()
    if given.postgres:
        return measure(given.postgres, given)
    server = Server.start()
    try:
        postmaster = int((server.data / "postmaster.pid").read_text().split()[0])
        return measure(server.fresh(), given, database=postmaster)
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
