"""What a person brought in and has not kept yet: sources, and drafts made of them.

Files that were sent lie in a private folder outside the store, sealed where the store is, and are
removed when they are dropped, when nobody has asked for them for a while, and when the program ends; drafts are in
memory only. Folders that a killed program left behind are removed at the next start.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from dcb import files
from dcb.errors import NotFound
from dcb.web.drafts import Draft
from dcb.web.held import Held, new_key
from dcb.web.work import Work

if TYPE_CHECKING:
    from starlette.requests import Request

SECONDS = 30 * 60
SOURCES = 4
DRAFTS = 8
PREFIX = "dcb-web-"
_OURS = re.compile(rf"{PREFIX}(\d+)-")


@dataclass(kw_only=True)
class Source:
    """A file or folder with conversations. `sent` says that it is ours to remove."""

    key: str
    name: str
    held: Held
    sent: bool
    used: float = 0.0
    survey: Any = None  # what the page that shows it knows of it
    ingest: Any = None
    compiling: Any = None
    works: list[Work] = field(default_factory=list)

    @property
    def busy(self) -> bool:
        """Whether something is still being done with it."""
        return any(work.running for work in self.works)


class Tray:
    """The sources and drafts of one server."""

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, seconds: float = SECONDS
    ) -> None:
        self._clock = clock
        self._seconds = seconds
        self._turn = threading.RLock()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._sources: dict[str, Source] = {}
        self._drafts: dict[str, Draft] = {}
        self._timer: threading.Timer | None = None
        sweep()

    def __enter__(self) -> Tray:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- sources -------------------------------------------------------------------------

    def place(self, name: str, *, sealed: bool) -> Held:
        """A place in a new private folder for a file of that name, that only we can read if so."""
        with self._turn:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(
                    prefix=f"{PREFIX}{os.getpid()}-", ignore_cleanup_errors=True
                )
            inner = tempfile.mkdtemp(dir=self._folder.name)
        path = Path(inner) / (files.safe_name(name) or "file")
        return Held(path=path, key=new_key() if sealed else None)

    def add(self, held: Held, *, name: str, sent: bool) -> Source:
        """Take a source in; the oldest that nobody works with makes room."""
        with self._turn:
            source = Source(key=_key(), name=name, held=held, sent=sent, used=self._clock())
            self._sources[source.key] = source
            idle = [key for key, other in self._sources.items() if not other.busy]
            for key in idle[: max(0, len(self._sources) - SOURCES)]:
                self.drop(key)
            self._watch()
            return source

    def source(self, key: str) -> Source:
        """A source that is here. Raises NotFound."""
        with self._turn:
            if key not in self._sources:
                raise NotFound("This file is no longer here; bring it in again")
            source = self._sources[key]
            source.used = self._clock()
            return source

    def sources(self) -> tuple[Source, ...]:
        """All sources, the last one first."""
        with self._turn:
            return tuple(reversed(self._sources.values()))

    def drop(self, key: str) -> None:
        """Let go of a source; a file that was sent is removed."""
        with self._turn:
            source = self._sources.pop(key, None)
        if source is not None:
            _let_go(source)

    def expire(self) -> None:
        """Let go of what nobody has asked for in a while."""
        with self._turn:
            before = self._clock() - self._seconds
            old = [key for key, s in self._sources.items() if s.used <= before and not s.busy]
        for key in old:
            self.drop(key)

    # --- drafts --------------------------------------------------------------------------

    def put(self, draft: Draft) -> str:
        """Keep a draft until it is dropped or many newer ones came; its key."""
        with self._turn:
            key = _key()
            self._drafts[key] = draft
            for old in tuple(self._drafts)[: max(0, len(self._drafts) - DRAFTS)]:
                del self._drafts[old]
            return key

    def draft(self, key: str) -> Draft:
        """A draft that is here. Raises NotFound."""
        with self._turn:
            if key not in self._drafts:
                raise NotFound("This draft is no longer here; bring the conversation in again")
            # The last used are the last to go.
            draft = self._drafts[key] = self._drafts.pop(key)
            return draft

    def drafts(self) -> dict[str, Draft]:
        """All drafts, the last used last."""
        with self._turn:
            return dict(self._drafts)

    def forget(self, key: str) -> None:
        """Let go of a draft."""
        with self._turn:
            self._drafts.pop(key, None)

    def close(self) -> None:
        """Let go of everything."""
        with self._turn:
            keys = tuple(self._sources)
            self._drafts.clear()
        for key in keys:
            self.drop(key)
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _watch(self) -> None:
        """Look again later: a file must not wait for the next request."""
        if self._sources and self._timer is None:
            self._timer = threading.Timer(self._seconds / 4, self._look)
            self._timer.daemon = True
            self._timer.start()

    def _look(self) -> None:
        with self._turn:
            self._timer = None
            self.expire()
            self._watch()


def remove(held: Held) -> None:
    """Remove a file that `place` made room for, with its folder."""
    shutil.rmtree(held.path.parent, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of programs that were killed. Others' folders cannot be removed."""
    if os.name != "posix":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        ours = _OURS.match(folder.name)
        if ours and not folder.is_symlink() and not _alive(int(ours[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _let_go(source: Source) -> None:
    for work in source.works:
        work.stop()
    for work in source.works:
        # Where a file that is open cannot be removed.
        work.wait(2.0 if os.name == "nt" else 0.0)
    if source.sent:
        remove(source.held)


def _key() -> str:
    return secrets.token_urlsafe(12)


def of(request: Request) -> Tray:
    """The tray of the server that answers a request."""
    return cast("Tray", request.app.state.tray)
