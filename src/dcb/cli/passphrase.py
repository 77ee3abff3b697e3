"""Where a passphrase comes from: a file descriptor, the environment, the keyring, a prompt.

Never an argument (other users see those), never a log.
"""

from __future__ import annotations

import os
import sys

import click

from dcb.cli.session import current_settings
from dcb.cli.words import say
from dcb.errors import RequestError, StoreLocked
from dcb.settings import shown

VARIABLE = "DCB_PASSPHRASE"
NEW_VARIABLE = "DCB_NEW_PASSPHRASE"
OTHER_VARIABLE = "DCB_OTHER_PASSPHRASE"
_SERVICE = "dialogue-context-bridge"


def current(ctx: click.Context) -> str:
    """The passphrase of the store. Raises StoreLocked where nobody can be asked."""
    found = (
        _from_descriptor(ctx.find_root().params.get("passphrase_fd"))
        or os.environ.get(VARIABLE)
        or _from_keyring(_account(ctx))
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


def remember(passphrase: str, ctx: click.Context) -> None:
    """Put the passphrase of the store into the system's keyring. Raises RequestError without one."""
    try:
        import keyring

        keyring.set_password(_SERVICE, _account(ctx), passphrase)
    except Exception as error:
        raise RequestError(
            f"The keyring cannot be used ({error}); pip install dialogue-context-bridge[keyring]"
        ) from None


def _account(ctx: click.Context) -> str:
    """What the keyring calls the store: a folder that was named, or a project on a server."""
    settings = current_settings(ctx)
    if settings.store:
        return f"{shown('store', settings.store)} {settings.project or 'default'}"
    return str(ctx.find_root().params.get("data_dir") or "default")


def _from_descriptor(number: int | None) -> str:
    if number is None:
        return ""
    try:
        with os.fdopen(number, encoding="utf-8", closefd=False) as stream:
            return stream.readline().rstrip("\r\n")
    except OSError as error:
        raise RequestError(f"--passphrase-fd {number}: {error.strerror}") from None


def _from_keyring(account: str) -> str:
    try:
        import keyring
    except ImportError:
        return ""
    try:
        return keyring.get_password(_SERVICE, account) or ""
    except Exception:
        # A keyring without a backend is as good as none; the prompt comes next.
        return ""
