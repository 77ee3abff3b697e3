"""Versions of snapshots -> commits of a bare git repository, one each, for `git log` and remotes.

A commit is a function of its version and of the commit before, so a mirror made anew has the
same commits; a version that is there already is not committed again. Whoever writes holds the
lock of the outbox.

A snapshot is one file, `3f/ID Title.md`, in one of 256 folders, so that a commit costs the
same in a store of any size. The repository is bare: nothing of it can be out of step.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcb.errors import RequestError
from dcb.text import one_line

if TYPE_CHECKING:
    from dcb.store.answers import Version

    State = tuple[Version, str]
    """A version and its document, which is empty for a removal."""

BRANCH = b"refs/heads/main"
MISSING = "The git mirror needs the extra: pip install dialogue-context-bridge[git]"

_AUTHOR = b"dcb <dcb@localhost>"
_FILE, _FOLDER = 0o100644, 0o040000
_MARK = "Snapshot: "
_AT_ONCE = 500  # commits between two steps of the branch
_LOOSE = 100  # objects from which they are written as one pack
_UNSAFE = re.compile(r"[^\w.+-]+")
_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """What a mirror holds: commits as (id, number), present files with their blobs, damage."""

    commits: tuple[tuple[str, int], ...]
    files: dict[str, str]
    damaged: int = 0


def is_whole(folder: Path) -> bool:
    """Whether a mirror was made to its end."""
    return (folder / "HEAD").is_file()


def extend(folder: Path, states: Iterable[State], *, among: int) -> None:
    """Commit versions. Those that a run which died has committed are the last `among` commits."""
    with _opened(folder) as repository:
        known = set(islice(_committed(repository), among))
        _commit(
            repository,
            (state for state in states if (state[0].id, state[0].number) not in known),
        )


def remake(folder: Path, states: Iterable[State]) -> None:
    """Make the mirror anew of these versions; of the former only its `config` stays."""
    _empty(folder)
    with _opened(folder) as repository:
        _commit(repository, states)
    # What has this file is whole: see `is_whole`.
    (folder / "HEAD").write_bytes(b"ref: " + BRANCH + b"\n")


def remove(folder: Path) -> None:
    """Remove a mirror with everything in it."""
    if folder.is_dir():
        _make_writable(folder)
        shutil.rmtree(folder)


def look(folder: Path) -> Look:
    """Read all of a mirror."""
    with _opened(folder) as repository:
        damaged = sum(not _is_sound(repository, name) for name in repository.object_store)
        if damaged:
            return Look(commits=(), files={}, damaged=damaged)
        branch = _Branch.of(repository)
        files = {
            f"{shelf.decode()}/{name.decode()}": blob.decode()
            for shelf in branch.root
            for name, blob in branch.shelf(shelf).items()
        }
        return Look(commits=tuple(_committed(repository)), files=files)


def place(version: Version) -> str:
    """The file of a snapshot in the mirror. An id holds no space, so the first one ends it."""
    key = _key(version.id)
    title = _UNSAFE.sub("-", unicodedata.normalize("NFC", version.title))[:60].strip("-.")
    return f"{_shelf_of(version.id)}/{key}{f' {title}' if title else ''}.md"


def blob_of(document: str) -> str:
    """The name that git gives to a file with this content."""
    raw = document.encode()
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()


def message(version: Version) -> str:
    """What a commit says: what was done, and which version it is."""
    what = f"{version.action}: {version.title}" if version.title else version.action
    note = f" ({one_line(version.note)})" if version.note else ""
    return f"{what}{note}\n\n{_MARK}{version.id}@{version.number}\n"


def _key(identifier: str) -> str:
    safe = _UNSAFE.sub("-", identifier)[:80]
    return safe if safe == identifier else f"{safe}.{_hash(identifier)[:8]}"


def _shelf_of(identifier: str) -> str:
    return _hash(identifier)[:2]


def _hash(identifier: str) -> str:
    return hashlib.sha256(identifier.encode()).hexdigest()


# --- writing -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Branch:
    """The end of the branch: its last commit, its files, and objects that are not yet written."""

    repository: Any
    head: bytes | None = None
    root: dict[bytes, bytes] = field(default_factory=dict)
    shelves: dict[bytes, dict[bytes, bytes]] = field(default_factory=dict)
    objects: dict[bytes, Any] = field(default_factory=dict)

    @staticmethod
    def of(repository: Any) -> _Branch:
        """The branch as it stands."""
        branch = _Branch(repository, head=_head(repository))
        if branch.head:
            commit = repository.object_store[branch.head]
            branch.root = _entries(repository.object_store[commit.tree])
        return branch

    def shelf(self, name: bytes) -> dict[bytes, bytes]:
        """The files of one folder."""
        if name not in self.shelves:
            tree = self.root.get(name)
            found = _entries(self.repository.object_store[tree]) if tree else {}
            self.shelves[name] = found
        return self.shelves[name]

    def commit(self, version: Version, document: str) -> None:
        """Put one version at the end, its file in place of the one before."""
        shelf_name, _, name = place(version).partition("/")
        shelf = self.shelf(shelf_name.encode())
        for other in [other for other in shelf if _is_of(other, version.id)]:
            del shelf[other]
        if document:
            shelf[name.encode()] = self._add(_blob(document))
        self.root.pop(shelf_name.encode(), None)
        if shelf:
            self.root[shelf_name.encode()] = self._add(_tree(shelf, _FILE))
        self.head = self._add(_commit_of(version, self._add(_tree(self.root, _FOLDER)), self.head))

    def write(self) -> None:
        """Bring everything onto the disk: first the objects, then the name of the last."""
        store = self.repository.object_store
        store.fsync_object_files = True
        if len(self.objects) > _LOOSE:
            _forced(store.add_objects, [(item, None) for item in self.objects.values()])
        else:
            for item in self.objects.values():
                _forced(store.add_object, item)
        if self.head:
            _forced(self.repository.refs.__setitem__, BRANCH, self.head)
        self.objects.clear()

    def _add(self, item: Any) -> bytes:
        name: bytes = item.id
        self.objects[name] = item
        return name


def _commit(repository: Any, states: Iterable[State]) -> None:
    branch = _Branch.of(repository)
    following = iter(states)
    while chunk := list(islice(following, _AT_ONCE)):
        for version, document in chunk:
            branch.commit(version, document)
        branch.write()


def _forced(write: Callable[..., object], *arguments: object) -> None:
    """Write in spite of the lock file of a writer that died: of ours there is one at a time."""
    from dulwich.file import FileLocked

    try:
        write(*arguments)
    except FileLocked as error:
        Path(os.fsdecode(error.lockfilename)).unlink(missing_ok=True)
        write(*arguments)


def _is_of(name: bytes, identifier: str) -> bool:
    key = _key(identifier).encode()
    return name == key + b".md" or name.startswith(key + b" ")


def _blob(document: str) -> Any:
    from dulwich.objects import Blob

    return Blob.from_string(document.encode())


def _tree(entries: dict[bytes, bytes], mode: int) -> Any:
    from dulwich.objects import Tree

    tree: Any = Tree()
    for name, item in entries.items():
        tree.add(name, mode, item)
    return tree


def _commit_of(version: Version, tree: bytes, parent: bytes | None) -> Any:
    from dulwich.objects import Commit

    commit: Any = Commit()
    commit.tree, commit.parents = tree, [parent] if parent else []
    commit.author = commit.committer = _AUTHOR
    commit.author_time = commit.commit_time = max(0, version.at // 1000)
    commit.author_timezone = commit.commit_timezone = 0
    commit.encoding = b"UTF-8"
    commit.message = message(version).encode()
    return commit


# --- reading -----------------------------------------------------------------------------


def _opened(folder: Path) -> Any:
    try:
        from dulwich.repo import Repo
    except ImportError:
        raise RequestError(MISSING) from None
    return Repo(str(folder))


def _head(repository: Any) -> bytes | None:
    head: bytes | None = repository.refs.as_dict().get(BRANCH)
    return head


def _entries(tree: Any) -> dict[bytes, bytes]:
    return {item.path: item.sha for item in tree.items()}


def _committed(repository: Any) -> Iterator[tuple[str, int]]:
    """Which versions the branch holds, the last one first; commits of others are passed over."""
    name = _head(repository)
    while name:
        commit = repository.object_store[name]
        text = commit.message.decode(errors="replace").rstrip("\n").rpartition("\n")[2]
        identifier, _, number = text.removeprefix(_MARK).rpartition("@")
        if text.startswith(_MARK) and number.isdecimal():
            yield identifier, int(number)
        name = commit.parents[0] if commit.parents else None


def _is_sound(repository: Any, name: bytes) -> bool:
    kinds = {1: b"commit", 2: b"tree", 3: b"blob", 4: b"tag"}
    try:
        kind, raw = repository.object_store.get_raw(name)
        head = kinds[kind] + b" %d\0" % len(raw)
    except Exception:  # dulwich meets damage with errors of many kinds
        return False
    return hashlib.sha1(head + raw, usedforsecurity=False).hexdigest().encode() == name


# --- the folder --------------------------------------------------------------------------


def _empty(folder: Path) -> None:
    """A repository without a commit and without HEAD; needs no dulwich, so it never fails late."""
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    _make_writable(folder)
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != "config":
            path.unlink()
    for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        (folder / name).mkdir(parents=True)
    config = folder / "config"
    if not config.exists():
        config.write_text(_CONFIG)


def _make_writable(folder: Path) -> None:
    if os.name == "nt":  # pragma: no cover
        # Windows removes no file that is read-only, as git objects are.
        for path in folder.rglob("*"):
            path.chmod(0o600)
