"""The command line as a person meets it: what it prints, what it leaves, how it ends."""

import json
import re
import shutil
import socket
from pathlib import Path

import apsw
import pytest
import yaml
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from dcb.cli import cli, words

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
EXPORT = str(EXAMPLES / "chatgpt-export.zip")


@pytest.fixture
def dcb(tmp_path, monkeypatch):
    """Run `dcb` with a data folder of its own; the result has `output` and `stderr`."""
    monkeypatch.setenv("DCB_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DCB_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("DCB_LANG", "en")
    words.chinese.cache_clear()

    def run(*arguments, input=None):
        return CliRunner().invoke(cli, [str(a) for a in arguments], input=input)

    yield run
    words.chinese.cache_clear()


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


def saved_id(result):
    return result.stdout.rsplit("Saved as ", 1)[1].strip()


def document_of(dcb, source=EXPORT):
    return dcb("compile", source, "--out", "-").stdout


# --- the main job ---------------------------------------------------------------------


def test_compile_shows_three_layers_and_what_was_left_out(dcb):
    result = dcb("compile", EXPORT, "--save")
    assert result.exit_code == 0, result.output
    places = [
        result.stdout.index(words_)
        for words_ in (
            "Greenhouse controller\n",
            "1. Key messages, word for word",
            "2. Summary",
            "3. Preferences",
            "Left out: ",
            "Saved as ",
        )
    ]
    assert places == sorted(places)


def test_a_draft_survives_until_it_is_saved(dcb):
    assert "A draft until you run: dcb save" in dcb("compile", EXPORT).stdout
    assert "Nothing stored yet" in dcb("list").stdout
    kept = dcb("save")
    assert kept.exit_code == 0
    assert "Greenhouse controller" in dcb("list").stdout
    again = dcb("save")
    assert again.exit_code == 1
    assert again.stderr.startswith("dcb: There is no draft to save")


def test_the_same_conversation_again_changes_nothing(dcb):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    again = dcb("compile", EXPORT, "--save")
    assert f"Already saved as {identifier}; nothing changed" in again.stdout
    assert len(json.loads(dcb("list", "--json").stdout)) == 1


def test_what_was_saved_is_found_shown_and_brought_back(dcb):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    assert "45 seconds" in dcb("search", "45 seconds").stdout
    assert "ESP32" in dcb("show", identifier[:13]).stdout
    brief = dcb("brief", identifier).stdout
    assert "background, not instructions" in brief
    assert "never run longer than 45 seconds" in brief


def test_chinese_is_answered_in_chinese(dcb, monkeypatch):
    monkeypatch.setenv("DCB_LANG", "zh")
    words.chinese.cache_clear()
    result = dcb("compile", EXAMPLES / "pasted-chinese.txt", "--save")
    assert "1. 关键消息原文" in result.stdout
    assert "已保存为 " in result.stdout
    assert "21 天" in dcb("search", "借期").stdout


def test_no_verb_opens_a_network_connection(dcb, monkeypatch):
    def forbidden(*_):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", forbidden)
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    for call in (("list",), ("search", "motor"), ("brief", identifier), ("doctor",)):
        assert dcb(*call).exit_code == 0, call


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


def test_exported_documents_come_back_in_another_store(dcb, tmp_path):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    assert dcb("export", "--all", "--out", tmp_path / "out").exit_code == 0
    shutil.rmtree(tmp_path / "data")
    added = dcb("add", tmp_path / "out")
    assert added.exit_code == 0, added.output
    assert identifier in added.stdout
    assert "Greenhouse controller" in dcb("show", identifier).stdout


def test_adding_never_overwrites(dcb, tmp_path):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    path = tmp_path / "edited.md"
    path.write_text(dcb("export", identifier).stdout.replace("45 seconds", "50 seconds"))
    added = dcb("add", path)
    assert added.exit_code == 1
    assert "edited after its checksum" in added.stderr
    ids = {row["id"] for row in json.loads(dcb("list", "--json").stdout)}
    assert identifier in ids
    assert len(ids) == 2
    assert "45 seconds" in dcb("export", identifier).stdout


def test_removing_needs_an_id_that_is_there(dcb):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    refused = dcb("remove", identifier, "nowhere")
    assert refused.exit_code == 1
    assert len(json.loads(dcb("list", "--json").stdout)) == 1
    assert dcb("remove", identifier).exit_code == 0
    assert "Nothing stored yet" in dcb("list").stdout


def test_two_snapshots_are_merged_and_conflicts_reported(dcb, tmp_path):
    for name, reply in (("old", "Always answer in French."), ("new", "Always answer in German.")):
        (tmp_path / f"{name}.json").write_text(messages(("user", reply), id=name))
    result = dcb("merge", tmp_path / "old.json", tmp_path / "new.json", "--json")
    assert result.exit_code == 0, result.output
    (conflict,) = json.loads(result.stdout)["conflicts"]
    assert (conflict["winner"], conflict["scope"]) == ("current", "style")


# --- correcting and going back --------------------------------------------------------


def test_an_edit_holds_when_the_conversation_is_compiled_again(dcb, tmp_path):
    path = tmp_path / "talk.json"
    talk = (("user", "About the queue."), ("user", "We'll use Redis. Never log passwords."))
    path.write_text(messages(*talk, id="t"))
    identifier = saved_id(dcb("compile", path, "--save"))
    assert "Redis" in dcb("show", identifier).stdout
    assert dcb("edit", identifier, "--drop", "v-001", "--pin", "v-002").exit_code == 0
    path.write_text(messages(*talk, ("user", "Port is 6380."), id="t"))
    dcb("ingest", path)
    shown = dcb("show", identifier, "--left-out").stdout
    kept, left_out = shown.split("Left out")
    assert "We'll use Redis." not in kept.split("2. Summary")[0]
    assert "dropped by hand" in left_out
    assert "pinned" in kept


def test_an_entry_that_is_not_there_cannot_be_edited(dcb):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    refused = dcb("edit", identifier, "--drop", "v-999")
    assert refused.exit_code == 1
    assert "has no entry 'v-999'" in refused.stderr


def test_the_editor_changes_the_document(dcb, tmp_path, monkeypatch):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/45 seconds/40 seconds/" "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    assert dcb("edit", identifier).exit_code == 0
    assert "40 seconds" in dcb("show", identifier).stdout


def test_an_earlier_version_is_shown_compared_and_brought_back(dcb):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    first = dcb("show", identifier, "--markdown").stdout
    entries = json.loads(dcb("show", identifier, "--json").stdout)["verbatim"]
    motor = next(entry["id"] for entry in entries if "45 seconds" in entry["content"])
    dcb("edit", identifier, "--drop", motor)
    assert dcb("show", f"{identifier}@1").stdout == first
    assert "never run longer than 45 seconds" in dcb("diff", f"{identifier}@1", identifier).stdout
    assert dcb("rollback", f"{identifier}@1").exit_code == 0
    assert dcb("show", identifier, "--markdown").stdout == first
    actions = [
        version["action"] for version in json.loads(dcb("history", identifier, "--json").stdout)
    ]
    assert actions == ["save", "edit", "rollback"]


# --- secrecy --------------------------------------------------------------------------


def test_an_encrypted_store_does_the_same_and_holds_no_plaintext(dcb, tmp_path, monkeypatch):
    identifier = saved_id(dcb("compile", EXPORT, "--save", "--tag", "canaryteal"))
    monkeypatch.setenv("DCB_NEW_PASSPHRASE", "correct horse")
    assert dcb("encrypt").exit_code == 0
    locked = dcb("list")
    assert locked.exit_code == 1
    assert "encrypted" in locked.stderr
    monkeypatch.setenv("DCB_PASSPHRASE", "wrong")
    assert dcb("list").exit_code == 1
    monkeypatch.setenv("DCB_PASSPHRASE", "correct horse")
    dcb("compile", EXAMPLES / "claude-code-session.jsonl")
    assert "45 seconds" in dcb("search", "45 seconds").stdout
    assert "ESP32" in dcb("show", identifier).stdout
    for path in (tmp_path / "data").rglob("*"):
        if path.is_file():
            raw = path.read_bytes()
            for word in (b"greenhouse", b"Greenhouse", b"canaryteal", b"tide tables"):
                assert word not in raw, (path, word)
    monkeypatch.setenv("DCB_NEW_PASSPHRASE", "battery staple")
    assert dcb("rekey").exit_code == 0
    assert dcb("list").exit_code == 1
    monkeypatch.setenv("DCB_PASSPHRASE", "battery staple")
    assert dcb("decrypt").exit_code == 0
    monkeypatch.delenv("DCB_PASSPHRASE")
    assert "Greenhouse" in dcb("list").stdout


def test_erasing_leaves_no_trace(dcb, tmp_path):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    other = saved_id(dcb("compile", EXAMPLES / "pasted-chinese.txt", "--save"))
    refused = dcb("erase", identifier)
    assert "say --yes" in refused.stderr
    erased = dcb("erase", identifier, "--yes")
    assert erased.exit_code == 0, erased.output
    for path in (tmp_path / "data").rglob("*"):
        if path.is_file():
            assert b"multiplexer" not in path.read_bytes()
    assert dcb("show", other).exit_code == 0


def test_a_backup_is_the_whole_store(dcb, tmp_path):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    assert dcb("backup", tmp_path / "backup.db").exit_code == 0
    assert "holds a store already" in dcb("restore", tmp_path / "backup.db").stderr
    shutil.rmtree(tmp_path / "data")
    assert dcb("restore", tmp_path / "backup.db").exit_code == 0
    assert "ESP32" in dcb("show", identifier).stdout


# --- ingest ---------------------------------------------------------------------------


def test_ingest_accounts_for_everything_and_again_adds_nothing(dcb, tmp_path):
    folder = tmp_path / "archive"
    shutil.copytree(EXAMPLES, folder)
    (folder / "notes.json").write_text('{"a": 1}')
    account = json.loads(dcb("ingest", folder, "--json").stdout)
    assert (account["read"], account["new"]) == (3, 3)
    assert account["skipped"] == sum(reason["count"] for reason in account["reasons"])
    assert any("notes.json" in place for r in account["reasons"] for place in r["examples"])
    again = json.loads(dcb("ingest", folder, "--json").stdout)
    assert (again["read"], again["new"], again["unchanged"]) == (3, 0, 3)
    assert again["skipped"] == account["skipped"]


def test_a_grown_conversation_is_a_new_version_of_its_snapshot(dcb, tmp_path):
    path = tmp_path / "talk.json"
    path.write_text(messages(("user", "We'll use Redis."), id="t"))
    dcb("ingest", path)
    (before,) = json.loads(dcb("list", "--json").stdout)
    path.write_text(messages(("user", "We'll use Redis."), ("user", "The port is 6380."), id="t"))
    assert json.loads(dcb("ingest", path, "--json").stdout)["grown"] == 1
    (after,) = json.loads(dcb("list", "--json").stdout)
    assert (after["id"], after["version"]) == (before["id"], before["version"] + 1)


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


def test_a_cut_file_is_read_as_far_as_it_is_whole(dcb, tmp_path):
    path = tmp_path / "cut.json"
    path.write_text(TWO[: TWO.index("French") + 3])
    account = json.loads(dcb("ingest", path, "--json").stdout)
    assert (account["read"], account["skipped"]) == (1, 1)
    assert "cut.json" in account["reasons"][0]["examples"][0]


def test_one_bad_conversation_costs_itself_only(dcb, tmp_path):
    path = tmp_path / "three.json"
    first, second = json.loads(TWO)
    path.write_text(json.dumps([first, {"id": "c", "messages": 7}, second]))
    result = dcb("compile", path, "--all", "--out", tmp_path / "out")
    assert sorted(item.name for item in (tmp_path / "out").iterdir()) == ["a.md", "b.md"]
    assert result.stderr.count("Skipped:") == 1


def test_an_id_that_begins_several_lists_them(dcb):
    for name in ("chatgpt-export.zip", "pasted-chinese.txt"):
        dcb("compile", EXAMPLES / name, "--save")
    result = dcb("show", "0")
    assert result.exit_code == 1
    assert "begins several ids" in result.stderr
    assert "Greenhouse controller" in result.stderr


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


def test_ids_are_completed_by_the_shell(dcb):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    complete = ShellComplete(cli, {}, "dcb", "_DCB_COMPLETE")
    found = complete.get_completions(["show"], identifier[:4])
    assert [item.value for item in found] == [identifier]


def test_a_missing_file_is_named(dcb, tmp_path):
    result = dcb("compile", tmp_path / "none.json")
    assert result.exit_code == 1
    assert str(tmp_path / "none.json") in result.stderr


def test_a_data_folder_that_cannot_be_made_is_named(dcb, tmp_path):
    (tmp_path / "file").write_text("")
    result = dcb("list", "--data-dir", tmp_path / "file" / "data")
    assert result.exit_code == 1
    assert str(tmp_path / "file") in result.stderr
    assert result.stderr.count("\n") == 1


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
