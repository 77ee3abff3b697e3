"""`dcb mcp` as a client starts it: a program that speaks JSON-RPC and nothing else."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from dcb.cli import cli
from dcb.library import Library
from dcb.settings import Settings

FRAMES = Path(__file__).parent / "data" / "mcp" / "frames"
DCB = [sys.executable, "-m", "dcb", "mcp"]
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Raw:
    """The other end of the pipe: lines out, lines in."""

    def __init__(self, process):
        self.process = process

    def write(self, raw):
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def ask(self, number, method, params=None):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
        self.write(json.dumps(message).encode() + b"\n")
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == number:
                return answer


@contextmanager
def started(folder, *options):
    environment = {**os.environ, "DCB_DATA_DIR": str(folder), "PYTHONWARNINGS": "always"}
    with subprocess.Popen(
        [*DCB, *options],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        raw = Raw(process)
        raw.ask(0, "initialize", HELLO)
        raw.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        try:
            yield raw
        finally:
            process.kill()


# What each hostile frame must lead to: words of the answer to id 1, or None for any answer.
EXPECTED = {
    "00_valid.json": '"found":[]',
    "01_silent_write.json": "Unknown tool",
    "02_delete.json": "Unknown tool",
    "04_limit.json": "Expected `int` <= 50 - at `$.limit`",
    "05_query_long.json": "Expected `str` of length <= 1000 - at `$.query`",
    "06_two_lines.json": '"found":[]',
    "07_no_newline.json": None,
    "09_deep.json": None,
}


def test_hostile_frames_are_survived_and_a_client_that_goes_away_in_a_call_too(tmp_path):
    assert sorted(EXPECTED) == sorted(path.name for path in FRAMES.iterdir())
    with started(tmp_path) as raw:
        for number, (name, expected) in enumerate(EXPECTED.items(), 1000):
            raw.write((FRAMES / name).read_bytes() + b"\n")
            if expected:
                answer = json.loads(raw.process.stdout.readline())
                assert answer["id"] == 1, name
                told = json.dumps(answer, separators=(",", ":"))
                assert expected in told, name
            # `ask` reads every line as JSON until its own answer comes.
            assert "result" in raw.ask(number, "ping"), name
        messages = [{"role": "user", "content": f"Always sail ship {n}."} for n in range(2000)]
        call = {"name": "compile_conversation", "arguments": {"messages": messages}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        raw.write(json.dumps(message).encode() + b"\n")
        raw.process.stdin.close()
        raw.process.stdout.close()
        assert raw.process.wait(timeout=30) == 0


def test_the_client_of_the_sdk_drives_every_tool(tmp_path):
    (tmp_path / "talk.json").write_text(
        json.dumps({"messages": [{"role": "user", "content": "Always moor at pier 7."}]})
    )

    async def main():
        parameters = StdioServerParameters(
            command=sys.executable,
            args=[*DCB[1:], "--allow-write", "--root", str(tmp_path)],
            env={**os.environ, "DCB_DATA_DIR": str(tmp_path / "data")},
        )
        async with Client(stdio_client(parameters)) as client:

            async def call(name, **arguments):
                answer = await client.call_tool(name, arguments)
                assert not answer.is_error, answer
                return answer.structured_content

            draft = (await call("compile_conversation", path="talk.json"))["draft"]
            saved = await call("save_draft", draft=draft)
            assert saved["waiting"] == 1
            # Another process may write while the server runs; here it is this one.
            with Library(Settings(data_dir=tmp_path / "data")) as library:
                library.accept(draft)
            assert (await call("list_snapshots"))["snapshots"][0]["id"] == draft
            assert (await call("search_context", query="pier"))["found"]
            assert (await call("get_snapshot", id=draft))["written_by"].startswith("agent: ")
            assert "pier 7" in (await call("get_brief", id=draft))["brief"]
            merged = await call("merge_context", base=draft, current=draft)
            assert merged["conflicts_in_all"] == 0

    anyio.run(main)


def test_without_the_sdk_one_sentence_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("mcp.", "dcb.mcp"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    result = CliRunner().invoke(cli, ["mcp"])
    assert result.exit_code == 1
    assert result.stderr.startswith("dcb: The MCP server needs the SDK (mcp")
    assert result.stderr.endswith("pip install dialogue-context-bridge[mcp]\n")


@pytest.mark.parametrize("wrong", [["--root", "missing"], ["--port", "99999"]])
def test_a_wrong_option_is_refused_before_anything_starts(wrong):
    assert CliRunner().invoke(cli, ["mcp", *wrong]).exit_code == 2
