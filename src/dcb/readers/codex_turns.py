"""Messages that a rollout records in up to three encodings -> each message once, in order.

A sighting of the same speaker and words in another encoding, within a few rows and with
nothing of the other speaker between, is the same message; in the same encoding it was said
twice. Both are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from dcb.readers.base import Notes

PAIR_ROWS = 10  # how far apart two encodings of one message may stand

Encoding = Literal["response", "event", "item"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A message as one row of the file holds it."""

    role: str
    words: str  # the text alone: encodings differ in how they mention images
    content: str
    encoding: Encoding
    row: int
    id: str | None
    at: int | None


@dataclass(slots=True)
class Said:
    """A message: its first sighting, completed by the later ones."""

    first: Sighting
    content: str
    id: str | None
    encodings: set[Encoding]


class Turns:
    """What was said so far and not taken back."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.said: list[Said] = []
        self._prompts: list[int] = []  # where in `said` the person speaks

    def see(self, sighting: Sighting) -> None:
        """Add a message, or the other encoding of one that is there."""
        twin = self._twin(sighting)
        if twin is not None:
            self.notes.drop("duplicate")
            twin.encodings.add(sighting.encoding)
            twin.id = twin.id or sighting.id
            twin.content = max(twin.content, sighting.content, key=len)
            return
        if sighting.role == "user":
            self._prompts.append(len(self.said))
        one = {sighting.encoding}
        self.said.append(
            Said(first=sighting, content=sighting.content, id=sighting.id, encodings=one)
        )

    def roll_back(self, turns: Any, row: int) -> None:
        """Take back the last `turns` prompts and all behind the first of them."""
        if not isinstance(turns, int) or turns <= 0:
            self.notes.warn(f"Line {row} rolls back {str(turns)[:20]} turns; ignored")
            return
        if not self._prompts:
            return
        turns = min(turns, len(self._prompts))
        cut = self._prompts[-turns]
        self.notes.drop("withdrawn", len(self.said) - cut)
        del self.said[cut:]
        del self._prompts[-turns:]

    def _twin(self, sighting: Sighting) -> Said | None:
        """The oldest near message that the sighting may be another encoding of."""
        found = None
        # One line may hold many rows: their number bounds the look back, too.
        for said in islice(reversed(self.said), PAIR_ROWS):
            near = sighting.row - said.first.row <= PAIR_ROWS
            if said.first.role != sighting.role or not near:
                break
            if said.first.words == sighting.words and sighting.encoding not in said.encodings:
                found = said
        return found
