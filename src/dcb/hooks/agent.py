"""What the hooks of one agent are: where its configuration lies and what it calls when."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dcb.errors import UnknownChoice

Task = Literal["save", "recall"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One moment at which the agent calls us.

    `timeout` is in the agent's own unit and above our own limit, which comes first.
    `matcher` is what the agent compares with the cause of the event; empty for all.
    """

    name: str
    task: Task
    timeout: int
    matcher: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Agent:
    """An agent whose configuration is a JSON file with `hooks: {EVENT: [{matcher, hooks}]}`.

    `format` names the reader of its session files. `characters` is how much an answer of a
    hook may hold before the agent cuts it.
    """

    name: str
    title: str
    format: str
    config: Callable[[Mapping[str, str]], Path]
    events: tuple[Event, ...]
    characters: int

    def task(self, event: str) -> Task:
        """What is to be done at an event of that name. Raises UnknownChoice."""
        for known in self.events:
            if known.name == event:
                return known.task
        raise UnknownChoice("event", event, (known.name for known in self.events))

    def groups(self, program: str) -> dict[str, dict[str, Any]]:
        """The entry of each event, calling `program` (quoted for a shell)."""
        return {event.name: self._group(event, program) for event in self.events}

    def is_ours(self, command: str) -> bool:
        """Whether a hook's command is one that `groups` writes, whatever the program."""
        names = "|".join(event.name for event in self.events)
        return re.search(rf" hook run (?:{names}) {re.escape(self.name)}\s*\Z", command) is not None

    def _group(self, event: Event, program: str) -> dict[str, Any]:
        command = f"{program} hook run {event.name} {self.name}"
        handler = {"type": "command", "command": command, "timeout": event.timeout}
        matcher = {"matcher": event.matcher} if event.matcher else {}
        return {**matcher, "hooks": [handler]}


def answer(text: str) -> str:
    """The text as the JSON by which all known agents take context at a session's start.

    Plain text would do for some; but Codex takes a text that begins with a bracket, as a
    brief does, for broken JSON.
    """
    import json

    context = {"hookEventName": "SessionStart", "additionalContext": text}
    return json.dumps({"hookSpecificOutput": context}, ensure_ascii=False)
