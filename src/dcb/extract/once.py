"""A method -> a property that is worked out when first asked for, and once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 - used as a decorator, as `property` is
    """What `functools.cached_property` is from Python 3.12 on: before, that takes a lock.

    Moves are looked at by one thread, and a long conversation has a million such properties.
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work = work
        self.__doc__ = work.__doc__

    def __get__(self, thing: Any, owner: type) -> T:
        value = thing.__dict__[self.work.__name__] = self.work(thing)
        return value
