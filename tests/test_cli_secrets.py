"""Secrets on the command line: told of at saving, listed by place, masked at export; never shown."""

import json

import pytest

KEY = "ghp_" + "a1B2" * 9
PASSWORD = "t0psecretX" + "Y9"
TALK = {
    "messages": [
        {"id": "m1", "role": "user", "content": f"Always deploy with the token {KEY}."},
        {"id": "m2", "role": "assistant", "content": "Understood."},
        {
            "id": "m3",
            "role": "user",
            "content": f"Never use another database than postgres://app:{PASSWORD}@db:5432/app.",
        },
    ],
    "id": "c",
    "title": "Deploy",
}


@pytest.fixture
def dcb(dcb, tmp_path):
    """Run `dcb`; SOURCE is a conversation with two secrets."""
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps(TALK))
    return lambda *arguments: dcb(*(talk if a == "SOURCE" else a for a in arguments))


def test_saving_tells_kind_and_place_in_one_line_and_never_the_value(dcb):
    for arguments in (["compile", "SOURCE", "--save"], ["save"], ["ingest", "SOURCE"]):
        dcb("erase", "--all", "--yes")
        dcb("compile", "SOURCE")
        told = dcb(*arguments).stderr.splitlines()
        assert len(told) == 1, arguments
        assert told[0].startswith("dcb: Secrets in the text: ")
        assert "github-token (directive v-" in told[0]
        assert "url-password (" in told[0]
        assert KEY not in told[0]
        assert PASSWORD not in told[0]


def test_saving_the_same_again_tells_nothing_new(dcb):
    dcb("ingest", "SOURCE")
    assert dcb("ingest", "SOURCE").stderr == ""


def test_secrets_are_listed_with_the_message_they_came_from(dcb):
    dcb("ingest", "SOURCE")
    rows = json.loads(dcb("secrets", "--json").stdout)
    found = {(row["kind"], row["message"]) for row in rows if row["part"].startswith("directive")}
    assert ("github-token", "m1") in found
    assert ("url-password", "m3") in {(row["kind"], row["message"]) for row in rows}
    listed = dcb("secrets", rows[0]["snapshot"][:13]).stdout
    assert listed.startswith(f"{rows[0]['snapshot']}  Deploy\n  github-token")
    assert KEY not in listed
    assert PASSWORD not in listed


def test_without_secrets_that_is_said(dcb):
    assert dcb("secrets").stdout == "No secrets of a known shape\n"
    assert dcb("secrets", "--json").stdout == "[]\n"


def test_export_masks_secrets_unless_told_to_keep_them(dcb, tmp_path):
    dcb("ingest", "SOURCE")
    (row,) = json.loads(dcb("list", "--json").stdout)
    plain = dcb("export", row["id"], "--keep-secrets")
    assert KEY in plain.stdout
    assert plain.stderr.startswith("Secrets in what was written: ")
    masked = dcb("export", row["id"])
    assert KEY not in masked.stdout
    assert PASSWORD not in masked.stdout
    assert "[redacted: github-token #1]" in masked.stdout
    assert masked.stderr.startswith("Secrets masked: ")
    dcb("export", "--all", "--out", tmp_path / "out")
    (file,) = (tmp_path / "out").iterdir()
    assert file.read_text() == masked.stdout
    assert "intact" in dcb("verify", file).stdout
