"""Whether the texts of a store lie open or sealed, and the one key that opens them.

A store is open or sealed as a whole. Sealed, it has one salt, so the passphrase is derived
once for all its envelopes, however many; every envelope has a nonce of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dcb.errors import DamagedStore, EnvelopeError, StoreLocked, WrongPassphrase

if TYPE_CHECKING:
    from dcb.store.keeper import Keeper

Ask = Callable[[], str]
"""Gets the passphrase from wherever the person keeps it; called at most once."""

_LOCKED = (
    "The store is encrypted; give its passphrase at the prompt, in DCB_PASSPHRASE or with "
    "--passphrase-fd"
)
# Sealed beside the salt, so that a wrong passphrase is known before anything is written.
_PROOF = "dcb store"


@dataclass(slots=True)
class Box:
    """Wraps texts for the store and unwraps them; asks for the passphrase when first needed."""

    database: Keeper
    ask: Ask | None = field(default=None, repr=False)
    salt: bytes | None = None
    _key: bytes | None = field(default=None, repr=False)

    @staticmethod
    def of(database: Keeper, ask: Ask | None) -> Box:
        """The box of a store as it stands."""
        box = Box(database, ask)
        box.refresh()
        return box

    @staticmethod
    def closed_with(database: Keeper, passphrase: str) -> Box:
        """A new box for a store that is to be sealed with this passphrase."""
        from dcb.envelope import derive, new_salt

        salt = new_salt()
        return Box(database, salt=salt, _key=derive(passphrase, salt))

    @property
    def sealed(self) -> bool:
        """Whether new texts are sealed."""
        return self.salt is not None

    @property
    def indexed(self) -> bool:
        """Whether there is an index to search by: neither of a sealed store, nor for a guest."""
        return not (self.sealed or self.database.guest)

    def refresh(self) -> None:
        """Learn whether another program has sealed, opened or rekeyed the store since."""
        text = self._fact("salt")
        salt = bytes.fromhex(text) if text else None
        if salt != self.salt:
            self.salt, self._key = salt, None

    def adopt(self, other: Box) -> None:
        """Take over the key of the box that the store is sealed with now."""
        if other.salt == self.salt:
            self._key = other._key

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Several reads of one state of the store."""
        with self.database.reading():
            self.refresh()
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One write transaction over the store as it stands."""
        with self.database.writing():
            self.refresh()
            yield

    def unlock(self) -> None:
        """Ask for the passphrase now, before a lock is taken.

        Raises StoreLocked when there is none to ask, WrongPassphrase.
        """
        if self.sealed:
            self._open()

    def wrap(self, text: str) -> str:
        """The text as it is to be stored."""
        if self.salt is None:
            return text
        from dcb.envelope import seal_with

        return seal_with(self._open(), self.salt, text)

    def unwrap(self, text: str, *, sealed: bool) -> str:
        """The text that was stored. Raises StoreLocked, WrongPassphrase, DamagedEnvelope."""
        if not sealed:
            return text
        from dcb.envelope import unseal_with

        key = self._open()
        try:
            return unseal_with(key, text)
        except EnvelopeError:
            # The key was proved good, so it is the envelope that is not.
            raise DamagedStore(
                "Something sealed in the store does not open with its key; look at it with: "
                "dcb doctor"
            ) from None

    def wrap_bytes(self, raw: bytes) -> bytes:
        """Bytes as they are to be stored."""
        if self.salt is None:
            return raw
        import base64

        return self.wrap(base64.b64encode(raw).decode()).encode()

    def unwrap_bytes(self, raw: bytes, *, sealed: bool) -> bytes:
        """The bytes that were stored. Raises as `unwrap` does."""
        if not sealed:
            return raw
        import base64

        return base64.b64decode(self.unwrap(raw.decode(), sealed=True))

    def origin(self, format: str, conversation_id: str) -> bytes:
        """A name for a conversation that does not give it away when the store is sealed."""
        name = f"{format}\0{conversation_id}".encode()
        if self.salt is None:
            return hashlib.sha256(name).digest()
        import hmac

        return hmac.digest(self._open(), b"origin\0" + name, "sha256")

    def declare(self) -> None:
        """Write into the store that it is sealed with this box, or lies open."""
        self.database.execute("delete from facts where name in ('salt', 'proof')")
        if self.salt is not None:
            for name, value in (("salt", self.salt.hex()), ("proof", self.wrap(_PROOF))):
                self.database.execute("insert into facts(name, value) values (?,?)", (name, value))

    def _open(self) -> bytes:
        if self._key is None:
            self._key = self._derived()
        return self._key

    def _derived(self) -> bytes:
        from dcb.envelope import derive, spellings

        passphrase = self.ask() if self.ask else ""
        if not passphrase or self.salt is None:
            raise StoreLocked(_LOCKED)
        proof = self._fact("proof") or ""
        for spelling in spellings(passphrase):
            key = derive(spelling, self.salt)
            if _proves(key, proof):
                return key
        raise WrongPassphrase("This passphrase does not open the store; try again")

    def _fact(self, name: str) -> str | None:
        found = self.database.row("select value from facts where name=?", (name,))
        return str(found[0]) if found else None


def _proves(key: bytes, proof: str) -> bool:
    from dcb.envelope import unseal_with

    try:
        return unseal_with(key, proof) == _PROOF
    except EnvelopeError:
        return False
