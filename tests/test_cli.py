"""The command line as a person meets it: what it reads, what it prints, how it ends."""

import json
import re
from pathlib import Path

import pytest
import yaml

from dcb.cli import cli
from tests.command_line import commands, configured
from tests.places import Folders

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
EXPORT = str(EXAMPLES / "chatgpt-export.zip")


@pytest.fixture
def dcb(tmp_path, monkeypatch):
    """Run `dcb` with a data folder of its own; the result has `output` and `stderr`."""
    variables = Folders().variables(tmp_path / "data")
    with commands({**variables, **configured(tmp_path)}, monkeypatch) as run:
        yield run


def messages(*talk, **more):
    """A plain message list: pairs of role and content."""
    return json.dumps(
        {
            "messages": [{"role": role, "content": content} for role, content in talk],
            **more,
        }
    )


TWO = json.dumps(
    [
        json.loads(messages(("user", "We'll use Redis for the queue."), id="a", title="Queue")),
        json.loads(messages(("user", "Always answer in French."), id="b", title="Language")),
    ]
)


def document_of(dcb, source=EXPORT):
    return dcb("compile", source, "--out", "-").stdout


# --- documents ------------------------------------------------------------------------


def test_out_writes_the_document_and_touches_no_store(dcb, tmp_path):
    path = tmp_path / "snapshot.md"
    assert dcb("compile", EXPORT, "--out", path).exit_code == 0
    assert not (tmp_path / "data").exists()
    assert dcb("verify", path).stdout == f"{path}: intact\n"


def test_the_header_is_yaml_with_the_same_values(dcb):
    text = document_of(dcb)
    header = yaml.safe_load(text.split("---\n")[1])
    snapshot = json.loads(dcb("parse", input=text).stdout)
    meta = snapshot["meta"]
    for key in ("title", "description", "tags", "snapshot_id", "token_estimate", "checksum"):
        assert header[key] == meta[key], key
    assert header["dcb_schema"] == meta["schema_version"] == "1.0"


def test_parse_and_render_are_each_others_inverse(dcb):
    text = document_of(dcb)
    assert dcb("render", input=dcb("parse", input=text).stdout).stdout == text


