"""File and environment -> Settings: where data lies, and the defaults of every command.

`config.toml` in the user's configuration folder (or the file that `DCB_CONFIG` names) may
hold the fields of `Settings`; the environment variables `DCB_DATA_DIR`, `DCB_STORE`, `DCB_PROJECT`,
`DCB_MAX_TOKENS`, `DCB_TOKENS`, `DCB_LANG`, `DCB_HOOK_TOKENS`, `DCB_HOOK_SECONDS` and
`DCB_HISTORY_GIT` go before it, and options of a command before both.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from dcb.errors import RequestError

_APP = "dcb"
_HISTORY = "history"
_XDG = {"config": "~/.config", "data": "~/.local/share"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a person may set once. `max_tokens` in tokens; `limits` overrides input limits.

    `hook_tokens` is the size of the brief that a hook gives, `hook_seconds` how long it may
    hold an agent up; `history_git` mirrors history into a git repository beside the store.
    """

    data_dir: Path
    max_tokens: int = 4096
    tokens: str = "estimate"
    lang: str = ""
    limits: Mapping[str, int] | None = None
    hook_tokens: int = 2000
    hook_seconds: int = 2
    history_git: bool = False
    # Address of a PostgreSQL server; empty: the store lies in `data_dir`. It may hold a password.
    store: str = field(default="", repr=False)
    project: str = ""  # on that server
    model: Mapping[str, str] = field(default_factory=dict)  # base_url, name, key_variable


# How the file calls each field.
KEYS: Mapping[str, str] = {
    item.name: item.name.replace("history_", "history.") for item in fields(Settings)
}


def load(environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from the configuration file and the environment.

    Raises RequestError for a file that is not TOML, an unknown field or a wrong type.
    """
    path = config_path(environment)
    settings = replace(Settings(data_dir=_folder("data")), **_checked(_read(path), path))
    return replace(settings, **_from_environment(environment))


def config_path(environment: Mapping[str, str] = os.environ) -> Path:
    """The configuration file, whether or not it exists."""
    named = environment.get("DCB_CONFIG")
    if named:
        return Path(named)
    return _folder("config") / "config.toml"


def _folder(kind: Literal["config", "data"]) -> Path:
    """The folder of this kind that the system gives a program."""
    if sys.platform == "linux":
        # What platformdirs says there; importing it takes longer than opening the store.
        named = os.environ.get(f"XDG_{kind.upper()}_HOME", "").strip()
        return Path(named or _XDG[kind]).expanduser() / _APP
    import platformdirs

    found = {"config": platformdirs.user_config_path, "data": platformdirs.user_data_path}[kind]
    return found(_APP, appauthor=False)


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    import tomllib

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RequestError(f"{path} is not valid TOML ({error}); mend or remove it") from None


_TYPES: dict[str, type] = {
    "data_dir": str,
    "store": str,
    "project": str,
    "max_tokens": int,
    "tokens": str,
    "lang": str,
    "limits": dict,
    "hook_tokens": int,
    "hook_seconds": int,
    "model": dict,
}


def _checked(written: Mapping[str, Any], path: Path) -> dict[str, Any]:
    settings = {name: value for name, value in written.items() if name != _HISTORY}
    for name, value in settings.items():
        if name not in _TYPES:
            known = ", ".join(KEYS.values())
            raise RequestError(f"{path}: unknown setting {name!r}; known: {known}")
        if type(value) is not _TYPES[name]:
            raise RequestError(f"{path}: {name} must be of type {_TYPES[name].__name__}")
    return _with_path(settings) | _history(written, path)


def _history(written: Mapping[str, Any], path: Path) -> dict[str, bool]:
    """What the table `history` says of `git`, its only field."""
    table = written.get(_HISTORY, {})
    if not isinstance(table, dict) or set(table) - {"git"}:
        raise RequestError(f"{path}: {_HISTORY} is a table with one field: git = true or false")
    if not isinstance(table.get("git", False), bool):
        raise RequestError(f"{path}: history.git must be true or false")
    return {f"{_HISTORY}_{name}": value for name, value in table.items()}


_VARIABLES: Mapping[str, type] = {
    "data_dir": str,
    "max_tokens": int,
    "tokens": str,
    "lang": str,
    "hook_tokens": int,
    "hook_seconds": int,
    "history_git": bool,
    "store": str,
    "project": str,
}


def variable(name: str) -> str:
    """The variable of the environment that goes before the file; "" where there is none."""
    return f"DCB_{name.upper()}" if name in _VARIABLES else ""


# Scheme, role, [password], @server, path, [options, which may hold a password too].
_ADDRESS = re.compile(r"([a-z]+://)(?:([^:/?]*)(?::.*)?(@))?([^@?]*)(?:\?.*)?$", re.DOTALL)


def shown(name: str, value: Any) -> Any:
    """The value of a setting as a screen may show it: of an address, no password."""
    if name != "store" or not value:
        return value
    # The other form of an address, `host=… password=…`, is not shown at all.
    found = _ADDRESS.match(value)
    return "".join(part or "" for part in found.groups()) if found else "…"


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    return _with_path(
        {
            name: _READ[kind](variable(name), environment[variable(name)])
            for name, kind in _VARIABLES.items()
            if environment.get(variable(name))
        }
    )


_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _truth(variable: str, written: str) -> bool:
    try:
        return _TRUTHS[written.lower()]
    except KeyError:
        raise RequestError(f"{variable} must be true or false, not {written!r}") from None


def _number(variable: str, written: str) -> int:
    try:
        return int(written)
    except ValueError:
        raise RequestError(f"{variable} must be a whole number, not {written!r}") from None


_READ: Mapping[type, Callable[[str, str], Any]] = {
    str: lambda _, written: written,
    int: _number,
    bool: _truth,
}


def _with_path(values: dict[str, Any]) -> dict[str, Any]:
    if "data_dir" in values:
        values["data_dir"] = Path(values["data_dir"]).expanduser()
    return values
