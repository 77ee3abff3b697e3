"""Which pages a server of several people has: those of one person's, a login and a choice.

What concerns the machine that the server runs on is left out: its settings, its files, the
passphrase of its store.
"""

from __future__ import annotations

from dcb.serve.pages import entrance, hall, log
from dcb.serve.routes import LOG
from dcb.team import Role, writes
from dcb.web import pages
from dcb.web.pages import Site

_OF_THE_MACHINE = (pages.enter, pages.unlock, pages.settings)
_SHARED = tuple(page for page in pages.PAGES if page not in _OF_THE_MACHINE)
_MENU = tuple(line for line in pages.NAVIGATION if line[0] != "/settings")
_FOR_READERS = ("/", "/timeline")
_LOGIN = "login.html"

ENTRANCE = Site(pages=(entrance, pages.look), navigation=(), entrance=_LOGIN)
HALL = Site(pages=(hall, pages.look), navigation=(), entrance=_LOGIN)
WRITING = Site(pages=_SHARED, navigation=_MENU, entrance=_LOGIN)
OWNING = Site(pages=(*_SHARED, log), navigation=(*_MENU, (LOG, "nav.log")), entrance=_LOGIN)
READING = Site(
    pages=_SHARED,
    navigation=tuple(line for line in _MENU if line[0] in _FOR_READERS),
    entrance=_LOGIN,
)


def for_role(role: Role) -> Site:
    """The pages of a project, as much of them as a role may use."""
    if role == "owner":
        return OWNING
    return WRITING if writes(role) else READING
