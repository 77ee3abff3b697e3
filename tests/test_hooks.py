"""Hooks of coding agents: what is saved, what comes back, and that nothing ever gets in the way."""

import json
import os
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from dcb import hooks
from dcb.cli import cli
from dcb.hooks import log, project
from tests.command_line import commands, configured
from tests.sessions import call, session

TALK = (
    "We'll use Postgres 16 for the ledger. Never log card numbers.",
    "Understood: Postgres 16, and no card numbers in logs.",
    "Page size is 50. Let's go.",
)
CANARY = "zanzibar-canary"


@pytest.fixture
def ledger(place, tmp_path, monkeypatch):
    """A project that is a git repository, with a data folder beside it."""
    monkeypatch.delenv("DCB_PASSPHRASE", raising=False)
    (tmp_path / "ledger" / ".git").mkdir(parents=True)
    variables = {**place.variables(tmp_path / "data"), **configured(tmp_path)}
    with commands(variables, monkeypatch):
        yield tmp_path / "ledger"


def dcb(*arguments, input=None):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], input=input)


def save(file, folder, event="PreCompact"):
    """The part of a saving hook that its own process does."""
    done = dcb("hook", "run", event, "claude-code", "here", input=call(file, folder))
    assert (done.exit_code, done.output) == (0, "")


def recalled(folder, *, agent="claude-code", source="startup", file=None):
    """The context that an agent gets at a session's start."""
    said = call(file or folder / "new.jsonl", folder, source=source)
    done = dcb("hook", "run", "SessionStart", agent, input=said)
    assert (done.exit_code, done.stderr) == (0, "")
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["hookEventName"] == "SessionStart"
    return answer["additionalContext"]


def outcomes(folder):
    """What the log says of each call, without times."""
    lines = (folder.parent / "data" / log.NAME).read_text().splitlines()
    return [" ".join(line.split()[1:-1]) for line in lines]


# --- saving and bringing back ----------------------------------------------------------


@pytest.mark.parametrize("agent", [agent.name for agent in hooks.AGENTS])
def test_what_a_session_decided_comes_back_to_every_agent(ledger, agent):
    save(session(ledger.parent, *TALK), ledger)
    brief = recalled(ledger, agent=agent)
    assert "We'll use Postgres 16 for the ledger." in brief
    assert "Never log card numbers." in brief
    assert outcomes(ledger) == ["claude-code PreCompact new", f"{agent} SessionStart brief-of-1"]


def test_a_session_that_grew_is_saved_as_the_next_version_of_the_same_snapshot(ledger):
    save(session(ledger.parent, *TALK), ledger)
    save(session(ledger.parent, *TALK), ledger)
    save(session(ledger.parent, *TALK, "Fine.", "Page size is 80 then."), ledger, "SessionEnd")
    assert [line.split()[-1] for line in outcomes(ledger)] == ["new", "same", "changed"]
    (row,) = json.loads(dcb("list", "--json").stdout)
    assert row["tags"] == [project.tag(ledger)]


def test_after_compaction_the_session_itself_comes_first(ledger):
    mine = session(ledger.parent, *TALK, name="mine")
    save(mine, ledger)
    save(session(ledger.parent, "We'll use Kafka. Never block.", "Yes.", name="later"), ledger)
    brief = recalled(ledger, source="compact", file=mine)
    assert brief.index("Postgres 16") < brief.index("Kafka")
    brief = recalled(ledger)
    assert brief.index("Kafka") < brief.index("Postgres 16")


def test_a_resumed_session_gets_no_brief(ledger):
    save(session(ledger.parent, *TALK), ledger)
    assert recalled(ledger, source="resume") == ""


def test_only_the_project_s_own_snapshots_come_back(ledger):
    save(session(ledger.parent, *TALK), ledger)
    other = ledger.parent / "other" / "ledger"
    other.mkdir(parents=True)
    assert recalled(other) == ""


@pytest.mark.parametrize("limit", ["2000", "8000"])
def test_a_brief_stays_within_what_an_agent_takes_whole(ledger, monkeypatch, limit):
    monkeypatch.setenv("DCB_HOOK_TOKENS", limit)
    texts = [f"Always keep rule {n}: handle every error of part {n}, {n * n}." for n in range(300)]
    save(session(ledger.parent, *texts), ledger)
    assert 4_000 < len(recalled(ledger)) < 10_000


def test_a_document_from_elsewhere_comes_back_only_after_the_person_edited_it(ledger):
    save(session(ledger.parent, *TALK), ledger)
    document = ledger.parent / "theirs.md"
    (row,) = json.loads(dcb("list", "--json").stdout)
    dcb("export", row["id"], "--out", document)
    dcb("erase", row["id"], "--yes")
    assert "Added" in dcb("add", document).stdout
    assert recalled(ledger) == ""
    entry = json.loads(dcb("show", row["id"], "--json").stdout)["verbatim"][0]["id"]
    assert dcb("edit", row["id"], "--pin", entry).exit_code == 0
    assert "Postgres 16" in recalled(ledger)


