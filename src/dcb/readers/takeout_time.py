"""Times as Google's activity pages print them -> epoch milliseconds.

`Dec 12, 2025, 6:31:05 AM UTC`, `12 Dec 2025, 06:31:05 GMT+01:00`, `2025年12月12日 下午6:31:05
UTC`, with narrow blanks. A zone that names several places (CST, IST) or is missing makes no
time: nothing is guessed.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

TIME_LINE = re.compile(r"(?=[^\n]*(?<!\d)\d{4}(?!\d))(?=[^\n]*\d:\d\d:\d\d)[^\n]{12,60}\Z")
"""A line that is a date with a year and a time with seconds, in any language."""

CLOCK = re.compile(r"(上午|下午)?\s*(\d{1,2}):(\d\d):(\d\d)\s*(AM|PM)?", re.IGNORECASE)
CHINESE = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
DAY_FIRST = re.compile(r"(\d{1,2}) ([A-Za-z]{3})[a-z]*\.? (\d{4})")
MONTH_FIRST = re.compile(r"([A-Za-z]{3})[a-z]*\.? (\d{1,2}), (\d{4})")
OFFSET = re.compile(r"(?:GMT|UTC)([+-])(\d{1,2})(?::?(\d\d))?\b")
ZONE = re.compile(r"\b([A-Z]{3,4})\b(?![+-])")

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ZONES = {"UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3}
ZONES |= {"EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
ZONES |= {"JST": 9, "KST": 9, "HKT": 8, "AEST": 10, "AEDT": 11}  # hours


def takeout_ms(text: str) -> int | None:
    """Epoch milliseconds of a printed time, or None."""
    text = " ".join(text.split())
    day, clock, zone = _day(text), CLOCK.search(text), _zone(text)
    if day is None or clock is None or zone is None:
        return None
    half = {"pm": 12, "下午": 12}.get((clock[5] or clock[1] or "").lower(), 0)
    hour = int(clock[2])
    if clock[5] or clock[1]:
        hour = hour % 12 + half
    try:
        moment = datetime(*day, hour, int(clock[3]), int(clock[4]), tzinfo=zone)
    except ValueError:
        return None
    return int(moment.timestamp()) * 1000 if moment.year > 1970 else None


def _day(text: str) -> tuple[int, int, int] | None:
    if found := CHINESE.search(text):
        return int(found[1]), int(found[2]), int(found[3])
    if found := DAY_FIRST.search(text):
        day, month, year = found[1], found[2], found[3]
    elif found := MONTH_FIRST.search(text):
        month, day, year = found[1], found[2], found[3]
    else:
        return None
    if month.lower() not in MONTHS:
        return None
    return int(year), MONTHS.index(month.lower()) + 1, int(day)


def _zone(text: str) -> timezone | None:
    if found := OFFSET.search(text):
        minutes = int(found[2]) * 60 + int(found[3] or 0)
        return timezone(timedelta(minutes=-minutes if found[1] == "-" else minutes)) if (
            minutes < 24 * 60
        ) else None  # fmt: skip
    names = [name for name in ZONE.findall(text) if name in ZONES]
    if not names:
        return None
    return UTC if ZONES[names[-1]] == 0 else timezone(timedelta(hours=ZONES[names[-1]]))
