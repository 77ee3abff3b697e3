"""The settings of agents: our hooks go in, come out, and nothing else is touched."""

import json
import os
import stat

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb import hooks
from dcb.cli import cli, words
from dcb.errors import SourceError
from dcb.hooks import install, jsontext
from dcb.hooks.agent import answer
from tests.cases import CASES, FEWER

AGENTS = [agent.name for agent in hooks.AGENTS]
CLAUDE = hooks.agent("claude-code")
THEIRS = {"hooks": [{"type": "command", "command": "echo hi"}]}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder in which no agent has settings yet."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "DCB_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("DCB_LANG", "en")
    words.chinese.cache_clear()
    yield tmp_path
    words.chinese.cache_clear()


def dcb(*arguments):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


# --- what any file is like afterwards --------------------------------------------------

GROUPS = st.lists(st.just(THEIRS), max_size=2)
HOOKS = st.dictionaries(st.sampled_from(["SessionStart", "Stop", "SessionEnd"]), GROUPS)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={"model": st.text(max_size=9), "hooks": HOOKS, "z": st.lists(st.none(), max_size=2)},
)
LAYOUTS = st.sampled_from(
    [{}, {"indent": 2}, {"indent": 4}, {"indent": "\t"}, {"indent": 0}, {"separators": (",", ":")}]
)
CHANGES = st.sampled_from(
    [("", ""), ("\n", "\r\n"), ("{}", "{ \n }"), ("[]", "[\n\t]"), (",", " , "), ("{", "{ ")]
)


@settings(max_examples=FEWER)
@given(SETTINGS, st.tuples(LAYOUTS, CHANGES, st.booleans()), st.sampled_from(hooks.AGENTS))
def test_installing_twice_is_once_and_uninstalling_restores_every_byte(
    tmp_path_factory, value, style, agent
):
    layout, change, end = style
    text = json.dumps(value, **layout).replace(*change) + "\n" * end
    path = tmp_path_factory.getbasetemp() / "settings.json"
    path.write_bytes(text.encode())
    after = written(install.installed(agent, path, "/opt/dcb"))
    assert json.loads(after) == expected(json.loads(text), agent)
    assert install.installed(agent, path, "/opt/dcb").diff() == ""
    written(install.installed(agent, path, "/elsewhere/dcb"))
    assert written(install.uninstalled(agent, path)) == text


def written(change):
    """The text that a change leaves in its file."""
    change.path.write_bytes(change.after.encode())
    return change.after


def expected(value, agent):
    found = {**value, "hooks": {**value.get("hooks", {})}}
    for event, group in agent.groups("/opt/dcb").items():
        found["hooks"][event] = [*found["hooks"].get(event, []), group]
    return found


@pytest.mark.parametrize("name", AGENTS)
def test_a_file_that_was_not_there_is_made_and_gone_again(home, name):
    path = hooks.agent(name).config(os.environ)
    first = dcb("hook", "install", name)
    assert first.exit_code == 0, first.output
    assert f"+++ {path}" in first.stdout
    assert f"To undo: dcb hook uninstall {name}" in first.stdout
    commands = [
        group["hooks"][0]["command"] for (group,) in json.loads(path.read_text())["hooks"].values()
    ]
    assert all(command.endswith(f" {name}") for command in commands)
    assert dcb("hook", "install", name).stdout == f"Nothing to change in {path}\n"
    assert dcb("hook", "install", name, "--uninstall").exit_code == 0
    assert not path.exists()
    assert dcb("hook", "uninstall", name).stdout == f"Nothing to change in {path}\n"


def test_a_file_with_comments_keeps_them(tmp_path):
    text = '{\n  // mine\n  "model": "x", /* too */\n  "hooks": {} // none yet\n}\n'
    path = tmp_path / "settings.json"
    path.write_text(text)
    install.installed(CLAUDE, path, "dcb").apply()
    assert "// mine" in path.read_text()
    assert "hook run SessionStart" in path.read_text()
    install.uninstalled(CLAUDE, path).apply()
    assert path.read_text() == text


def test_a_hook_of_ours_in_a_person_s_own_group_leaves_the_group(tmp_path):
    ours = CLAUDE.groups("dcb")["SessionEnd"]["hooks"]
    group = {"hooks": [*THEIRS["hooks"], *ours]}
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"hooks": {"SessionEnd": [group, THEIRS]}}))
    install.uninstalled(CLAUDE, path).apply()
    assert json.loads(path.read_text()) == {"hooks": {"SessionEnd": [THEIRS, THEIRS]}}


def test_what_a_person_added_after_ours_stays(tmp_path):
    path = tmp_path / "settings.json"
    install.installed(CLAUDE, path, "dcb").apply()
    value = json.loads(path.read_text())
    value["hooks"]["SessionEnd"].append(THEIRS)
    path.write_text(json.dumps(value, indent=2))
    install.uninstalled(CLAUDE, path).apply()
    assert json.loads(path.read_text()) == {"hooks": {"SessionEnd": [THEIRS]}}


