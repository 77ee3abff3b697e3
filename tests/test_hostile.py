"""Hostile inputs end as `data/hostile/index.json` says: read, read with a warning, or refused."""

from __future__ import annotations

import io
import json
import os
import socket
import sqlite3
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from dcb.errors import DamagedSource, DcbError, EmptySource, LimitExceeded, SourceError
from dcb.model import Conversation, Skipped
from dcb.readers import newest, read_all
from dcb.readers.base import Item
from dcb.sources import Limits, open_source

HOSTILE = Path(__file__).parent / "data" / "hostile"
GENERATED = {"json/01_deep_array.json", "json/02_deep_object.json", "zips/10_many.zip"}
# Where the verdict is a project's choice and ours is another one: a key that stands twice
# counts the second time, as in every JSON parser that people's exports have met.
OURS = {"json/07_dup_key.json": "accept"}
INPUTS = [
    entry
    for entry in json.loads((HOSTILE / "index.json").read_text("utf-8"))
    if entry["file"] not in GENERATED
]
TALK = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]


def items(path: Path | str, limits: Limits | None = None) -> list[Item]:
    return list(newest(read_all(open_source(path, limits))))


def verdict(path: Path) -> str:
    try:
        found = items(path)
    except DcbError:
        return "reject"
    told = any(
        isinstance(item, Skipped)
        or (isinstance(item, Conversation) and (item.warnings or item.dropped))
        for item in found
    )
    return "accept_with_warning" if told else "accept"


def zipped(path: Path, files: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


def test_there_are_inputs() -> None:
    assert len(INPUTS) == 56


@pytest.mark.parametrize("entry", INPUTS, ids=lambda entry: entry["file"])
def test_an_input_ends_as_its_verdict_says(entry: dict[str, Any]) -> None:
    name = entry["file"]
    wanted = OURS.get(name, entry["expected"]["verdict"])
    assert verdict(HOSTILE / name) == wanted, entry["attack"]


def test_ours_differs_only_where_it_is_a_choice() -> None:
    assert all(entry.get("policy_choice") for entry in INPUTS if entry["file"] in OURS)


@pytest.mark.parametrize(
    "text", ["[" * 20_000 + "]" * 20_000, '{"a":' * 5_000 + "1" + "}" * 5_000], ids=["[", "{"]
)
def test_deep_nesting_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "deep.json"
    path.write_text(text)
    with pytest.raises(LimitExceeded) as error:
        items(path)
    assert str(error.value) == f"{path}: The JSON is nested more deeply than Python can follow"


def test_many_entries_are_refused_by_a_limit_that_is_named(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {str(number): "" for number in range(11)}
    path = zipped(tmp_path / "many.zip", files)
    with pytest.raises(LimitExceeded) as error:
        items(path, Limits(archive_entries=10))
    assert str(error.value) == (
        f"{path}, entries: 11 is above the limit of 10; "
        "raise limits.archive_entries if you trust it"
    )


def test_what_an_archive_declares_in_all_is_limited(tmp_path: Path) -> None:
    path = zipped(tmp_path / "large.zip", {"a.json": b"x" * 600, "b.json": b"x" * 600})
    with pytest.raises(LimitExceeded, match=r"limits\.archive_bytes"):
        items(path, Limits(archive_bytes=1000))


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_packed_bomb_is_refused_while_it_unpacks(tmp_path: Path, ending: str) -> None:
    import gzip

    import zstandard

    pack = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}[ending]
    path = tmp_path / f"bomb.jsonl.{ending}"
    path.write_bytes(pack(b" " * (64 << 20)))
    with pytest.raises(LimitExceeded) as error:
        items(path)
    assert f"{path} unpacks from {path.stat().st_size:,} to more than" in str(error.value)
    assert "limits.ratio" in str(error.value)


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_cut_packed_file_is_said_to_be_cut(tmp_path: Path, ending: str) -> None:
    import gzip

    import zstandard

    pack = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}[ending]
    path = tmp_path / f"cut.jsonl.{ending}"
    path.write_bytes(pack(os.urandom(1000))[:-300])
    with pytest.raises(SourceError) as error:
        items(path)
    assert str(path) in str(error.value)


def test_a_file_beyond_the_limit_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as stream:
        stream.truncate(2 << 30)  # sparse: it takes no room
    with pytest.raises(LimitExceeded, match=r"limits\.file_bytes"):
        items(path, Limits(file_bytes=1 << 30))


