"""The pages of the local web page, and the menu that leads to them."""

from __future__ import annotations

from types import ModuleType

from dcb.web.pages import enter, history, inbox, library, look, settings, snapshot, unlock

PAGES: tuple[ModuleType, ...] = (enter, unlock, look, library, snapshot, history, inbox, settings)

# Path and the key of its words, in the order of the menu.
NAVIGATION: tuple[tuple[str, str], ...] = (
    ("/", "nav.library"),
    ("/inbox", "nav.inbox"),
    ("/settings", "nav.settings"),
)

# Path and words of what other pages do with a snapshot; they are given its `id`.
ACTIONS: tuple[tuple[str, str], ...] = ()
