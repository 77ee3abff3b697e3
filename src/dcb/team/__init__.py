"""Who may use a shared store: people, projects, roles, tokens, and the log of what they did.

`Team` is for who keeps the store and may do all of it; `Gate` is for a server that asks who
holds a token and what that person may do. Both work in transactions of the store's pool,
and nothing is remembered between two of them.
"""

from dcb.team.gate import Gate, Holder, Place
from dcb.team.keeping import Team
from dcb.team.words import ROLES, SCOPES, Role, Scope, lesser, writes

__all__ = [
    "ROLES",
    "SCOPES",
    "Gate",
    "Holder",
    "Place",
    "Role",
    "Scope",
    "Team",
    "lesser",
    "writes",
]
