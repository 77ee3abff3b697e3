"""How fast, and in how much memory of its own, large exports are read.

    python benchmarks/readers.py                      100 MB of each format, made for the run
    python benchmarks/readers.py --megabytes 500
    python benchmarks/readers.py conversations.json   a file of yours

Each reader runs as a process of its own. CPU seconds are the system's figures for it; memory
is the peak of what is private to it (RssAnon; a mapped file is the page cache's). `json.load`,
`ijson` and Node's `JSON.parse` run beside it where they are installed and know the file.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

TEXT = (
    "the queue keeps order and retries with jitter while 数据 写入 磁盘 之后 再 确认 "
    "we decided on port 5433 because of latency budget and page size 50 for every list"
)
WORDS = TEXT.split()

DCB = """
import sys
from dcb.readers import read_all
from dcb.sources import open_source
talks = messages = 0
for item in read_all(open_source(sys.argv[1])):
    talks += 1
    messages += len(getattr(item, "messages", ()))
print(f"{talks} conversations, {messages} messages")
"""
JSON_LOAD = """
import json, sys
with open(sys.argv[1], encoding="utf-8") as stream:
    print(f"{len(json.load(stream))} items")
"""
JSON_LINES = """
import json, sys
with open(sys.argv[1], "rb") as stream:
    print(f"{sum(1 for line in stream if json.loads(line))} rows")
"""
IJSON = """
import sys, ijson
with open(sys.argv[1], "rb") as stream:
    print(f"{sum(1 for _ in ijson.items(stream, 'item'))} items")
"""
# A string of Node holds 512 MB at most, so lines are parsed one by one.
NODE_PARSE = """
const fs = require('fs');
console.log(JSON.parse(fs.readFileSync(process.argv[1], 'utf8')).length + ' items');
"""
NODE_LINES = """
const lines = require('readline').createInterface(
    {input: require('fs').createReadStream(process.argv[1]), crlfDelay: Infinity});
let rows = 0;
lines.on('line', line => { JSON.parse(line); rows += 1; });
lines.on('close', () => console.log(rows + ' rows'));
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--megabytes", type=int, default=100)
    options = parser.parse_args()
    for path in options.files:
        report(path)
    if options.files:
        return
    for name, make in MADE.items():
        with tempfile.TemporaryDirectory(prefix="dcb-bench-") as folder:
            path = Path(folder, name)
            with path.open("w", encoding="utf-8") as stream:
                make(stream, options.megabytes * 1_000_000)
            report(path)


def report(path: Path) -> None:
    size = path.stat().st_size / 1e6
    print(f"{path.name}, {size:.0f} MB")
    for name, command in commands(path):
        seconds, private, output = measured([*command, str(path)])
        speed = size / seconds if seconds else 0
        print(f"  {name:<18} {seconds:7.2f} s CPU {speed:7.0f} MB/s {private:7.0f} MB  {output}")


def commands(path: Path) -> Iterator[tuple[str, list[str]]]:
    python = [sys.executable, "-c"]
    lines = path.suffix == ".jsonl"
    yield "dcb", [*python, DCB]
    yield "json", [*python, JSON_LINES if lines else JSON_LOAD]
    if importlib.util.find_spec("ijson") and not lines:
        yield "ijson", [*python, IJSON]
    if shutil.which("node"):
        node = ["node", "--max-old-space-size=8192", "-e"]
        yield "node JSON.parse", [*node, NODE_LINES if lines else NODE_PARSE]


def measured(command: list[str]) -> tuple[float, float, str]:
    """CPU seconds, peak of private memory in MB, and the last line of output."""
    before = os.times()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    peak = 0
    while process.poll() is None:
        peak = max(peak, private_bytes(process.pid))
        time.sleep(0.005)
    output = process.stdout.read() if process.stdout else ""
    after = os.times()
    seconds = after.children_user + after.children_system
    seconds -= before.children_user + before.children_system
    return seconds, peak / 1e6, (output.strip().splitlines() or ["nothing"])[-1][:100]