def test_only_the_agent_named_is_changed(tmp_path):
    path = tmp_path / "settings.json"
    install.installed(CLAUDE, path, "dcb").apply()
    before = path.read_text()
    install.installed(hooks.agent("gemini-cli"), path, "dcb").apply()
    install.uninstalled(hooks.agent("gemini-cli"), path).apply()
    assert path.read_text() == before


@pytest.mark.skipif(os.name == "nt", reason="modes and links are POSIX's")
def test_mode_and_link_of_the_file_stay(tmp_path):
    real = tmp_path / "real.json"
    real.write_text("{}")
    real.chmod(0o600)
    link = tmp_path / "settings.json"
    link.symlink_to(real)
    install.installed(CLAUDE, link, "dcb").apply()
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert "hook run" in real.read_text()


# --- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not valid JSON: expected a value (line 1, column 1); mend it first"),
        ('{\n "a": 1,\n}', "is not valid JSON: expected a key in quotes (line 3, column 1); mend"),
        ('{"a" 1}', "is not valid JSON: expected ':' (line 1, column 6); mend it first"),
        ("{} {}", "is not valid JSON: expected nothing more (line 1, column 4); mend it first"),
        ('{"a": [1 2]}', "is not valid JSON: expected ',' (line 1, column 10); mend it first"),
        ('{"\\x": 1}', "is not valid JSON: expected a key (line 1, column 2); mend it first"),
        ("[" * 500, "expected at most 100 brackets in one another (line 1, column 102); mend"),
        ("[]", ", line 1: it is not an object"),
        ('{\n"hooks": []}', ', line 2: "hooks" is not an object'),
        ('{"hooks": {"Stop": {}}}', ', line 1: "Stop" is not a list'),
    ],
)
def test_a_broken_file_is_refused_with_its_place_and_left_as_it_is(home, text, problem):
    path = home / "settings.json"
    path.write_text(text)
    for verb in ("install", "uninstall"):
        done = dcb("hook", verb, "claude-code", "--config", path)
        assert done.exit_code == 1
        assert done.stderr.startswith(f"dcb: {path}")
        assert problem in done.stderr
        assert done.stderr.endswith("nothing was changed\n")
    assert path.read_text() == text


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(SourceError, match=r"settings\.json cannot be read .*nothing was changed"):
        install.installed(CLAUDE, path, "dcb")


def test_an_unknown_agent_is_refused_with_the_known_ones(home):
    done = dcb("hook", "install", "emacs")
    assert done.stderr == (
        "dcb: Unknown agent 'emacs'; choose one of: claude-code, codex, gemini-cli\n"
    )


@settings(max_examples=CASES)
@given(st.text(alphabet='{}[]",:\\/*\n 1tn', max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        node = jsontext.parse(text)
    except SourceError:
        return
    assert 0 <= node.start < node.end <= len(text)


# --- what is written -------------------------------------------------------------------


def test_a_dry_run_shows_and_writes_nothing(home):
    done = dcb("hook", "install", "codex", "--dry-run")
    assert "PreCompact" in done.stdout
    assert done.stdout.endswith("Not written (--dry-run)\n")
    assert not (home / ".codex").exists()


def test_the_data_folder_is_part_of_the_command_when_the_person_chose_one(home, tmp_path):
    done = dcb("hook", "install", "codex", "--data-dir", tmp_path / "my data")
    assert f"--data-dir '{tmp_path}/my data' hook run SessionStart codex" in done.stdout
    assert dcb("hook", "uninstall", "codex").exit_code == 0
    assert not (home / ".codex" / "hooks.json").exists()


@pytest.mark.parametrize(
    ("variable", "name", "file"),
    [("CLAUDE_CONFIG_DIR", "claude-code", "settings.json"), ("CODEX_HOME", "codex", "hooks.json")],
)
def test_an_agent_s_own_folder_is_where_its_variable_says(tmp_path, variable, name, file):
    assert hooks.agent(name).config({variable: str(tmp_path)}) == tmp_path / file


def test_an_answer_is_json_that_agents_take_for_context():
    assert json.loads(answer('[dcb:brief …]\n"x"')) == {
        "hookSpecificOutput": {
            "hookEventName": "SessionStart",
            "additionalContext": '[dcb:brief …]\n"x"',
        }
    }


def test_examples_are_listed_and_printed(home):
    listed = dcb("hook", "print").stdout
    for example in hooks.SNIPPETS:
        assert example.name in listed
        printed = dcb("hook", "print", example.name).stdout
        assert "dcb brief" in printed or "dcb ingest" in printed
    assert dcb("hook", "print", "project").stdout.startswith("project:")
    assert (
        "Unknown example 'x'; choose one of: project, agents-md" in dcb("hook", "print", "x").stderr
    )
