"""Files are written whole or not at all, under names that every system accepts."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcb import files
from dcb.errors import SourceError


def test_what_is_written_is_there(tmp_path):
    path = tmp_path / "a.md"
    files.write(path, "港口\r\nend")
    assert path.read_bytes() == "港口\r\nend".encode()


def test_nothing_but_the_file_is_left(tmp_path):
    files.write(tmp_path / "a.md", "x")
    assert os.listdir(tmp_path) == ["a.md"]


def test_a_missing_folder_is_named_and_nothing_is_written(tmp_path):
    path = tmp_path / "no" / "a.md"
    with pytest.raises(SourceError) as refused:
        files.write(path, "x")
    assert str(refused.value) == f"Cannot write {path}: No such file or directory"


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.md"
    files.write(path, "old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SourceError, match="No space left on device"):
        files.write(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.md"]


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        ("b1c0ff80-1111", "b1c0ff80-1111"),
        ("../../etc/passwd", "etc-passwd"),
        ("港口 排班", "港口-排班"),
        ("a:b|c", "a-b-c"),
        ("NUL", "_NUL"),
        ("...", "unnamed"),
        ("", "unnamed"),
    ],
)
def test_an_id_becomes_a_safe_name(identifier, name):
    assert files.safe_name(identifier) == name


@given(st.text())
def test_any_id_becomes_one_path_component(identifier):
    name = files.safe_name(identifier)
    assert name not in {"", ".", ".."}
    assert not set(name) & set('/\\:\0<>"|?*')
    assert len(name.encode()) <= 121
