"""Codex: `~/.codex/hooks.json`, or below `CODEX_HOME`; the same shape as Claude Code's.

The hook reads one JSON object: `session_id`, `transcript_path` (may be null), `cwd`,
`hook_event_name`, `model`, and `source` (startup, resume, clear, compact) at SessionStart,
`trigger` at PreCompact. `timeout` is in seconds; at SessionEnd more than 3 is cut to 3 with a
warning. Older versions do not call SessionEnd and pass over its entry; `Stop` is called
after every turn and is left alone. `additionalContext` is whole up to 10,000 characters.
A hook runs only after the person has trusted it (`/hooks`); versions from before hooks were
on by default need `codex_hooks = true` under `[features]` of `config.toml`.

Sources: developers.openai.com/codex/hooks; openai/codex codex-rs/hooks (`schema/generated`,
`src/events/session_start.rs`, `src/engine/discovery.rs`) and pull requests 21272 and 33895.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dcb.hooks.agent import Agent, Event


def config(environment: Mapping[str, str]) -> Path:
    """The person's hooks file."""
    folder = environment.get("CODEX_HOME")
    return (Path(folder) if folder else Path.home() / ".codex") / "hooks.json"


AGENT = Agent(
    name="codex",
    title="Codex",
    format="codex",
    config=config,
    events=(
        Event(name="SessionStart", task="recall", timeout=5, matcher="startup|clear|compact"),
        Event(name="PreCompact", task="save", timeout=5),
        Event(name="SessionEnd", task="save", timeout=3),
    ),
    characters=9_500,
)
