"""An agent's configuration file -> the same file with our hooks, or without them again.

Nothing else in the file changes; what was installed is taken out to the last byte.
"""

from __future__ import annotations

import difflib
import json
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dcb import files
from dcb.errors import SourceError
from dcb.hooks import jsontext
from dcb.hooks.agent import Agent
from dcb.hooks.jsontext import Node


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A file before and after; None where there is no such file."""

    path: Path
    before: str | None
    after: str | None

    def diff(self) -> str:
        """What changes, as a unified diff; empty when nothing does."""
        old, new = (text.splitlines() if text else [] for text in (self.before, self.after))
        name = str(self.path)
        return "\n".join(difflib.unified_diff(old, new, name, name, lineterm="", n=2))

    def apply(self) -> None:
        """Write it, whole or not at all. Raises SourceError."""
        if self.after == self.before:
            return
        # A link that a person keeps their settings behind stays a link.
        path = self.path.resolve()
        if self.after is None:
            path.unlink()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = path.stat().st_mode & 0o777 if path.exists() else None
        files.write(path, self.after, mode=mode)


def installed(agent: Agent, path: Path, program: str) -> Change:
    """The change that makes the agent call `program`. Raises SourceError for a broken file."""
    before = _read(path)
    groups = agent.groups(program)
    text = _without(agent, before, path) if before is not None else ""
    if text:
        for event, group in groups.items():
            text = _with(text, event, group, path)
    else:
        events = {event: [group] for event, group in groups.items()}
        text = json.dumps({"hooks": events}, ensure_ascii=False, indent=2) + "\n"
    return Change(path=path, before=before, after=text)


def uninstalled(agent: Agent, path: Path) -> Change:
    """The change that takes our hooks out. Raises SourceError for a broken file."""
    before = _read(path)
    after = None if before is None else _without(agent, before, path)
    return Change(path=path, before=before, after=after or None)


def program(data_dir: str = "") -> str:
    """The words by which a shell calls this dcb, wherever it is called from."""
    script = shutil.which(sys.argv[0]) if Path(sys.argv[0]).stem == "dcb" else None
    # -P: the folder of a project must never be searched for modules.
    words = [Path(script).absolute().as_posix()] if script else [sys.executable, "-P", "-m", "dcb"]
    if data_dir:
        words += ["--data-dir", Path(data_dir).absolute().as_posix()]
    return shlex.join(words)


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode() if path.exists() else None
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read ({error}); nothing was changed") from None


def _with(text: str, event: str, group: dict[str, Any], path: Path) -> str:
    root = _parsed(text, path)
    hooks = root.member("hooks")
    if hooks is None:
        return jsontext.put(text, root, {event: [group]}, key="hooks")
    groups = hooks.member(event)
    if groups is None:
        return jsontext.put(text, hooks, [group], key=event)
    return jsontext.put(text, groups, group)


def _without(agent: Agent, text: str, path: Path) -> str:
    """The text without our hooks; "" when it held nothing else."""
    while found := next(_ours(agent, text, _parsed(text, path)), None):
        text = jsontext.cut(text, found)
        if not text:
            break
    return text


def _ours(agent: Agent, text: str, root: Node) -> Iterator[tuple[tuple[Node, int], ...]]:
    """Ways from the root to what is ours: a group, or one hook among others in a group."""
    hooks = root.member("hooks")
    for at, groups in enumerate(hooks.items if hooks else ()):
        for number, group in enumerate(groups.items):
            handlers = group.member("hooks")
            ours = [
                place
                for place, handler in enumerate(handlers.items if handlers else ())
                if agent.is_ours(jsontext.string(text, handler.member("command")))
            ]
            if hooks and handlers and ours:
                way = ((root, root.items.index(hooks)), (hooks, at), (groups, number))
                whole = len(ours) == len(handlers.items)
                yield way if whole else (*way, (handlers, ours[0]))


def _parsed(text: str, path: Path) -> Node:
    """The file as nodes, with `hooks` an object of lists."""
    try:
        root = jsontext.parse(text)
    except SourceError as error:
        raise SourceError(f"{path} is {error}; mend it first, nothing was changed") from None
    _demand(root, "{", "it", text, path)
    hooks = root.member("hooks")
    if hooks is not None:
        _demand(hooks, "{", '"hooks"', text, path)
        for groups in hooks.items:
            _demand(groups, "[", f'"{groups.key}"', text, path)
    return root


def _demand(node: Node, kind: str, name: str, text: str, path: Path) -> None:
    if node.kind != kind:
        line = text.count("\n", 0, node.start) + 1
        wanted = "an object" if kind == "{" else "a list"
        raise SourceError(f"{path}, line {line}: {name} is not {wanted}; nothing was changed")
