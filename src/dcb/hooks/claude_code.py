"""Claude Code: `hooks` in `~/.claude/settings.json`, or below `CLAUDE_CONFIG_DIR`.

The hook reads one JSON object: `session_id`, `transcript_path`, `cwd`, `hook_event_name`,
and `source` (startup, resume, clear, compact) at SessionStart, `trigger` at PreCompact,
`reason` at SessionEnd. `timeout` is in seconds, a matcher is a pattern. Exit status 2 blocks,
so ours never ends with it. `hookSpecificOutput.additionalContext` becomes context; beyond
10,000 characters it is put into a file. A resumed session still has its history: no brief.
At exit a hook may be killed after 1.5 s whatever its timeout, so saving outlives it.

Sources: code.claude.com/docs/en/hooks; anthropics/claude-code issues 33706 and 41577.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dcb.hooks.agent import Agent, Event


def config(environment: Mapping[str, str]) -> Path:
    """The person's settings file."""
    folder = environment.get("CLAUDE_CONFIG_DIR")
    return (Path(folder) if folder else Path.home() / ".claude") / "settings.json"


AGENT = Agent(
    name="claude-code",
    title="Claude Code",
    format="claude-code",
    config=config,
    events=(
        Event(name="SessionStart", task="recall", timeout=5, matcher="startup|clear|compact"),
        Event(name="PreCompact", task="save", timeout=5),
        Event(name="SessionEnd", task="save", timeout=5),
    ),
    characters=9_500,
)
