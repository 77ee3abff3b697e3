"""Hooks of coding agents: save a session before it is lost, bring a brief back after.

One small module for each agent says where its configuration lies and when it calls us;
agents whose hooks could not be confirmed from their own documentation are not here.
`snippets/` holds files that a person may give to an agent.
"""

from __future__ import annotations

from dcb.errors import UnknownChoice
from dcb.hooks import claude_code, codex, gemini_cli
from dcb.hooks.agent import Agent
from dcb.hooks.snippets import SNIPPETS, Snippet

__all__ = ["AGENTS", "SNIPPETS", "Agent", "Snippet", "agent", "snippet"]

AGENTS: tuple[Agent, ...] = (claude_code.AGENT, codex.AGENT, gemini_cli.AGENT)


def agent(name: str) -> Agent:
    """The agent of that name. Raises UnknownChoice."""
    for known in AGENTS:
        if known.name == name:
            return known
    raise UnknownChoice("agent", name, (known.name for known in AGENTS))


def snippet(name: str) -> Snippet:
    """The example file of that name. Raises UnknownChoice."""
    for known in SNIPPETS:
        if known.name == name:
            return known
    raise UnknownChoice("example", name, ("project", *(known.name for known in SNIPPETS)))
