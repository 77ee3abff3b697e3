"""A conversation -> what of it matters: verbatim entries, summary, preferences, a headline.

Every entry's content is a slice of the message it names; nothing is invented or rebuilt, and
the same conversation gives the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dcb.extract.headline import description, title
from dcb.extract.preferences import Stated, habits, lasting, wishes, wishful
from dcb.extract.segments import Span, Spans, segments
from dcb.extract.summary import summary
from dcb.extract.verbatim import Trace, taken
from dcb.extract.walk import Walk
from dcb.model import Conversation, Entry, Message, Omitted, Preference, Section, numbered, united

__all__ = ["Extraction", "Span", "Trace", "Watched", "extract", "segments"]


Watched = Callable[[Iterable[Message]], Iterator[Message]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """The three layers of a conversation before any budget, and how they came about."""

    entries: tuple[Entry, ...]
    sections: tuple[Section, ...]
    preferences: tuple[Preference, ...]
    title: str
    description: str
    omitted: tuple[Omitted, ...] = ()
    trace: tuple[Trace, ...] = ()  # only when asked for


def extract(
    conversation: Conversation, *, trace: bool = False, watched: Watched = iter
) -> Extraction:
    """Read a conversation; `trace` also tells for every passage which rule took or passed it.

    `watched` gives the messages one by one, so that somebody may count them and break off.
    """
    conversation = numbered(conversation)
    spans = Spans(conversation)
    walk = Walk(conversation, spans, trace=trace)
    wishing = wishful(conversation.messages)
    stated: list[Stated] = []
    for number, message in enumerate(watched(conversation.messages)):
        # Cut once for both, while its spans are remembered.
        said = tuple(wishes(number, message, spans)) if number in wishing else ()
        walk.read(number, wished=tuple((wish.start, wish.end) for wish in said if _manner(wish)))
        stated += said
    found, held_as = taken(walk), lasting(habits(stated))
    held = {(wish.message, wish.start, wish.end): wish.preference.key for wish in held_as}
    sections, omitted = summary(conversation, spans, held | found.taken)
    return Extraction(
        entries=found.entries,
        sections=sections,
        preferences=united(wish.preference for wish in held_as),
        title=title(conversation),
        description=description(conversation),
        omitted=omitted,
        trace=found.trace,
    )


def _manner(wish: Stated) -> bool:
    """Whether a wish is only about how the assistant should write, which decides nothing else."""
    wanted = wish.preference
    return wanted.explicit and wanted.scope != "constraint" and wanted.key not in _LOOKS


_LOOKS = frozenset({"style.color", "style.font", "style.chart"})  # these shape the work itself