def test_a_folder_is_accounted_for_whatever_lies_in_it(tmp_path: Path) -> None:
    samples = HOSTILE.parent / "formats" / "samples"
    written(tmp_path / "plain.json", TALK)
    (tmp_path / "cut.json").write_text('[{"role": "user", "con')
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "notes.txt").write_text("Nobody speaks here.")
    (tmp_path / "link.json").symlink_to(tmp_path / "plain.json")
    os.mkfifo(tmp_path / "pipe.json")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "s"))
    with (tmp_path / "sparse.jsonl").open("wb") as stream:
        stream.write(b'{"role": "user", "content": "before"}\n')
        stream.truncate(1 << 28)
    formats = ("grok/export", "claude_code/rewind_branch", "pasted_text/zh_labels")
    for number, name in enumerate((*formats, "chatgpt/sharded_zip", "llm_logs/old_schema")):
        for path in (samples / name).rglob("*"):
            if path.is_file() and "expected" not in path.name and path.name != "notes.txt":
                (tmp_path / f"{number}-{path.name}").write_bytes(path.read_bytes())
    found = items(tmp_path)
    read = {item.format for item in found if isinstance(item, Conversation)}
    assert len(read) == 6
    reasons = {Path(item.where).name: item.reason for item in found if isinstance(item, Skipped)}
    assert reasons == {
        "cut.json": "Not whole JSON: it ends at line 1, column 23; the file may be cut",
        "link.json": (
            "It is a symbolic link, which is not followed inside a folder; it is not opened"
        ),
        "noise.bin": "It is of no known format: binary data",
        "notes.txt": (
            "It is of no known format: text in which no two speakers take turns under their names"
        ),
        "pipe.json": "It is a pipe; it is not opened",
        "s": "It is a socket; it is not opened",
    }


