"""A store on PostgreSQL, named where PostgreSQL's client is not installed."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from dcb.cli import cli


@pytest.mark.parametrize("arguments", [("list",), ("team", "member", "list")])
def test_a_client_that_is_missing_is_named(arguments, tmp_path, monkeypatch):
    for module in [name for name in sys.modules if name.startswith("dcb.store.postgres")]:
        monkeypatch.delitem(sys.modules, module)
    for module in ("psycopg", "psycopg_pool"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delattr("dcb.store.postgres", raising=False)
    address = {"DCB_STORE": "postgresql://127.0.0.1:1/x", "DCB_DATA_DIR": str(tmp_path)}
    result = CliRunner(env=address).invoke(cli, arguments)
    assert (result.exit_code, result.stderr) == (
        1,
        "dcb: A store on PostgreSQL needs its client; install it with: "
        "pip install 'dialogue-context-bridge[postgres]'\n",
    )
