"""An engine whose worker is killed once, in the middle of a call."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dcb.engines import Engine


class Dying:
    """The engine given, but the worker of call number `at` kills itself, `times` times."""

    def __init__(self, engine: Engine, marks: Path, *, at: int, times: int = 1) -> None:
        self._engine = engine
        self._marks = marks
        self._left = at
        self._times = times
        self.value = engine.value

    @property
    def room(self) -> int:
        return self._engine.room

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self._left -= 1
        if self._left:
            return self._engine.submit(function, *arguments)
        return self._engine.submit(die_first, self._marks, self._times, function, *arguments)

    @property
    def deaths(self) -> int:
        return len(list(self._marks.iterdir()))


def die_first(marks: Path, times: int, function: Callable[..., Any], *arguments: Any) -> Any:
    """The value of a call, after this process was killed so many times over it."""
    done = len(list(marks.iterdir()))
    if done < times:
        (marks / str(done)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return function(*arguments)
