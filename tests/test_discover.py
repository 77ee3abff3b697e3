"""Sessions are found where each tool keeps them, and nothing outside is looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dcb import discover as module
from dcb import readers
from dcb.discover import PLACES, discover, paths, sessions


def put(path: Path, text: str = "{}\n", *, at: int = 1_700_000_000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (at, at))
    return path


def names(home: Path, environment: dict[str, str] | None = None, system: str = "Linux"):
    return [found.tool for found in discover(environment or {}, home, system)]


LINUX = {
    "Claude Code": ".claude/projects/-work-api/5f0c.jsonl",
    "Codex": ".codex/sessions/2026/08/30/rollout-2026-08-30T18-00-00-8f.jsonl.zst",
    "Gemini CLI": ".gemini/tmp/99d6/chats/session-2025-10-09.json",
    "Copilot CLI": ".copilot/session-state/7a/events.jsonl",
    "DeepSeek Harness": ".dsh/sessions/api/session-1/session.v3.jsonl.zstd",
    "Cursor": ".config/Cursor/User/globalStorage/state.vscdb",
    "Cursor agent": ".cursor/projects/api/agent-transcripts/ac/ac.jsonl",
    "GitHub Copilot Chat": ".config/Code/User/workspaceStorage/ab/chatSessions/1.jsonl",
    "Cline": ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/17/ui_messages.json",
    "Roo Code": ".config/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/tasks/a/"
    "api_conversation_history.json",
    "opencode": ".local/share/opencode/opencode.db",
    "llm": ".config/io.datasette.llm/logs.db",
    "Aider": "src/kiln/.aider.chat.history.md",
    "SillyTavern": "SillyTavern/data/default-user/chats/Archivist/a.jsonl",
}


@pytest.mark.parametrize("tool", LINUX)
def test_each_tool_is_found_where_it_keeps_its_sessions_on_linux(tool: str, tmp_path: Path) -> None:
    path = put(tmp_path / LINUX[tool])
    (found,) = discover({}, tmp_path, "Linux")
    assert (found.tool, found.count, found.size) == (tool, 1, 3)
    assert found.newest == 1_700_000_000_000
    assert list(sessions(found)) == [path]


def test_the_table_names_every_tool_once_and_only_known_formats() -> None:
    assert [place.tool for place in PLACES] == list(LINUX)
    assert {place.format for place in PLACES} <= {reader.name for reader in readers.READERS}


@pytest.mark.parametrize(
    ("system", "folder", "environment"),
    [
        ("Linux", ".config", {}),
        ("Linux", "elsewhere", {"XDG_CONFIG_HOME": "{home}/elsewhere"}),
        ("Darwin", "Library/Application Support", {"XDG_CONFIG_HOME": "{home}/elsewhere"}),
        ("Windows", "AppData/Roaming", {}),
        ("Windows", "Roaming", {"APPDATA": "{home}/Roaming"}),
    ],
)
def test_settings_folders_follow_the_system(
    system: str, folder: str, environment: dict[str, str], tmp_path: Path
) -> None:
    put(tmp_path / folder / "Cursor/User/globalStorage/state.vscdb")
    put(tmp_path / folder / "io.datasette.llm/logs.db")
    environment = {name: text.format(home=tmp_path) for name, text in environment.items()}
    assert names(tmp_path, environment, system) == ["Cursor", "llm"]


@pytest.mark.parametrize(
    ("variable", "below", "tool"),
    [
        ("CLAUDE_CONFIG_DIR", "projects/p/s.jsonl", "Claude Code"),
        ("CODEX_HOME", "archived_sessions/rollout-1.jsonl", "Codex"),
        ("GEMINI_CLI_HOME", ".gemini/tmp/p/checkpoint-a.json", "Gemini CLI"),
        ("COPILOT_HOME", "session-state/1/events.jsonl", "Copilot CLI"),
        ("DSH_HOME", "sessions/p/session-1/session.jsonl", "DeepSeek Harness"),
        ("LLM_USER_PATH", "logs.db", "llm"),
        ("XDG_DATA_HOME", "opencode/storage/session/p/ses_1.json", "opencode"),
    ],
)
def test_a_tools_own_variable_is_honoured(
    variable: str, below: str, tool: str, tmp_path: Path
) -> None:
    put(tmp_path / "moved" / below)
    home = tmp_path / "home"
    home.mkdir()
    assert names(home, {variable: str(tmp_path / "moved")}) == [tool]
    assert names(home, {variable: ""}) == []


def test_a_variable_may_begin_with_the_home_folder(tmp_path: Path) -> None:
    put(tmp_path / "moved/projects/p/s.jsonl")
    assert names(tmp_path, {"CLAUDE_CONFIG_DIR": "~/moved"}) == ["Claude Code"]


def test_one_folder_named_twice_is_counted_once(tmp_path: Path) -> None:
    put(tmp_path / ".claude/projects/p/s.jsonl")
    found = discover({"CLAUDE_CONFIG_DIR": str(tmp_path / ".claude")}, tmp_path, "Linux")
    assert [one.count for one in found] == [1]


def test_count_newest_and_size_are_of_all_sessions(tmp_path: Path) -> None:
    put(tmp_path / ".claude/projects/p/a.jsonl", "12", at=1_700_000_000)
    put(tmp_path / ".claude/projects/p/b.jsonl", "123", at=1_800_000_000)
    put(tmp_path / ".claude/projects/p/notes.txt", "1234567", at=1_900_000_000)
    put(tmp_path / ".claude/projects/p/a/subagents/agent-1.jsonl", "1234567", at=1_900_000_000)
    (found,) = discover({}, tmp_path, "Linux")
    assert (found.count, found.newest, found.size) == (2, 1_800_000_000_000, 5)


@pytest.mark.parametrize(
    ("written", "days"),
    [(None, 30), ('{"cleanupPeriodDays": 365}', 365), ("{broken", 30), ("[]", 30)],
)
def test_claude_codes_clean_up_is_warned_of(written: str | None, days: int, tmp_path: Path) -> None:
    put(tmp_path / ".claude/projects/p/a.jsonl")
    if written:
        put(tmp_path / ".claude/settings.json", written)
    (found,) = discover({}, tmp_path, "Linux")
    settings = tmp_path / ".claude/settings.json"
    assert found.warning == (
        f"Claude Code deletes sessions {days} days after their last use "
        f"(cleanupPeriodDays in {settings})"
    )


def test_gemini_clis_retention_is_warned_of_where_it_is_set(tmp_path: Path) -> None:
    put(tmp_path / ".gemini/tmp/p/chats/session-1.jsonl")
    assert discover({}, tmp_path, "Linux")[0].warning == ""
    kept = '{"general": {"sessionRetention": {"enabled": true, "maxAge": "30d"}}}'
    settings = put(tmp_path / ".gemini/settings.json", kept)
    assert discover({}, tmp_path, "Linux")[0].warning == (
        f"Gemini CLI deletes sessions after 30d (general.sessionRetention in {settings})"
    )


def test_of_two_copies_of_a_task_the_better_one_is_named(tmp_path: Path) -> None:
    tasks = tmp_path / ".cline/data/tasks"
    better = put(tasks / "1/ui_messages.json")
    put(tasks / "1/api_conversation_history.json")
    only = put(tasks / "2/api_conversation_history.json")
    assert list(paths({}, tmp_path, "Linux")) == [better, only]


def test_a_link_that_leads_out_is_not_followed_and_said(tmp_path: Path) -> None:
    home = tmp_path / "home"
    outside = put(tmp_path / "outside/x.jsonl").parent
    put(home / ".claude/projects/p/a.jsonl")
    (home / ".claude/projects/q").symlink_to(outside)
    (home / ".claude/projects/p/b.jsonl").symlink_to(outside / "x.jsonl")
    (found,) = discover({}, home, "Linux")
    assert found.count == 1
    assert f"A link that leads out was not followed: {home}/.claude/projects/q" in found.warning


def test_a_link_inside_and_a_root_that_is_a_link_are_followed(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles/claude"
    put(real / "kept/a.jsonl")
    (real / "projects").mkdir()
    (real / "projects/p").symlink_to(real / "kept")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".claude").symlink_to(real)
    assert [found.count for found in discover({}, home, "Linux")] == [1]


def test_a_ring_of_links_ends(tmp_path: Path) -> None:
    put(tmp_path / ".claude/projects/p/a.jsonl")
    (tmp_path / ".claude/projects/p/loop.jsonl").symlink_to(tmp_path / ".claude/projects/p")
    (tmp_path / ".claude/projects/self").symlink_to(tmp_path / ".claude/projects/self")
    assert discover({}, tmp_path, "Linux")[0].count == 1


def test_looking_is_bounded_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ENTRIES", 10)
    for number in range(30):
        put(tmp_path / f".claude/projects/p/{number}.jsonl")
    (found,) = discover({}, tmp_path, "Linux")
    assert found.count < 10
    assert "Only the first 10 names were looked at" in found.warning


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    put(tmp_path / ".claude/settings.json")
    (tmp_path / ".codex").write_text("a file, not a folder")
    (tmp_path / ".claude/projects/p/a.jsonl").mkdir(parents=True)
    assert discover({}, tmp_path, "Linux") == ()


def test_a_folder_that_may_not_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / ".claude/projects/p/a.jsonl")
    closed = tmp_path / ".claude/projects/q"
    closed.mkdir()
    scandir = os.scandir

    def refuse(folder: Path):
        if folder == closed:
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(module.os, "scandir", refuse)
    (found,) = discover({}, tmp_path, "Linux")
    assert f"{closed} cannot be read (Permission denied)" in found.warning
