"""Hooks of coding agents: what is saved, what comes back, and that nothing ever gets in the way."""

import json
import os
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from dcb import hooks
from dcb.cli import cli, words
from dcb.hooks import log, project
from tests.sessions import call, session

TALK = (
    "We'll use Postgres 16 for the ledger. Never log card numbers.",
    "Understood: Postgres 16, and no card numbers in logs.",
    "Page size is 50. Let's go.",
)
CANARY = "zanzibar-canary"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A project that is a git repository, with a data folder beside it."""
    monkeypatch.setenv("DCB_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DCB_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("DCB_LANG", "en")
    monkeypatch.delenv("DCB_PASSPHRASE", raising=False)
    words.chinese.cache_clear()
    (tmp_path / "ledger" / ".git").mkdir(parents=True)
    yield tmp_path / "ledger"
    words.chinese.cache_clear()


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
def test_what_a_session_decided_comes_back_to_every_agent(place, agent):
    save(session(place.parent, *TALK), place)
    brief = recalled(place, agent=agent)
    assert "We'll use Postgres 16 for the ledger." in brief
    assert "Never log card numbers." in brief
    assert outcomes(place) == ["claude-code PreCompact new", f"{agent} SessionStart brief-of-1"]


def test_a_session_that_grew_is_saved_as_the_next_version_of_the_same_snapshot(place):
    save(session(place.parent, *TALK), place)
    save(session(place.parent, *TALK), place)
    save(session(place.parent, *TALK, "Fine.", "Page size is 80 then."), place, "SessionEnd")
    assert [line.split()[-1] for line in outcomes(place)] == ["new", "same", "changed"]
    (row,) = json.loads(dcb("list", "--json").stdout)
    assert row["tags"] == [project.tag(place)]


def test_after_compaction_the_session_itself_comes_first(place):
    mine = session(place.parent, *TALK, name="mine")
    save(mine, place)
    save(session(place.parent, "We'll use Kafka. Never block.", "Yes.", name="later"), place)
    brief = recalled(place, source="compact", file=mine)
    assert brief.index("Postgres 16") < brief.index("Kafka")
    brief = recalled(place)
    assert brief.index("Kafka") < brief.index("Postgres 16")


def test_a_resumed_session_gets_no_brief(place):
    save(session(place.parent, *TALK), place)
    assert recalled(place, source="resume") == ""


def test_only_the_project_s_own_snapshots_come_back(place):
    save(session(place.parent, *TALK), place)
    other = place.parent / "other" / "ledger"
    other.mkdir(parents=True)
    assert recalled(other) == ""


@pytest.mark.parametrize("limit", ["2000", "8000"])
def test_a_brief_stays_within_what_an_agent_takes_whole(place, monkeypatch, limit):
    monkeypatch.setenv("DCB_HOOK_TOKENS", limit)
    texts = [f"Always keep rule {n}: handle every error of part {n}, {n * n}." for n in range(300)]
    save(session(place.parent, *texts), place)
    assert 4_000 < len(recalled(place)) < 10_000


def test_a_document_from_elsewhere_comes_back_only_after_the_person_edited_it(place):
    save(session(place.parent, *TALK), place)
    document = place.parent / "theirs.md"
    (row,) = json.loads(dcb("list", "--json").stdout)
    dcb("export", row["id"], "--out", document)
    dcb("erase", row["id"], "--yes")
    assert "Added" in dcb("add", document).stdout
    assert recalled(place) == ""
    entry = json.loads(dcb("show", row["id"], "--json").stdout)["verbatim"][0]["id"]
    assert dcb("edit", row["id"], "--pin", entry).exit_code == 0
    assert "Postgres 16" in recalled(place)


def test_tags_that_a_person_gave_stay_when_a_hook_saves_again(place):
    file = session(place.parent, *TALK)
    dcb("compile", file, "--save", "--tag", "payments")
    save(session(place.parent, *TALK, "Fine.", "Page size is 80 then."), place)
    (row,) = json.loads(dcb("list", "--json").stdout)
    assert row["tags"] == ["payments", project.tag(place)]


# --- the brief is nobody's words -------------------------------------------------------


@pytest.mark.parametrize("around", ["{}", "\r\n{}", "> no\n\n  {}  \n"])
def test_a_brief_in_a_conversation_is_not_compiled_as_the_user_s_words(place, around):
    save(session(place.parent, *TALK), place)
    brief = recalled(place).replace("\n", "\r\n" if "\r" in around else "\n")
    text = f"{around.format(brief)}\nNever use Redis for the queue."
    file = session(place.parent, text, "Yes.", name="second")
    compiled = json.loads(dcb("compile", file, "--json").stdout)
    entries = [entry["content"] for entry in compiled["snapshot"]["verbatim"]]
    assert entries == ["Never use Redis for the queue."]
    (left,) = [item for item in compiled["report"]["omitted"] if item["kind"] == "brief"]
    assert (left["reason"], left["src"]) == ("brought back, not said", "u0")
    assert left["tokens"] > 100


def test_saving_a_session_with_a_brief_again_changes_nothing(place):
    save(session(place.parent, *TALK), place)
    file = session(place.parent, f"{recalled(place)}\nWe'll use Redis.", "Yes.", name="second")
    save(file, place)
    save(file, place)
    assert outcomes(place)[-2:] == ["claude-code PreCompact new", "claude-code PreCompact same"]


# --- files that are being written, stores that are sealed ------------------------------


def test_a_session_file_that_is_being_written_is_saved_as_far_as_it_goes(place):
    file = session(place.parent, *TALK, "Fine.")
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])
    save(file, place)
    assert "Never log card numbers." in recalled(place)
    file.write_bytes(whole)
    save(file, place)
    assert [line.split()[-1] for line in outcomes(place)][::2] == ["new", "changed"]


def test_an_encrypted_store_with_a_passphrase_is_used_and_shows_nothing(place, monkeypatch):
    lock_store(place)
    monkeypatch.setenv("DCB_PASSPHRASE", "long enough words")
    save(session(place.parent, f"Never mention {CANARY}.", "Yes.", name="second"), place)
    assert CANARY in recalled(place)
    kept = b"".join(path.read_bytes() for path in (place.parent / "data").iterdir())
    assert CANARY.encode() not in kept
    assert project.tag(place).encode() not in kept


# --- nothing gets in the way -----------------------------------------------------------


def break_store(place):
    data = place.parent / "data"
    data.mkdir()
    (data / "store.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 8_000)


def break_settings(place):
    (place.parent / "config.toml").write_text("max_tokens = ")


def lock_store(place):
    save(session(place.parent, *TALK), place)
    done = CliRunner().invoke(cli, ["encrypt"], env={"DCB_NEW_PASSPHRASE": "long enough words"})
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("event", ["SessionStart", "PreCompact"])
@pytest.mark.parametrize("harm", [break_store, break_settings, lock_store])
def test_whatever_is_broken_a_hook_prints_nothing_and_ends_well(place, harm, event):
    harm(place)
    said = call(session(place.parent, *TALK, CANARY), place)
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
def test_a_call_that_makes_no_sense_is_no_failure_of_the_agent(place, words, said):
    done = dcb("hook", "run", *words, input=said)
    assert (done.exit_code, done.output) == (0, "")


def test_the_log_names_outcomes_and_holds_no_word_of_what_was_read(place):
    file = session(place.parent, CANARY, "Yes.", name=CANARY)
    save(file.rename(file.parent / f"{CANARY}.jsonl"), place)
    save(place.parent / f"{CANARY}-missing.jsonl", place)
    file = place.parent / f"{CANARY}-broken.jsonl"
    file.write_text(f'{{"{CANARY}": ')
    save(file, place)
    kinds = [line.split()[-1] for line in outcomes(place)]
    assert kinds == ["new", "failed:source", "nothing"]
    assert CANARY not in (place.parent / "data" / log.NAME).read_text()


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


def test_the_end_of_a_session_is_saved_by_a_process_that_nobody_waits_for(place):
    (place / "click.py").write_text("raise SystemExit('code of the project was run')")
    said = call(session(place.parent, *TALK), place).encode()
    hook = agent_calls("SessionEnd", "claude-code", cwd=place.parent)
    assert hook.communicate(said, timeout=30) == (b"", None)
    assert hook.returncode == 0
    assert logged(place, 1) == ["claude-code SessionEnd new"]


def logged(place, lines):
    """The log once it has so many lines."""
    file = place.parent / "data" / log.NAME
    until = time.monotonic() + 60
    while time.monotonic() < until and not (file.exists() and len(outcomes(place)) >= lines):
        time.sleep(0.05)
    return outcomes(place)


def test_a_session_that_is_saved_twice_at_once_is_stored_once(place):
    said = call(session(place.parent, *TALK), place).encode()
    events = ("PreCompact", "SessionEnd", "SessionEnd")
    calls = [agent_calls(event, "claude-code", "here", cwd=place.parent) for event in events]
    for each in calls:
        each.stdin.write(said)
        each.stdin.close()
    assert [each.wait(timeout=60) for each in calls] == [0, 0, 0]
    assert all(each.stdout.read() == b"" for each in calls)
    assert sorted(line.split()[-1] for line in logged(place, 3)) == ["new", "same", "same"]


def test_an_agent_that_says_nothing_is_not_held_up(place, monkeypatch):
    monkeypatch.setenv("DCB_HOOK_SECONDS", "1")
    hook = agent_calls("SessionStart", "claude-code", cwd=place.parent)
    assert hook.stdout.read() == b""
    assert hook.wait(timeout=30) == 0
    hook.stdin.close()
    assert outcomes(place) == ["claude-code SessionStart timeout"]


# --- which project ---------------------------------------------------------------------


def test_a_project_is_the_same_from_subfolders_links_and_worktrees(place):
    git = place / ".git"
    (place / "src" / "deep").mkdir(parents=True)
    (place.parent / "link").symlink_to(place)
    (git / "worktrees" / "fix").mkdir(parents=True)
    (git / "worktrees" / "fix" / "commondir").write_text("../..\n")
    tree = place.parent / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {git}/worktrees/fix\n")
    places = [place, place / "src" / "deep", place.parent / "link", tree]
    assert len({project.tag(folder) for folder in places}) == 1
    assert project.tag(place).startswith("project:ledger-")


def test_two_projects_of_one_name_are_two(place):
    for name in ("a", "b"):
        (place / name / "ledger" / ".git").mkdir(parents=True)
    tags = {project.tag(place / name / "ledger") for name in ("a", "b")}
    assert len(tags) == 2


@pytest.mark.parametrize("said", ["", "gitdir:", "gitdir: /nowhere\n", "\udcff\x00"])
def test_a_damaged_git_file_still_gives_a_tag(tmp_path, said):
    (tmp_path / ".git").write_bytes(os.fsencode(said))
    assert project.tag(tmp_path).startswith("project:")
