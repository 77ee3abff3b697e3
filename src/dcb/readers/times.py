"""Times as exports write them -> epoch milliseconds, or None where they say nothing.

Never invented: zero, a negative number, a text that is no time and a time before 1970 or
after 9999 are None. An ISO text without a zone is taken as UTC; a reader of a tool that
writes local time must not ask.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from dcb.model import MAX_TIME
from dcb.readers.base import Notes

# A bare number tells its unit by its size: each step is a thousand times the one before.
UNITS: tuple[tuple[float, int], ...] = ((1e17, 1_000_000), (1e14, 1_000), (1e11, 1))
"""(above, divisor to milliseconds): nanoseconds, microseconds, milliseconds; else seconds."""

EPOCH = datetime.fromtimestamp(0, UTC)
MILLISECOND = timedelta(milliseconds=1)

_NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{0,20})?\Z")
_ZONE_WORD = re.compile(r"\s*(?:UTC|GMT)\Z")


def epoch_ms(value: Any) -> int | None:
    """Epoch milliseconds of a number, a numeric or ISO text, or a Mongo `{"$date": …}`."""
    if isinstance(value, dict):
        return epoch_ms(value.get("$date", value.get("$numberLong")))
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return _from_number(value)
    if isinstance(value, str):
        return _from_text(value.strip())
    return None


def noted_ms(value: Any, notes: Notes) -> int | None:
    """As `epoch_ms`; a value that is there but is no time is noted as a warning."""
    time = epoch_ms(value)
    if time is None and value:
        notes.warn(f"{str(value)[:40]!r} is no time; left empty")
    elif isinstance(value, (int, float)) and value > UNITS[0][0]:
        notes.warn(f"The time {value!r} was read as nanoseconds")
    return time


def _from_number(value: int | float) -> int | None:
    if not 0 < value < 1e20 or not math.isfinite(value):
        return None
    for above, divisor in UNITS:
        if value > above:
            return _in_range(int(value // divisor))
    return _in_range(round(value * 1000))


def _from_text(text: str) -> int | None:
    if _NUMBER.match(text):
        return _from_number(float(text) if "." in text else int(text))
    try:
        moment = datetime.fromisoformat(_ZONE_WORD.sub("Z", text[:64]))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return _in_range((moment - EPOCH) // MILLISECOND)
    except (ValueError, OverflowError):
        return None


def _in_range(milliseconds: int) -> int | None:
    return milliseconds if 0 < milliseconds <= MAX_TIME else None
