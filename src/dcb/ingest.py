"""Whole archives -> stored snapshots, each conversation once; what came in is accounted for.

A conversation is known by (format, conversation id). Unchanged ones cost a hash, grown
ones become a new version of the same snapshot, so an interrupted run is simply run again.
The law: read = new + grown + unchanged, and every item of a source is read or skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from dcb.errors import DcbError
from dcb.library import Kept, Library
from dcb.model import Conversation, Instruction, Skipped
from dcb.read import Item, read_items
from dcb.secrets import Place

Kind = Literal["new", "grown", "same", "skipped"]

_EXAMPLES = 3
_KINDS: Mapping[str, Kind] = {"new": "new", "changed": "grown", "same": "same"}


class Keeper(Protocol):
    """What keeps conversations: a library, or someone who asks one each time."""

    def keep_conversation(self, conversation: Conversation, **options: Any) -> Kept:
        """As `Library.keep_conversation`."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of one item of a source."""

    kind: Kind
    where: str
    reason: str = ""
    id: str = ""  # of the snapshot, when kept
    messages: int = 0
    warnings: tuple[str, ...] = ()
    secrets: tuple[Place, ...] = ()


@dataclass(slots=True)
class Account:
    """Outcomes counted: what came in, what was kept, what was skipped and why."""

    outcomes: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    warnings: int = 0
    skipped: dict[str, list[str]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    warned: list[str] = field(default_factory=list)
    secrets: list[Place] = field(default_factory=list)

    @property
    def read(self) -> int:
        """Conversations that were read."""
        return self.outcomes["new"] + self.outcomes["grown"] + self.outcomes["same"]

    def take(self, outcome: Outcome) -> None:
        """Count one outcome; of each reason the first few places are kept as examples."""
        self.outcomes[outcome.kind] += 1
        self.messages += outcome.messages
        self.warnings += len(outcome.warnings)
        self.secrets += outcome.secrets
        room = _EXAMPLES - len(self.warned)
        self.warned += [f"{outcome.where}: {text}" for text in outcome.warnings[: max(room, 0)]]
        if outcome.kind == "skipped":
            self.reasons[outcome.reason] += 1
            examples = self.skipped.setdefault(outcome.reason, [])
            if len(examples) < _EXAMPLES:
                examples.append(outcome.where)

    def as_json(self) -> dict[str, Any]:
        """The account as plain data."""
        return {
            "read": self.read,
            "new": self.outcomes["new"],
            "grown": self.outcomes["grown"],
            "unchanged": self.outcomes["same"],
            "skipped": self.outcomes["skipped"],
            "messages": self.messages,
            "warnings": self.warnings,
            "warning_examples": self.warned,
            "secrets": len(self.secrets),
            "reasons": [
                {"reason": reason, "count": count, "examples": self.skipped[reason]}
                for reason, count in self.reasons.most_common()
            ],
        }


def ingest(
    library: Library,
    sources: Iterable[str],
    *,
    format: str | None = None,
    limits: Mapping[str, int] | None = None,
    with_instructions: bool = False,
    **options: Any,
) -> Iterator[Outcome]:
    """Compile and store every conversation of the sources, one outcome for each.

    `options` are those of `compile_conversation`. A source that cannot be read at all is
    one skipped item; faults of the store end the run.
    """
    for source in sources:
        instructions = _instructions(source, format, limits) if with_instructions else ()
        items = _items(source, format, limits)
        yield from keep_items(library, items, instructions=instructions, **options)


def keep_items(keeper: Keeper, items: Iterable[Item], **options: Any) -> Iterator[Outcome]:
    """Compile and store what was read already, one outcome for each conversation or fault."""
    for item in items:
        if isinstance(item, Skipped):
            yield Outcome(kind="skipped", where=item.where, reason=item.reason)
        elif isinstance(item, Conversation):
            yield _keep(keeper, item, **options)


def _items(source: str, format: str | None, limits: Mapping[str, int] | None) -> Iterator[Item]:
    try:
        yield from read_items(source, format=format, limits=limits)
    except DcbError as error:
        yield Skipped(where=str(source), reason=str(error))


def _instructions(
    source: str, format: str | None, limits: Mapping[str, int] | None
) -> tuple[Instruction, ...]:
    return tuple(i for i in _items(source, format, limits) if isinstance(i, Instruction))


def _keep(keeper: Keeper, conversation: Conversation, **options: Any) -> Outcome:
    kept = keeper.keep_conversation(conversation, **options)
    return Outcome(
        kind=_KINDS[kept.change],
        where=conversation.where or conversation.id,
        id=kept.id,
        messages=len(conversation.messages),
        warnings=conversation.warnings,
        secrets=kept.secrets,
    )
