"""The pages of the local web page, and the menu that leads to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from starlette.routing import BaseRoute

from dcb.web.pages import (
    bring_in,
    enter,
    history,
    inbox,
    library,
    look,
    merge,
    review,
    settings,
    snapshot,
    timeline,
    unlock,
)

PAGES: tuple[ModuleType, ...] = (
    enter,
    unlock,
    look,
    library,
    snapshot,
    history,
    bring_in,
    review,
    merge,
    timeline,
    inbox,
    settings,
)

# Path and the key of its words, in the order of the menu.
NAVIGATION: tuple[tuple[str, str], ...] = (
    ("/", "nav.library"),
    ("/bring-in", "nav.bring-in"),
    ("/merge", "nav.merge"),
    ("/timeline", "nav.timeline"),
    ("/inbox", "nav.inbox"),
    ("/settings", "nav.settings"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """The pages of a server. `local` says that who sees them may read its machine's files.

    `entrance` is the template that is shown to who has no session.
    """

    pages: tuple[ModuleType, ...]
    navigation: tuple[tuple[str, str], ...]
    entrance: str = "enter.html"
    local: bool = False

    def routes(self) -> Iterator[BaseRoute]:
        """The routes of all its pages."""
        for page in self.pages:
            yield from page.routes
            if self.local:
                yield from getattr(page, "local_routes", ())


HERE = Site(pages=PAGES, navigation=NAVIGATION, local=True)

# Path and words of what other pages do with a snapshot; they are given its `id`.
ACTIONS: tuple[tuple[str, str], ...] = (
    ("/review/stored", "snapshot.edit"),
    ("/merge", "snapshot.merge"),
)
