"""DialogueContextBridge: conversations with an AI, kept as lossless snapshots.

The public names are imported when they are first used, so that a command that needs one of
them does not pay for all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dcb._version import __version__

if TYPE_CHECKING:
    from dcb.compile import Compiled, compile_conversation
    from dcb.document import dump, parse, verify
    from dcb.envelope import seal, unseal
    from dcb.errors import DcbError
    from dcb.model import (
        Conflict,
        Conversation,
        Entry,
        Message,
        Omitted,
        Preference,
        Report,
        Section,
        Snapshot,
    )
    from dcb.read import read_conversations

_HOMES = {
    "Compiled": "dcb.compile",
    "Conflict": "dcb.model",
    "Conversation": "dcb.model",
    "DcbError": "dcb.errors",
    "Entry": "dcb.model",
    "Message": "dcb.model",
    "Omitted": "dcb.model",
    "Preference": "dcb.model",
    "Report": "dcb.model",
    "Section": "dcb.model",
    "Snapshot": "dcb.model",
    "compile_conversation": "dcb.compile",
    "dump": "dcb.document",
    "parse": "dcb.document",
    "read_conversations": "dcb.read",
    "seal": "dcb.envelope",
    "unseal": "dcb.envelope",
    "verify": "dcb.document",
}

__all__ = [
    "Compiled",
    "Conflict",
    "Conversation",
    "DcbError",
    "Entry",
    "Message",
    "Omitted",
    "Preference",
    "Report",
    "Section",
    "Snapshot",
    "__version__",
    "compile_conversation",
    "dump",
    "parse",
    "read_conversations",
    "seal",
    "unseal",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dcb' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
