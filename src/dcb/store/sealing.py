"""Whether the texts of a store lie open or sealed, and the one key that opens them.

A store is open or sealed as a whole. Sealed, it has one salt, so the passphrase is derived
once for all its envelopes, however many; every envelope has a nonce of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from dcb.errors import StoreLocked
from dcb.store.connection import Database

Ask = Callable[[], str]
"""Gets the passphrase from wherever the person keeps it; called at most once."""

_LOCKED = (
    "The store is encrypted; give its passphrase at the prompt, in DCB_PASSPHRASE or with "
    "--passphrase-fd"
)


@dataclass(slots=True)
class Box:
    """Wraps texts for the store and unwraps them; asks for the passphrase when first needed."""

    database: Database
    ask: Ask | None = None
    _key: bytes | None = field(default=None, repr=False)

    @property
    def sealed(self) -> bool:
        """Whether new texts are sealed."""
        return self.fact("salt") is not None

    def wrap(self, text: str) -> str:
        """The text as it is to be stored."""
        return text

    def unwrap(self, text: str, *, sealed: bool) -> str:
        """The text that was stored. Raises StoreLocked without a passphrase."""
        if sealed:
            raise StoreLocked(_LOCKED)
        return text

    def wrap_bytes(self, raw: bytes) -> bytes:
        """Bytes as they are to be stored."""
        return raw

    def unwrap_bytes(self, raw: bytes, *, sealed: bool) -> bytes:
        """The bytes that were stored. Raises StoreLocked without a passphrase."""
        if sealed:
            raise StoreLocked(_LOCKED)
        return raw

    def origin(self, format: str, conversation_id: str) -> bytes:
        """A name for a conversation that does not give it away when the store is sealed."""
        name = f"{format}\0{conversation_id}".encode()
        return hashlib.sha256(name).digest()

    def fact(self, name: str) -> str | None:
        """One of the store's facts about itself."""
        found = self.database.row("select value from facts where name=?", (name,))
        return str(found[0]) if found else None
