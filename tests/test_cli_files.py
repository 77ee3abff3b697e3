"""What the command line does with a store in a folder, of which a server has no like."""

import json
import shutil
import socket

import apsw
import pytest

from tests.command_line import commands, configured, saved_id, use
from tests.places import Folders
from tests.test_cli import EXPORT

_SERVER = {"DCB_STORE": "postgresql://dcb:secret@127.0.0.1:1/memory"}


@pytest.fixture
def dcb(tmp_path, monkeypatch):
    """Run `dcb` with a data folder of its own."""
    variables = Folders().variables(tmp_path / "data")
    with commands({**variables, **configured(tmp_path)}, monkeypatch) as run:
        yield run


def test_no_verb_opens_a_network_connection(dcb, monkeypatch):
    def forbidden(*_):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    for call in (("list",), ("search", "motor"), ("brief", identifier), ("doctor",)):
        assert dcb(*call).exit_code == 0, call


def test_a_backup_is_the_whole_store(dcb, tmp_path):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    assert dcb("backup", tmp_path / "backup.db").exit_code == 0
    assert "holds a store already" in dcb("restore", tmp_path / "backup.db").stderr
    shutil.rmtree(tmp_path / "data")
    assert dcb("restore", tmp_path / "backup.db").exit_code == 0
    assert "ESP32" in dcb("show", identifier).stdout


def test_a_store_of_a_newer_version_is_left_alone(dcb, tmp_path):
    dcb("compile", EXPORT, "--save")
    path = tmp_path / "data" / "store.db"
    connection = apsw.Connection(str(path))
    connection.execute("pragma user_version = 999")
    connection.close()
    before = path.read_bytes()
    result = dcb("list")
    assert result.exit_code == 1
    assert "newer" in result.stderr
    assert result.stderr.count("\n") == 1
    assert path.read_bytes() == before


def test_a_data_folder_that_cannot_be_made_is_named(dcb, tmp_path):
    (tmp_path / "file").write_text("")
    result = dcb("list", "--data-dir", tmp_path / "file" / "data")
    assert result.exit_code == 1
    assert str(tmp_path / "file") in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_erasing_searched_and_could_not_reach_is_said(dcb, tmp_path):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    erased = dcb("erase", identifier, "--yes").stdout
    size = sum(path.stat().st_size for path in (tmp_path / "data").iterdir())
    assert erased == (
        f"Erased {identifier} with 1 versions; searched {size:,} bytes of the data folder\n"
        "Out of reach: backups, other copies, clones of the git mirror, synchronised folders, and "
        "blocks that a flash disk keeps.\n"
    )


def test_the_doctor_names_sqlite_and_its_release(dcb, tmp_path):
    said = dict(line.split(maxsplit=1) for line in dcb("doctor").stdout.splitlines()[:4])
    assert said["sqlite"] == apsw.sqlite_lib_version()
    assert said["data"] == str(tmp_path / "data" / "store.db")


# --- a folder where the environment names a server ------------------------------------


def test_a_folder_that_is_named_goes_before_a_server(dcb, tmp_path, monkeypatch):
    dcb("compile", EXPORT, "--save")
    use(_SERVER, monkeypatch)
    assert "cannot be reached" in dcb("list").stderr
    listed = dcb("list", "--data-dir", tmp_path / "data", "--json").stdout
    assert [row["title"] for row in json.loads(listed)] == ["Greenhouse controller"]


def test_a_backup_is_restored_into_no_folder_that_is_not_used(dcb, tmp_path, monkeypatch):
    dcb("compile", EXPORT, "--save")
    dcb("backup", tmp_path / "backup.db")
    use({**_SERVER, "DCB_DATA_DIR": str(tmp_path / "other")}, monkeypatch)
    refused = dcb("restore", tmp_path / "backup.db")
    assert refused.stderr == (
        "dcb: A backup file is restored into a folder: name one with --data-dir. Your store lies "
        "on a PostgreSQL server, whose own tools restore it (see docs/postgres.md)\n"
    )
    assert not (tmp_path / "other").exists()
    dcb("restore", tmp_path / "backup.db", "--data-dir", tmp_path / "other")
    assert "Greenhouse" in dcb("list", "--data-dir", tmp_path / "other").stdout
