"""File and environment -> Settings: where data lies, and the defaults of every command.

`config.toml` in the user's configuration folder (or the file that `DCB_CONFIG` names) may
hold the fields of `Settings`; the environment variables `DCB_DATA_DIR`, `DCB_MAX_TOKENS`,
`DCB_TOKENS`, `DCB_LANG`, `DCB_HOOK_TOKENS` and `DCB_HOOK_SECONDS` go before it, and options of a command before both.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from dcb.errors import RequestError

_APP = "dcb"
_XDG = {"config": "~/.config", "data": "~/.local/share"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a person may set once. `max_tokens` in tokens; `limits` overrides input limits.

    `hook_tokens` is the size of the brief that a hook gives, `hook_seconds` how long it may
    hold an agent up.
    """

    data_dir: Path
    max_tokens: int = 4096
    tokens: str = "estimate"
    lang: str = ""
    limits: Mapping[str, int] | None = None
    hook_tokens: int = 2000
    hook_seconds: int = 2
    model: Mapping[str, str] = field(default_factory=dict)  # base_url, name, key_variable


def load(environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from the configuration file and the environment.

    Raises RequestError for a file that is not TOML, an unknown field or a wrong type.
    """
    path = config_path(environment)
    written = _read(path) if path.is_file() else {}
    settings = replace(Settings(data_dir=_folder("data")), **_checked(written, path))
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
    import tomllib

    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RequestError(f"{path} is not valid TOML ({error}); mend or remove it") from None


_TYPES: dict[str, type] = {
    "data_dir": str,
    "max_tokens": int,
    "tokens": str,
    "lang": str,
    "limits": dict,
    "hook_tokens": int,
    "hook_seconds": int,
    "model": dict,
}


def _checked(written: Mapping[str, Any], path: Path) -> dict[str, Any]:
    known = [item.name for item in fields(Settings)]
    for name, value in written.items():
        if name not in known:
            raise RequestError(f"{path}: unknown setting {name!r}; known: {', '.join(known)}")
        if type(value) is not _TYPES[name]:
            raise RequestError(f"{path}: {name} must be of type {_TYPES[name].__name__}")
    return _with_path(dict(written))


_VARIABLES = ("data_dir", "max_tokens", "tokens", "lang", "hook_tokens", "hook_seconds")


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in _VARIABLES:
        variable = f"DCB_{name.upper()}"
        written = environment.get(variable)
        if written:
            values[name] = _number(variable, written) if _TYPES[name] is int else written
    return _with_path(values)


def _number(variable: str, written: str) -> int:
    try:
        return int(written)
    except ValueError:
        raise RequestError(f"{variable} must be a whole number, not {written!r}") from None


def _with_path(values: dict[str, Any]) -> dict[str, Any]:
    if "data_dir" in values:
        values["data_dir"] = Path(values["data_dir"]).expanduser()
    return values
