"""`dcb search`: passages grouped by snapshot, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from dcb.cli.session import Verb, json_option, open_library, print_json
from dcb.cli.view import faint, heading, safe, when
from dcb.cli.words import WORDS, say
from dcb.store import Answer, Found, Hit


@click.command(cls=Verb, name="search")
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="Snapshots.")
@click.option("--hits", type=click.IntRange(1), default=3, show_default=True, help="Of each.")
@json_option
def command(*, words: tuple[str, ...], limit: int, hits: int, as_json: bool) -> None:
    """Search titles, entries, summaries and preferences.

    All WORDS must occur. "Quoted words" stand together, -word must not occur, and filters
    narrow: tag: role: kind: source: before: after: (kind:decision after:2026-03-01).
    """
    with open_library() as library:
        answer = library.search(_typed(words), limit=limit, hits=hits)
    if as_json:
        print_json(asdict(answer))
    else:
        for line in _lines(answer):
            click.echo(line)


def _typed(words: tuple[str, ...]) -> str:
    # The shell has taken the quotation marks away; an argument with blanks had some.
    return words[0] if len(words) == 1 else " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word and '"' not in word else word


def _lines(answer: Answer) -> Iterator[str]:
    if not answer.found:
        yield say("none.found")
    if answer.suggestion:
        yield say("did-you-mean", terms=safe(answer.suggestion))
    for found in answer.found:
        yield from _snapshot(found)
    for note in answer.notes:
        yield faint(safe(note))


def _snapshot(found: Found) -> Iterator[str]:
    row = found.row
    notes = f"{row.id}  {when(row.created_at)}  {row.format}"
    yield f"{heading(safe(row.title))}  {faint(safe(notes))}"
    for hit in found.hits:
        passage = hit.passage
        kind = WORDS.get(f"kind.{passage.kind}")
        label = say(f"kind.{passage.kind}") if kind else passage.kind
        replaced = say("search.superseded") if passage.superseded else ""
        origin = " ".join(filter(None, (passage.role, passage.src, passage.label, replaced)))
        yield f"  {click.style(label, fg='cyan')}  {_highlighted(hit)}  {faint(safe(origin))}"
    if found.more:
        yield faint("  " + say("search.more", count=found.more))


def _highlighted(hit: Hit) -> str:
    parts = []
    end = 0
    for start, stop in hit.highlights:
        parts.append(safe(hit.snippet[end:start]))
        parts.append(click.style(safe(hit.snippet[start:stop]), fg="yellow", bold=True))
        end = stop
    parts.append(safe(hit.snippet[end:]))
    return "".join(parts).replace("\n", " ")
