"""How soon `dcb mcp` answers `initialize`, beside a minimal server of the same SDK.

    python benchmarks/mcp_startup.py [ROUNDS]

Each round starts both programs anew, in turn, and times from the start of the process to
the answer; then, from there, the first search in a store of one snapshot. Prints median and
best of ROUNDS (default 9) in milliseconds and the difference of the medians. Exit status 1
when that is more than half a second.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MINIMAL = """
from mcp.server import MCPServer

server = MCPServer("minimal")

@server.tool()
def hello(name: str) -> str:
    return "hello " + name

server.run()
"""
ALLOWED_MS = 500
EXAMPLE = Path(__file__).parent.parent / "examples" / "chatgpt-export.zip"
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
SEARCH = {"name": "search_context", "arguments": {"query": "greenhouse"}}


def main(rounds: int) -> int:
    """Time both in turn and print one line for each figure."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **{key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "DCB_DATA_DIR": f"{folder}/data",
        }
        minimal = Path(folder) / "minimal.py"
        minimal.write_text(MINIMAL)
        dcb = [sys.executable, "-m", "dcb"]
        subprocess.run(
            [*dcb, "compile", EXAMPLE, "--save"], env=environment, check=True, capture_output=True
        )
        times: dict[str, list[float]] = {"minimal": [], "dcb mcp": [], "first search": []}
        for _ in range(rounds):
            times["minimal"] += _answered([sys.executable, str(minimal)], environment)
            ours = _answered([*dcb, "mcp"], environment, SEARCH)
            times["dcb mcp"].append(ours[0])
            times["first search"].append(ours[1])
    print(f"{'ms':<14} {'median':>8} {'best':>8}")
    for name, values in times.items():
        print(f"{name:<14} {statistics.median(values):>8.0f} {min(values):>8.0f}")
    difference = statistics.median(times["dcb mcp"]) - statistics.median(times["minimal"])
    print(f"{'difference':<14} {difference:>8.0f}  (at most {ALLOWED_MS})")
    return int(difference > ALLOWED_MS)


def _answered(
    command: list[str], environment: dict[str, str], call: dict[str, Any] | None = None
) -> list[float]:
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        _ask(server, 1, "initialize", INITIALIZE)
        times = [(time.perf_counter() - started) * 1000]
        if call:
            started = time.perf_counter()
            _say(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})
            _ask(server, 2, "tools/call", call)
            times.append((time.perf_counter() - started) * 1000)
        assert server.stdin
        server.stdin.close()
    return times


def _ask(server: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]) -> None:
    _say(server, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    assert server.stdout
    answer = json.loads(server.stdout.readline())
    assert "result" in answer, answer


def _say(server: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert server.stdin
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 9))
