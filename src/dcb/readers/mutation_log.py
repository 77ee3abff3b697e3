"""Rows of VS Code's append-only log of an object -> the object after the last row.

`{kind:0,v}` is the whole state, `{kind:1,k,v}` sets the value at the path `k`, `{kind:2,k,v?,i?}`
cuts the list at `k` to length `i`, then pushes, `{kind:3,k}` deletes. A log that lacks its first
row is carried out on an empty object: what it still says is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dcb.readers.base import Notes
from dcb.readers.loose import fields, items

INITIAL, SET, PUSH, DELETE = range(4)


def replayed(records: Iterable[tuple[int, Any]], notes: Notes) -> dict[str, Any]:
    """The state after the last row. A row whose path leads nowhere is counted and skipped."""
    state: dict[str, Any] | None = None
    lost = []
    for number, row in records:
        entry = fields(row)
        if entry.get("kind") == INITIAL:
            state = fields(entry.get("v"))
            continue
        if state is None:
            notes.warn("The log has no first state (kind 0): what was said before it is lost")
            state = {}
        if not _apply(state, entry):
            lost.append(number)
    if lost:
        notes.warn(f"{len(lost)} rows change what is not there, first on line {lost[0]}; skipped")
        notes.drop("damaged", len(lost))
    return state or {}


def _apply(state: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Carry out one row; False, and nothing done, where its path leads nowhere."""
    path = items(entry.get("k"))
    holder: Any = state
    for step in path[:-1]:
        holder = _at(holder, step)
    if not path or not isinstance(holder, (dict, list)):
        return False
    kind = entry.get("kind")
    if kind == SET:
        return _put(holder, path[-1], entry.get("v"))
    if kind == DELETE:
        return _at(holder, path[-1]) is not None and _put(holder, path[-1], None)
    if kind != PUSH:
        return False
    pushed = _at(holder, path[-1])
    if not isinstance(pushed, list):
        pushed = []
        if not _put(holder, path[-1], pushed):
            return False
    if isinstance(entry.get("i"), int) and entry["i"] >= 0:
        del pushed[entry["i"] :]
    pushed.extend(items(entry.get("v")))
    return True


def _at(holder: Any, step: Any) -> Any:
    if isinstance(holder, dict) and isinstance(step, str):
        return holder.get(step)
    if isinstance(holder, list) and type(step) is int and 0 <= step < len(holder):
        return holder[step]
    return None


def _put(holder: Any, step: Any, value: Any) -> bool:
    if isinstance(holder, dict) and isinstance(step, str):
        holder[step] = value
    elif isinstance(holder, list) and type(step) is int and 0 <= step <= len(holder):
        holder[step : step + 1] = [value]
    else:
        return False
    return True