def test_tags_that_a_person_gave_stay_when_a_hook_saves_again(ledger):
    file = session(ledger.parent, *TALK)
    dcb("compile", file, "--save", "--tag", "payments")
    save(session(ledger.parent, *TALK, "Fine.", "Page size is 80 then."), ledger)
    (row,) = json.loads(dcb("list", "--json").stdout)
    assert row["tags"] == ["payments", project.tag(ledger)]


# --- the brief is nobody's words -------------------------------------------------------


@pytest.mark.parametrize("around", ["{}", "\r\n{}", "> no\n\n  {}  \n"])
def test_a_brief_in_a_conversation_is_not_compiled_as_the_user_s_words(ledger, around):
    save(session(ledger.parent, *TALK), ledger)
    brief = recalled(ledger).replace("\n", "\r\n" if "\r" in around else "\n")
    text = f"{around.format(brief)}\nNever use Redis for the queue."
    file = session(ledger.parent, text, "Yes.", name="second")
    compiled = json.loads(dcb("compile", file, "--json").stdout)
    entries = [entry["content"] for entry in compiled["snapshot"]["verbatim"]]
    assert entries == ["Never use Redis for the queue."]
    (left,) = [item for item in compiled["report"]["omitted"] if item["kind"] == "brief"]
    assert (left["reason"], left["src"]) == ("brought back, not said", "u0")
    assert left["tokens"] > 100


def test_saving_a_session_with_a_brief_again_changes_nothing(ledger):
    save(session(ledger.parent, *TALK), ledger)
    file = session(ledger.parent, f"{recalled(ledger)}\nWe'll use Redis.", "Yes.", name="second")
    save(file, ledger)
    save(file, ledger)
    assert outcomes(ledger)[-2:] == ["claude-code PreCompact new", "claude-code PreCompact same"]


# --- files that are being written, stores that are sealed ------------------------------


def test_a_session_file_that_is_being_written_is_saved_as_far_as_it_goes(ledger):
    file = session(ledger.parent, *TALK, "Fine.")
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])
    save(file, ledger)
    assert "Never log card numbers." in recalled(ledger)
    file.write_bytes(whole)
    save(file, ledger)
    assert [line.split()[-1] for line in outcomes(ledger)][::2] == ["new", "changed"]


def test_an_encrypted_store_with_a_passphrase_is_used_and_shows_nothing(ledger, place, monkeypatch):
    lock_store(ledger, monkeypatch)
    monkeypatch.setenv("DCB_PASSPHRASE", "long enough words")
    save(session(ledger.parent, f"Never mention {CANARY}.", "Yes.", name="second"), ledger)
    assert CANARY in recalled(ledger)
    hidden = (CANARY.encode(), project.tag(ledger).encode())
    assert place.traces(ledger.parent / "data", *hidden) == []


# --- nothing gets in the way -----------------------------------------------------------


def break_store(ledger, monkeypatch):
    data = ledger.parent / "data"
    data.mkdir()
    (data / "store.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 8_000)
    monkeypatch.delenv("DCB_STORE", raising=False)


def lose_server(ledger, monkeypatch):
    monkeypatch.setenv("DCB_STORE", "postgresql://127.0.0.1:1/x")


def break_settings(ledger, monkeypatch):
    (ledger.parent / "config.toml").write_text("max_tokens = ")


def lock_store(ledger, monkeypatch):
    save(session(ledger.parent, *TALK), ledger)
    done = CliRunner().invoke(cli, ["encrypt"], env={"DCB_NEW_PASSPHRASE": "long enough words"})
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("event", ["SessionStart", "PreCompact"])
@pytest.mark.parametrize("harm", [break_store, lose_server, break_settings, lock_store])
def test_whatever_is_broken_a_hook_prints_nothing_and_ends_well(ledger, harm, event, monkeypatch):
    harm(ledger, monkeypatch)
    said = call(session(ledger.parent, *TALK, CANARY), ledger)
    done = dcb("hook", "run", event, "claude-code", "here", input=said)
    assert (done.exit_code, done.output) == (0, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "{}"),
        (("--help-me", "-x"), "{}"),
        (("SessionStart",), "{}"),
        (("SessionStart", "nobody"), "{}"),
        (("Stop", "claude-code"), "{}"),
        (("SessionStart", "claude-code"), ""),
        (("SessionStart", "claude-code"), "[1]"),
        (("SessionStart", "claude-code"), "[" * 100_000),
        (("SessionStart", "claude-code"), '{"cwd": 7, "session_id": null}'),
        (("PreCompact", "claude-code", "here"), '{"transcript_path": null}'),
        (("PreCompact", "claude-code", "here"), '{"transcript_path": "/nowhere/a.jsonl"}'),
        (("PreCompact", "claude-code", "here"), '{"transcript_path": "\\u0000"}'),
    ],
)
def test_a_call_that_makes_no_sense_is_no_failure_of_the_agent(ledger, words, said):
    done = dcb("hook", "run", *words, input=said)
    assert (done.exit_code, done.output) == (0, "")


