"""This machine -> where the tools on it keep their conversations, without reading any.

`PLACES` is the table: for each tool its folders, by system and environment variable, and the
names of its session files. Looking stays inside those folders: a link that leads out of one is
not followed, and no folder is looked at beyond `ENTRIES` names. Environment, home and system
are arguments, so that a test brings its own.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

ENTRIES = 200_000
"""How many names are looked at for one tool before looking stops, with a warning."""

WARNINGS = 3  # of one tool
SETTINGS_BYTES = 1 << 20
CLAUDE_DAYS = 30  # Claude Code's own default of `cleanupPeriodDays`

Advice = Callable[[Path], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A tool's sessions: `count` files, `newest` in epoch milliseconds, `size` in bytes.

    `warning` says what a person should know, above all whether the tool deletes old sessions.
    """

    tool: str
    format: str
    root: Path
    patterns: tuple[str, ...]
    count: int
    newest: int | None
    size: int
    warning: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a tool keeps sessions.

    `roots` may begin with a variable of `_folders` (`{home}`, `{config}`, `{data}`) or of the
    environment (`$CODEX_HOME`, which then goes before the others). `patterns` are paths below a
    root, whose parts may hold `*`; of names joined by `|` in one folder the first counts.
    """

    tool: str
    format: str
    roots: tuple[str, ...]
    patterns: tuple[str, ...]
    advice: Advice = lambda root: ""


def _claude_deletes(root: Path) -> str:
    days = _setting(root / "settings.json", "cleanupPeriodDays")
    days = days if isinstance(days, int) and not isinstance(days, bool) else CLAUDE_DAYS
    return (
        f"Claude Code deletes sessions {days} days after their last use "
        f"(cleanupPeriodDays in {root / 'settings.json'})"
    )


def _gemini_deletes(root: Path) -> str:
    kept = _setting(root / "settings.json", "general", "sessionRetention")
    age = kept.get("maxAge") if isinstance(kept, dict) and kept.get("enabled") else None
    if not isinstance(age, str):
        return ""
    where = root / "settings.json"
    return f"Gemini CLI deletes sessions after {age[:20]} (general.sessionRetention in {where})"


_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_TASK = "tasks/*/ui_messages.json|api_conversation_history.json"
_VS_CODE = tuple(f"{{config}}/{editor}/User" for editor in _EDITORS)

PLACES: tuple[Place, ...] = (
    Place(
        tool="Claude Code",
        format="claude-code",
        roots=("$CLAUDE_CONFIG_DIR", "{home}/.claude", "{xdg_config}/claude"),
        patterns=("projects/*/*.jsonl",),
        advice=_claude_deletes,
    ),
    Place(
        tool="Codex",
        format="codex",
        roots=("$CODEX_HOME", "{home}/.codex"),
        patterns=(
            "sessions/*/*/*/rollout-*.jsonl",
            "sessions/*/*/*/rollout-*.jsonl.zst",
            "archived_sessions/rollout-*.jsonl",
            "archived_sessions/rollout-*.jsonl.zst",
        ),
    ),
    Place(
        tool="Gemini CLI",
        format="gemini-cli",
        roots=("$GEMINI_CLI_HOME/.gemini", "{home}/.gemini"),
        patterns=(
            "tmp/*/chats/session-*.json",
            "tmp/*/chats/session-*.jsonl",
            "tmp/*/checkpoint-*.json",
        ),
        advice=_gemini_deletes,
    ),
    Place(
        tool="Copilot CLI",
        format="copilot-cli",
        roots=("$COPILOT_HOME", "{home}/.copilot"),
        patterns=("session-state/*/events.jsonl", "session-state/*.jsonl"),
    ),
    Place(
        tool="DeepSeek Harness",
        format="dsh",
        roots=("$DSH_HOME", "{home}/.dsh"),
        patterns=(
            "sessions/*/session-*/session*.jsonl",
            "sessions/*/session-*/session*.jsonl.zstd",
        ),
    ),
    Place(
        tool="Cursor",
        format="cursor",
        roots=("{config}/Cursor/User",),
        patterns=("globalStorage/state.vscdb", "workspaceStorage/*/state.vscdb"),
    ),
    Place(
        tool="Cursor agent",
        format="cursor",
        roots=("{home}/.cursor",),
        patterns=(
            "projects/*/agent-transcripts/*/*.jsonl",
            "projects/*/agent-transcripts/*.jsonl",
            "projects/*/agent-transcripts/*/*.txt",
            "projects/*/agent-transcripts/*.txt",
        ),
    ),
    Place(
        tool="GitHub Copilot Chat",
        format="copilot-chat",
        roots=_VS_CODE,
        patterns=(
            "workspaceStorage/*/chatSessions/*.json",
            "workspaceStorage/*/chatSessions/*.jsonl",
            "globalStorage/emptyWindowChatSessions/*.json",
            "globalStorage/emptyWindowChatSessions/*.jsonl",
        ),
    ),
    Place(
        tool="Cline",
        format="cline",
        roots=(
            *(f"{root}/globalStorage/saoudrizwan.claude-dev" for root in _VS_CODE),
            "{home}/.cline/data",
        ),
        patterns=(_TASK, "sessions/*/*.messages.json"),
    ),
    Place(
        tool="Roo Code",
        format="cline",
        roots=tuple(f"{root}/globalStorage/rooveterinaryinc.roo-cline" for root in _VS_CODE),
        patterns=(_TASK,),
    ),
    Place(
        tool="opencode",
        format="opencode",
        roots=("{data}/opencode",),
        patterns=("opencode.db", "storage/session/*/ses_*.json"),
    ),
    Place(
        tool="llm",
        format="llm-logs",
        roots=("$LLM_USER_PATH", "{config}/io.datasette.llm"),
        patterns=("logs.db",),
    ),
    Place(
        tool="Aider",
        format="aider",
        roots=("{home}",),
        patterns=(
            ".aider.chat.history.md",
            "*/.aider.chat.history.md",
            "*/*/.aider.chat.history.md",
        ),
    ),
    Place(
        tool="SillyTavern",
        format="sillytavern",
        roots=("{home}/SillyTavern", "{home}/sillytavern"),
        patterns=("data/*/chats/*/*.jsonl", "data/*/group chats/*.jsonl"),
    ),
)


def discover(
    environment: Mapping[str, str] = os.environ,
    home: Path | None = None,
    system: str | None = None,
) -> tuple[Found, ...]:
    """Every tool that has sessions here, in the order of `PLACES`.

    `system` is `Linux`, `Darwin` or `Windows`.
    """
    folders = _folders(environment, home or Path.home(), system or platform.system())
    found = (
        _look(place, root)
        for place in PLACES
        for root in _distinct(_root(text, environment, folders) for text in place.roots)
    )
    return tuple(one for one in found if one is not None)


def sessions(found: Found) -> Iterator[Path]:
    """The session files of a tool, in order, looked up anew."""
    return (path for path, _ in _Walk(found.root).files(found.patterns))


def paths(
    environment: Mapping[str, str] = os.environ,
    home: Path | None = None,
    system: str | None = None,
) -> Iterator[Path]:
    """The session files of every tool."""
    for found in discover(environment, home, system):
        yield from sessions(found)


def _folders(environment: Mapping[str, str], home: Path, system: str) -> dict[str, str]:
    """Where programs put settings and data. opencode and Claude follow XDG on every system."""
    xdg_config = environment.get("XDG_CONFIG_HOME") or str(home / ".config")
    config = {
        "Darwin": str(home / "Library" / "Application Support"),
        "Windows": environment.get("APPDATA") or str(home / "AppData" / "Roaming"),
    }
    return {
        "home": str(home),
        "xdg_config": xdg_config,
        "config": config.get(system, xdg_config),
        "data": environment.get("XDG_DATA_HOME") or str(home / ".local" / "share"),
    }


def _root(text: str, environment: Mapping[str, str], folders: Mapping[str, str]) -> Path | None:
    if not text.startswith("$"):
        return Path(text.format(**folders))
    name, _, below = text[1:].partition("/")
    value = environment.get(name)
    return (
        Path(value.replace("~", folders["home"], value.startswith("~")), below) if value else None
    )


def _distinct(roots: Iterable[Path | None]) -> Iterator[Path]:
    seen: set[str] = set()
    for root in roots:
        real = os.path.realpath(root) if root is not None else ""
        if root is not None and real not in seen:
            seen.add(real)
            yield root


def _look(place: Place, root: Path) -> Found | None:
    if not root.is_dir():
        return None
    walk = _Walk(root)
    states = [state for _, state in walk.files(place.patterns)]
    if not states:
        return None
    return Found(
        tool=place.tool,
        format=place.format,
        root=root,
        patterns=place.patterns,
        count=len(states),
        newest=max(state.st_mtime_ns for state in states) // 1_000_000,
        size=sum(state.st_size for state in states),
        warning="; ".join(filter(None, (place.advice(root), *walk.warnings[:WARNINGS]))),
    )


class _Walk:
    """A look below one root: never out of it by a link, never at more than `ENTRIES` names."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._real = os.path.realpath(root)
        self._left = ENTRIES
        self.warnings: list[str] = []

    def files(self, patterns: tuple[str, ...]) -> Iterator[tuple[Path, os.stat_result]]:
        """The plain files that the patterns name, each once."""
        seen: set[Path] = set()
        for pattern in patterns:
            for path in self._matches(self._root, pattern.split("/")):
                state = self._state(path)
                if state is not None and path not in seen:
                    seen.add(path)
                    yield path, state

    def _matches(self, folder: Path, parts: list[str]) -> Iterator[Path]:
        first, *rest = parts
        if not rest:
            yield from self._named(folder, first)
            return
        for inner in self._named(folder, first):
            if self._is_inside(inner) and inner.is_dir():
                yield from self._matches(inner, rest)

    def _named(self, folder: Path, part: str) -> Iterator[Path]:
        if "*" not in part:
            candidates = (folder / name for name in part.split("|"))
            yield from [path for path in candidates if os.path.lexists(path)][:1]
            return
        names = self._names(folder)
        hidden = part.startswith(".")
        for name in names:
            if fnmatchcase(name, part) and (hidden or not name.startswith(".")):
                yield folder / name

    def _names(self, folder: Path) -> list[str]:
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry, _ in zip(entries, range(self._left), strict=False)]
        except OSError as error:
            self._warn(f"{folder} cannot be read ({error.strerror})")
            return []
        self._left -= len(names)
        if self._left <= 0:
            self._warn(f"Only the first {ENTRIES} names were looked at")
        return sorted(names)

    def _is_inside(self, path: Path) -> bool:
        if not path.is_symlink():
            return True
        real = os.path.realpath(path)
        inside = real == self._real or real.startswith(self._real + os.sep)
        if not inside:
            self._warn(f"A link that leads out was not followed: {path}")
        return inside

    def _state(self, path: Path) -> os.stat_result | None:
        try:
            return path.stat() if self._is_inside(path) and path.is_file() else None
        except OSError:
            return None

    def _warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)


def _setting(path: Path, *keys: str) -> Any:
    """A value of a tool's JSON settings; None where it is not there or cannot be read."""
    try:
        with open(path, "rb") as file:
            value: Any = json.loads(file.read(SETTINGS_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
