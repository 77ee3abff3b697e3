"""Tokens: 256 random bits that are shown once, of which the store keeps a hash.

A token of that size cannot be guessed, so its hash needs neither salt nor stretching.
"""

from __future__ import annotations

import hashlib
import re
import secrets

PREFIX = "dcb_"
_SHAPE = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


def new() -> str:
    """A token that nobody has had before."""
    return PREFIX + secrets.token_urlsafe(32)


def hashed(token: str) -> bytes | None:
    """Its hash; None for a text that cannot be a token."""
    if not _SHAPE.fullmatch(token):
        return None
    return hashlib.sha256(token.encode()).digest()