def test_memory_stays_far_below_the_size_of_a_sparse_file(tmp_path: Path) -> None:
    path = tmp_path / "sparse.json"
    with path.open("wb") as stream:
        stream.truncate(1 << 30)
    tracemalloc.start()
    with pytest.raises(SourceError):
        items(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 << 20


def test_a_device_is_not_opened() -> None:
    with pytest.raises(SourceError) as error:
        items("/dev/zero")
    assert str(error.value) == "/dev/zero is a device; it is not opened"


def test_a_missing_file_is_named() -> None:
    with pytest.raises(SourceError) as error:
        items("no-such-file.json")
    assert str(error.value) == "no-such-file.json cannot be read: No such file or directory"


def test_an_empty_folder_and_an_empty_archive_say_so(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(EmptySource) as error:
        items(tmp_path / "none")
    assert str(error.value) == f"{tmp_path / 'none'} holds no files"
    path = zipped(tmp_path / "a.zip", {})
    with pytest.raises(SourceError):
        items(path)


def test_a_name_out_of_data_reaches_no_link_and_no_other_folder(tmp_path: Path) -> None:
    inside = tmp_path / "one" / "two"
    inside.mkdir(parents=True)
    written(inside / "talk.json", TALK)
    written(inside / "beside.json", TALK)
    written(tmp_path / "above.json", TALK)
    (inside / "link.json").symlink_to("/etc/passwd")
    (inside / "folder").symlink_to("/etc")
    (opened,) = [
        item for item in open_source(inside / "talk.json") if not isinstance(item, Skipped)
    ]
    file = opened.file
    assert file.sibling("beside.json") is not None
    assert file.sibling("../../above.json") is not None
    for name in ("link.json", "folder/passwd", "/etc/passwd", "x/../beside.json", "../" * 9):
        assert file.sibling(name) is None, name
    assert file.sibling("missing.json") is None
    assert file.listing("") == ("beside.json", "talk.json")
    assert file.listing("../..") == ("above.json", "one/")
    assert file.listing("folder") == ()


def test_a_member_of_an_archive_sees_the_members_beside_it(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {
        "a/talk.json": json.dumps(TALK),
        "a/b/other.txt": "x",
        "c.txt": "y",
    }
    path = zipped(tmp_path / "a.zip", files)
    opened = open_source(path)  # an input is good until the next one is asked for
    file = next(
        item.file
        for item in opened
        if not isinstance(item, Skipped) and item.file.name == "a/talk.json"
    )
    beside = file.sibling("b/other.txt")
    assert beside is not None
    assert beside.data == b"x"
    assert file.sibling("../c.txt") is not None
    assert file.sibling("../../c.txt") is None
    assert file.listing("") == ("b/", "talk.json")
    assert file.listing("..") == ("a/", "c.txt")


def test_one_archive_inside_another_is_opened_when_nothing_else_is_there(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("export/talk.json", json.dumps(TALK))
    files: dict[str, bytes | str] = {
        "User Online Activity/talk-0001.zip": inner.getvalue(),
        "read me.txt": "x",
    }
    path = zipped(tmp_path / "outer.zip", files)
    (talk,) = [item for item in items(path) if isinstance(item, Conversation)]
    assert talk.where == f"{path}, User Online Activity/talk-0001.zip, export/talk.json"


def test_a_view_beside_tables_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE messages(role text, content text)")
        connection.executemany("INSERT INTO messages VALUES (?, ?)", [("user", "hi")])
        connection.execute("CREATE VIEW shown AS SELECT * FROM messages")
    connection.close()
    (opened,) = [item for item in open_source(path) if not isinstance(item, Skipped)]
    assert dict(opened.tables) == {"messages": frozenset({"role", "content"})}
    for item in open_source(path):
        assert not isinstance(item, Skipped)
        assert item.database is not None
        assert list(item.database.rows("messages", ["content", "nothing"])) == [("hi", None)]
        assert list(item.database.rows("shown", ["content"])) == []
        assert list(item.database.rows("messages", ["role"], where={"role": "x"})) == []
        assert list(item.database.rows("messages", ["role"], prefix=("content", "h"))) == [
            ("user",)
        ]


def test_a_database_is_read_with_what_its_owner_wrote_last(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE messages(role text, content text)")
    connection.execute("INSERT INTO messages VALUES ('user', 'in the log only')")
    connection.commit()
    before = {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()}
    (talk,) = items(path)
    assert isinstance(talk, Conversation)
    assert [message.content for message in talk.messages] == ["in the log only"]
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == before
    connection.close()


def test_a_database_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "slow.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE messages(role text, content text)")
        rows = [("user", f"m{number}") for number in range(50_000)]
        connection.executemany("INSERT INTO messages VALUES (?, ?)", rows)
    connection.close()
    with pytest.raises(LimitExceeded) as error:
        items(path, Limits(database_steps=200_000))
    assert str(error.value) == (
        f"{path} takes too long to read; raise limits.database_steps if you trust it"
    )


def test_a_damaged_database_inside_an_archive_is_skipped(tmp_path: Path) -> None:
    broken = b"SQLite format 3\0" + b"\xff" * 3000
    path = zipped(tmp_path / "a.zip", {"x.db": broken, "talk.json": json.dumps(TALK)})
    found = items(path)
    assert [type(item) for item in found] == [Conversation, Skipped]


def test_standard_input_is_limited() -> None:
    stream = io.BytesIO(b"x" * 2000)
    with pytest.raises(LimitExceeded, match=r"limits\.unpacked_bytes"):
        list(open_source("-", Limits(unpacked_bytes=1000), standard_input=stream))


def test_standard_input_is_read_like_a_file() -> None:
    stream = io.BytesIO(json.dumps(TALK).encode())
    (talk,) = read_all(open_source("-", standard_input=stream))
    assert isinstance(talk, Conversation)
    assert talk.where == "standard input"


def test_a_pattern_names_several_files(tmp_path: Path) -> None:
    for name in ("part-10.json", "part-9.json", "other.txt"):
        written(tmp_path / name, TALK)
    found = list(read_all(open_source(tmp_path / "part-*.json")))
    assert [Path(item.where).name for item in found if isinstance(item, Conversation)] == [
        "part-9.json",
        "part-10.json",
    ]
    with pytest.raises(SourceError) as error:
        list(open_source(tmp_path / "none-*.json"))
    assert str(error.value) == f"No file matches {tmp_path / 'none-*.json'}"


def test_a_link_that_a_person_names_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(written(tmp_path / "talk.json", TALK))
    assert isinstance(items(link)[0], Conversation)


def test_a_zip_that_is_cut_is_damaged(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"talk.json": json.dumps(TALK)})
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(DamagedSource) as error:
        items(path)
    assert "is not a whole zip archive" in str(error.value)
