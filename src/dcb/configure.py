"""A new value of a setting -> the configuration file, of which nothing else changes.

Comments, order and whatever else stands there stay as they are: a change is taken only when
the file then says, read as TOML, what it said before with that one value in it.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from dcb import files
from dcb.budget import MAX_LIMIT, MIN_LIMIT
from dcb.errors import RequestError, SourceError
from dcb.settings import KEYS, config_path
from dcb.tokens import FAMILIES

Value = int | bool | str

# Only what can lead neither to another store nor to another host may be changed from a page.
RANGES: Mapping[str, tuple[int, int]] = {
    "max_tokens": (MIN_LIMIT, MAX_LIMIT),
    "hook_tokens": (MIN_LIMIT, MAX_LIMIT),
    "hook_seconds": (1, 120),
}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "tokens": FAMILIES,
    "lang": ("", "en", "zh"),
    "history_git": ("false", "true"),
}
NAMES = (*RANGES, *CHOICES)

_VALUE = r"""(?:"[^"\\\r\n]*"|'[^'\r\n]*'|[\w+-]+)"""
_TABLE = re.compile(r"^(?:[ \t]*#[^\n]*\n)*[ \t]*\[", re.M)


def write(name: str, given: str, *, environment: Mapping[str, str] = os.environ) -> None:
    """Set a setting in the configuration file. Raises RequestError, SourceError."""
    value = checked(name, given)
    path = config_path(environment).resolve()  # A link to the file stays one.
    files.write(path, edited(_read(path), name, value, where=path), mode=_mode(path))


def checked(name: str, given: str) -> Value:
    """The value that was given as text. Raises RequestError that says what is possible."""
    if name in RANGES:
        return _whole(name, given.strip().replace(",", ""), *RANGES[name])
    if name not in CHOICES:
        raise RequestError(f"Cannot change {name!r} here; what can be: {', '.join(NAMES)}")
    if given not in CHOICES[name]:
        known = ", ".join(filter(None, CHOICES[name]))
        raise RequestError(f"{KEYS[name]} is one of {known}, not {given[:40]!r}")
    return given == "true" if name == "history_git" else given


def edited(text: str, name: str, value: Value, *, where: Path) -> str:
    """The text of the file with that value. Raises RequestError where only a person can do it."""
    before = _parsed(text, where)
    wanted = _with(before, KEYS[name].split("."), value)
    if wanted == before:
        return text
    for candidate in _candidates(text, KEYS[name], _written(value)):
        if _means(candidate, wanted):
            return candidate
    raise RequestError(f"{where}: {KEYS[name]} is written in an unusual way; change it there")


def _whole(name: str, given: str, low: int, high: int) -> int:
    if given.isascii() and given.isdecimal() and len(given) < 10 and low <= int(given) <= high:
        return int(given)
    raise RequestError(f"{name} is a whole number from {low} to {high:,}, not {given[:40]!r}")


def _read(path: Path) -> str:
    try:
        if path.exists():
            return path.read_bytes().decode()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return ""
    except UnicodeDecodeError:
        raise RequestError(f"{path} is not UTF-8; mend or remove it") from None
    except OSError as error:
        raise SourceError(f"Cannot change {path}: {error.strerror}") from None


def _mode(path: Path) -> int | None:
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else None


def _parsed(text: str, where: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RequestError(f"{where} is not valid TOML ({error}); mend or remove it") from None


def _with(before: dict[str, Any], key: list[str], value: Value) -> dict[str, Any]:
    after = deepcopy(before)
    table = after
    for part in key[:-1]:
        table = table.setdefault(part, {})
    table[key[-1]] = value
    return after


def _written(value: Value) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _candidates(text: str, key: str, value: str) -> Iterator[str]:
    """Texts that may say it, the one nearest to the person's hand first."""
    *tables, last = key.split(".")
    for found in _places(text, key):
        yield text[: found.end(1)] + value + text[found.end() :]
    for table in tables:
        for found in re.finditer(rf"^[ \t]*\[[ \t]*{table}[ \t]*\][^\n]*(?:\n|\Z)", text, re.M):
            yield f"{_ended(text[: found.end()])}{last} = {value}\n{text[found.end() :]}"
    line = f"{key} = {value}\n"
    yield _ended(text) + line
    for found in _TABLE.finditer(text):
        yield f"{text[: found.start()]}{line}\n{text[found.start() :]}"
    yield f"{line}{text}"


def _ended(text: str) -> str:
    """The text with its last line ended, so that another can follow."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def _places(text: str, key: str) -> Iterator[re.Match[str]]:
    """Where the key may stand with a value: `a.b = 1`, `b = 1` of a table, `a = { b = 1 }`."""
    parts = key.split(".")
    first, last = parts[0], parts[-1]
    inline = rf"{first}[ \t]*=[ \t]*\{{[ \t]*{last}"
    for name in dict.fromkeys((re.escape(key), last, inline)):
        yield from re.finditer(rf"^([ \t]*{name}[ \t]*=[ \t]*){_VALUE}", text, re.M)


def _means(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False
