"""A PostgreSQL cluster that lives in a temporary folder for as long as the tests need it.

`Server.start()` gives one on a free port of the loopback interface; `Server.fresh()` a new
database in it, owned by a login role that row-level security holds for.
"""

from __future__ import annotations

import itertools
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_NEEDED = ("initdb", "pg_ctl", "postgres")
_PACKAGED = Path("/usr/lib/postgresql")  # Debian keeps each version in a folder of its own
# The server refuses to run as root; these accounts exist where it is installed, or always.
_ACCOUNTS = ("postgres", "nobody")
_TABLES = "select tablename from pg_tables where schemaname = 'dcb' and tablename <> 'steps'"


class NoServer(Exception):
    """Why no server can be started here."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """A running cluster. `superuser` is the URL of a role that may do everything."""

    programs: Path
    folder: Path
    port: int
    password: str = field(repr=False)
    _numbers: itertools.count[int] = field(default_factory=itertools.count, repr=False)

    @staticmethod
    def start(
        *, fsync: bool = True, options: Sequence[str] = (), folder: Path | None = None
    ) -> Server:
        """Make a cluster and start it; `options` are of the form `name=value`.

        `folder` is an empty one to take, instead of a temporary one.
        """
        programs = _programs()
        folder = folder or Path(tempfile.mkdtemp(prefix="dcb-postgres-"))
        server = Server(
            programs=programs, folder=folder, port=_free_port(), password=secrets.token_hex(16)
        )
        try:
            server._initialise()
            server._run_server([f"fsync={'on' if fsync else 'off'}", *options])
        except BaseException:
            server.stop()
            raise
        return server

    @property
    def superuser(self) -> str:
        """The URL of the superuser."""
        return self.url("postgres", self.password, "postgres")

    def url(self, role: str, password: str, database: str) -> str:
        """The URL of a role on a database of this server."""
        return f"postgresql://{role}:{password}@127.0.0.1:{self.port}/{database}"

    def fresh(self, *, tablespace: str = "pg_default") -> str:
        """The URL of a new database; its owner is a new role without special rights."""
        name, password = f"dcb{next(self._numbers)}", secrets.token_hex(8)
        self.run(
            f"create role {name} login password '{password}'",
            f"create database {name} owner {name} template template0 tablespace {tablespace}",
        )
        return self.url(name, password, name)

    def emptied(self, address: str) -> str:
        """The same database without any row of ours: sooner made than a fresh one."""
        with self._inside(address) as connection:
            # Tables of a few rows are emptied sooner by `delete` than by `truncate`.
            connection.execute("set session_replication_role = replica")
            for (table,) in connection.execute(_TABLES).fetchall():
                connection.execute(f"delete from dcb.{table}".encode())
            connection.execute(
                "select setval(format('dcb.%I', sequencename), 1, false) from pg_sequences "
                "where schemaname = 'dcb'"
            )
        return address

    def written(self, address: str) -> dict[str, str]:
        """Everything that the tables of ours hold, as text: `bytea` in hexadecimal."""
        with self._inside(address) as connection:
            tables = [str(table) for (table,) in connection.execute(_TABLES).fetchall()]
            return {table: _rows_as_text(connection, table) for table in tables}

    def change(self, address: str, statement: str) -> None:
        """Run a statement in a database as the superuser, whom no policy holds."""
        with self._inside(address) as connection:
            connection.execute("set search_path = dcb")
            connection.execute(statement.encode())

    def _inside(self, address: str) -> Any:
        import psycopg

        database = address.rpartition("/")[2]
        return psycopg.connect(self.url("postgres", self.password, database))

    def own(self, folder: Path) -> None:
        """Give a folder to whom the server runs as."""
        account = _account()
        if account is not None:
            os.chown(folder, account.pw_uid, account.pw_gid)

    def role(self, name: str) -> str:
        """Make another login role without special rights; its password."""
        password = secrets.token_hex(8)
        self.run(f"create role {name} login password '{password}'")
        return password

    def run(self, *statements: str) -> None:
        """Run statements as the superuser, each in a transaction of its own."""
        import psycopg

        with psycopg.connect(self.superuser, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def resume(self) -> None:
        """Start it after it ended."""
        self._control("start")

    def restart(self) -> None:
        """Stop it as a power cut would, and start it again on the same port."""
        self._control("restart", "-m", "immediate")

    def kill(self) -> None:
        """Kill the server without a chance to write anything down; gone when this returns."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGQUIT)
        until = time.monotonic() + 60
        while self._listens() and time.monotonic() < until:
            time.sleep(0.05)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """Stop it and remove its folder."""
        if (self.data / "postmaster.pid").exists():
            self._control("stop", "-m", "immediate", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def data(self) -> Path:
        """The folder of the cluster."""
        return self.folder / "data"

    def _initialise(self) -> None:
        word = self.folder / "password"
        word.write_text(self.password)
        account = _account()
        if account is not None:
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            os.chown(word, account.pw_uid, account.pw_gid)
        self._call(
            "initdb", "--no-sync", "-E", "UTF8", "--locale=C", "-U", "postgres",
            "-A", "scram-sha-256", f"--pwfile={word}", "--wal-segsize=1", "-D", str(self.data),
        )  # fmt: skip

    def _run_server(self, options: Sequence[str]) -> None:
        settings = [
            "listen_addresses=127.0.0.1",
            f"port={self.port}",
            f"unix_socket_directories={self.folder}",
            *options,
        ]
        written = "".join(f"{name} = '{value}'\n" for name, _, value in _pairs(settings))
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(written)
        self._control("start")

    def _control(self, *verb: str, check: bool = True) -> None:
        log = str(self.folder / "log")
        self._call("pg_ctl", "-w", "-t", "60", "-D", str(self.data), "-l", log, *verb, check=check)

    def _call(self, program: str, *arguments: str, check: bool = True) -> None:
        account = _account()
        identity: dict[str, Any] = {}
        if account is not None:
            identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        # Into a file, not a pipe: the server inherits it and would keep a pipe open.
        with (self.folder / "output").open("ab") as output:
            done = subprocess.run(
                [str(self.programs / program), *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                check=False,
                **identity,
            )
        if check and done.returncode:
            said = (self.folder / "output").read_text(errors="replace").strip()
            raise NoServer(f"{program} ended with {done.returncode}: {said[-500:]}")


def _rows_as_text(connection: Any, table: str) -> str:
    return "\n".join(row for (row,) in connection.execute(f"select t::text from dcb.{table} t"))


def _pairs(settings: Sequence[str]) -> list[tuple[str, str, str]]:
    return [setting.partition("=") for setting in settings]


def _programs() -> Path:
    """The folder of the server's programs. Raises NoServer."""
    versions = sorted(_PACKAGED.glob("*/bin"), key=lambda path: path.parts[-2].zfill(4))
    found = shutil.which("initdb")
    for folder in [*([Path(found).resolve().parent] if found else []), *reversed(versions)]:
        if all((folder / name).exists() for name in _NEEDED):
            return folder
    raise NoServer(
        "PostgreSQL's initdb, pg_ctl and postgres are neither in PATH nor in "
        f"{_PACKAGED}/*/bin; install the package postgresql"
    )


def _account() -> pwd.struct_passwd | None:
    """Whom to run the server as, when this program runs as root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(known[name] for name in _ACCOUNTS if name in known)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
