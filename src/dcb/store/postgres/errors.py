"""What PostgreSQL and the way to it say -> a sentence of ours, without a password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from dcb.errors import DamagedStore, StoreError, StoreLocked, StoreUnwritable
from dcb.store.postgres.patience import NoAnswer

_Sentence = tuple[type[StoreError], str]

# By SQLSTATE or its first two characters (its class); the longer one goes first.
_SENTENCES: dict[str, _Sentence] = {
    "53100": (
        StoreUnwritable,
        "The disk of {where} is full; nothing was changed. Free some space there and try again",
    ),
    "53300": (StoreLocked, "{where} has no connection free; try again, or raise max_connections"),
    "55P03": (
        StoreLocked,
        "Another program is writing to {where}; wait for it to finish and try again",
    ),
    "57014": (StoreLocked, "{where} took too long to answer; nothing was changed, try again"),
    "25P03": (
        StoreUnwritable,
        "{where} ended a save that stood still too long; nothing was changed, try again",
    ),
    "25006": (StoreUnwritable, "{where} takes no changes (a standby or read-only database)"),
    "42501": (
        StoreUnwritable,
        "You may not change this in {where}; ask its owner for the role of a writer",
    ),
    "28": (StoreUnwritable, "{where} refuses this role or its password; check both in DCB_STORE"),
    "3D": (StoreUnwritable, "{where} does not exist; make the database with: createdb"),
    "XX": (DamagedStore, "{where} reports damaged data; its administrator must look at it"),
    "53": (StoreUnwritable, "{where} is out of memory or space; nothing was changed, try again"),
    "40": (StoreLocked, "Another program changed {where} at the same time; try again"),
}
_LOST = (
    StoreUnwritable,
    "The connection to {where} was lost; check the server and the network, and try again",
)
_SILENT = (
    StoreUnwritable,
    "{where} does not answer; check the server and the network, and try again",
)
_UNREACHED = (
    StoreUnwritable,
    "{where} cannot be reached; check that the server runs and the address in DCB_STORE",
)
# Before a session exists the server's refusals come without their SQLSTATE.
_REFUSED = {
    "password authentication failed": "28",
    "no password supplied": "28",
    "no pg_hba.conf entry": "28",
    'role "': "28",
    "too many clients": "53300",
    'database "': "3D",
}


def translated(error: psycopg.Error, where: str) -> StoreError:
    """The error of a statement."""
    kind, sentence = _sentence(error)
    return kind(sentence.replace("{where}", where))


def _sentence(error: psycopg.Error) -> _Sentence:
    state = error.sqlstate or ""
    if isinstance(error, NoAnswer):
        return _SILENT
    if known := _SENTENCES.get(state) or _SENTENCES.get(state[:2]):
        return known
    if not state or state[:2] in ("57", "08"):
        return _LOST
    return DamagedStore, f"{{where}}: {_first_line(error)}; look at it with: dcb doctor"


def unreached(error: psycopg.Error, where: str) -> StoreError:
    """The error of an attempt to connect."""
    said = str(error)
    state = next((state for words, state in _REFUSED.items() if words in said), "")
    kind, sentence = _SENTENCES.get(state, _UNREACHED)
    return kind(sentence.replace("{where}", where))


@contextmanager
def speaking(where: str) -> Iterator[None]:
    """Errors of statements inside, in our words."""
    try:
        yield
    except psycopg.Error as error:
        # Neither the statement nor the address of the connection may show.
        raise translated(error, where) from None


def _first_line(error: psycopg.Error) -> str:
    return error.diag.message_primary or type(error).__name__
