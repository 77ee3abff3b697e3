"""A terminal picker: the person drops, pins and rekinds entries before they are kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import click

from dcb.cli.editor import edited
from dcb.cli.view import entry_lines, faint, preview
from dcb.cli.words import say
from dcb.errors import RequestError
from dcb.model import KINDS, Entry, Snapshot

Command = Callable[[Snapshot, list[int], str], Snapshot]


def review(snapshot: Snapshot) -> Snapshot | None:
    """The snapshot as the person wants it, or None when they left without keeping it.

    Raises RequestError where there is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RequestError("A review needs a terminal; use: dcb edit ID --drop … --pin …")
    _list(snapshot)
    while True:
        word, *rest = click.prompt(say("review.prompt"), err=True).split() or [""]
        if word in ("s", "save"):
            return snapshot
        if word in ("q", "quit"):
            return None
        if word in ("e", "edit"):
            snapshot = edited(snapshot)
        elif word in _COMMANDS:
            snapshot = _run(_COMMANDS[word], snapshot, rest)
        else:
            click.echo(say("review.help"), err=True)
            continue
        _list(snapshot)


def drop(snapshot: Snapshot, numbers: list[int], _: str = "") -> Snapshot:
    """Without the entries at these positions."""
    kept = (entry for place, entry in enumerate(snapshot.verbatim) if place not in numbers)
    return replace(snapshot, verbatim=tuple(kept))


def pin(snapshot: Snapshot, numbers: list[int], _: str = "") -> Snapshot:
    """With the entries at these positions pinned, or unpinned when they were."""
    return _changed(snapshot, numbers, lambda entry: replace(entry, pin=not entry.pin))


def rekind(snapshot: Snapshot, numbers: list[int], kind: str) -> Snapshot:
    """With another kind for the entries at these positions. Raises UnknownChoice."""
    return _changed(snapshot, numbers, lambda entry: replace(entry, kind=kind))  # type: ignore[arg-type]


_COMMANDS: dict[str, Command] = {
    "d": drop,
    "drop": drop,
    "p": pin,
    "pin": pin,
    "k": rekind,
    "kind": rekind,
}


def _run(command: Command, snapshot: Snapshot, words: list[str]) -> Snapshot:
    numbers = [int(word) - 1 for word in words if word.isdecimal()]
    kind = next((word for word in words if not word.isdecimal()), "")
    inside = [number for number in numbers if 0 <= number < len(snapshot.verbatim)]
    if not inside or len(inside) != len(numbers) or (command is rekind and kind not in KINDS):
        click.echo(say("review.help"), err=True)
        return snapshot
    return command(snapshot, inside, kind)


def _changed(snapshot: Snapshot, numbers: list[int], change: Callable[[Entry], Entry]) -> Snapshot:
    entries = (
        change(entry) if place in numbers else entry
        for place, entry in enumerate(snapshot.verbatim)
    )
    return replace(snapshot, verbatim=tuple(entries))


def _list(snapshot: Snapshot) -> None:
    for number, entry in enumerate(snapshot.verbatim, 1):
        head = next(iter(entry_lines(entry))).strip()
        click.echo(f"{number:>4}  {head}", err=True)
        click.echo(faint("        ") + preview(entry.content), err=True)
