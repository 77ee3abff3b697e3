"""Gemini CLI: `hooks` in `~/.gemini/settings.json`.

The hook reads one JSON object: `session_id`, `transcript_path`, `cwd`, `hook_event_name`,
`timestamp`, and `source` (startup, resume, clear) at SessionStart, `trigger` at PreCompress,
`reason` at SessionEnd. `timeout` is in milliseconds. A matcher of these events is one exact
word, so there is none and a resumed session is told by its `source`. Nothing is called after
a compression: the session is saved before it, and the brief comes at the next start only.

Source: google-gemini/gemini-cli docs/hooks/reference.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dcb.hooks.agent import Agent, Event


def config(environment: Mapping[str, str]) -> Path:
    """The person's settings file."""
    return Path.home() / ".gemini" / "settings.json"


AGENT = Agent(
    name="gemini-cli",
    title="Gemini CLI",
    format="gemini-cli",
    config=config,
    events=(
        Event(name="SessionStart", task="recall", timeout=5_000),
        Event(name="PreCompress", task="save", timeout=5_000),
        Event(name="SessionEnd", task="save", timeout=5_000),
    ),
    characters=9_500,
)
