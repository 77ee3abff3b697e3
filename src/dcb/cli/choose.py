"""Which conversation of a source a person means: by id, by title, or picked from a list."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import click

from dcb.cli.view import faint, preview, safe, when
from dcb.cli.words import say
from dcb.errors import Ambiguous, EmptySource, NotFound, RequestError
from dcb.model import Conversation, Instruction, Skipped
from dcb.read import Item, read_items

LISTED = 10
_PAGE = 20


@dataclass(frozen=True)
class Reading:
    """A source that can be gone through again; standard input is kept in memory."""

    source: str
    format: str | None = None
    limits: Mapping[str, int] | None = None

    def __iter__(self) -> Iterator[Item]:
        return iter(self._kept) if self.source == "-" else self._read()

    @cached_property
    def _kept(self) -> tuple[Item, ...]:
        return tuple(self._read())

    def _read(self) -> Iterator[Item]:
        return read_items(self.source, format=self.format, limits=self.limits)

    def instructions(self) -> tuple[Instruction, ...]:
        """The standing instructions that the source carries beside its conversations."""
        return tuple(item for item in self if isinstance(item, Instruction))

    def conversations(self) -> Iterator[Conversation]:
        """The conversations; what was skipped is said on standard error.

        A single reason for reading nothing is left to the error that tells it.
        """
        waiting: list[Skipped] = []
        for item in self:
            if isinstance(item, Skipped):
                waiting.append(item)
            if isinstance(item, Conversation) or len(waiting) > 1:
                _say_skipped(waiting)
            if isinstance(item, Conversation):
                yield item
        # Reading nothing raises; so these stand beside conversations that were read.
        _say_skipped(waiting)


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """What a list shows of a conversation."""

    id: str
    title: str
    messages: int
    updated_at: int | None

    def line(self) -> str:
        """One line: date, size, title, id."""
        date = when(self.updated_at) or " " * 10
        return f"{date}  {self.messages:>5}  {preview(self.title or '—', width=60)}  {faint(safe(self.id))}"


def one(reading: Reading, *, wanted: str | None) -> Conversation:
    """The conversation that is meant.

    Raises NotFound, Ambiguous (with the candidates), or RequestError (with the first ones
    and how to choose) when several are there, none is named and nobody can be asked.
    """
    if wanted is not None:
        return _named(reading, wanted)
    first: Conversation | None = None
    listed = []
    for conversation in reading.conversations():
        first = first or conversation
        listed.append(_listed(conversation))
    if first is None:
        raise EmptySource(f"{reading.source} holds no conversation with messages")
    if len(listed) == 1:
        return first
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        lines = "\n".join(f"  {item.line()}" for item in listed[:LISTED])
        sentence = say("several", source=reading.source, count=len(listed))
        raise RequestError(f"{sentence}\n{lines}")
    position = _pick(listed, reading.source)
    return next(c for place, c in enumerate(reading.conversations()) if place == position)


def _say_skipped(waiting: list[Skipped]) -> None:
    for item in waiting:
        sentence = f"dcb: {say('skipped')} {safe(item.where)}: {safe(item.reason)}"
        click.echo(sentence, err=True)
    waiting.clear()


def _named(reading: Reading, wanted: str) -> Conversation:
    tests: tuple[Callable[[Conversation], bool], ...] = (
        lambda c: c.title == wanted,
        lambda c: c.id.startswith(wanted),
        lambda c: wanted.casefold() in c.title.casefold(),
    )
    found: list[list[Conversation]] = [[] for _ in tests]
    for conversation in reading.conversations():
        if conversation.id == wanted:
            return conversation
        for test, matches in zip(tests, found, strict=True):
            if test(conversation):
                matches.append(conversation)
    for matches in found:
        if len(matches) == 1:
            return matches[0]
        if matches:
            lines = "\n".join(f"  {_listed(c).line()}" for c in matches[:LISTED])
            raise Ambiguous(f"{wanted!r} names {len(matches)} conversations; give the id:\n{lines}")
    raise NotFound(f"No conversation in {reading.source} has the id or title {wanted!r}")


def _listed(conversation: Conversation) -> Listed:
    return Listed(
        id=conversation.id,
        title=conversation.title,
        messages=len(conversation.messages),
        updated_at=conversation.updated_at or conversation.created_at,
    )


def _pick(listed: list[Listed], source: str) -> int:
    shown = list(enumerate(listed))
    while True:
        for position, item in shown[:_PAGE]:
            click.echo(f"{position + 1:>5}  {item.line()}", err=True)
        if len(shown) > _PAGE:
            click.echo(faint(f"       … {len(shown) - _PAGE}"), err=True)
        click.echo(say("choose", count=len(listed), source=source), err=True)
        answer = click.prompt(say("choose.prompt"), err=True).strip()
        if answer.isdecimal() and 1 <= int(answer) <= len(listed):
            return int(answer) - 1
        part = answer.casefold()
        found = [pair for pair in enumerate(listed) if part in pair[1].title.casefold()]
        if len(found) == 1:
            return found[0][0]
        shown = found or list(enumerate(listed))