def test_all_writes_one_document_for_each_conversation(dcb, tmp_path):
    (tmp_path / "two.json").write_text(TWO)
    result = dcb("compile", tmp_path / "two.json", "--all", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.md", "b.md"]


def test_ids_that_are_one_file_name_are_numbered(dcb, tmp_path):
    talk = [
        json.loads(messages(("user", f"We'll use plan {name}."), id=name))
        for name in ("x/1", "x:1", "X-1")
    ]
    (tmp_path / "three.json").write_text(json.dumps(talk))
    dcb("compile", tmp_path / "three.json", "--all", "--out", tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["X-1-3.md", "x-1-2.md", "x-1.md"]


@pytest.mark.parametrize(
    ("change", "status", "strict_code"),
    [
        (lambda text: text, "intact", 0),
        (lambda text: text.replace("\n", "\r\n"), "newlines-changed", 1),
        (lambda text: text.replace("45 seconds", "46 seconds"), "modified", 1),
        (lambda text: re.sub("checksum: .*\n", "", text), "no-checksum", 1),
        (lambda text: text.replace("<!-- dcb:end -->", ""), "not-a-snapshot", 1),
    ],
)
def test_verify_names_what_was_done_to_a_document(dcb, tmp_path, change, status, strict_code):
    path = tmp_path / "s.md"
    path.write_bytes(change(document_of(dcb)).encode())
    plain = dcb("verify", "--json", path)
    assert json.loads(plain.stdout)["status"] == status
    assert plain.exit_code == (1 if status == "not-a-snapshot" else 0)
    assert dcb("verify", "--strict", path).exit_code == strict_code


def test_a_broken_marker_is_named_with_line_and_column(dcb):
    text = document_of(dcb).replace("<!-- dcb:layer:summary -->", "<!-- dcb:layer:sumary -->")
    line = text[: text.index("sumary")].count("\n") + 1
    result = dcb("parse", input=text)
    assert result.exit_code == 1
    assert f"line {line}, column" in result.stderr


# --- choosing -------------------------------------------------------------------------


def test_several_conversations_without_a_name_are_listed(dcb):
    result = dcb("compile", "-", input=TWO)
    assert result.exit_code == 1
    assert "- holds 2 conversations: name one with --conversation ID" in result.stderr
    assert "Queue" in result.stderr
    assert "Language" in result.stderr


@pytest.mark.parametrize("name", ["b", "Language", "langu"])
def test_a_conversation_is_named_by_id_title_or_part_of_it(dcb, name):
    result = dcb("compile", "-", "--conversation", name, "--json", input=TWO)
    assert json.loads(result.stdout)["snapshot"]["meta"]["title"] == "Language"


def test_a_name_that_is_not_there_is_said(dcb):
    result = dcb("compile", "-", "--conversation", "zzz", input=TWO)
    assert result.stderr == "dcb: No conversation in - has the id or title 'zzz'\n"


# --- moving ---------------------------------------------------------------------------


def test_two_snapshots_are_merged_and_conflicts_reported(dcb, tmp_path):
    for name, reply in (("old", "Always answer in French."), ("new", "Always answer in German.")):
        (tmp_path / f"{name}.json").write_text(messages(("user", reply), id=name))
    result = dcb("merge", tmp_path / "old.json", tmp_path / "new.json", "--json")
    assert result.exit_code == 0, result.output
    (conflict,) = json.loads(result.stdout)["conflicts"]
    assert (conflict["winner"], conflict["scope"]) == ("current", "style")


# --- bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is empty"),
        ("just a note to myself\n", "is of no known format"),
        ('{"a": 1}', "is of no known format: a JSON object with the keys a"),
        ("[]", "is of no known format"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(dcb, tmp_path, content, sentence):
    path = tmp_path / "input.json"
    path.write_text(content)
    result = dcb("compile", path)
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert "Traceback" not in result.output
    assert result.stderr.count("\n") == 1


def test_one_bad_conversation_costs_itself_only(dcb, tmp_path):
    path = tmp_path / "three.json"
    first, second = json.loads(TWO)
    path.write_text(json.dumps([first, {"id": "c", "messages": 7}, second]))
    result = dcb("compile", path, "--all", "--out", tmp_path / "out")
    assert sorted(item.name for item in (tmp_path / "out").iterdir()) == ["a.md", "b.md"]
    assert result.stderr.count("Skipped:") == 1


def test_a_file_that_cannot_be_written_leaves_nothing(dcb, tmp_path):
    result = dcb("compile", EXPORT, "--out", tmp_path / "none" / "s.md")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"dcb: Cannot write {tmp_path / 'none' / 's.md'}")


def test_text_of_a_conversation_never_commands_the_terminal(dcb, tmp_path):
    path = tmp_path / "talk.json"
    evil = "We'll use Redis.\x1b]0;owned\x07 \x1b[2J\u202e"
    path.write_text(messages(("user", "Hi"), ("user", evil), id="t", title=evil))
    for call in (("read", path), ("compile", path, "--explain")):
        output = dcb(*call).output
        assert not set("\x1b\x07\u202e") & set(output), call


def test_a_missing_file_is_named(dcb, tmp_path):
    result = dcb("compile", tmp_path / "none.json")
    assert result.exit_code == 1
    assert str(tmp_path / "none.json") in result.stderr


@pytest.mark.parametrize(
    "call", [("nonsense",), ("compile",), ("compile", "x", "--all"), ("search",), ("export",)]
)
def test_a_wrong_call_ends_with_status_2(dcb, call):
    assert dcb(*call).exit_code == 2


def test_a_mistyped_command_is_answered_with_the_nearest(dcb):
    assert "Did you mean 'compile'?" in dcb("compil", "x").stderr


def test_every_command_explains_itself(dcb):
    for name in cli.list_commands(None):
        result = dcb(name, "--help")
        assert result.exit_code == 0, name
        assert "Usage:" in result.stdout
