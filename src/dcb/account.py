"""What became of each item of an archive -> one account of all of them.

The law: read = new + grown + unchanged, and every item of a source is read or skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dcb.library import Kept
from dcb.model import Conversation, Skipped
from dcb.secrets import Place

Kind = Literal["new", "grown", "same", "skipped"]

_EXAMPLES = 3
_KINDS: Mapping[str, Kind] = {"new": "new", "changed": "grown", "same": "same"}


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


def kept_as(kept: Kept, conversation: Conversation) -> Outcome:
    """The outcome of a conversation that the store has now."""
    return Outcome(
        kind=_KINDS[kept.change],
        where=conversation.where or conversation.id,
        id=kept.id,
        messages=len(conversation.messages),
        warnings=conversation.warnings,
        secrets=kept.secrets,
    )


def skipped(item: Skipped) -> Outcome:
    """The outcome of what could not be read."""
    return Outcome(kind="skipped", where=item.where, reason=item.reason)
