"""A connection and its headers -> the address of who asks.

`X-Forwarded-For` can be written by anyone; what it says counts only when the connection
comes from a proxy that the administrator named, and then from the right, where proxies add.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from typing import TYPE_CHECKING

from dcb.errors import RequestError

if TYPE_CHECKING:
    from starlette.types import Scope

FORWARDED = b"x-forwarded-for"


def address(scope: Scope, *, trusted: Collection[str]) -> str:
    """Who asks, as far as it is known for certain."""
    peer: str = (scope.get("client") or ("", 0))[0]
    if peer not in trusted:
        return peer
    for name in reversed(_forwarded(scope)):
        if not _is_address(name):
            return peer
        if name not in trusted:
            return name
    return peer


def is_forwarded(scope: Scope) -> bool:
    """Whether a proxy stands between."""
    return any(name.lower() == FORWARDED for name, _ in scope["headers"])


def checked(given: str) -> str:
    """An address that may be trusted. Raises RequestError."""
    if not _is_address(given):
        raise RequestError(
            f"{given!r} is not an address; give that of the proxy, as --trusted-proxy 127.0.0.1"
        )
    return given


def _forwarded(scope: Scope) -> list[str]:
    said = (v.decode("latin-1") for name, v in scope["headers"] if name.lower() == FORWARDED)
    return [part.strip() for value in said for part in value.split(",")]


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
