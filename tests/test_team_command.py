"""`dcb team` on the command line."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

pytest.importorskip("psycopg_pool")

from dcb.cli import cli


@pytest.fixture
def team(postgres):
    """Runs `dcb team …`; what it printed. The status is that of a success unless said otherwise."""
    runner = CliRunner(env={"DCB_STORE": postgres.fresh()})

    def run(*arguments, status=0):
        result = runner.invoke(cli, ["team", *arguments])
        assert result.exit_code == status, result.output
        return result.stderr if status else result.stdout

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
