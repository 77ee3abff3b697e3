"""Where the stores of a test lie: in folders, or each in a database of a server; the same to both.

A test that asks for `place` runs once for each. What it claims of the disk it claims through
`traces`, which looks into every file of the folder, or every row of the database.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from dcb.settings import Settings
from dcb.store.keeper import Keeper
from tests.postgres_server import Server


class Place(Protocol):
    """Gives the store that a test names by a folder."""

    @property
    def restoring(self) -> str:
        """What a person is told to do who needs a backup."""

    def __call__(self, folder: Path) -> Path | Keeper:
        """What `Store` opens."""

    def settings(self, folder: Path, **more: Any) -> Settings:
        """What `Library` opens."""

    def variables(self, folder: Path) -> dict[str, str]:
        """What the command finds in its environment."""

    def traces(self, folder: Path, *needles: bytes) -> list[str]:
        """The files or tables in which one of these stands."""

    def change(self, folder: Path, statement: str) -> None:
        """Do something to the store behind its back."""


class Folders:
    """Stores in folders."""

    restoring = "dcb restore FILE"

    def __call__(self, folder: Path) -> Path:
        """The folder."""
        return folder

    def settings(self, folder: Path, **more: Any) -> Settings:
        """Those of the folder."""
        return Settings(data_dir=folder, **more)

    def variables(self, folder: Path) -> dict[str, str]:
        """The folder."""
        return {"DCB_DATA_DIR": str(folder)}

    def traces(self, folder: Path, *needles: bytes) -> list[str]:
        """Files of the folder."""
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return [path.name for path in files if _holds(path.read_bytes(), needles)]

    def change(self, folder: Path, statement: str) -> None:
        """As another program would."""
        import apsw

        with apsw.Connection(str(folder / "store.db")) as connection:
            connection.execute(statement)


class Databases:
    """Stores in databases of one server, which are emptied and used again."""

    restoring = "restore the database with pg_restore"

    def __init__(self, server: Server) -> None:
        self._server = server
        self._free: list[str] = []
        self._used: dict[Path, str] = {}

    def __call__(self, folder: Path) -> Keeper:
        """An open database, the same one for the same folder."""
        from dcb.store.postgres import connect

        return connect(self._address(folder))

    def settings(self, folder: Path, **more: Any) -> Settings:
        """Those of the database; its folder stays empty."""
        return Settings(data_dir=folder, store=self._address(folder), **more)

    def variables(self, folder: Path) -> dict[str, str]:
        """The database, and a folder for everything else."""
        return {"DCB_DATA_DIR": str(folder), "DCB_STORE": self._address(folder)}

    def traces(self, folder: Path, *needles: bytes) -> list[str]:
        """Tables of the database, and files of the folder, where there is to be nothing."""
        binary = [needle.hex().encode() for needle in needles]  # as `bytea` is written
        tables = self._server.written(self._address(folder)).items()
        return [
            *(name for name, text in tables if _holds(text.encode(), (*needles, *binary))),
            *Folders().traces(folder, *needles),
        ]

    def change(self, folder: Path, statement: str) -> None:
        """As the superuser, whom no policy holds."""
        self._server.change(self._address(folder), statement)

    def clear(self) -> None:
        """Empty what was used."""
        for address in self._used.values():
            self._free.append(self._server.emptied(address))
        self._used.clear()

    def _address(self, folder: Path) -> str:
        if folder not in self._used:
            self._used[folder] = self._free.pop() if self._free else self._made()
        return self._used[folder]

    def _made(self) -> str:
        """A new database, with its tables: no test need wait for them."""
        from dcb.store.postgres import connect

        address = self._server.fresh()
        connect(address).close()
        return address


def _holds(text: bytes, needles: tuple[bytes, ...]) -> bool:
    return any(needle in text for needle in needles)
