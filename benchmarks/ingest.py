"""How fast a large archive is taken into a store, in how much memory, and with what result.

    python benchmarks/ingest.py                       100,000 messages, made for the run
    python benchmarks/ingest.py --messages 1000000
    python benchmarks/ingest.py --workers 2           compiled by two processes
    python benchmarks/ingest.py --engine ray --workers 2

The archive is an export of conversations of 40 messages (invented, Chinese and English, about
120 characters a message). `dcb ingest` runs as a process of its own, with its default settings.
Peak memory is the system's figure for each process, looked at four times a second; a worker of
Ray counts what it shares with the others. The digest is that of all documents in their order,
without ids, times and checksums: equal results, equal digests. Linux only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

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
        peaks = watched(command, os.environ | {"DCB_DATA_DIR": str(data)})
        seconds = time.perf_counter() - begun
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        store = sum(path.stat().st_size for path in data.rglob("*"))
        print(
            f"{wanted.engine}, {wanted.workers} at once: {wanted.messages:,} messages, "
            f"{archive.stat().st_size / 1e6:.0f} MB: {seconds:.0f} s, "
            f"{wanted.messages / seconds:,.0f} messages/s, "
            f"{used.ru_utime + used.ru_stime:.0f} s CPU of dcb and its own processes, "
            f"store {store / 1e6:.0f} MB"
        )
        print("peak MB:", "; ".join(f"{role} {shown(of)}" for role, of in sorted(peaks.items())))
        print("digest", digest(data))


def watched(command: list[str], environment: dict[str, str]) -> dict[str, dict[int, int]]:
    """Run a command; peak memory in KiB by role and process, of it and all below it."""
    peaks: dict[str, dict[int, int]] = {}
    with subprocess.Popen(command, env=environment) as running:
        while running.poll() is None:
            for pid in below(running.pid):
                role, peak = look(pid, running.pid)
                if role:
                    peaks.setdefault(role, {})[pid] = peak
            time.sleep(0.25)
    if running.returncode:
        raise SystemExit(running.returncode)
    return peaks


def below(root: int) -> list[int]:
    """A process and all that it started, as far as they still run."""
    found = [root]
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, children.read_text().split())
    return found


def look(pid: int, root: int) -> tuple[str, int]:
    """The role of a process ("" for those that do none of the work) and its peak in KiB."""
    try:
        name = Path(f"/proc/{pid}/cmdline").read_bytes()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return "", 0
    peak = re.search(r"VmHWM:\s+(\d+)", status)
    if peak is None:
        return "", 0
    roles = [role for mark, role in ROLES if mark in name]
    return "dcb" if pid == root else (roles or [""])[0], int(peak[1])


def shown(peaks: dict[int, int]) -> str:
    """Peaks in MB, the highest first."""
    return ", ".join(f"{peak / 1024:.0f}" for peak in sorted(peaks.values(), reverse=True))


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
