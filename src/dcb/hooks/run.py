"""One call by an agent -> a saved session or a brief, and never a burden on the agent.

Whatever goes wrong, a hook prints nothing and ends well; what it did is a line in the log.
It holds the agent up no longer than its limit. Saving may take longer than that: it is done
by a process of its own, which lives for this one task and has a limit as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dcb.errors import DcbError, RequestError
from dcb.hooks import log, project
from dcb.hooks.agent import Agent, answer
from dcb.library import Library
from dcb.model import Conversation
from dcb.store.lock import held

STARTING = 0.5
"""What it takes to get as far as this module, in seconds; it counts toward the limit."""

SAVING_SECONDS = 120.0
"""How long a save may go on beside the agent."""

_MOST = 5  # snapshots in one brief of a project


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """What the agent says when it calls."""

    session: str
    transcript: str
    folder: Path
    source: str  # at a session's start: startup, resume, clear, compact


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What a hook did, in words for the log, and what it prints."""

    outcome: str
    text: str = ""


def parse(text: bytes) -> Call:
    """The JSON object that an agent gives to its hooks. Raises RequestError."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise RequestError("A hook is called with a JSON object on standard input")
    return Call(
        session=_text(said, "session_id"),
        transcript=_text(said, "transcript_path"),
        folder=Path(_text(said, "cwd") or Path.cwd()),
        source=_text(said, "source"),
    )


def _text(said: dict[str, Any], key: str) -> str:
    value = said.get(key)
    return value if isinstance(value, str) else ""


# --- what is done ----------------------------------------------------------------------


def save(
    library: Library, agent: Agent, call: Call, *, limits: Mapping[str, int] | None, **options: Any
) -> Done:
    """Compile and store the session; `options` are those of `compile_conversation`."""
    if not call.transcript:
        return Done(outcome="no-transcript")
    tags = (project.tag(call.folder),)
    changes = [
        library.keep_conversation(conversation, tags=tags, **options).change
        for conversation in _conversations(agent, call, limits)
    ]
    best = next((name for name in ("changed", "new", "same") if name in changes), "nothing")
    return Done(outcome=best)


def _conversations(
    agent: Agent, call: Call, limits: Mapping[str, int] | None
) -> Iterator[Conversation]:
    from dcb.read import read_items

    for item in read_items(call.folder / call.transcript, format=agent.format, limits=limits):
        if isinstance(item, Conversation) and item.messages:
            yield item


def recall(
    library: Library, agent: Agent, call: Call, *, lang: Literal["en", "zh"], limit: int
) -> Done:
    """The brief of the project: what was saved last comes first, as far as there is room.

    A resumed session still has all it was told. After compaction the session itself is first.
    """
    if call.source == "resume":
        return Done(outcome="resumed")
    rows = library.accepted(tag=project.tag(call.folder), limit=_MOST)
    briefs = library.briefs(
        [row.id for row in sorted(rows, key=lambda row: row.conversation_id != call.session)],
        limit=limit,
        characters=agent.characters,
        lang=lang,
    )
    text = answer("\n".join(briefs)) if briefs else ""
    return Done(outcome=f"brief-of-{len(briefs)}", text=text)


# --- how it is done --------------------------------------------------------------------


def guarded(
    work: Callable[[], Done], *, seconds: float, note: Callable[[str, float], None]
) -> Done:
    """What `work` gives; a failure is an outcome, and after `seconds` the process ends.

    The end comes in the middle of anything, as a power cut would: the store bears it.
    """
    begun = time.monotonic()
    once = threading.Lock()

    def leave() -> None:
        if once.acquire(blocking=False):
            note("timeout", time.monotonic() - begun)
            os._exit(0)

    watch = threading.Timer(seconds, leave)
    watch.daemon = True
    watch.start()
    try:
        done = work()
    except Exception as error:
        done = Done(outcome=_failure(error))
    once.acquire()
    watch.cancel()
    note(done.outcome, time.monotonic() - begun)
    return done


def _failure(error: Exception) -> str:
    """A failure in one word that tells nothing of what was read."""
    code = error.code if isinstance(error, DcbError) else type(error).__name__
    return f"failed:{code}"


def patience(event: str, seconds: float) -> float:
    """How long to look on while another process saves: nobody waits for the end of a session,
    but a compaction should not begin before its save is done.
    """
    return max(seconds - 2 * STARTING, 0) if event.startswith("Pre") else 0


@contextmanager
def one_at_a_time(data_dir: Path) -> Iterator[None]:
    """Saves of one store go one after another, so that no session is ever stored twice."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with held(data_dir / "hooks.lock", patience=SAVING_SECONDS / 2):
        yield


def hand_over(words: list[str], said: bytes, *, wait: float) -> Done:
    """Let another process do the work; look on for `wait` seconds, then let it finish alone."""
    # -P and another folder: the project's own files must never be taken for modules.
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "dcb", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(sys.executable).parent,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    assert child.stdin is not None
    child.stdin.write(said)
    child.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        child.wait(wait)
    return Done(outcome="")


def noting(data_dir: Path, agent: str, event: str) -> Callable[[str, float], None]:
    """A writer of log lines for one call; an empty outcome is told by another process."""

    def note(outcome: str, seconds: float) -> None:
        if outcome:
            log.write(data_dir, agent=agent, event=event, outcome=outcome, seconds=seconds)

    return note
