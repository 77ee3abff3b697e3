"""The outbox and the git mirror -> how they stand, what is wrong, and the mirror made anew.

A mirror is right when it has one commit for each version and the present documents as files.
"""

from __future__ import annotations

from collections.abc import Iterator

from dcb.errors import RequestError
from dcb.store import lock, mirror
from dcb.store.answers import Problem
from dcb.store.outbox import Outbox, states

_WHERE = "git mirror"
_REPAIR = "dcb doctor --repair"
_SEALED = "history.git is on, but the store is encrypted and a mirror would lie in plain text"


def check(outbox: Outbox) -> tuple[str, tuple[Problem, ...]]:
    """How the mirror stands, in a sentence, and what is wrong with it."""
    if outbox.box.sealed:
        return _sealed(outbox)
    if not outbox.mirrored:
        return ("not made yet", tuple(_waiting(outbox))) if outbox.git else ("off", ())
    try:
        found = mirror.look(outbox.folder)
    except RequestError as error:
        return "unknown", (Problem(where=_WHERE, what=str(error), remedy=_REPAIR),)
    except Exception as error:  # dulwich meets damage with errors of many kinds
        what = f"it cannot be read ({type(error).__name__})"
        return "damaged", (Problem(where=_WHERE, what=what, remedy=_REPAIR),)
    off = "" if outbox.git else "; history.git is off, so it does not grow"
    state = f"{len(found.commits)} commits, {len(found.files)} files{off}"
    return state, tuple(_wrong(outbox, found))


def repair(outbox: Outbox) -> tuple[str, ...]:
    """Make the mirror anew when something is wrong with it; a sentence for what was done."""
    state, problems = check(outbox)
    if outbox.box.sealed or not (problems or (outbox.git and state == "not made yet")):
        return ()
    with outbox.box.writing():
        outbox.renew()
    outbox.settle(patience=lock.PATIENCE)
    if outbox.failure:
        return (f"The git mirror was not made anew: {outbox.failure}",)
    return ("The git mirror was made anew from the versions",)


def _sealed(outbox: Outbox) -> tuple[str, tuple[Problem, ...]]:
    if outbox.mirrored:
        what = "the store is encrypted, and a mirror of it still lies in plain text"
        return "left over", (Problem(where=_WHERE, what=what, remedy=f"rm -r {outbox.folder}"),)
    if not outbox.git:
        return "off", ()
    remedy = "Set history.git to false, or: dcb decrypt"
    return "refused", (Problem(where=_WHERE, what=_SEALED, remedy=remedy),)


def _waiting(outbox: Outbox) -> Iterator[Problem]:
    tasks = outbox.waiting()
    if tasks and outbox.git:
        reason = f": {outbox.failure}" if outbox.failure else ""
        yield Problem(
            where="outbox",
            what=f"{len(tasks)} tasks wait to be mirrored{reason.rstrip('.')}",
            remedy=_REPAIR,
        )


def _wrong(outbox: Outbox, found: mirror.Look) -> Iterator[Problem]:
    yield from _waiting(outbox)
    if found.damaged:
        yield _problem(f"{found.damaged} of its objects are damaged")
        return
    known = list(states(outbox.box))
    waiting = {(task.id, task.name) for task in outbox.waiting()}
    versions = {(version.id, version.number) for version, _ in known}
    missing = [
        (name, number)
        for name, number in versions - set(found.commits)
        if (name, f"commit {number}") not in waiting
    ]
    strange = len(found.commits) - len(set(found.commits) & versions)
    if missing or strange:
        yield _problem(
            f"{len(missing)} versions are missing from it, {strange} are not of the store"
        )
    elif not waiting and found.files != _files(known):
        yield _problem("its files are not the present documents")


def _files(known: list[mirror.State]) -> dict[str, str]:
    last = {version.id: (version, document) for version, document in known}
    return {
        mirror.place(version): mirror.blob_of(document)
        for version, document in last.values()
        if document
    }


def _problem(what: str) -> Problem:
    return Problem(where=_WHERE, what=what, remedy=_REPAIR)
