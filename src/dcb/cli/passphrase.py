"""Where a passphrase comes from: a file descriptor, the environment, the keyring, a prompt.

Never an argument (other users see those), never a log.
"""

from __future__ import annotations

import os
import sys

import click

from dcb.cli.words import say
from dcb.errors import RequestError, StoreLocked

VARIABLE = "DCB_PASSPHRASE"
NEW_VARIABLE = "DCB_NEW_PASSPHRASE"
OTHER_VARIABLE = "DCB_OTHER_PASSPHRASE"
_SERVICE = "dialogue-context-bridge"


def current(ctx: click.Context) -> str:
    """The passphrase of the store. Raises StoreLocked where nobody can be asked."""
    data_dir = str(ctx.find_root().params.get("data_dir") or "")
    found = (
        _from_descriptor(ctx.find_root().params.get("passphrase_fd"))
        or os.environ.get(VARIABLE)
        or _from_keyring(data_dir)
    )
    if found:
        return found
    if not sys.stdin.isatty():
        raise StoreLocked(
            f"The store is encrypted: set {VARIABLE}, give --passphrase-fd, or use a terminal"
        )
    return str(click.prompt(say("passphrase"), hide_input=True, err=True))


def other(ctx: click.Context) -> str:
    """The passphrase of a store that is added to this one; this one's is tried in its absence."""
    return os.environ.get(OTHER_VARIABLE) or current(ctx)


def new(ctx: click.Context) -> str:
    """A new passphrase, typed twice. Raises RequestError when it is empty or nobody types."""
    found = os.environ.get(NEW_VARIABLE)
    if found is None and sys.stdin.isatty():
        found = click.prompt(
            say("passphrase.new"), hide_input=True, confirmation_prompt=True, err=True
        )
    if not found:
        raise RequestError(f"A new passphrase is needed: set {NEW_VARIABLE} or use a terminal")
    return found


def remember(passphrase: str, data_dir: str = "") -> None:
    """Put the passphrase into the system's keyring. Raises RequestError without one."""
    try:
        import keyring

        keyring.set_password(_SERVICE, data_dir or "default", passphrase)
    except Exception as error:
        raise RequestError(
            f"The keyring cannot be used ({error}); pip install dialogue-context-bridge[keyring]"
        ) from None


def _from_descriptor(number: int | None) -> str:
    if number is None:
        return ""
    try:
        with os.fdopen(number, encoding="utf-8", closefd=False) as stream:
            return stream.readline().rstrip("\r\n")
    except OSError as error:
        raise RequestError(f"--passphrase-fd {number}: {error.strerror}") from None


def _from_keyring(data_dir: str) -> str:
    try:
        import keyring
    except ImportError:
        return ""
    try:
        return keyring.get_password(_SERVICE, data_dir or "default") or ""
    except Exception:
        # A keyring without a backend is as good as none; the prompt comes next.
        return ""
