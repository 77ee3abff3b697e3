"""The git mirror on the command line: made by a setting, told of by doctor, gone when sealed."""

import pytest
from click.testing import CliRunner

from dcb.cli import cli, words
from tests.test_mirror import files, log, traces

TALK = '{"messages": [{"role": "user", "content": "We decided: zanzibarquartz is the port."}]}'


@pytest.fixture
def dcb(tmp_path, monkeypatch):
    """Run `dcb` with `history.git` set in its configuration file."""
    (tmp_path / "config.toml").write_text("history.git = true\n")
    monkeypatch.setenv("DCB_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DCB_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("DCB_NEW_PASSPHRASE", "paper boat")
    monkeypatch.setenv("DCB_PASSPHRASE", "paper boat")
    monkeypatch.setenv("DCB_LANG", "en")
    words.chinese.cache_clear()
    yield lambda *arguments, input=None: CliRunner().invoke(cli, map(str, arguments), input=input)
    words.chinese.cache_clear()


@pytest.fixture
def saved(dcb):
    result = dcb("compile", "-", "--save", "--title", "Harbour", input=TALK)
    return result.stdout.rsplit("Saved as ", 1)[1].strip()


def test_every_command_that_changes_something_is_a_commit(dcb, saved, tmp_path):
    dcb("weight", saved, "3")
    dcb("edit", saved, "--tag", "sea")
    dcb("rollback", f"{saved}@1")
    dcb("merge", saved, saved, "--save")
    dcb("remove", saved)
    assert log(tmp_path / "data") == [
        "save: Harbour",
        "weight: Harbour (3)",
        "edit: Harbour",
        "rollback: Harbour (to @1)",
        "merge: Harbour",
        "remove: Harbour",
    ]


def test_the_file_is_the_document(dcb, saved, tmp_path):
    assert list(files(tmp_path / "data").values()) == [dcb("show", saved, "--markdown").stdout]


def test_doctor_shows_outbox_and_mirror(dcb, saved, tmp_path):
    result = dcb("doctor")
    assert "\nmirror     1 commits, 1 files\noutbox     0 tasks\n" in result.stdout
    (tmp_path / "data" / "git" / "refs" / "heads" / "main").unlink()
    result = dcb("doctor")
    assert result.exit_code == 1
    assert (
        "! git mirror: 1 versions are missing from it, 0 are not of the store. "
        "dcb doctor --repair\n"
    ) in result.stdout
    result = dcb("doctor", "--repair")
    assert result.exit_code == 0
    assert "+ The git mirror was made anew from the versions\n" in result.stdout


def test_encrypting_removes_the_mirror_and_says_so(dcb, saved, tmp_path):
    result = dcb("encrypt")
    assert result.stdout == (
        "Encrypted 1 snapshots\nThe git mirror was removed: it held everything in plain text. "
        "Clones of it still do.\n"
    )
    assert not (tmp_path / "data" / "git").exists()
    dcb("weight", saved, "3")
    assert traces(tmp_path / "data") == []
    result = dcb("doctor")
    assert result.exit_code == 1
    assert (
        "! git mirror: history.git is on, but the store is encrypted and a mirror would lie in "
        "plain text. Set history.git to false, or: dcb decrypt\n"
    ) in result.stdout
    assert dcb("decrypt").exit_code == 0
    assert log(tmp_path / "data") == ["save: Harbour", "weight: Harbour (3)"]


def test_erasing_says_that_clones_are_out_of_reach(dcb, saved, tmp_path):
    result = dcb("erase", saved, "--yes")
    assert "clones of the git mirror" in result.stdout
    assert (result.exit_code, traces(tmp_path / "data")) == (0, [])
