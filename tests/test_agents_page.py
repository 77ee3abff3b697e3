"""Every command of docs/agents.md runs, in its order, in a project with the files it names."""

import json
import re
import shlex
import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from dcb import hooks
from dcb.cli import cli, words
from dcb.hooks import project

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "agents.md").read_text("utf-8")
SECTIONS = re.findall(r"^## (.+)\n((?:.|\n)*?)(?=^## |\Z)", PAGE, re.MULTILINE)
DEEPSEEK = {
    "id": "d",
    "title": "缓存",
    "inserted_at": "2026-01-01T08:00:00+08:00",
    "mapping": {
        "root": {"id": "root", "parent": None, "children": ["1"], "message": None},
        "1": {
            "id": "1",
            "parent": "root",
            "children": [],
            "message": {"fragments": [{"type": "REQUEST", "content": "数据库端口一律用 5433。"}]},
        },
    },
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A project of an imagined person, in whose folder the commands run."""
    folder = tmp_path / "greenhouse"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("DCB_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DCB_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("DCB_LANG", "en")
    words.chinese.cache_clear()
    for name in ("chatgpt-export.zip", "claude-code-session.jsonl"):
        shutil.copy(ROOT / "examples" / name, folder)
    with zipfile.ZipFile(folder / "deepseek-export.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([DEEPSEEK], ensure_ascii=False))
    yield folder
    words.chinese.cache_clear()


def dcb(*arguments, input=None):
    return CliRunner().invoke(cli, list(arguments), input=input)


@pytest.mark.parametrize(("title", "body"), SECTIONS, ids=[title for title, _ in SECTIONS])
def test_the_commands_of_a_section_run(place, title, body):
    dcb("compile", "chatgpt-export.zip", "--conversation", "Greenhouse", "--save")
    commands = re.findall(r"^\$ dcb (.+)$", body, re.MULTILINE)
    assert commands
    for command in commands:
        done = dcb(*shlex.split(filled(command, place)))
        assert done.exit_code == 0, (command, done.output)


def filled(command, place):
    """The command with the tag of the project and the id of the last snapshot put in."""
    (row, *_) = json.loads(dcb("list", "--json").stdout)
    command = command.replace("$(dcb hook print project)", project.tag(place))
    return re.sub(r"\bID\b", row["id"], command)


def test_every_hook_of_the_table_is_one_that_is_installed():
    for agent in hooks.AGENTS:
        for event in agent.events:
            assert f" {event.name} " in PAGE
