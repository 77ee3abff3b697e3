"""Snapshots, reports and messages -> lines for a person's terminal.

Everything that came from a conversation passes `safe`, so that no text can move the
cursor, set a title or change a colour.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from dcb import visible
from dcb.cli.words import say

if TYPE_CHECKING:
    from dcb.model import Entry, Omitted, Preference, Report, Section, Snapshot

LEFT_OUT_SHOWN = 12
_PREVIEW = 72


def safe(text: str) -> str:
    """Untrusted text with every control and invisible character made visible."""
    return visible.terminal(text)


def preview(text: str, *, width: int = _PREVIEW) -> str:
    """The beginning of a text on one line."""
    line = safe(" ".join(text[: width * 8].split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def when(at: int | None) -> str:
    """A date for epoch milliseconds; nothing for unknown."""
    if not at:
        return ""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")


def when_exactly(at: int) -> str:
    """Date and time (UTC) for epoch milliseconds."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def heading(text: str) -> str:
    """A heading line."""
    return click.style(text, bold=True)


def faint(text: str) -> str:
    """Text of lesser importance."""
    return click.style(text, dim=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A line of heads and one for each row, in columns that are as wide as they must be."""
    lines = [heads, *rows]
    widths = [max(map(_columns, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (
            cell + " " * (width - _columns(cell)) for cell, width in zip(line, widths, strict=True)
        )
        shown = "  ".join(padded).rstrip()
        yield faint(shown) if line is heads else shown


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide character."""
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def snapshot_lines(snapshot: Snapshot) -> Iterator[str]:
    """The three layers."""
    yield heading(say("layer.verbatim")) + faint(f"  ({len(snapshot.verbatim)})")
    yield from _or_nothing(line for entry in snapshot.verbatim for line in entry_lines(entry))
    yield heading(say("layer.summary"))
    yield from _or_nothing(line for section in snapshot.summary for line in _section(section))
    yield heading(say("layer.preference"))
    yield from _or_nothing(map(_preference, snapshot.preferences))


def entry_lines(entry: Entry) -> Iterator[str]:
    """One entry: what it is and where from, then its words behind a bar."""
    label = click.style(say(f"kind.{entry.kind}"), fg="cyan")
    yield "  " + "  ".join([label, *(faint(safe(note)) for note in _notes(entry) if note)])
    for line in entry.content.split("\n"):
        yield faint("    │ ") + safe(line)


def report_lines(report: Report, *, everything: bool = False) -> Iterator[str]:
    """The left-out list of a compile, and the budget that would keep all of layer 1."""
    yield from omitted_lines(report.omitted, limit=None if everything else LEFT_OUT_SHOWN)
    if report.enough_for_verbatim > report.limit:
        yield "  " + say("budget.enough", enough=report.enough_for_verbatim)


def omitted_lines(omitted: tuple[Omitted, ...], *, limit: int | None = None) -> Iterator[str]:
    """The left-out list: tokens, what, why, the words, from which message."""
    if not omitted:
        yield heading(say("left-out.none"))
        return
    tokens = sum(item.tokens for item in omitted)
    yield heading(say("left-out", count=len(omitted), tokens=f"{tokens:,}"))
    shown = omitted[:limit]
    yield from map(_omitted, shown)
    if len(omitted) > len(shown):
        yield faint("  " + say("left-out.more", count=len(omitted) - len(shown)))


def counts(entries: Iterable[Entry]) -> str:
    """Entries counted by kind, in words."""
    found = Counter(entry.kind for entry in entries)
    return ", ".join(f"{count} {say(f'kind.{kind}')}" for kind, count in found.items())


def _notes(entry: Entry) -> Iterator[str]:
    yield entry.id
    yield " ".join(filter(None, (entry.role, entry.src, when(entry.at))))
    if entry.lang:
        yield entry.lang
    if entry.origin:
        yield say("origin.accepted", via=entry.via)
    if entry.status:
        yield say("status.superseded", by=entry.by or "?")
    if entry.pin:
        yield say("pinned")


def _section(section: Section) -> Iterator[str]:
    yield f"  {safe(section.heading)}"
    for bullet in section.bullets:
        yield f"    • {safe(bullet)}"


def _preference(item: Preference) -> str:
    flag = say("explicit" if item.explicit else "inferred")
    return f"  [{item.scope}] {item.key} = {safe(item.value)}  {faint(flag)}"


def _omitted(item: Omitted) -> str:
    tokens = faint(f"{item.tokens:>6}")
    return f"{tokens}  {item.kind:<10} {faint(f'{item.reason:<14}')} {preview(item.text)}  {faint(safe(item.src))}"


def _or_nothing(lines: Iterable[str]) -> Iterator[str]:
    empty = True
    for line in lines:
        empty = False
        yield line
    if empty:
        yield faint("  " + say("layer.empty"))
    yield ""
