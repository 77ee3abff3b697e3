"""`dcb team` on the command line."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

pytest.importorskip("psycopg_pool")

from dcb.cli import cli
from dcb.document import dump
from tests.test_store import snapshot


@pytest.fixture
def team(postgres):
    """Runs `dcb team …`; what it printed. The status is that of a success unless said otherwise."""
    address = postgres.fresh()
    runner = CliRunner(env={"DCB_STORE": address})

    def run(*arguments, status=0):
        result = runner.invoke(cli, ["team", *arguments])
        assert result.exit_code == status, result.output
        return result.stderr if status else result.stdout

    run.address = address
    return run


def test_a_team_is_made_and_a_token_is_shown_once(team):
    team("person", "add", "Ada")
    team("project", "add", "north")
    team("member", "add", "north", "Ada", "--role", "owner")
    assert team("member", "list") == "north  owner   Ada\n"
    secret = team("token", "new", "Ada", "--scope", "read", "--days", "30", "--label", "laptop")
    assert re.fullmatch(r"dcb_[\w-]{43}\n", secret)
    listed = team("token", "list")
    assert re.fullmatch(r"1  Ada  all projects  read  until \d{4}-\d\d-\d\d  laptop\n", listed)
    team("token", "revoke", "1")
    assert re.fullmatch(
        r"1  Ada  all projects  read  revoked \d{4}-\d\d-\d\d  laptop\n", team("token", "list")
    )
    done = [event["action"] for event in json.loads(team("audit", "--json"))]
    assert done == ["token.revoke", "token.new", "member.owner", "project.add", "person.add"]


def test_a_snapshot_that_is_not_there_cannot_be_shared(team):
    team("person", "add", "Ada")
    team("person", "add", "Bo")
    team("project", "add", "north")
    assert team("share", "north", "0199", "Bo", status=1) == (
        "dcb: 'north' has no owner; give it one: dcb team member add\n"
    )
    team("member", "add", "north", "Ada", "--role", "owner")
    assert "0199" in team("share", "north", "0199", "Bo", status=1)
    assert team("unshare", "north", "0199", "Bo", status=1) == (
        "dcb: '0199' is not shared with 'Bo'\n"
    )


@pytest.fixture
def busy(team):
    """A log with people whose names are wide, and what each did in a project."""
    for person in ("Ada", "李雷"):
        team("person", "add", person)
    team("project", "add", "north")
    team("member", "add", "north", "Ada", "--role", "owner")
    team("token", "new", "李雷", "--project", "north")
    return team


def actions(shown):
    return [event["action"] for event in json.loads(shown)]


def test_the_log_is_a_table(busy):
    shown = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "2026-12-03 07:00:00", busy("audit"))
    assert shown == (
        "time (UTC)           person      project  action        snapshot  token\n"
        "2026-12-03 07:00:00  李雷        north    token.new               1\n"
        "2026-12-03 07:00:00  Ada         north    member.owner\n"
        "2026-12-03 07:00:00  the keeper           project.add\n"
        "2026-12-03 07:00:00  the keeper           person.add\n"
        "2026-12-03 07:00:00  the keeper           person.add\n"
    )


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--person", "李雷"], ["token.new"]),
        (["--project", "north"], ["token.new", "member.owner"]),
        (["--action", "person.add"], ["person.add", "person.add"]),
        (["--action", "token"], ["token.new"]),
        (["--action", "member", "--person", "李雷"], []),
        (["--since", "2020-01-01", "--limit", "2"], ["token.new", "member.owner"]),
        (["--since", "2999-01-01T10:30"], []),
    ],
)
def test_the_log_is_narrowed(busy, options, found):
    assert actions(busy("audit", "--json", *options)) == found


@pytest.mark.parametrize(
    ("options", "status", "sentence"),
    [
        (["--person", "Bo"], 1, "There is no person 'Bo'; make it with: dcb team person add Bo"),
        (["--project", "x"], 1, "There is no project 'x'; make it with: dcb team project add x"),
        (
            ["--action", "sing"],
            1,
            "Unknown action 'sing'; choose one of: member.owner, person.add, project.add, token.new",
        ),
        (["--since", "yesterday"], 2, "'yesterday' does not match the formats"),
    ],
)
def test_a_line_that_cannot_be_is_refused(busy, options, status, sentence):
    assert sentence in busy("audit", *options, status=status)


def test_what_is_saved_merged_and_erased_is_in_the_log(team, tmp_path):
    path = tmp_path / "kept.md"
    path.write_text(dump(snapshot()), "utf-8")
    dcb = CliRunner(env={"DCB_STORE": team.address})
    for verb in (("add", path), ("weight", "0199", "2"), ("remove", "0199"), ("add", path)):
        assert dcb.invoke(cli, [*map(str, verb)]).exit_code == 0
    merged = dcb.invoke(cli, ["merge", "0199-0001", str(path), "--save", "--policy", "weighted"])
    assert merged.exit_code == 0, merged.output
    assert dcb.invoke(cli, ["erase", "0199-0001", "--yes"]).exit_code == 0
    done = [(e["action"], e["snapshot"]) for e in json.loads(team("audit", "--json"))]
    assert ("erase", "0199-0001") in done
    assert [action for action, snapshot in reversed(done) if snapshot == "0199-0001"][:4] == [
        "import",
        "weight",
        "remove",
        "import",
    ]
    assert "merge" in dict(done)


@pytest.mark.parametrize(
    "arguments",
    [
        ("person", "add", "Ada"),
        ("project", "add", "north"),
        ("member", "list"),
        ("token", "list"),
        ("share", "north", "s", "Bo"),
        ("audit",),
    ],
)
def test_without_a_shared_store_there_is_no_team(arguments, tmp_path):
    result = CliRunner(env={"DCB_STORE": "", "DCB_DATA_DIR": str(tmp_path)}).invoke(
        cli, ["team", *arguments]
    )
    assert result.exit_code == 1
    assert result.stderr == (
        "dcb: This is for a store on PostgreSQL: set DCB_STORE=postgresql://ROLE@HOST/DATABASE\n"
    )


def test_a_server_that_cannot_be_reached_is_one_sentence():
    address = "postgresql://dcb:SECRET-WORD@127.0.0.1:1/memory"
    result = CliRunner(env={"DCB_STORE": address}).invoke(cli, ["team", "audit"])
    assert result.exit_code == 1
    assert result.stderr == (
        "dcb: postgresql://127.0.0.1:1/memory cannot be reached; check that the server runs and "
        "the address in DCB_STORE\n"
    )
