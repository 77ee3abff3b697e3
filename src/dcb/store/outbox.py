"""What must follow a commit: written down with the change, done after it, or by the next run.

A task that is done twice changes nothing the second time. One that fails stays, fails nothing
else, and `dcb doctor` tells of it. So far all tasks concern the git mirror (mirror.py):

    commit N   version N of this snapshot goes into the mirror
    remake     the mirror is made anew from the versions (something was erased)
    remove     the mirror goes (the store was encrypted)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from dcb.errors import DamagedStore, DcbError, NotFound
from dcb.store import lock, versions
from dcb.store.connection import in_folder
from dcb.store.rows import Row
from dcb.store.sealing import Box

if TYPE_CHECKING:
    from dcb.store.mirror import State

FOLDER = "git"
LOCK = "git.lock"
# A save does not wait longer for another program that is mirroring: that one, or the next
# run, does this task too.
PATIENCE = 2.0  # seconds


class Task(NamedTuple):
    """One row of the outbox."""

    seq: int
    name: str
    id: str

    @property
    def verb(self) -> str:
        return self.name.partition(" ")[0]


@dataclass(slots=True)
class Outbox:
    """The outbox of a store. `git` says whether history is mirrored; `failure` why a task stays."""

    box: Box
    git: bool = False
    failure: str = ""

    @property
    def folder(self) -> Path:
        """Where the mirror lies or would lie."""
        return in_folder(self.box.database, "A git mirror").folder / FOLDER

    @property
    def mirrored(self) -> bool:
        """Whether there is anything of a mirror, whole or not."""
        return self.box.database.folder is not None and self.folder.is_dir()

    # --- inside the transaction of the change --------------------------------------------

    def note(self, row: Row) -> None:
        """A version was made: it is to be mirrored."""
        # With the setting off an existing mirror is not written, but told what it misses.
        if not self.box.sealed and (self.git or self.mirrored):
            self._add(f"commit {row.version}", row.id)

    def erased(self) -> None:
        """Something was erased: no commit may keep it."""
        if self.mirrored:
            self._only("remake")

    def recoded(self, *, sealed: bool) -> None:
        """The store was sealed, or lies open again."""
        if sealed and self.mirrored:
            self._only("remove")
        elif not sealed and self.git:
            self._only("remake")

    def renew(self) -> None:
        """Whatever waits, the mirror is to be made anew; without one, nothing waits."""
        self.box.database.execute("delete from outbox")
        if not self.box.sealed and (self.git or self.mirrored):
            self._add("remake")

    def _only(self, task: Literal["remake", "remove"]) -> None:
        # It does what the others would, and these may name what was erased.
        self.box.database.execute("delete from outbox")
        self._add(task)

    def _add(self, task: str, identifier: str = "") -> None:
        self.box.database.execute("insert into outbox(task, id) values (?,?)", (task, identifier))

    # --- after it ------------------------------------------------------------------------

    def waiting(self) -> tuple[Task, ...]:
        """Every task, the first to come first."""
        found = self.box.database.rows("select seq, task, id from outbox order by seq")
        return tuple(map(Task._make, found))

    def settle(self, *, patience: float | None = None) -> None:
        """Do what waits. Raises nothing: what was acknowledged stays so, mirrored or not.

        `patience` is how many seconds another program may hold it up (PATIENCE unless given).
        """
        folder = self.box.database.folder
        if folder is None or self.box.database.read_only:
            return
        try:
            if self._due():
                held_up = PATIENCE if patience is None else patience
                with lock.held(folder / LOCK, patience=held_up):
                    while tasks := self._due():
                        self._do(tasks)
            self.failure = ""
        except DcbError as error:
            self.failure = str(error)
        except Exception as error:
            # Dulwich meets a damaged repository with errors of many kinds.
            self.failure = f"{type(error).__name__}: {error}"

    def _due(self) -> tuple[Task, ...]:
        tasks = self.waiting()
        if self.git or any(task.verb != "commit" for task in tasks):
            return tasks
        return ()

    def _do(self, tasks: tuple[Task, ...]) -> None:
        from dcb.store import mirror

        self.box.refresh()
        verbs = {task.verb for task in tasks}
        if self.box.sealed or "remove" in verbs:
            mirror.remove(self.folder)
        elif "remake" in verbs or not mirror.is_whole(self.folder):
            mirror.remake(self.folder, states(self.box))
        else:
            mirror.extend(self.folder, self._states(tasks), among=len(tasks))
        with self.box.database.writing():
            self.box.database.execute("delete from outbox where seq <= ?", (tasks[-1].seq,))

    def _states(self, tasks: tuple[Task, ...]) -> Iterator[State]:
        for task in tasks:
            # What is damaged is told of by its own hash, and must not hold up the others.
            with suppress(DamagedStore, NotFound):
                yield versions.read(self.box, task.id, int(task.name.split()[1]))


def states(box: Box, identifier: str | None = None) -> Iterator[State]:
    """Every version that can be read, with its document, in the order in which they were made."""
    one = ("", ()) if identifier is None else ("where id = ?", (identifier,))
    for name, number in box.database.rows(
        f"select id, number from versions {one[0]} order by rowid", one[1]
    ):
        with suppress(DamagedStore, NotFound):
            yield versions.read(box, name, number)
