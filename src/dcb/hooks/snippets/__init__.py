"""Example files for agents, each with the place where it belongs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Snippet:
    """An example file, kept beside this module."""

    name: str
    file: str
    place: str

    @property
    def text(self) -> str:
        """What is in it."""
        return (Path(__file__).parent / self.file).read_text("utf-8")


SNIPPETS: tuple[Snippet, ...] = (
    Snippet("agents-md", "agents.md", "a section of AGENTS.md, CLAUDE.md or GEMINI.md"),
    Snippet("skill", "skill.md", "~/.claude/skills/dcb/SKILL.md (Claude Code)"),
    Snippet(
        "continue-from", "continue-from.md", "~/.claude/commands/continue-from.md (Claude Code)"
    ),
    Snippet("save-this", "save-this.md", "~/.claude/commands/save-this.md (Claude Code)"),
    Snippet("gemini-command", "continue-from.toml", "~/.gemini/commands/continue-from.toml"),
)
