"""Does search find the conversation that answers a question? hit@1 and hit@5.

    python benchmarks/retrieval.py FOLDER

FOLDER holds `conversations.jsonl` ({id, session_of, messages}) and `questions.jsonl`
({conv, q, evidence: [message id]}), the form of LoCoMo-like sets. Every session becomes a
snapshot, compiled without a budget; the question as asked is the query, among the sessions
of the same dialogue. A hit is any session that holds evidence.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dcb.library import Library
from dcb.model import Conversation, Message
from dcb.settings import Settings


def main(folder: Path) -> None:
    """Print a line for each dialogue and one for all."""
    sessions = defaultdict(list)
    for record in _rows(folder / "conversations.jsonl"):
        sessions[record.get("session_of", record["id"])].append(record)
    questions = defaultdict(list)
    for question in _rows(folder / "questions.jsonl"):
        questions[question["conv"]].append(question)
    print(f"{'dialogue':<14} {'sessions':>8} {'questions':>9} {'hit@1':>6} {'hit@5':>6}")
    total = [0, 0, 0]
    for name, records in sessions.items():
        counts = _dialogue(records, questions[name])
        total = [a + b for a, b in zip(total, counts, strict=True)]
        print(_line(name, len(records), counts))
    print(_line("all", sum(map(len, sessions.values())), total))


def _dialogue(records: list[dict[str, Any]], questions: list[dict[str, Any]]) -> list[int]:
    home = {m["id"]: record["id"] for record in records for m in record["messages"]}
    asked = first = five = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        Library(Settings(data_dir=Path(folder) / "data")) as library,
    ):
        for record in records:
            library.keep_conversation(_conversation(record), max_tokens=None)
        for question in questions:
            wanted = {home[place] for place in question["evidence"] if place in home}
            if not wanted:
                continue
            answer = library.search(question["q"], limit=5, hits=1)
            found = [one.row.conversation_id for one in answer.found]
            asked += 1
            first += bool(wanted & set(found[:1]))
            five += bool(wanted & set(found))
    return [asked, first, five]


def _conversation(record: dict[str, Any]) -> Conversation:
    messages = tuple(
        Message(id=m["id"], role=m["role"], content=m["content"]) for m in record["messages"]
    )
    return Conversation(id=record["id"], title="", format="benchmark", messages=messages)


def _line(name: str, sessions: int, counts: list[int]) -> str:
    asked, first, five = counts
    share = [100 * hits / asked if asked else 0.0 for hits in (first, five)]
    return f"{name:<14} {sessions:>8} {asked:>9} {share[0]:>6.1f} {share[1]:>6.1f}"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, filter(str.strip, lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
