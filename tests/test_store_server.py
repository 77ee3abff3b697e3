"""What a person is told of a store on a server that a store in a folder does not have to say."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dcb.cli import cli
from dcb.store import Store
from tests.places import Databases
from tests.postgres_server import Server
from tests.test_store import put

_LIMITS = (
    "Out of reach: the server's write-ahead log and its archive, replicas, backups, other copies, "
    "and pages not yet written over; the log of who did what keeps the ids.\n"
)


def filled(place: Databases, folder: Path) -> Databases:
    """With a snapshot of one version, and a removed one of two."""
    with Store(place(folder), now=lambda: 1) as store:
        put(store, 1, 2)
        store.remove("0199-0002")
    return place


def dcb(place: Databases, folder: Path, *arguments: str) -> str:
    """What a command says."""
    told = {**place.variables(folder), "DCB_LANG": "en"}
    return CliRunner().invoke(cli, arguments, env=told).output


def where(place: Databases, folder: Path) -> str:
    """As reports name it: without the role and its password."""
    return "postgresql://" + place.variables(folder)["DCB_STORE"].partition("@")[2]


def test_the_doctor_names_the_server_and_its_release(databases: Databases, tmp_path: Path) -> None:
    lines = dcb(filled(databases, tmp_path), tmp_path, "doctor").splitlines()
    said = {name: told for name, _, told in (line.partition(" ") for line in lines)}
    assert re.fullmatch(r"\d+\.\d+", said["postgresql"])
    assert "sqlite" not in said
    assert said["data"].strip() == where(databases, tmp_path)
    assert said["mirror"].strip() == "none: a mirror is for a store in a folder"
    assert lines[-1] == "All is well."


def test_the_doctor_tells_programs_the_same(databases: Databases, tmp_path: Path) -> None:
    told = json.loads(dcb(filled(databases, tmp_path), tmp_path, "doctor", "--json"))
    assert told["engine"] == "postgresql"
    assert told["postgresql"] == told["release"]
    assert [name for name, _ in told["settings"]] == [
        "fsync",
        "synchronous_commit",
        "full_page_writes",
        "data_checksums",
    ]


def test_an_erasure_says_what_it_did_and_cannot_promise(
    databases: Databases, tmp_path: Path
) -> None:
    place = filled(databases, tmp_path)
    assert dcb(place, tmp_path, "erase", "0199-0001", "--yes") == (
        f"Erased 0199-0001 with 1 versions from {where(place, tmp_path)}\n"
        "The tables were vacuumed: the server may write over their space.\n" + _LIMITS
    )


def test_only_the_log_keeps_the_id_of_what_was_erased(databases: Databases, tmp_path: Path) -> None:
    place = filled(databases, tmp_path)
    place.change(tmp_path, "insert into people(name) values ('Bo')")
    place.change(
        tmp_path,
        "insert into shares(project, snapshot_id, person) "
        "select j.id, s.id, p.id from projects j, snapshots s, people p where p.name = 'Bo'",
    )
    assert "shares" in place.traces(tmp_path, b"0199-0001")
    dcb(place, tmp_path, "erase", "0199-0001", "--yes")
    assert place.traces(tmp_path, b"0199-0001") == ["audit"]


def test_an_erasure_by_a_role_that_may_not_vacuum_says_so(postgres: Server, tmp_path: Path) -> None:
    place = filled(Databases(postgres), tmp_path)  # of its own: nobody can use it again
    for statement in (
        "do $$ begin execute format('reassign owned by %I to postgres', current_database()); end $$",
        "grant usage on schema dcb to public",
        "grant all on all tables in schema dcb to public",
    ):
        place.change(tmp_path, statement)
    assert dcb(place, tmp_path, "erase", "--all", "--yes") == (
        f"Erased 0199-0001, 0199-0002 with 3 versions from {where(place, tmp_path)}\n"
        "This role may not vacuum the tables: the rows lie there until the server does it "
        "itself.\n" + _LIMITS
    )


class Keyring:
    """The system's keyring, as far as it is used."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def set_password(self, service: str, account: str, password: str) -> None:
        self.kept[service, account] = password

    def get_password(self, service: str, account: str) -> str | None:
        return self.kept.get((service, account))


def test_the_keyring_keeps_the_passphrase_of_each_project(
    databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = Keyring()
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    for project in ("harbour", "cellar"):
        monkeypatch.setenv("DCB_PROJECT", project)
        monkeypatch.setenv("DCB_NEW_PASSPHRASE", f"the words of {project}")
        dcb(databases, tmp_path, "encrypt", "--remember")
    for project in ("harbour", "cellar"):
        monkeypatch.setenv("DCB_PROJECT", project)
        assert "Nothing stored yet" in dcb(databases, tmp_path, "list")
    address = databases.variables(tmp_path)["DCB_STORE"]
    secret = address.partition("@")[0].rpartition(":")[2]
    assert list(keyring.kept.values()) == ["the words of harbour", "the words of cellar"]
    assert all(secret not in account for _, account in keyring.kept)
