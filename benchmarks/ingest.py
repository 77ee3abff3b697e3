"""How fast a large archive is taken into a store, and in how much memory.

    python benchmarks/ingest.py                       100,000 messages, made for the run
    python benchmarks/ingest.py --messages 1000000

The archive is an export of conversations of 40 messages (invented, Chinese and English, about
120 characters a message). `dcb ingest` runs as a process of its own, with its default settings;
CPU seconds and peak memory are the system's figures for it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

LENGTH = 40  # messages of a conversation
SAID = (
    "The nightly import of {thing} takes {n} minutes and the operators wait for it every morning.",
    "We'll use queue {n} for {thing}, the old one goes away at the end of the month.",
    "Never restart {thing} before ticket {n} is closed; somebody has to sign it off first.",
    "{thing}的超时设为 {n} 毫秒，其余不变，等压测结果出来再看要不要调整。",
    "我们决定由{thing}先行，编号 {n}，下周一开始灰度，出问题随时回滚。",
    "I looked at {thing} again: it is {n} rows behind, because retries are not idempotent yet.",
)
THINGS = ("the tide tables", "berth planning", "夜班排班", "报表导出", "the crane log", "权限模型")


def main(arguments: list[str]) -> None:
    """Make an archive, ingest it, print what it took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=100_000)
    wanted = parser.parse_args(arguments).messages
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "conversations.json"
        write(archive, wanted)
        environment = os.environ | {"DCB_DATA_DIR": str(Path(folder) / "data")}
        command = [sys.executable, "-m", "dcb", "ingest", str(archive)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = used.ru_utime + used.ru_stime
        store = sum(path.stat().st_size for path in (Path(folder) / "data").rglob("*"))
        print(done.stdout.strip())
        print(
            f"{wanted:,} messages, {archive.stat().st_size / 1e6:.0f} MB: {seconds:.0f} s CPU, "
            f"{wanted / seconds:,.0f} messages/s, peak {used.ru_maxrss / 1024:.0f} MB, "
            f"store {store / 1e6:.0f} MB"
        )


def write(path: Path, wanted: int) -> None:
    """An export of so many messages, conversation by conversation."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, talk in enumerate(talks(wanted)):
            file.write(",\n" * (number > 0) + json.dumps(talk, ensure_ascii=False))
        file.write("]")


def talks(wanted: int) -> Iterator[dict[str, object]]:
    """Conversations in the form of a Claude.ai export."""
    rng = random.Random(20261202)
    for number in range(wanted // LENGTH):
        yield {
            "uuid": f"talk-{number}",
            "name": f"Talk {number}",
            "chat_messages": [
                {
                    "uuid": f"{number}-{place}",
                    "sender": "assistant" if place % 2 else "human",
                    "text": rng.choice(SAID).format(
                        thing=rng.choice(THINGS), n=rng.randrange(10, 100_000)
                    ),
                    "created_at": "2026-03-01T10:00:00Z",
                }
                for place in range(LENGTH)
            ],
        }


if __name__ == "__main__":
    main(sys.argv[1:])
