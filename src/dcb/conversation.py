"""Conversations as readers make them: frozen data, the same for every format.

Other modules import these names from `dcb.model`, the one place of shared types.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

__all__ = [
    "Conversation",
    "Dropped",
    "Instruction",
    "Message",
    "Node",
    "Skipped",
    "found_nul",
    "numbered",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message as shown to the person.

    `id` is the source's own id, or None where the format has none. `role` is `user`,
    `assistant` or `system` (only where the person wrote it).
    """

    id: str | None
    role: str
    content: str
    created_at: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Dropped:
    """So many items of a conversation that a reader left out, and why (`tool`, `hidden` …)."""

    reason: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """One node of a conversation's tree, for `read --tree`."""

    id: str
    parent: str | None
    role: str
    preview: str
    shown: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """A conversation in the order in which the person saw it."""

    id: str
    title: str
    format: str
    messages: tuple[Message, ...]
    warnings: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    created_at: int | None = None
    updated_at: int | None = None
    where: str = ""  # file (and member or record) it was read from
    why: str = ""  # what made it look like its format
    tree: tuple[Node, ...] = ()  # only when asked for


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A conversation that could not be read: where it stands and why.

    `empty` says that it was read but that nothing was said in it.
    """

    where: str
    reason: str
    empty: bool = field(default=False, compare=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Instruction:
    """A standing instruction that an export carries beside its conversations."""

    source: str  # e.g. "Claude project: Harbour"
    text: str
    where: str = ""


def found_nul(conversation: Conversation) -> str:
    """Where a conversation holds NUL and what to do, since no store keeps it; "" if nowhere."""
    texts = [("The title", conversation.title)]
    texts += [(f"Message {n}", said.content) for n, said in enumerate(conversation.messages, 1)]
    place = next((place for place, text in texts if "\0" in text), "")
    return place and (
        f"{place} holds the character NUL, which no store keeps; take it out there and try again"
    )


def numbered(conversation: Conversation) -> Conversation:
    """The same conversation with an id for every message: `m1`, `m2` … where it had none."""
    seen: set[str] = set()
    messages = []
    for position, message in enumerate(conversation.messages, 1):
        name = message.id or f"m{position}"
        unique = name
        copies = 1
        while unique in seen:
            copies += 1
            unique = f"{name}~{copies}"
        seen.add(unique)
        messages.append(message if unique == message.id else replace(message, id=unique))
    return replace(conversation, messages=tuple(messages))
