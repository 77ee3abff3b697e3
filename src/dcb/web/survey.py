"""A source -> what it was taken for and which conversations it holds, while one watches.

Only what a list shows is kept: a conversation is read again when somebody picks it, so that
a large export is never in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dcb.account import Account
from dcb.compile import compile_conversation
from dcb.errors import DcbError, NotFound
from dcb.ingest import keep_items
from dcb.library import Kept
from dcb.model import Conversation, Instruction, Skipped
from dcb.read import Item, read_items, read_stream
from dcb.web.held import Held
from dcb.web.work import Work

EXAMPLES = 20
_MAGIC = "---"


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """What a list shows of a conversation; `place` counts the conversations of the source."""

    place: int
    title: str
    format: str
    messages: int
    at: int | None


class Reading:
    """A source that can be gone through again. `shown` is what it is called on the page."""

    def __init__(self, held: Held, *, shown: str, limits: Mapping[str, int] | None) -> None:
        self._held = held
        self._shown = shown
        self._limits = limits

    def __iter__(self) -> Iterator[Item]:
        """Everything in it. A fault of the whole source comes as the last `Skipped`."""
        try:
            for item in self._items():
                yield self._named(item)
        except DcbError as error:
            yield Skipped(where=self._shown, reason=self.told(str(error)))

    def _items(self) -> Iterator[Item]:
        if not self._held.sealed:
            yield from read_items(self._held.path, limits=self._limits)
            return
        with self._held.reading() as stream:
            yield from read_stream(stream, name=self._held.path.name, limits=self._limits)

    def conversation(self, place: int, work: Work) -> Conversation:
        """The conversation at that place. Raises NotFound, and Stopped on the way to it."""
        for at, conversation in enumerate(self.conversations()):
            work.check()
            if at == place:
                return conversation
        raise NotFound("This source has no such conversation; load its list again")

    def conversations(self) -> Iterator[Conversation]:
        """The conversations in it."""
        return (item for item in self if isinstance(item, Conversation))

    def instructions(self) -> tuple[Instruction, ...]:
        """The standing instructions in it."""
        return tuple(item for item in self if isinstance(item, Instruction))

    def told(self, text: str) -> str:
        """A sentence in which the source has the name that the person gave it."""
        return text.replace(str(self._held.path), self._shown)

    def _named(self, item: Item) -> Item:
        return item if not item.where else replace(item, where=self.told(item.where))


class Survey:
    """What a source holds. `work` looks through it; what it found so far can be read."""

    def __init__(self, reading: Reading) -> None:
        self.listed: list[Listed] = []
        self.formats: Counter[str] = Counter()
        self.why = ""
        self.skipped = 0
        self.examples: list[Skipped] = []
        self.instructions = 0
        self._reading = reading
        self.work = Work(self._look)

    def _look(self, work: Work) -> None:
        for item in work.watched(self._reading):
            if isinstance(item, Conversation):
                self._list(item)
            elif isinstance(item, Skipped):
                self.skipped += 1
                self.examples += [item] if len(self.examples) < EXAMPLES else []
            else:
                self.instructions += 1

    def _list(self, item: Conversation) -> None:
        self.formats[item.format] += 1
        self.why = self.why or item.why
        listed = Listed(
            place=len(self.listed),
            title=item.title,
            format=item.format,
            messages=len(item.messages),
            at=item.updated_at or item.created_at,
        )
        self.listed.append(listed)


class Ingest:
    """Conversations of a source -> the store, with the account of what became of them."""

    def __init__(
        self,
        reading: Reading,
        places: frozenset[int],
        keeper: Any,
        *,
        with_instructions: bool,
        **options: Any,
    ) -> None:
        self.account = Account()
        self.chosen = len(places)
        self._reading = reading
        self._places = places
        self._keeper = keeper
        self._with_instructions = with_instructions
        self._options = options
        self.work = Work(self._keep, total=len(places))

    def _keep(self, work: Work) -> None:
        if self._with_instructions:
            self._options["instructions"] = self._reading.instructions()
        items = work.watched(self._chosen())
        for outcome in keep_items(self._keeper, items, **self._options):
            self.account.take(outcome)

    def _chosen(self) -> Iterator[Conversation]:
        left = len(self._places)
        for place, conversation in enumerate(self._reading.conversations()):
            if place in self._places:
                left -= 1
                yield conversation
            if not left:
                return


class ByTurns:
    """Keeps conversations in a library that others use in between, also while one is compiled."""

    def __init__(self, desk: Callable[[], Any]) -> None:
        self._desk = desk

    def keep_conversation(self, conversation: Conversation, **options: Any) -> Kept:
        """As `Library.keep_conversation`."""
        with self._desk() as library:
            kept: Kept | None = library.kept_already(conversation)
            if kept is not None:
                return kept
            options = library.as_before(conversation, options)
        compiled = compile_conversation(conversation, **options)
        with self._desk() as library:
            saved: Kept = library.save(compiled)
            return saved


def is_document(held: Held) -> bool:
    """Whether a file is a snapshot document rather than a conversation."""
    if not held.path.is_file():
        return False
    with held.reading() as file:
        head = file.read(4096).decode("utf-8", "replace")
    return head.lstrip("\ufeff").startswith(_MAGIC) and "dcb_schema" in head
