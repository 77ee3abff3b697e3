"""Settings come from the file, then the environment; a mistake is named with its place."""

from pathlib import Path

import platformdirs
import pytest

from dcb import settings
from dcb.errors import RequestError


def config(tmp_path, text):
    path = tmp_path / "config.toml"
    path.write_text(text)
    return {"DCB_CONFIG": str(path)}


def test_without_anything_the_defaults_hold(tmp_path):
    loaded = settings.load({"DCB_CONFIG": str(tmp_path / "none.toml")})
    assert (loaded.max_tokens, loaded.tokens, loaded.lang) == (4096, "estimate", "")


def test_the_file_is_read(tmp_path):
    loaded = settings.load(config(tmp_path, 'data_dir = "/x"\nmax_tokens = 8192\n'))
    assert (loaded.data_dir, loaded.max_tokens) == (Path("/x"), 8192)


def test_the_environment_goes_before_the_file(tmp_path):
    environment = config(tmp_path, "max_tokens = 8192")
    assert settings.load({**environment, "DCB_MAX_TOKENS": "512"}).max_tokens == 512


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max_tokens =", "is not valid TOML"),
        ("colour = 1", "unknown setting 'colour'; known: data_dir, max_tokens"),
        ('max_tokens = "x"', "max_tokens must be of type int"),
        ("max_tokens = true", "max_tokens must be of type int"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path, text, sentence):
    environment = config(tmp_path, text)
    with pytest.raises(RequestError) as refused:
        settings.load(environment)
    assert environment["DCB_CONFIG"] in str(refused.value)
    assert sentence in str(refused.value)


def test_a_number_in_the_environment_must_be_one(tmp_path):
    with pytest.raises(RequestError) as refused:
        settings.load({"DCB_CONFIG": "/none", "DCB_MAX_TOKENS": "many"})
    assert str(refused.value) == "DCB_MAX_TOKENS must be a whole number, not 'many'"


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("", "", False),
        ("history.git = true", "", True),
        ("[history]\ngit = true\n", "", True),
        ("[history]\n", "", False),
        ("history.git = true", "false", False),
        ("", "1", True),
        ("", "Yes", True),
    ],
)
def test_history_in_git_is_off_until_it_is_asked_for(tmp_path, text, said, expected):
    environment = {**config(tmp_path, text), "DCB_HISTORY_GIT": said}
    assert settings.load(environment).history_git is expected


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("history = true", "history is a table with one field: git = true or false"),
        ("history.colour = 1", "history is a table with one field: git = true or false"),
        ("history.git = 1", "history.git must be true or false"),
    ],
)
def test_a_mistake_about_history_is_named(tmp_path, text, sentence):
    environment = config(tmp_path, text)
    with pytest.raises(RequestError) as refused:
        settings.load(environment)
    assert str(refused.value) == f"{environment['DCB_CONFIG']}: {sentence}"


def test_a_truth_in_the_environment_must_be_one():
    with pytest.raises(RequestError) as refused:
        settings.load({"DCB_CONFIG": "/none", "DCB_HISTORY_GIT": "maybe"})
    assert str(refused.value) == "DCB_HISTORY_GIT must be true or false, not 'maybe'"


@pytest.mark.parametrize("named", ["", "/srv/somewhere"])
@pytest.mark.parametrize("kind", ["config", "data"])
def test_folders_are_those_of_platformdirs(kind, named, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, named)
    expected = {"config": platformdirs.user_config_path, "data": platformdirs.user_data_path}
    assert settings._folder(kind) == expected[kind]("dcb", appauthor=False)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("", ""),
        ("postgresql://anna@db:5433/memory", "postgresql://anna@db:5433/memory"),
        ("postgresql://anna:se@cret@db/memory?password=secret", "postgresql://anna@db/memory"),
        ("host=db password=secret", "…"),
    ],
)
def test_an_address_is_shown_without_its_password(address, shown):
    assert settings.shown("store", address) == shown
