"""`dcb serve` as a process: behind a real nginx with our recipe, and until it is told to stop."""

from __future__ import annotations

import datetime
import ipaddress
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx
import pytest
from click.testing import CliRunner

pytest.importorskip("psycopg_pool")
pytest.importorskip("prometheus_client")

from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from dcb.cli import cli
from dcb.store.postgres import Shared
from dcb.team import Team
from tests.postgres_server import Server
from tests.served import Served, csrf_of, settle

DEPLOY = Path(__file__).parent.parent / "deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
NAME = "memory.example.org"


@dataclass
class Process:
    """A running `dcb serve`. `url` is where it listens."""

    process: subprocess.Popen
    url: str
    token: str

    def stop(self) -> tuple[int, list[dict]]:
        """Its status after SIGTERM, and its log."""
        self.process.send_signal(signal.SIGTERM)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, [json.loads(line) for line in said.splitlines()]


@contextmanager
def process(postgres: Server, *, public_url: str) -> Iterator[Process]:
    """A server over a store with Ada, Bo and Cy, and a token of Ada's."""
    address = postgres.fresh()
    with Shared(address, size=1) as shared:
        team = Team(shared)
        settle(Served(None, team, shared, address))
        token = team.new_token("Ada")[1]
    command = [sys.executable, "-m", "dcb", "serve", "--port", "0", "--public-url", public_url]
    environment = {**os.environ, "DCB_STORE": address}
    with subprocess.Popen(
        [*command, "--trusted-proxy", "127.0.0.1"],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as running:
        try:
            first = running.stderr.readline()
            found = re.search(r"at (http://127\.0\.0\.1:\d+)$", first.strip())
            assert found is not None, first + running.stderr.read()
            yield Process(running, found[1], token)
        finally:
            with suppress(ProcessLookupError):
                running.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# --- behind nginx ------------------------------------------------------------------------


def certificate(folder: Path) -> Path:
    """A certificate for 127.0.0.1, signed by itself, beside its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    (folder / "certificate.pem").write_bytes(made.public_bytes(pem))
    return folder / "certificate.pem"


def recipe(folder: Path, *, port: int, behind: str) -> Path:
    """Our recipe with other names, ports and certificates, and nginx's own settings around it."""
    text = (DEPLOY / "nginx.conf").read_text()
    for given, other in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(folder / "certificate.pem")),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(folder / "key.pem")),
        ("127.0.0.1:8765", behind.removeprefix("http://")),
    ):
        assert given in text, given
        text = text.replace(given, other)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    whole.write_text(
        f"{'user root;' if os.geteuid() == 0 else ''} worker_processes 1; daemon off;\n"
        f"pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}\n{text}\n}}\n"
    )
    return whole


@contextmanager
def nginx(configuration: Path, *, port: int) -> Iterator[None]:
    running = subprocess.Popen([NGINX, "-p", str(configuration.parent), "-c", str(configuration)])
    try:
        while running.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
        assert running.poll() is None, (configuration.parent / "error.log").read_text()
        yield
    finally:
        running.terminate()
        running.wait(10)


@pytest.fixture(scope="module")
def behind_nginx(postgres: Server, tmp_path_factory) -> Iterator[tuple[str, ssl.SSLContext, str]]:
    """Address, what to trust, and a token of Ada's."""
    if NGINX is None:
        pytest.skip("nginx is not installed")
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    trusted = ssl.create_default_context(cafile=str(certificate(folder)))
    url = f"https://127.0.0.1:{port}"
    with (
        process(postgres, public_url=url) as server,
        nginx(recipe(folder, port=port, behind=server.url), port=port),
    ):
        yield url, trusted, server.token


