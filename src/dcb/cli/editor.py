"""A snapshot's document in the person's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from dcb import document
from dcb.cli.words import say
from dcb.errors import DocumentError, ModelError, RequestError
from dcb.model import Snapshot


def edited(snapshot: Snapshot) -> Snapshot:
    """The snapshot after the person edited its document; unchanged when they did not.

    A text that is no snapshot any more is opened again. Raises RequestError without an
    editor, DocumentError where nobody can be asked.
    """
    handle, name = tempfile.mkstemp(suffix=".md", prefix="dcb-")
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(document.dump(snapshot).encode())
        return _until_it_reads(path)
    finally:
        path.unlink(missing_ok=True)


def _until_it_reads(path: Path) -> Snapshot:
    while True:
        _open(path)
        try:
            return document.parse(path.read_bytes().decode())
        except (DocumentError, ModelError, UnicodeDecodeError) as error:
            if not sys.stdin.isatty():
                raise
            click.echo(f"dcb: {error}", err=True)
            click.confirm(say("edit.again"), default=True, abort=True, err=True)


def _open(path: Path) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        status = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
    except OSError as error:
        raise RequestError(
            f"The editor {editor!r} does not start: {error.strerror}; set EDITOR"
        ) from None
    if status:
        raise RequestError(f"The editor {editor!r} ended with status {status}; nothing was changed")
