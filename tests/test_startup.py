"""Commands that hooks and scripts call start without what they do not use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_RUN = """
import json, sys
from dcb.cli import main
main(sys.argv[1:], standalone_mode=False)
print(json.dumps(sorted(sys.modules)))
"""


def imported(*arguments: str) -> set[str]:
    command = [sys.executable, "-c", _RUN, *arguments]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "heavy",
    [
        *("dcb.model", "dcb.query", "dcb.extract", "dcb.readers", "dcb.document"),
        *("dcb.store.search", "dcb.store.checking", "tempfile", "re2", "cryptography"),
        *("dcb.store.keeper", "dcb.store.postgres", "psycopg"),
    ],
)
def test_a_list_starts_without(heavy: str, listed: set[str]) -> None:
    assert heavy not in listed


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder: Path = tmp_path_factory.mktemp("data")
    return imported("list", "--data-dir", str(folder))
