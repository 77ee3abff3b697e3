"""A conversation and the passages kept of it -> a window of its messages, the passages marked.

What a window holds is bounded, however long the conversation or a message is: of a long
message that was not asked for whole, what lies around the passages is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dcb.model import Entry, Message

MESSAGES = 20
CHARACTERS = 40_000
LONG = 3_000
AROUND = 400

Span = tuple[int, int, int]
"""Start and end in the message, and the place of the item among all that was found."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """A part of a message. `places` are the items that hold it; `begins` those that begin here."""

    text: str
    places: tuple[int, ...] = ()
    begins: tuple[int, ...] = ()
    cut: bool = False  # something is left out before it


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A message as shown; `number` counts from 1, `long` says that it is not shown whole."""

    number: int
    id: str
    role: str
    at: int | None
    pieces: tuple[Piece, ...]
    long: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """Messages from `first` on, up to but not `end` (both count from 0), of `total`."""

    said: tuple[Said, ...]
    first: int
    end: int
    total: int

    @property
    def before(self) -> int | None:
        """Where the window before this one begins."""
        return max(0, self.first - MESSAGES) if self.first else None

    @property
    def after(self) -> int | None:
        """Where the window after this one begins."""
        return self.end if self.end < self.total else None


class Passages:
    """Where the kept passages stand, by message."""

    def __init__(self, messages: Sequence[Message], entries: Iterable[tuple[int, Entry]]) -> None:
        self._messages = messages
        self._numbers = {str(message.id): at for at, message in enumerate(messages)}
        self._entries: dict[str, list[tuple[int, Entry]]] = {}
        for place, entry in entries:
            self._entries.setdefault(entry.src, []).append((place, entry))

    def number(self, source: str) -> int | None:
        """Which message (from 0) has an id."""
        return self._numbers.get(source)

    def window(self, first: int, *, whole: int | None = None) -> Window:
        """The messages from one on; `whole` is the number (from 0) of one to show uncut."""
        first = min(max(0, first), max(0, len(self._messages) - 1))
        said: list[Said] = []
        room = CHARACTERS
        for at in range(first, min(first + MESSAGES, len(self._messages))):
            shown = self._said(at, uncut=at == whole)
            room -= sum(len(piece.text) for piece in shown.pieces)
            if said and room < 0:
                break
            said.append(shown)
        return Window(
            said=tuple(said), first=first, end=first + len(said), total=len(self._messages)
        )

    def _said(self, at: int, *, uncut: bool) -> Said:
        message = self._messages[at]
        spans = sorted(_spans(message.content, self._entries.get(str(message.id), ())))
        pieces = tuple(marked(message.content, spans))
        long = len(message.content) > LONG and not uncut
        return Said(
            number=at + 1,
            id=str(message.id),
            role=message.role,
            at=message.created_at,
            pieces=tuple(_shortened(pieces)) if long else pieces,
            long=long,
        )


def marked(text: str, spans: Sequence[Span]) -> Iterator[Piece]:
    """A text cut where a span begins or ends. Together the pieces are the text."""
    edges = sorted({0, len(text), *(edge for start, end, _ in spans for edge in (start, end))})
    waiting = sorted(spans, reverse=True)
    open_: list[Span] = []
    for start, end in pairwise(edges):
        begins: list[int] = []
        while waiting and waiting[-1][0] <= start:
            span = waiting.pop()
            open_.append(span)
            begins.append(span[2])
        open_ = [span for span in open_ if span[1] > start]
        places = tuple(span[2] for span in open_)
        yield Piece(text=text[start:end], places=places, begins=tuple(begins))


def _spans(text: str, entries: Iterable[tuple[int, Entry]]) -> Iterator[Span]:
    seen: Mapping[str, int] = {}
    for place, entry in entries:
        # The same words twice are two entries of two places.
        start = text.find(entry.content, seen.get(entry.content, 0)) if entry.content else -1
        if start >= 0:
            seen = {**seen, entry.content: start + 1}
            yield start, start + len(entry.content), place


def _shortened(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The beginning of a message and what lies around its passages."""
    for at, piece in enumerate(pieces):
        if piece.places or len(piece.text) <= 2 * AROUND:
            yield piece
            continue
        head = LONG if len(pieces) == 1 else AROUND
        yield Piece(text=piece.text[:head])
        if at + 1 < len(pieces):
            yield Piece(text=piece.text[-AROUND:], cut=True)
