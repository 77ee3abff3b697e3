"""How fast a large archive is taken into a store, in how much memory, and with what result.

    python benchmarks/ingest.py                       100,000 messages, made for the run
    python benchmarks/ingest.py --messages 1000000
    python benchmarks/ingest.py --workers 2           compiled by two processes
    python benchmarks/ingest.py --engine ray --workers 2

The archive is an export of conversations of 40 messages (invented, Chinese and English, about
120 characters a message). `dcb ingest` runs as a process of its own, with its default settings.
CPU seconds and peak memory are the system's figures for each process, looked at four times a
second; a process of Ray counts memory that it shares with others. The digest is that of all documents in their order,
without ids, times and checksums: equal results, equal digests. Linux only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

LENGTH = 40  # messages of a conversation
# What the command line of a process says of its part in the work.
ROLES = (
    (b"spawn_main", "workers"),
    (b"ray::", "workers"),
    (b"raylet", "Ray's own"),
    (b"gcs_server", "Ray's own"),
)
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
    parser.add_argument("--engine", default="local")
    parser.add_argument("--workers", type=int, default=1)
    wanted = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        archive, data = Path(folder) / "conversations.json", Path(folder) / "data"
        write(archive, wanted.messages)
        options = ["--engine", wanted.engine, "--workers", str(wanted.workers)]
        command = [sys.executable, "-m", "dcb", "ingest", str(archive), *options]
        begun = time.perf_counter()
        used = watched(command, os.environ | {"DCB_DATA_DIR": str(data)})
        seconds = time.perf_counter() - begun
        store = sum(path.stat().st_size for path in data.rglob("*"))
        print(
            f"{wanted.engine}, {wanted.workers} at once: {wanted.messages:,} messages, "
            f"{archive.stat().st_size / 1e6:.0f} MB: {seconds:.0f} s, "
            f"{wanted.messages / seconds:,.0f} messages/s, store {store / 1e6:.0f} MB"
        )
        for role, of in sorted(used.items()):
            print(f"{role}: {shown(of)}")
        print("digest", digest(data))


class Used(NamedTuple):
    """What a process has used so far."""

    seconds: float  # of a processor
    peak: float  # of memory, MB


def watched(command: list[str], environment: dict[str, str]) -> dict[str, dict[int, Used]]:
    """Run a command; by role and process what it used, and all below it."""
    used: dict[str, dict[int, Used]] = {}
    with subprocess.Popen(command, env=environment) as running:
        while running.poll() is None:
            for pid in below(running.pid):
                with suppress(OSError, IndexError):
                    if role := role_of(pid, running.pid):
                        used.setdefault(role, {})[pid] = used_by(pid)
            time.sleep(0.25)
    if running.returncode:
        raise SystemExit(running.returncode)
    return used


def below(root: int) -> list[int]:
    """A process and all that it started, as far as they still run."""
    found = [root]
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def role_of(pid: int, root: int) -> str:
    """The part of a process in the work; "" for those that have none."""
    if pid == root:
        return "dcb, which reads and stores"
    name = Path(f"/proc/{pid}/cmdline").read_bytes()
    return next((role for mark, role in ROLES if mark in name), "")


def used_by(pid: int) -> Used:
    """As the system counts it. Raises OSError, IndexError for a process that has just ended."""
    counted = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    peak = re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]
    ticks = int(counted[11]) + int(counted[12])
    return Used(ticks / os.sysconf("SC_CLK_TCK"), int(peak) / 1024)


def shown(used: dict[int, Used]) -> str:
    """Seconds in all, and the peak of each process, the highest first."""
    peaks = sorted((of.peak for of in used.values()), reverse=True)
    seconds = sum(of.seconds for of in used.values())
    return f"{seconds:.0f} s CPU, peak " + ", ".join(f"{peak:.0f}" for peak in peaks) + " MB"


def digest(data: Path) -> str:
    """A digest of what the store of a folder holds, whoever gave out ids and times."""
    from dcb.library import Library
    from dcb.settings import Settings

    total = hashlib.sha256()
    with Library(Settings(data_dir=data)) as library:
        rows = library.list(limit=None)
        for row in sorted(rows, key=lambda row: row.seq):
            held = library.get(row.id)
            same = replace(held.snapshot, id="-", created_at=0, checksum="")
            total.update(repr((row.format, row.source_hash, same, held.omitted)).encode())
    return f"{total.hexdigest()[:16]} of {len(rows):,} snapshots"


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
