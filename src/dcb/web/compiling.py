"""One conversation of a source -> a draft to review, compiled while one watches or stops it.

The library is used at the beginning only: nobody waits for a long conversation but who wants it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dcb.compile import compile_conversation
from dcb.web.drafts import Draft
from dcb.web.survey import Reading
from dcb.web.work import Work

if TYPE_CHECKING:
    from dcb.choices import Choice
    from dcb.model import Conversation
    from dcb.settings import Settings


class Compiling:
    """`draft` is the key of the draft once `keep` was given it; `work` counts messages."""

    def __init__(
        self,
        reading: Reading,
        place: int,
        *,
        desk: Callable[[], Any],
        settings: Settings,
        keep: Callable[[Draft], str],
    ) -> None:
        self.draft = ""
        self._reading = reading
        self._place = place
        self._desk = desk
        self._settings = settings
        self._keep = keep
        self.work = Work(self._compile)

    def _compile(self, work: Work) -> None:
        conversation = self._reading.conversation(self._place, work)
        work.total = len(conversation.messages)
        stored, known_as, earlier = self._known(conversation)
        compiled = compile_conversation(
            conversation,
            max_tokens=None,
            count=self._settings.tokens,
            tags=known_as,
            watched=work.watched,
        )
        draft = Draft(
            compiled=compiled,
            earlier=earlier,
            limit=self._settings.max_tokens,
            count=self._settings.tokens,
            stored=stored,
        )
        work.check()
        self.draft = self._keep(draft)

    def _known(self, conversation: Conversation) -> tuple[str, tuple[str, ...], tuple[Choice, ...]]:
        """The snapshot that there is of it, with its tags and what the person decided about it."""
        with self._desk() as library:
            earlier = library.earlier_choices(conversation)
            row = None
            if conversation.id:
                row = library.store.find_conversation(conversation.format, conversation.id)
            return (row.id, row.tags, earlier) if row else ("", (), earlier)