def test_one_logs_in_and_searches_through_nginx(behind_nginx):
    url, trusted, token = behind_nginx
    with httpx.Client(base_url=url, verify=trusted, headers={"Accept": "text/html"}) as client:
        assert client.get("/").status_code == 401
        answer = client.post("/enter", data={"token": token})
        assert answer.status_code == 303
        assert "__Host-dcb_session" in answer.headers["set-cookie"]
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        found = client.get("/?q=Redis")
        assert "/snapshot?id=0199-0001" in found.text
        changed = client.post(
            "/snapshot/weight",
            data={"id": "0199-0001", "weight": "2", "csrf": csrf_of(found.text)},
        )
        assert changed.status_code == 303


def test_an_agent_initializes_and_calls_a_tool_through_nginx(behind_nginx):
    url, trusted, token = behind_nginx

    async def main():
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx.AsyncClient(verify=trusted, headers=headers, timeout=60) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
        ):
            answer = await client.call_tool("list_snapshots", {})
            return [one["id"] for one in answer.structured_content["snapshots"]]

    assert anyio.run(main) == ["0199-0001"]


def test_the_figures_stay_behind_nginx(behind_nginx):
    url, trusted, _ = behind_nginx
    assert httpx.get(f"{url}/metrics", verify=trusted).status_code == 404


def test_another_host_is_refused_through_nginx(behind_nginx):
    url, trusted, _ = behind_nginx
    answer = httpx.get(f"{url}/enter", verify=trusted, headers={"Host": "evil.example"})
    assert answer.status_code == 421


# --- its end -----------------------------------------------------------------------------


def test_what_runs_is_answered_before_the_server_stops(postgres):
    """A body that is still arriving when SIGTERM comes is read, and what it asks for is done."""
    with process(postgres, public_url="http://127.0.0.1:8765") as server:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
        head = (
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8765\r\nConnection: close\r\n"
            f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        port = int(server.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall((head + body[:10]).encode())
            httpx.get(f"{server.url}/healthz")  # the request before it was seen by then
            stopped: list = []
            stopping = threading.Thread(target=lambda: stopped.append(server.stop()))
            stopping.start()
            while _listens(port):
                pass
            connection.sendall(body[10:].encode())
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        stopping.join()
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"search_context" in answer
    status, lines = stopped[0]
    assert status in (0, -signal.SIGTERM)
    assert [(line["route"], line["status"]) for line in lines] == [("health", 200), ("mcp", 200)]
    assert set(lines[-1]) == {"time", "event", "route", "status", "ms", "person"}


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


# --- what it refuses ---------------------------------------------------------------------


def refused(address: str, *arguments: str) -> str:
    result = CliRunner(env={"DCB_STORE": address}).invoke(cli, ["serve", *arguments])
    assert result.exit_code == 1, result.output
    return result.stderr


def test_a_superuser_is_not_served(postgres):
    said = refused(postgres.superuser, "--public-url", "https://memory.example.org")
    assert re.fullmatch(
        r"dcb: The role for postgresql://127\.0\.0\.1:\d+/postgres is a superuser or has BYPASSRLS, "
        r"so nothing would keep projects apart; give a role without these\n",
        said,
    )


@pytest.mark.parametrize(
    "given",
    ["memory.example.org", "http://memory.example.org", "https://a/b", "https://u@a", "ftp://a"],
)
def test_a_public_address_is_one_that_browsers_can_trust(postgres, given):
    assert refused("postgresql://127.0.0.1:1/x", "--public-url", given) == (
        f"dcb: {given!r} cannot be the public address; give what browsers will open, as "
        "https://memory.example.org (http only for this machine itself)\n"
    )


def test_a_store_in_a_folder_is_not_served():
    assert refused("", "--public-url", "https://memory.example.org") == (
        "dcb: This is for a store on PostgreSQL: set DCB_STORE=postgresql://ROLE@HOST/DATABASE\n"
    )


def test_a_proxy_is_named_by_its_address():
    said = refused(
        "postgresql://127.0.0.1:1/x", "--public-url", "https://a", "--trusted-proxy", "nginx"
    )
    assert said == (
        "dcb: 'nginx' is not an address; give that of the proxy, as --trusted-proxy 127.0.0.1\n"
    )
