"""The closed sets of a team: roles, scopes of tokens, and which of two allows less."""

from __future__ import annotations

import re
from typing import Literal

from dcb.errors import RequestError

Role = Literal["guest", "reader", "writer", "owner"]
"""What a person may do in a project; a guest sees the snapshots that were shared, and no more."""
Scope = Literal["read", "write", "owner"]
"""The most that a token allows, whatever role its person has."""

ROLES: tuple[Role, ...] = ("reader", "writer", "owner")
SCOPES: tuple[Scope, ...] = ("read", "write", "owner")

_MOST: dict[Scope, Role] = {"read": "reader", "write": "writer", "owner": "owner"}
_ORDER: tuple[Role, ...] = ("guest", *ROLES)
# It stands in addresses.
_PROJECT = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_LONGEST = 100


def lesser(role: Role, scope: Scope) -> Role:
    """What a person of that role may do with a token of that scope."""
    return min(role, _MOST[scope], key=_ORDER.index)


def writes(role: Role) -> bool:
    """Whether that role may change anything."""
    return role in ("writer", "owner")


def project_name(given: str) -> str:
    """A name that a project may have. Raises RequestError."""
    if not _PROJECT.fullmatch(given):
        raise RequestError(
            f"{given!r} cannot be the name of a project; take up to 64 of a-z, 0-9, . _ - "
            "and begin with a letter or digit"
        )
    return given


def person_name(given: str) -> str:
    """A name that a person may have. Raises RequestError."""
    if not given.strip() or not given.isprintable() or len(given) > _LONGEST:
        raise RequestError(
            f"{given!r} cannot be the name of a person; take 1 to {_LONGEST} printable characters"
        )
    return given
