"""The tree of everything dcb raises.

    DcbError
    ├── RequestError            what was asked for cannot be done as asked
    │   ├── UnknownChoice       a value outside a closed set; the known ones are listed
    │   ├── NotFound            no snapshot, draft or conversation of that name
    │   └── Ambiguous           several match; the candidates are listed
    ├── SourceError             an input could not be read
    │   ├── UnknownFormat       no reader takes it
    │   ├── EmptySource         it holds no conversation
    │   ├── DamagedSource       it is cut or broken beyond the damaged item
    │   └── LimitExceeded       it is larger or deeper than a setting allows
    ├── ModelError              a value that no snapshot can hold
    ├── DocumentError           text that is not a snapshot document (line, column)
    ├── EnvelopeError
    │   ├── NotAnEnvelope
    │   ├── DamagedEnvelope
    │   └── WrongPassphrase     wrong passphrase or altered data: GCM cannot tell them apart
    ├── StoreError
    │   ├── NewerStore          written by a newer dcb
    │   ├── DamagedStore        a row or page does not match its hash
    │   ├── StoreLocked         another process holds it, or it needs a passphrase
    │   └── StoreUnwritable     full disk, read-only folder
    └── EngineError             other processes could not be given work, or died over it

Library code raises these; front ends print `str(error)` and choose the exit status.
Every class carries a stable `code` that programs may compare.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar


class DcbError(Exception):
    """The root: one sentence that says what is wrong, where, and what to do."""

    code: ClassVar[str] = "dcb"


class RequestError(DcbError):
    """A request that cannot be done as asked."""

    code: ClassVar[str] = "request"


class UnknownChoice(RequestError):
    """A value outside a closed set."""

    code: ClassVar[str] = "request.choice"

    def __init__(self, what: str, value: str, known: Iterable[str]) -> None:
        super().__init__(f"Unknown {what} {value!r}; choose one of: {', '.join(known)}")


class NotFound(RequestError):
    """Nothing of that name."""

    code: ClassVar[str] = "request.not-found"


class Ambiguous(RequestError):
    """Several things answer to that name; the message lists them."""

    code: ClassVar[str] = "request.ambiguous"


class SourceError(DcbError):
    """An input that could not be read."""

    code: ClassVar[str] = "source"


class UnknownFormat(SourceError):
    """An input that no reader takes."""

    code: ClassVar[str] = "source.format"


class EmptySource(SourceError):
    """An input without any conversation."""

    code: ClassVar[str] = "source.empty"


class DamagedSource(SourceError):
    """An input that is cut or broken as a whole."""

    code: ClassVar[str] = "source.damaged"


class LimitExceeded(SourceError):
    """An input beyond a limit; the message names the setting that raises it."""

    code: ClassVar[str] = "source.limit"


class ModelError(DcbError):
    """A value that no snapshot can hold."""

    code: ClassVar[str] = "model"


class DocumentError(DcbError):
    """Text that is not a snapshot document. `line` and `column` count from 1."""

    code: ClassVar[str] = "document"

    def __init__(self, message: str, text: str = "", pos: int | None = None) -> None:
        self.line = self.column = 0
        if pos is not None:
            self.line = text.count("\n", 0, pos) + 1
            self.column = pos - text.rfind("\n", 0, pos)
            message = f"{message} (line {self.line}, column {self.column})"
        super().__init__(message)


class EnvelopeError(DcbError):
    """A sealed text that does not open."""

    code: ClassVar[str] = "envelope"


class NotAnEnvelope(EnvelopeError):
    """Text that does not begin like a `dcb1` envelope."""

    code: ClassVar[str] = "envelope.not-one"


class DamagedEnvelope(EnvelopeError):
    """An envelope whose parts are missing, of a wrong length or not canonical base64url."""

    code: ClassVar[str] = "envelope.damaged"


class WrongPassphrase(EnvelopeError):
    """A whole envelope that the passphrase does not open."""

    code: ClassVar[str] = "envelope.passphrase"


class StoreError(DcbError):
    """The store refused."""

    code: ClassVar[str] = "store"


class NewerStore(StoreError):
    """A store written by a newer dcb."""

    code: ClassVar[str] = "store.newer"


class DamagedStore(StoreError):
    """Stored data that does not match its hash."""

    code: ClassVar[str] = "store.damaged"


class StoreLocked(StoreError):
    """Held by another process, or sealed and no passphrase given."""

    code: ClassVar[str] = "store.locked"


class StoreUnwritable(StoreError):
    """A full disk or a folder without write permission."""

    code: ClassVar[str] = "store.unwritable"


class EngineError(DcbError):
    """Other processes could not be given work, or died over it again and again."""

    code: ClassVar[str] = "engine"
