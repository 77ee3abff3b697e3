"""MCP over HTTP: only who knows the token and names this server exactly is let in."""

import os
import re
import subprocess
import sys
from pathlib import Path

import anyio
import httpx
import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from dcb.cli import cli
from dcb.mcp.http import Door

REQUESTS = Path(__file__).parent / "data" / "mcp" / "http"
DOOR = Door.of(8377, "TEST-TOKEN-NOT-SECRET")
TOKEN = "a-token-for-this-test-only"
EXPECTED = {
    "00_valid.http": None,
    "01_rebinding.http": 421,
    "05_host_twice.http": 400,
    "06_origin_evil.http": 403,
    "07_origin_null.http": 403,
    "08_origin_prefix.http": 403,
    "10_text_plain.http": 415,
    "11_no_token.http": 401,
    "12_token_in_url.http": 400,
    "13_same_site_port.http": 403,
    "15_large.http": 413,
}


def scope(raw):
    """A request as an ASGI server hands it on."""
    head = raw.partition(b"\r\n\r\n")[0].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    first, *lines = head.split(b"\n")
    method, target, _ = first.split(b" ")
    pairs = (line.partition(b":") for line in lines if line)
    return {
        "type": "http",
        "method": method.decode(),
        "query_string": target.partition(b"?")[2],
        "headers": [(name.strip().lower(), value.strip()) for name, _, value in pairs],
    }


def test_every_hostile_request_has_a_verdict():
    assert sorted(EXPECTED) == sorted(path.name for path in REQUESTS.iterdir())


@pytest.mark.parametrize("name", EXPECTED)
def test_a_hostile_request_is_not_let_in(name):
    refusal = DOOR.refusal(scope((REQUESTS / name).read_bytes()))
    assert (refusal and refusal[0]) == EXPECTED[name]


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8377.evil.example", "127.0.0.1", "LOCALHOST:8377", "127.0.0.1:83770", ""]
)
def test_a_host_is_compared_whole(host):
    request = scope(b"GET / HTTP/1.1\nHost: %s\n\n" % host.encode())
    assert DOOR.refusal(request) == (421, "This server does not answer to that Host")


@pytest.mark.parametrize(
    "given",
    ["", "TEST-TOKEN-NOT-SECRET", "Basic TEST-TOKEN-NOT-SECRET", "Bearer TEST-TOKEN", "Bearer é"],
)
def test_a_wrong_token_is_refused(given):
    request = scope(b"GET / HTTP/1.1\nHost: localhost:8377\nAuthorization: %s\n\n" % given.encode())
    assert DOOR.refusal(request) == (401, "Send the bearer token that dcb mcp printed at its start")


def test_who_asks_from_elsewhere_learns_nothing_about_the_token():
    for token in (b"wrong", b"TEST-TOKEN-NOT-SECRET"):
        raw = b"GET / HTTP/1.1\nHost: evil.example\nAuthorization: Bearer %s\n\n" % token
        assert DOOR.refusal(scope(raw)) == (421, "This server does not answer to that Host")


def test_the_client_of_the_sdk_is_served_with_the_token_and_no_other(tmp_path):
    environment = {**os.environ, "DCB_DATA_DIR": str(tmp_path), "DCB_MCP_TOKEN": TOKEN}
    command = [sys.executable, "-m", "dcb", "mcp", "--http", "--port", "0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            url = process.stderr.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/mcp", url)
            assert process.stderr.readline() == f"Authorization: Bearer {TOKEN}\n"
            headers = {"Authorization": f"Bearer {TOKEN}"}

            async def main():
                async with (
                    create_mcp_http_client(headers=headers) as http,
                    Client(streamable_http_client(url, http_client=http)) as client,
                ):
                    answer = await client.call_tool("list_snapshots", {})
                    return answer.structured_content

            assert anyio.run(main) == {"snapshots": []}
            ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            for given, status in (
                ({}, 401),
                ({**headers, "Host": "evil.example"}, 421),
                ({**headers, "Origin": "http://localhost:1"}, 403),
            ):
                answer = httpx.post(url, json=ping, headers=given)
                assert answer.status_code == status
                assert answer.headers["cache-control"] == "no-store"
        finally:
            process.terminate()


def test_a_short_token_and_a_taken_port_are_refused(monkeypatch):
    monkeypatch.setenv("DCB_MCP_TOKEN", "short")
    result = CliRunner().invoke(cli, ["mcp", "--http"])
    assert result.stderr == "dcb: DCB_MCP_TOKEN is too short; take 16 characters or more\n"
    monkeypatch.delenv("DCB_MCP_TOKEN")
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(cli, ["mcp", "--http", "--port", port])
    assert result.exit_code == 1
    assert f"Port {port} cannot be used" in result.stderr
