"""A session of a coding agent, from start through compaction: what is in the brief after it.

    python benchmarks/hooks.py LABELLED.jsonl

Each line of LABELLED is a conversation with `messages` and `gold` (`kind`, `must_contain`,
`src`, `superseded`). It becomes a growing Claude Code session file; the hooks are called as
the agent calls them, each a process of its own. Prints how many of the directives in force
are in the brief that comes back, how many of all entries, and the seconds of each hook.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Row = dict[str, Any]
PROGRAM = [sys.executable, "-P", "-m", "dcb"]


def main(labelled: str) -> None:
    """One line for each conversation and one for all."""
    found = total = 0
    for line in Path(labelled).read_text("utf-8").splitlines():
        conversation = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            life = Life(Path(folder), conversation)
            brief = life.until_after_compaction()
        kinds = {kind: _share(conversation, kind, brief) for kind in ("directive", "")}
        found += kinds["directive"][0]
        total += kinds["directive"][1]
        seconds = "  ".join(f"{name} {taken:.2f} s" for name, taken in life.seconds.items())
        told = "  ".join(f"{name or 'all'} {a}/{b}" for name, (a, b) in kinds.items())
        print(f"{conversation['id']}: {told}  {seconds}")
    print(f"directives in the brief: {found} of {total}")


def _share(conversation: Row, kind: str, brief: str) -> tuple[int, int]:
    """How many entries of a kind that are in force the brief holds, and how many there are."""
    wanted = [
        entry["must_contain"]
        for entry in conversation["gold"]
        if entry["kind"].startswith(kind) and not entry["superseded"]
    ]
    flat = _flat(brief)
    return sum(_flat(text) in flat for text in wanted), len(wanted)


def _flat(text: str) -> str:
    return "".join(text.replace("\n>", "\n").split())


class Life:
    """One session: its file, its data folder, the seconds that its hooks took."""

    def __init__(self, folder: Path, conversation: Row) -> None:
        self.session = str(uuid.uuid5(uuid.NAMESPACE_URL, conversation["id"]))
        self.file = folder / f"{self.session}.jsonl"
        self.folder = folder
        self.rows = list(_rows(conversation, self.session))
        self.seconds: dict[str, float] = {}
        # From byte code, as installed, whatever this shell says about writing it.
        written = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        cache = {"PYTHONPYCACHEPREFIX": f"{tempfile.gettempdir()}/dcb-benchmark-bytecode"}
        self.environment = {**written, **cache, "DCB_DATA_DIR": str(folder / "data")}

    def until_after_compaction(self) -> str:
        """The context that the agent gets after the compaction."""
        self._append(self.rows[: len(self.rows) // 2])
        self._hook("SessionStart", source="startup")
        self._append(self.rows[len(self.rows) // 2 :])
        self._hook("PreCompact", trigger="auto")
        self._saved()
        self._append(_boundary(self.rows[-1], self.session))
        said = self._hook("SessionStart", source="compact")
        return str(json.loads(said)["hookSpecificOutput"]["additionalContext"])

    def _append(self, rows: list[Row]) -> None:
        with self.file.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def _hook(self, event: str, **more: str) -> str:
        call = {
            "session_id": self.session,
            "transcript_path": str(self.file),
            "cwd": str(self.folder),
            "hook_event_name": event,
            **more,
        }
        begun = time.perf_counter()
        done = subprocess.run(
            [*PROGRAM, "hook", "run", event, "claude-code"],
            input=json.dumps(call),
            capture_output=True,
            text=True,
            check=True,
            env=self.environment,
        )
        self.seconds[f"{event} {next(iter(more.values()))}"] = time.perf_counter() - begun
        return done.stdout

    def _saved(self) -> None:
        """Wait for a save that went on beside the agent; a compaction takes longer than it."""
        begun = time.perf_counter()
        log = self.folder / "data" / "hooks.log"
        while " PreCompact " not in log.read_text() and time.perf_counter() - begun < 60:
            time.sleep(0.05)
        self.seconds["then saving"] = time.perf_counter() - begun


def _rows(conversation: Row, session: str) -> Iterator[Row]:
    parent = None
    for message in conversation["messages"]:
        if message["role"] in ("user", "assistant"):
            row = _row(message["role"], message["content"], parent, session, message.get("at", 0))
            parent = row["uuid"]
            yield row


def _row(kind: str, text: str, parent: str | None, session: str, at: int) -> Row:
    return {
        "type": kind,
        "uuid": str(uuid.uuid4()),
        "parentUuid": parent,
        "sessionId": session,
        "timestamp": datetime.fromtimestamp(at / 1000, UTC).isoformat(),
        "message": {"role": kind, "content": text},
    }


def _boundary(last: Row, session: str) -> list[Row]:
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": str(uuid.uuid4()),
        "parentUuid": None,
        "logicalParentUuid": last["uuid"],
        "sessionId": session,
        "timestamp": last["timestamp"],
        "content": "Conversation compacted",
    }
    summary = _row("user", "This session is being continued …", boundary["uuid"], session, 0)
    return [boundary, {**summary, "isCompactSummary": True, "timestamp": last["timestamp"]}]


if __name__ == "__main__":
    main(sys.argv[1])
