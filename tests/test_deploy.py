"""The examples under `deploy/`, as far as they can be run without containers and systemd.

Of the compose file, the commands themselves are run: with other paths and ports, and with a
server of these tests for the one of the image. The recipe for nginx has tests of its own.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.postgres_server import Server
from tests.test_serve_process import free_port

DEPLOY = Path(__file__).parent.parent / "deploy"
COMPOSE = (DEPLOY / "compose.yaml").read_text()
UNIT = (DEPLOY / "dcb-serve.service").read_text()
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
PASSWORD = 'it\'s "a" $HOME p@ss:wo/rd \\ %s'


# --- compose.yaml ------------------------------------------------------------------------


def test_the_compose_file_keeps_to_its_specification():
    specification = pytest.importorskip("compose_spec")
    specification.PyCompose.from_yaml(COMPOSE).validate()
    with pytest.raises(ValueError, match="not start with"):
        specification.PyCompose.from_yaml(COMPOSE.replace("cap_drop", "cap_dropped")).validate()


def test_a_script_of_the_database_image_is_run_and_not_read_in():
    assert os.access(DEPLOY / "make-role.sh", os.X_OK)


def line(text: str, beginning: str) -> str:
    """The command behind `RUN` or the like, with the lines that go on with it."""
    lines = text.replace("\\\n", " ").splitlines()
    return next(one for one in lines if one.startswith(beginning)).removeprefix(beginning)


@dataclass
class Composed:
    """What compose would start, on this machine: words of its commands are put in other places."""

    folder: Path
    server: Server
    port: int

    @property
    def environment(self) -> dict[str, str]:
        """That of a container, where nobody has a home."""
        path = os.pathsep.join([str(Path(sys.executable).parent), str(self.server.programs)])
        sources = os.environ.get("PYTHONPATH", "")
        return {"PATH": f"{path}:/usr/bin:/bin", "PYTHONPATH": sources, "LANG": "C.UTF-8"}

    def placed(self, command: str) -> str:
        """A command with the places of this machine; compose writes `$$` for `$`."""
        places = {
            "$$": "$",
            "/run/secrets": str(self.folder),
            "/connect": str(self.folder / "connect"),
            "@database/": f"@127.0.0.1:{self.server.port}/",
            "--trusted-proxy": f"--port {self.port} --trusted-proxy",
            ":8765": f":{self.port}",
        }
        for there, here in places.items():
            command = command.replace(there, here)
        return command

    def run(self, *command: str, **environment: str) -> None:
        done = subprocess.run(
            [*command], env={**self.environment, **environment}, check=False, capture_output=True
        )
        assert done.returncode == 0, done.stderr.decode()

    @contextmanager
    def started(self) -> Iterator[subprocess.Popen[bytes]]:
        """The command of the service `dcb`, running."""
        command = [self.placed(part) for part in SERVICES["dcb"]["command"]]
        with subprocess.Popen(command, env=self.environment, cwd="/") as running:
            try:
                yield running
            finally:
                running.kill()

    def healthy(self) -> bool:
        """Whether the check of the service `dcb` finds it healthy."""
        _, _, *check = SERVICES["dcb"]["healthcheck"]["test"]
        command = [sys.executable, *map(self.placed, check)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def composed(postgres: Server, tmp_path: Path) -> Iterator[Composed]:
    """The database as its image leaves it, and the file that the image of `dcb` was built with."""
    (tmp_path / "database_password").write_text(PASSWORD + "\n")
    found = Composed(tmp_path, postgres, free_port())
    postgres.run("create database memory")
    script = tmp_path / "make-role.sh"
    script.write_text(found.placed((DEPLOY / "make-role.sh").read_text()))
    found.run(
        "sh",
        str(script),
        PGHOST="127.0.0.1",
        PGPORT=str(postgres.port),
        PGPASSWORD=postgres.password,
        POSTGRES_USER="postgres",
        POSTGRES_DB="memory",
    )
    built = SERVICES["dcb"]["build"]["dockerfile_inline"]
    found.run("sh", "-c", found.placed(line(built, "RUN printf").join(("printf", ""))))
    yield found
    postgres.run("drop database memory with (force)", "drop role dcb")


@pytest.mark.skipif(not shutil.which("sh"), reason="there is no shell here")
def test_the_commands_of_the_compose_file_bring_a_server_up(composed):
    with composed.started() as running:
        until = time.monotonic() + 60
        while not composed.healthy():
            assert running.poll() is None
            assert time.monotonic() < until
        composed.run("sh", "-c", composed.placed(". /connect && dcb team person add Ada"))
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == -signal.SIGTERM  # which both count as a proper end


def test_the_role_of_the_database_is_bound_by_its_policies(composed):
    ready = SERVICES["database"]["healthcheck"]["test"][1:]
    composed.run(*ready, PGPORT=str(composed.server.port))
    composed.run(
        "sh",
        "-c",
        composed.placed(
            '. /connect && psql --tuples-only --no-align --command "select rolsuper or '
            'rolbypassrls from pg_roles where rolname = current_user" "$DCB_STORE" | grep -qx f'
        ),
    )


# --- dcb-serve.service -------------------------------------------------------------------


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit, with a program that is there."""
    copy = tmp_path / "dcb-serve.service"
    copy.write_text(UNIT.replace("/opt/dcb/bin/dcb", sys.executable))
    return copy


def analysed(*arguments: object) -> subprocess.CompletedProcess[str]:
    """What systemd says of a unit that it does not run."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    command = ["systemd-analyze", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_systemd_finds_nothing_wrong_with_the_unit(unit):
    done = analysed("verify", unit)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_leaves_little_to_reach(unit):
    """In tenths: up to 2 of 10 is what systemd calls OK."""
    done = analysed("security", "--offline=true", "--threshold=20", unit)
    assert done.returncode == 0, done.stdout


def test_the_unit_and_the_compose_file_start_the_same_command():
    command = SERVICES["dcb"]["command"][-1].partition("exec ")[2]
    assert line(UNIT, "ExecStart=/opt/dcb/bin/") == command
