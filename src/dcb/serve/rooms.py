"""A person and a project -> the pages or the desk that they use, each over a library of its own.

What nobody has used for the longest makes room, with all that was brought in there and not
kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from dcb.library import Library
from dcb.mcp.desk import Desk as Tools
from dcb.serve import logs, pages
from dcb.serve.kept import Kept
from dcb.serve.routes import classed
from dcb.serve.watched import Watched
from dcb.team import Gate, Holder, Place
from dcb.web.app import create_app, large_bodies
from dcb.web.desk import Desk
from dcb.web.door import Door
from dcb.web.guard import MAX_REQUESTS
from dcb.web.tray import Tray

if TYPE_CHECKING:
    from dcb.serve.metrics import Metrics
    from dcb.serve.sessions import Session
    from dcb.settings import Settings
    from dcb.store.postgres import Shared
    from dcb.web.guard import Guard
    from dcb.web.pages import Site

STRANGERS = 256  # requests at once for the login and the style of the pages, of all people


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """The pages of one browser in one project, with what was brought in there."""

    app: Guard
    desk: Desk
    tray: Tray

    def close(self) -> None:
        """Let go of what was brought in."""
        self.tray.close()
        self.desk.close()


class SharedLibrary(Library):
    """The verbs over a project of a shared store."""

    def __init__(self, settings: Settings, opened: Callable[[], Watched]) -> None:
        super().__init__(settings)
        self._opened = opened

    @cached_property
    def store(self) -> Watched:
        """The open store. Raises StoreError."""
        return self._opened()


@dataclass(kw_only=True)
class Rooms:
    """All rooms of a server. `public_url` is what browsers call it, `upload` the most of a file."""

    settings: Settings
    shared: Shared
    gate: Gate
    metrics: Metrics
    public_url: str
    port: int
    upload: int
    _web: Kept[Room] = field(default_factory=lambda: Kept(Room.close))
    _agents: Kept[Tools] = field(default_factory=lambda: Kept(Tools.close))

    def library(self, holder: Holder, place: Place) -> Library:
        """The library of a person in a project; opened when it is first used."""
        return SharedLibrary(self.settings, partial(self._store, holder, place))

    def _store(self, holder: Holder, place: Place) -> Watched:
        database = self.shared.open_for(
            holder.person, place.project, where=f"project {place.name!r}"
        )
        database.tell(token_id=str(holder.token))
        return Watched(
            database,
            now=lambda: time.time_ns() // 1_000_000,
            note=partial(self.gate.note, holder, place),
            count=self.metrics.done,
        )

    # --- agents --------------------------------------------------------------------------

    def tools(self, holder: Holder, place: Place) -> Tools:
        """The tools of whoever holds a token, with the drafts that were made with it."""
        key = (holder.token, place.project, place.role)
        return self._agents.get(key, lambda: Tools(partial(self.library, holder, place)))

    # --- pages ---------------------------------------------------------------------------

    @cached_property
    def entrance(self) -> Guard:
        """What is shown to who is not logged in. Its door knows no session."""
        door = Door(port=self.port, public_url=self.public_url)
        return self._made(pages.ENTRANCE, door, at_once=STRANGERS).app

    def hall(self, session: Session) -> Guard:
        """Where somebody who is logged in chooses a project."""
        return self._of(session, "", site=pages.HALL)

    def room(self, session: Session, holder: Holder, place: Place) -> Guard:
        """The pages of a project."""
        return self._of(
            session,
            place.name,
            site=pages.for_role(place.role),
            opened=partial(self.library, holder, place),
        )

    def leave(self, session: Session) -> None:
        """Let go of all that a session used."""
        self._web.drop(lambda key: isinstance(key, tuple) and key[0] == session.key)

    def close(self) -> None:
        """Let go of everything."""
        self._web.drop(lambda key: True)
        self._agents.drop(lambda key: True)

    def _of(
        self,
        session: Session,
        subject: str,
        *,
        site: Site,
        opened: Callable[[], Library] | None = None,
    ) -> Guard:
        door = Door(
            port=self.port,
            public_url=self.public_url,
            session=session.key,
            subject=subject,
            large={path: min(size, self.upload) for path, size in large_bodies().items()},
            read_only=site is pages.READING,
        )
        key = (session.key, subject, site)
        return self._web.get(key, partial(self._made, site, door, opened)).app

    def _made(
        self,
        site: Site,
        door: Door,
        opened: Callable[[], Library] | None = None,
        *,
        at_once: int = MAX_REQUESTS,
    ) -> Room:
        desk, tray = Desk(self.settings, opened=opened), Tray()
        app = create_app(
            desk,
            door=door,
            site=site,
            lang=self.settings.lang,
            tray=tray,
            at_once=at_once,
            report=lambda error, path: logs.fault(error, route=classed(path)),
        )
        return Room(app=app, desk=desk, tray=tray)