def test_the_log_names_outcomes_and_holds_no_word_of_what_was_read(ledger):
    file = session(ledger.parent, CANARY, "Yes.", name=CANARY)
    save(file.rename(file.parent / f"{CANARY}.jsonl"), ledger)
    save(ledger.parent / f"{CANARY}-missing.jsonl", ledger)
    file = ledger.parent / f"{CANARY}-broken.jsonl"
    file.write_text(f'{{"{CANARY}": ')
    save(file, ledger)
    kinds = [line.split()[-1] for line in outcomes(ledger)]
    assert kinds == ["new", "failed:source", "nothing"]
    assert CANARY not in (ledger.parent / "data" / log.NAME).read_text()


def test_the_log_stays_small(tmp_path):
    (tmp_path / log.NAME).write_text(("x" * 99 + "\n") * 3_000)
    log.write(tmp_path, agent="a", event="b", outcome="c", seconds=0)
    lines = (tmp_path / log.NAME).read_text().splitlines()
    assert 1_000 < len(lines) < 1_500
    assert lines[-1].endswith(" a b c 0.00s")


# --- as the agent calls it -------------------------------------------------------------


def agent_calls(*words, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "dcb", "hook", "run", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **more,
    )


def test_the_end_of_a_session_is_saved_by_a_process_that_nobody_waits_for(ledger):
    (ledger / "click.py").write_text("raise SystemExit('code of the project was run')")
    said = call(session(ledger.parent, *TALK), ledger).encode()
    hook = agent_calls("SessionEnd", "claude-code", cwd=ledger.parent)
    assert hook.communicate(said, timeout=30) == (b"", None)
    assert hook.returncode == 0
    assert logged(ledger, 1) == ["claude-code SessionEnd new"]


def logged(ledger, lines):
    """The log once it has so many lines."""
    file = ledger.parent / "data" / log.NAME
    until = time.monotonic() + 60
    while time.monotonic() < until and not (file.exists() and len(outcomes(ledger)) >= lines):
        time.sleep(0.05)
    return outcomes(ledger)


def test_a_session_that_is_saved_twice_at_once_is_stored_once(ledger):
    said = call(session(ledger.parent, *TALK), ledger).encode()
    events = ("PreCompact", "SessionEnd", "SessionEnd")
    calls = [agent_calls(event, "claude-code", "here", cwd=ledger.parent) for event in events]
    for each in calls:
        each.stdin.write(said)
        each.stdin.close()
    assert [each.wait(timeout=60) for each in calls] == [0, 0, 0]
    assert all(each.stdout.read() == b"" for each in calls)
    assert sorted(line.split()[-1] for line in logged(ledger, 3)) == ["new", "same", "same"]


def test_an_agent_that_says_nothing_is_not_held_up(ledger, monkeypatch):
    monkeypatch.setenv("DCB_HOOK_SECONDS", "1")
    hook = agent_calls("SessionStart", "claude-code", cwd=ledger.parent)
    assert hook.stdout.read() == b""
    assert hook.wait(timeout=30) == 0
    hook.stdin.close()
    assert outcomes(ledger) == ["claude-code SessionStart timeout"]


# --- which project ---------------------------------------------------------------------


def test_a_project_is_the_same_from_subfolders_links_and_worktrees(ledger):
    git = ledger / ".git"
    (ledger / "src" / "deep").mkdir(parents=True)
    (ledger.parent / "link").symlink_to(ledger)
    (git / "worktrees" / "fix").mkdir(parents=True)
    (git / "worktrees" / "fix" / "commondir").write_text("../..\n")
    tree = ledger.parent / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {git}/worktrees/fix\n")
    places = [ledger, ledger / "src" / "deep", ledger.parent / "link", tree]
    assert len({project.tag(folder) for folder in places}) == 1
    assert project.tag(ledger).startswith("project:ledger-")


def test_two_projects_of_one_name_are_two(ledger):
    for name in ("a", "b"):
        (ledger / name / "ledger" / ".git").mkdir(parents=True)
    tags = {project.tag(ledger / name / "ledger") for name in ("a", "b")}
    assert len(tags) == 2


@pytest.mark.parametrize("said", ["", "gitdir:", "gitdir: /nowhere\n", "\udcff\x00"])
def test_a_damaged_git_file_still_gives_a_tag(tmp_path, said):
    (tmp_path / ".git").write_bytes(os.fsencode(said))
    assert project.tag(tmp_path).startswith("project:")
