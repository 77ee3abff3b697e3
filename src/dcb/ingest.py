"""Whole archives -> stored snapshots, each conversation once; what came in is accounted for.

A conversation is known by (format, conversation id). Unchanged ones cost a hash, grown
ones become a new version of the same snapshot, so an interrupted run is simply run again.
The law: read = new + grown + unchanged, and every item of a source is read or skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from dcb.account import Outcome, kept_as, skipped
from dcb.engines import Engine
from dcb.errors import DcbError
from dcb.library import Kept, Library
from dcb.model import Conversation, Instruction, Skipped
from dcb.pipeline import Pipeline
from dcb.read import Item, read_items


class Keeper(Protocol):
    """What keeps conversations: a library, or someone who asks one each time."""

    def keep_conversation(self, conversation: Conversation, **options: Any) -> Kept:
        """As `Library.keep_conversation`."""
        ...


def ingest(
    library: Library,
    sources: Iterable[str],
    *,
    format: str | None = None,
    limits: Mapping[str, int] | None = None,
    with_instructions: bool = False,
    engine: Engine | None = None,
    **options: Any,
) -> Iterator[Outcome]:
    """Compile and store every conversation of the sources, one outcome for each.

    `options` are those of `compile_conversation`; `engine` compiles in other processes. A
    source that cannot be read at all is one skipped item; faults of the store end the run.
    """
    for source in sources:
        instructions = _instructions(source, format, limits) if with_instructions else ()
        items = _items(source, format, limits)
        if engine is None:
            yield from keep_items(library, items, instructions=instructions, **options)
        else:
            pipeline = Pipeline(library, engine, {"instructions": instructions, **options})
            yield from pipeline.keep(items)


def keep_items(keeper: Keeper, items: Iterable[Item], **options: Any) -> Iterator[Outcome]:
    """Compile and store what was read already, one outcome for each conversation or fault."""
    for item in items:
        if isinstance(item, Skipped):
            yield skipped(item)
        elif isinstance(item, Conversation):
            yield kept_as(keeper.keep_conversation(item, **options), item)


def _items(source: str, format: str | None, limits: Mapping[str, int] | None) -> Iterator[Item]:
    try:
        yield from read_items(source, format=format, limits=limits)
    except DcbError as error:
        yield Skipped(where=str(source), reason=str(error))


def _instructions(
    source: str, format: str | None, limits: Mapping[str, int] | None
) -> tuple[Instruction, ...]:
    return tuple(i for i in _items(source, format, limits) if isinstance(i, Instruction))
