"""The pages of the local web page, and the menu that leads to them."""

from __future__ import annotations

from types import ModuleType

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

# Path and words of what other pages do with a snapshot; they are given its `id`.
ACTIONS: tuple[tuple[str, str], ...] = (
    ("/review/stored", "snapshot.edit"),
    ("/merge", "snapshot.merge"),
)
