"""One conversation -> one snapshot within a budget, with the list of what was left out.

The same input gives the same output: the time and the id of the snapshot are arguments.
"""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import uuid_utils

from dcb import budget, document, tokens
from dcb.choices import Choice, apply
from dcb.extract import Trace, Watched, extract
from dcb.model import (
    Conversation,
    Instruction,
    Omitted,
    Preference,
    Report,
    Section,
    Snapshot,
    numbered,
)
from dcb.summarise import Summarise, SummaryError
from dcb.text import estimate

DEFAULT_TOKENS = 4096
BRIEF_MARK = "[dcb:brief "


@dataclass(frozen=True, kw_only=True, slots=True)
class Compiled:
    """A draft: the snapshot, what it leaves out, and the conversation it came from."""

    snapshot: Snapshot
    report: Report
    conversation: Conversation
    trace: tuple[Trace, ...] = ()
    notes: tuple[str, ...] = ()  # what the person should know about how it was made

    @property
    def document(self) -> str:
        """The snapshot as a Markdown document."""
        return document.dump(self.snapshot)


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Compiling makes many small tuples and no cycles: looking for some costs a quarter more."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@_no_collecting()
def compile_conversation(
    conversation: Conversation,
    *,
    max_tokens: int | None = DEFAULT_TOKENS,
    count: str = "estimate",
    title: str | None = None,
    description: str | None = None,
    tags: tuple[str, ...] = (),
    now: int | None = None,
    snapshot_id: str | None = None,
    instructions: tuple[Instruction, ...] = (),
    choices: tuple[Choice, ...] = (),
    summarise: Summarise | None = None,
    trace: bool = False,
    watched: Watched = iter,
) -> Compiled:
    """Compile a conversation into a snapshot of at most `max_tokens` (None: everything).

    `instructions` that an export carries beside its conversations become preferences;
    `choices` are what a person decided about an earlier compile of it; `summarise` may
    shorten layer 2 (see `dcb.summarise`); `watched` gives the messages to whoever reads them.
    `count` names how tokens are counted (`estimate`, or a model family such as `o200k`);
    `now` is epoch milliseconds. Without `now` and `snapshot_id`, the clock and a fresh
    UUIDv7 are used. Raises RequestError for a budget out of range.
    """
    conversation = numbered(conversation)
    spoken, briefs = _without_briefs(conversation)
    found = extract(spoken, trace=trace, watched=watched)
    sections, replaced, notes = _summary(found.sections, summarise)
    whole = Snapshot(
        id=snapshot_id or str(uuid_utils.uuid7()),
        conversation_id=conversation.id,
        title=title if title is not None else found.title,
        description=description if description is not None else found.description,
        tags=tags,
        created_at=now if now is not None else time.time_ns() // 1_000_000,
        verbatim=found.entries,
        summary=sections,
        preferences=tuple(_standing(instructions)) + found.preferences,
    )
    everything = Compiled(
        snapshot=whole,
        report=Report(limit=0, needed=0, kept=0, omitted=replaced + found.omitted + briefs),
        conversation=conversation,
        trace=found.trace,
        notes=notes,
    )
    return fitted(everything, max_tokens=max_tokens, count=count, choices=choices)


def fitted(
    compiled: Compiled,
    *,
    max_tokens: int | None,
    count: str = "estimate",
    choices: Iterable[Choice] = (),
) -> Compiled:
    """What was compiled without a limit, as if it had been compiled with this one.

    Another budget or other choices so cost no second look at the conversation. Raises
    RequestError for a budget out of range.
    """
    chosen, dropped = apply(compiled.snapshot, choices)
    snapshot, report = budget.trim(
        chosen, limit=max_tokens, count=tokens.counter(count), markup=budget.DOCUMENT_MARKUP
    )
    snapshot = replace(snapshot, checksum=document.checksum(snapshot))
    report = replace(report, omitted=dropped + report.omitted + compiled.report.omitted)
    return replace(compiled, snapshot=snapshot, report=report)


def _without_briefs(conversation: Conversation) -> tuple[Conversation, tuple[Omitted, ...]]:
    """The conversation without the briefs that were put into it: they are nobody's words."""
    marked = [message for message in conversation.messages if BRIEF_MARK in message.content]
    if not marked:
        return conversation, ()
    from dcb.brief import without_briefs

    spoken = {str(message.id): without_briefs(message.content) for message in marked}
    messages = (replace(m, content=spoken.get(str(m.id), m.content)) for m in conversation.messages)
    omitted = (
        Omitted(
            layer="summary",
            kind="brief",
            text="a brief of an earlier conversation",
            src=str(message.id),
            tokens=estimate(message.content) - estimate(spoken[str(message.id)]),
            reason="brought back, not said",
        )
        for message in marked
        if spoken[str(message.id)] != message.content
    )
    return replace(conversation, messages=tuple(messages)), tuple(omitted)


def content_hash(conversation: Conversation) -> str:
    """A hash of what a conversation says: equal for an unchanged conversation."""
    digest = hashlib.sha256()
    for message in conversation.messages:
        for part in (message.role, message.content):
            raw = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(raw))
            digest.update(raw)
    return digest.hexdigest()


def _summary(
    sections: tuple[Section, ...], summarise: Summarise | None
) -> tuple[tuple[Section, ...], tuple[Omitted, ...], tuple[str, ...]]:
    """Layer 2, the bullets that a model's summary replaced, and a note when it failed."""
    if summarise is None or not sections:
        return sections, (), ()
    try:
        short = summarise(sections)
    except SummaryError as error:
        return sections, (), (f"{error}; the extractive summary is kept",)
    replaced = tuple(
        Omitted(
            layer="summary",
            kind="bullet",
            text=bullet,
            src="",
            tokens=estimate(bullet),
            reason="summarised",
        )
        for section in sections
        for bullet in section.bullets
    )
    return short, replaced, ()


def _standing(instructions: tuple[Instruction, ...]) -> Iterable[Preference]:
    for number, instruction in enumerate(instructions, 1):
        yield Preference(
            scope="role",
            key=f"instructions.{number}",
            value=f"{instruction.source}: {instruction.text}",
        )
