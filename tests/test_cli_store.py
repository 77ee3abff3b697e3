"""What the command line keeps, and finds again, wherever the store lies."""

import json
import shutil

from click.shell_completion import ShellComplete

from dcb.cli import cli, words
from tests.command_line import saved_id, use
from tests.test_cli import EXAMPLES, EXPORT, TWO, messages

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


# --- moving ---------------------------------------------------------------------------


def test_exported_documents_come_back_in_another_store(dcb, place, tmp_path, monkeypatch):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    assert dcb("export", "--all", "--out", tmp_path / "out").exit_code == 0
    use(place.variables(tmp_path / "other"), monkeypatch)
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


def test_a_history_is_asked_for_by_the_beginning_of_an_id_or_refused(dcb):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    assert dcb("history", identifier[:-2]).stdout == dcb("history", identifier).stdout != ""
    unknown = dcb("history", "nowhere", "--json")
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert unknown.stderr == "dcb: No snapshot 'nowhere'; see: dcb list\n"
    dcb("remove", identifier)
    assert "remove" in dcb("history", identifier).stdout


# --- secrecy --------------------------------------------------------------------------


def test_an_encrypted_store_does_the_same_and_holds_no_plaintext(dcb, place, tmp_path, monkeypatch):
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
    said = (b"greenhouse", b"Greenhouse", b"canaryteal", b"tide tables")
    assert place.traces(tmp_path / "data", *said) == []
    monkeypatch.setenv("DCB_NEW_PASSPHRASE", "battery staple")
    assert dcb("rekey").exit_code == 0
    assert dcb("list").exit_code == 1
    monkeypatch.setenv("DCB_PASSPHRASE", "battery staple")
    assert dcb("decrypt").exit_code == 0
    monkeypatch.delenv("DCB_PASSPHRASE")
    assert "Greenhouse" in dcb("list").stdout


def test_erasing_leaves_no_trace(dcb, place, tmp_path):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    other = saved_id(dcb("compile", EXAMPLES / "pasted-chinese.txt", "--save"))
    assert place.traces(tmp_path / "data", b"multiplexer") != []
    refused = dcb("erase", identifier)
    assert "say --yes" in refused.stderr
    erased = dcb("erase", identifier, "--yes")
    assert erased.exit_code == 0, erased.output
    assert place.traces(tmp_path / "data", b"multiplexer") == []
    assert dcb("show", other).exit_code == 0


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


def test_a_cut_file_is_read_as_far_as_it_is_whole(dcb, tmp_path):
    path = tmp_path / "cut.json"
    path.write_text(TWO[: TWO.index("French") + 3])
    account = json.loads(dcb("ingest", path, "--json").stdout)
    assert (account["read"], account["skipped"]) == (1, 1)
    assert "cut.json" in account["reasons"][0]["examples"][0]


def test_an_id_that_begins_several_lists_them(dcb):
    for name in ("chatgpt-export.zip", "pasted-chinese.txt"):
        dcb("compile", EXAMPLES / name, "--save")
    result = dcb("show", "0")
    assert result.exit_code == 1
    assert "begins several ids" in result.stderr
    assert "Greenhouse controller" in result.stderr


def test_ids_are_completed_by_the_shell(dcb):
    identifier = saved_id(dcb("compile", EXPORT, "--save"))
    complete = ShellComplete(cli, {}, "dcb", "_DCB_COMPLETE")
    found = complete.get_completions(["show"], identifier[:4])
    assert [item.value for item in found] == [identifier]
