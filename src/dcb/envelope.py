"""Text <-> `dcb1` envelope: sealed with a passphrase, opened by nothing else.

`unseal(seal(text, passphrase), passphrase) == text`. An envelope has one spelling only:
number of parts, alphabet and lengths are checked before any key is derived.
The format is docs/format.md, section Envelope.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dcb.errors import DamagedEnvelope, NotAnEnvelope, RequestError, WrongPassphrase

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

PREFIX = "dcb1."
SALT_BYTES = 16

_PARTS = ("salt", "iv", "tag", "ciphertext")
_LENGTHS = {"salt": SALT_BYTES, "iv": 12, "tag": 16}
_OTHER_VERSION = re.compile(r"dcb([0-9]{1,9})\.")
_N, _R, _P, _KEY_BYTES = 2**15, 8, 1, 32
# OpenSSL refuses the 32 MiB that these costs take unless it is allowed more.
_MAX_MEMORY = 64 * 2**20


@dataclass(frozen=True, kw_only=True, slots=True)
class _Envelope:
    salt: bytes
    iv: bytes
    tag: bytes
    ciphertext: bytes


def seal(text: str, passphrase: str) -> str:
    """The text in an envelope with its own salt and nonce."""
    salt = new_salt()
    return seal_with(derive(passphrase, salt), salt, text)


def unseal(envelope: str, passphrase: str, *, begins: str = "") -> str:
    """The text of an envelope.

    A passphrase opens it however its accents were typed (composed or decomposed). Raises
    NotAnEnvelope, DamagedEnvelope, or WrongPassphrase: also for altered data, and for text
    that does not begin as it must, since an envelope can be made that several keys open.
    """
    parts = _parse(envelope)
    for spelling in spellings(passphrase):
        try:
            return _open(parts, derive(spelling, parts.salt), begins)
        except WrongPassphrase:
            continue
    raise WrongPassphrase(_CANNOT_OPEN)


def derive(passphrase: str, salt: bytes) -> bytes:
    """The key for a salt. Slow on purpose: a store derives it once, not once per document."""
    if not passphrase:
        raise RequestError("The passphrase is empty; give at least one character")
    return hashlib.scrypt(
        passphrase.encode("utf-8", "surrogatepass"),
        salt=salt,
        n=_N,
        r=_R,
        p=_P,
        maxmem=_MAX_MEMORY,
        dklen=_KEY_BYTES,
    )


def spellings(passphrase: str) -> tuple[str, ...]:
    """The passphrase as typed, then as systems that compose or decompose accents send it."""
    forms = [unicodedata.normalize("NFC", passphrase), unicodedata.normalize("NFD", passphrase)]
    return tuple(dict.fromkeys([passphrase, *forms]))


def seal_with(key: bytes, salt: bytes, text: str) -> str:
    """The text under a key that was derived from this salt, with a fresh nonce."""
    iv = os.urandom(_LENGTHS["iv"])
    sealed = _cipher(key).encrypt(iv, text.encode(), None)
    tag_at = len(sealed) - _LENGTHS["tag"]
    parts = (salt, iv, sealed[tag_at:], sealed[:tag_at])
    return PREFIX + ".".join(map(_encode, parts))


def unseal_with(key: bytes, envelope: str, *, begins: str = "") -> str:
    """The text of an envelope under a derived key. Raises as `unseal` does."""
    return _open(_parse(envelope), key, begins)


def new_salt() -> bytes:
    """A fresh salt for `derive`."""
    return os.urandom(SALT_BYTES)


def salt_of(envelope: str) -> bytes:
    """The salt of an envelope, for `derive`. Raises NotAnEnvelope or DamagedEnvelope."""
    return _parse(envelope).salt


def is_envelope(text: str) -> bool:
    """Whether the text begins like an envelope; it may still be damaged."""
    return text.startswith(PREFIX)


_CANNOT_OPEN = "Wrong passphrase, or the sealed data was altered: the envelope does not open"


def _open(parts: _Envelope, key: bytes, begins: str) -> str:
    from cryptography.exceptions import InvalidTag

    try:
        text = _cipher(key).decrypt(parts.iv, parts.ciphertext + parts.tag, None).decode()
    except (InvalidTag, UnicodeDecodeError):
        raise WrongPassphrase(_CANNOT_OPEN) from None
    if not text.startswith(begins):
        raise WrongPassphrase(_CANNOT_OPEN)
    return text


def _cipher(key: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)


def _parse(envelope: str) -> _Envelope:
    if not is_envelope(envelope):
        raise NotAnEnvelope(_why_not(envelope))
    parts = envelope.removeprefix(PREFIX).split(".")
    if len(parts) != len(_PARTS):
        raise DamagedEnvelope(
            f"The envelope has {len(parts) + 1} parts instead of {len(_PARTS) + 1}; "
            "copy it again, whole"
        )
    return _Envelope(**{name: _part(name, part) for name, part in zip(_PARTS, parts, strict=True)})


def _why_not(text: str) -> str:
    other = _OTHER_VERSION.match(text)
    if other is not None:
        return f"This is a dcb{other[1]} envelope, and this version of dcb opens dcb1: update dcb"
    return "This is no envelope: it does not begin with 'dcb1.'"


def _part(name: str, part: str) -> bytes:
    data = _decode(part)
    if data is None:
        raise DamagedEnvelope(f"The envelope's {name} is not base64url without padding")
    length = _LENGTHS.get(name, len(data))
    if len(data) != length:
        raise DamagedEnvelope(f"The envelope's {name} has {len(data)} bytes instead of {length}")
    return data


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _decode(part: str) -> bytes | None:
    # Python's decoder drops foreign characters and ignores spare bits: only what would be
    # written again the same way is taken.
    try:
        data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except (binascii.Error, ValueError):
        return None
    return data if _encode(data) == part else None