def private_bytes(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    for line in status.splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def make_chatgpt(stream: IO[str], size: int) -> None:
    """An export of conversations of 4 to 60 messages with hidden nodes and tool calls."""
    chance = random.Random(1)
    stream.write("[")
    for number in until(stream, size):
        stream.write(",\n" if number else "")
        json.dump(conversation(chance, number), stream, ensure_ascii=False)
    stream.write("]")


def conversation(chance: random.Random, number: int) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    parent = None
    for place in range(chance.randrange(4, 60)):
        key = f"{number:08x}-{place:04x}-4000-8000-{chance.randrange(1 << 40):012x}"
        role = "user" if place % 2 == 0 else chance.choice(["assistant", "assistant", "tool"])
        at = 1.7e9 + number * 100 + place
        message = {
            "id": key,
            "author": {"role": role, "name": None, "metadata": {}},
            "create_time": at,
            "update_time": None,
            "content": {"content_type": "text", "parts": [prose(chance, 300)]},
            "status": "finished_successfully",
            "end_turn": True,
            "weight": 1.0,
            "metadata": {"model_slug": "gpt-5", "finish_details": {"type": "stop"}},
            "recipient": "all",
            "channel": None,
        }
        mapping[key] = {"id": key, "message": message, "parent": parent, "children": []}
        if parent:
            mapping[parent]["children"].append(key)
        parent = key
    return {
        "title": prose(chance, 6),
        "create_time": 1.7e9 + number * 100,
        "update_time": 1.7e9 + number * 100 + 99,
        "mapping": mapping,
        "current_node": parent,
        "conversation_id": f"c{number}",
        "id": f"c{number}",
    }


def make_claude_code(stream: IO[str], size: int) -> None:
    """One session: prompts, answers, tool calls and their large results."""
    chance = random.Random(1)
    parent = None
    for number in until(stream, size):
        kind = ("user", "assistant", "assistant", "result", "assistant", "result")[number % 6]
        uuid = f"{number:08x}-0000-4000-8000-{chance.randrange(1 << 40):012x}"
        row = {
            "parentUuid": parent,
            "isSidechain": False,
            "cwd": "/home/someone/project",
            "sessionId": "5a1f6d0e-0000-4000-8000-000000000001",
            "version": "2.1.40",
            "type": "user" if kind in ("user", "result") else "assistant",
            "message": claude_message(chance, kind, number),
            "uuid": uuid,
            "timestamp": f"2026-03-03T{number // 3600 % 24:02}:{number // 60 % 60:02}"
            f":{number % 60:02}.000Z",
        }
        if kind == "result":
            row["toolUseResult"] = {"stdout": prose(chance, 700), "interrupted": False}
        json.dump(row, stream, ensure_ascii=False)
        stream.write("\n")
        parent = uuid


def claude_message(chance: random.Random, kind: str, number: int) -> dict[str, Any]:
    if kind == "user":
        return {"role": "user", "content": prose(chance, 40)}
    if kind == "result":
        block = {"type": "tool_result", "tool_use_id": "t", "content": prose(chance, 700)}
        return {"role": "user", "content": [block]}
    block = {"type": "text", "text": prose(chance, 60)}
    if number % 2 == 0:
        block = {"type": "tool_use", "id": "t", "name": "Read", "input": {"path": "a/b.py"}}  # type: ignore[dict-item]
    return {"id": f"msg_{number}", "role": "assistant", "model": "m", "content": [block]}


def until(stream: IO[str], size: int) -> Iterator[int]:
    """0, 1, 2 … until so many bytes are written."""
    number = 0
    while number % 64 or stream.tell() < size:
        yield number
        number += 1


def prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randrange(words // 2, words * 2)))


MADE: dict[str, Callable[[IO[str], int], None]] = {
    "conversations.json": make_chatgpt,
    "5a1f6d0e-0000-4000-8000-000000000001.jsonl": make_claude_code,
}


if __name__ == "__main__":
    main()
