"""Why each passage was taken or passed over, as lines."""

from __future__ import annotations

from collections.abc import Iterator

import click

from dcb.cli.view import faint, heading, preview, safe
from dcb.cli.words import say
from dcb.compile import Compiled


def explanation_lines(draft: Compiled) -> Iterator[str]:
    """Every passage in order: `+` taken (kind, entry), `-` passed over; then the rule."""
    yield ""
    yield heading(say("explain"))
    for item in draft.trace:
        taken = f"{item.kind} {item.entry}".strip() if item.kind else ""
        mark = click.style("+", fg="green") if item.kind else faint("-")
        notes = "  ".join(filter(None, (item.src, taken, item.rule)))
        yield f"  {mark} {preview(item.text)}  {faint(safe(notes))}"
