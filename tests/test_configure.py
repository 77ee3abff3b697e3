"""A setting is written into the configuration file, and nothing else of it changes."""

import os
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st

from dcb import configure, settings
from dcb.errors import RequestError
from tests.cases import CASES

WHERE = Path("config.toml")


@pytest.mark.parametrize(
    ("before", "name", "value", "after"),
    [
        ("", "max_tokens", 512, "max_tokens = 512\n"),
        ('lang = "en"', "max_tokens", 512, 'lang = "en"\nmax_tokens = 512\n'),
        ("max_tokens = 1_024 # few\n", "max_tokens", 512, "max_tokens = 512 # few\n"),
        ("tokens='qwen'\r\n", "tokens", "glm", 'tokens="glm"\r\n'),
        (
            "# mine\n[limits]\nratio = 3\n",
            "lang",
            "zh",
            'lang = "zh"\n\n# mine\n[limits]\nratio = 3\n',
        ),
        ("history.git = true\n", "history_git", False, "history.git = false\n"),
        ("[history]\ngit = false # no\n", "history_git", True, "[history]\ngit = true # no\n"),
        ("history = { git = false }\n", "history_git", True, "history = { git = true }\n"),
        ("[history]\n", "history_git", True, "[history]\ngit = true\n"),
        ("[history]", "history_git", True, "[history]\ngit = true\n"),
        ("[limits]\n", "history_git", True, "history.git = true\n\n[limits]\n"),
        ('model.name = """\nlang = "en"\n"""\n', "lang", "zh", None),
        ("lang = 'zh' # so\n", "lang", "zh", "lang = 'zh' # so\n"),
    ],
)
def test_only_that_value_changes(before, name, value, after):
    text = configure.edited(before, name, value, where=WHERE)
    if after is None:  # the value in the string is not the setting
        after = before + 'lang = "zh"\n'
    assert text == after


LINES = st.sampled_from(
    [
        "# a comment",
        "",
        "max_tokens = 1024",
        "max_tokens = 2048 # mine",
        'tokens = "qwen"',
        "[history]",
        "git = true",
        "history.git = false",
        "[limits]",
        "ratio = 300",
        '[model]\nname = """\nlang = "en"\n[limits]\n"""',
        'model.name = "max_tokens = 1"',
    ]
)
CHANGES = st.sampled_from(
    [("max_tokens", 512), ("tokens", "glm"), ("lang", "zh"), ("history_git", True)]
)


@runs(max_examples=CASES)
@given(st.lists(LINES).map("\n".join), CHANGES)
def test_the_file_says_what_it_said_and_that_value(text, change):
    name, value = change
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    after = configure.edited(text, name, value, where=WHERE)
    table = expected.setdefault("history", {}) if name == "history_git" else expected
    table["git" if name == "history_git" else name] = value
    assert tomllib.loads(after) == expected
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in after.splitlines() if line.startswith("#")
    ]


def test_what_is_written_is_read_and_rights_and_links_stay(tmp_path):
    real, link = tmp_path / "real.toml", tmp_path / "config.toml"
    real.write_text("# mine\nmax_tokens = 1024\n")
    os.chmod(real, 0o600)
    link.symlink_to(real)
    environment = {"DCB_CONFIG": str(link)}
    configure.write("hook_seconds", "7", environment=environment)
    assert settings.load(environment).hook_seconds == 7
    assert real.read_text() == "# mine\nmax_tokens = 1024\nhook_seconds = 7\n"
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_a_file_that_is_not_there_is_made_with_its_folder(tmp_path):
    environment = {"DCB_CONFIG": str(tmp_path / "new" / "config.toml")}
    configure.write("history_git", "true", environment=environment)
    assert settings.load(environment).history_git


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("max_tokens", "12", "max_tokens is a whole number from 256 to 32,768, not '12'"),
        ("hook_seconds", "", "hook_seconds is a whole number from 1 to 120, not ''"),
        ("lang", "de", "lang is one of en, zh, not 'de'"),
        ("history_git", "maybe", "history.git is one of false, true, not 'maybe'"),
        (
            "data_dir",
            "/x",
            "Cannot change 'data_dir' here; what can be: max_tokens, hook_tokens, hook_seconds, "
            "tokens, lang, history_git",
        ),
    ],
)
def test_a_bad_value_is_refused_in_one_sentence(name, value, sentence):
    with pytest.raises(RequestError) as refused:
        configure.checked(name, value)
    assert str(refused.value) == sentence


def test_a_file_that_is_broken_is_left_alone(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("max_tokens =\n")
    with pytest.raises(RequestError, match="is not valid TOML"):
        configure.write("lang", "zh", environment={"DCB_CONFIG": str(path)})
    assert path.read_text() == "max_tokens =\n"


def test_what_only_a_person_can_change_is_left_to_one():
    text = 'tokens = """\nqwen"""\n'
    with pytest.raises(RequestError) as refused:
        configure.edited(text, "tokens", "glm", where=WHERE)
    assert str(refused.value) == (
        "config.toml: tokens is written in an unusual way; change it there"
    )
