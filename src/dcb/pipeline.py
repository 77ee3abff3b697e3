"""Conversations in a row -> stored snapshots, several compiled at once by an engine.

This process alone reads and stores, in the order of the source: what an engine changes is the
time it takes. Ids and times are drawn here, so a call that is made again makes nothing twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dcb.account import Outcome, kept_as, skipped
from dcb.compile import Compiled, compile_conversation
from dcb.engines import Engine
from dcb.library import Library
from dcb.model import Conversation, Report, Skipped, Snapshot
from dcb.read import Item

# Characters of conversations that may be under way, beside the one that is read last.
_LOAD = 1 << 24


@dataclass(frozen=True, kw_only=True, slots=True)
class _Under:
    """A conversation that is being compiled."""

    conversation: Conversation
    ticket: Any
    size: int

    @property
    def key(self) -> tuple[str, str]:
        return self.conversation.format, self.conversation.id


class Pipeline:
    """`options` are those of `compile_conversation`."""

    def __init__(self, library: Library, engine: Engine, options: Mapping[str, Any]) -> None:
        self._library = library
        self._engine = engine
        self._options = options
        self._waiting: deque[Outcome | _Under] = deque()
        self._keys: set[tuple[str, str]] = set()
        self._load = 0

    def keep(self, items: Iterable[Item]) -> Iterator[Outcome]:
        """Compile and store what is read, one outcome for each conversation or fault, in order."""
        for item in items:
            if isinstance(item, Skipped):
                self._waiting.append(skipped(item))
            elif isinstance(item, Conversation):
                # What it says is compared with what is stored, so the copy before it goes first.
                while (item.format, item.id) in self._keys:
                    yield self._finished()
                self._waiting.append(self._begun(item))
            while len(self._waiting) > self._engine.room or self._load > _LOAD:
                yield self._finished()
        while self._waiting:
            yield self._finished()

    def _begun(self, conversation: Conversation) -> Outcome | _Under:
        kept = self._library.kept_already(conversation)
        if kept is not None:
            return kept_as(kept, conversation)
        options = {
            **self._library.stamp(),
            **self._library.as_before(conversation, self._options),
        }
        under = _Under(
            conversation=conversation,
            ticket=self._engine.submit(compiled, conversation, options),
            size=sum(len(message.content) for message in conversation.messages),
        )
        self._load += under.size
        if conversation.id:
            self._keys.add(under.key)
        return under

    def _finished(self) -> Outcome:
        first = self._waiting.popleft()
        if isinstance(first, Outcome):
            return first
        snapshot, report = self._engine.value(first.ticket)
        self._load -= first.size
        self._keys.discard(first.key)
        made = Compiled(snapshot=snapshot, report=report, conversation=first.conversation)
        return kept_as(self._library.save(made), first.conversation)


def compiled(conversation: Conversation, options: Mapping[str, Any]) -> tuple[Snapshot, Report]:
    """What a worker works out: no more of it than is stored."""
    made = compile_conversation(conversation, **options)
    return made.snapshot, made.report
