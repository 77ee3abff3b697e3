"""Every sample and every case of the known formats is read as written down beside it.

`data/formats/samples/<format>/<variant>` and `data/formats/cases/<number-name>` hold an
input, the messages expected of it (all conversations in order) and what else must hold.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from dcb.errors import DcbError
from dcb.model import Conversation
from dcb.readers import newest, read_all
from dcb.readers.base import Item
from dcb.sources import open_source

DATA = Path(__file__).parent / "data" / "formats"
BESIDE = {"case.json", "expected.json", "expected.txt", "expected.meta.json", "notes.txt"}
SAMPLES = sorted(path.parent for path in DATA.glob("samples/*/*/expected.json"))
CASES = sorted(path.parent for path in DATA.glob("cases/*/case.json"))
READ = [case for case in CASES if (case / "expected.json").exists()]


def name(folder: Path) -> str:
    return "/".join(folder.relative_to(DATA).parts[1:])


def source(folder: Path) -> Path:
    """The one file or folder that is read."""
    (only,) = (path for path in folder.iterdir() if path.name not in BESIDE)
    return only


def items(folder: Path) -> list[Item]:
    return list(newest(read_all(open_source(source(folder)))))


def conversations(folder: Path) -> list[Conversation]:
    return [item for item in items(folder) if isinstance(item, Conversation)]


def messages(found: list[Conversation]) -> list[dict[str, Any]]:
    keys = ("id", "role", "content", "created_at")
    return [
        {key: getattr(message, key) for key in keys}
        for conversation in found
        for message in conversation.messages
    ]


def expected(folder: Path, part: str = "expected.json") -> Any:
    return json.loads((folder / part).read_text("utf-8"))


def refusal(case: str) -> str:
    with pytest.raises(DcbError) as error:
        items(DATA / "cases" / case)
    return str(error.value).replace(str(DATA / "cases" / case), "")


def test_there_is_something_to_read() -> None:
    assert len(SAMPLES) >= 36
    assert len(READ) >= 60


@pytest.mark.parametrize("folder", SAMPLES, ids=name)
def test_a_sample_is_read_as_written_down(folder: Path) -> None:
    assert messages(conversations(folder)) == expected(folder)


@pytest.mark.parametrize("folder", SAMPLES, ids=name)
def test_a_sample_has_the_ids_titles_and_times_written_down(folder: Path) -> None:
    for found, wanted in zip(
        conversations(folder), expected(folder, "expected.meta.json")["conversations"], strict=True
    ):
        assert len(found.messages) == wanted["messages"]
        for key in ("id", "title", "created_at", "updated_at"):
            if wanted[key] is not None:
                assert getattr(found, key) == wanted[key], key


@pytest.mark.parametrize("folder", READ, ids=name)
def test_a_case_is_read_as_written_down(folder: Path) -> None:
    assert messages(conversations(folder)) == expected(folder)


def test_conversations_without_a_message_are_counted_one_by_one() -> None:
    found = items(DATA / "cases" / "16-empty-conversations")
    assert [getattr(item, "reason", None) for item in found] == [
        "It holds no message",
        "It holds no message (left out: 1 system)",
        "It holds no message (left out: 1 empty)",
    ]


def test_a_zip_bomb_is_refused_with_its_name_and_both_sizes() -> None:
    assert refusal("25-zip-bomb") == (
        "/input.zip, conversations.json: It unpacks from 24,469 to 25,165,826 bytes, 1028:1; "
        "raise limits.ratio (200) if you trust it"
    )


def test_names_that_lead_out_of_an_archive_are_not_written_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(DATA.parent.rglob("*"))
    found = items(DATA / "cases" / "26-zip-slip")
    assert [item.reason for item in found if not isinstance(item, Conversation)] == [  # type: ignore[union-attr]
        "Its name leads out of the archive; not read"
    ] * 3
    assert sorted(DATA.parent.rglob("*")) == before
    assert not list(tmp_path.iterdir())


def test_an_encrypted_zip_is_said_to_be_one() -> None:
    assert refusal("30-zip-encrypted") == (
        "/input.zip is encrypted; unpack it with its password first"
    )


def test_cut_json_is_refused_with_its_place() -> None:
    assert refusal("37-truncated-json") == (
        "/input.json: Not whole JSON: it ends at line 51, column 13; the file may be cut"
    )


def test_an_array_of_conversations_is_not_one_conversation() -> None:
    found = conversations(DATA / "cases" / "44-claude-array-is-many")
    assert [(talk.id, len(talk.messages)) for talk in found] == [("c1", 1), ("c2", 1)]


def test_a_fork_keeps_its_own_id() -> None:
    (found,) = conversations(DATA / "cases" / "71-codex-fork")
    assert found.id == "cx-fork"


def test_a_database_is_left_as_it_was() -> None:
    folder = DATA / "cases" / "82-cursor-orphans-and-order"
    before = sha256(source(folder).read_bytes()).digest()
    assert conversations(folder)
    assert sha256(source(folder).read_bytes()).digest() == before
    assert {path.name for path in folder.iterdir()} <= BESIDE | {"input.vscdb"}


def test_output_without_prompts_is_refused_with_where_to_look() -> None:
    assert "rollout-*.jsonl" in refusal("73-codex-exec-json")


def test_a_log_without_its_beginning_is_read_with_a_warning() -> None:
    (found,) = conversations(DATA / "cases" / "81-vscode-log-without-initial")
    assert [message.content for message in found.messages] == ["Lost start."]
    assert found.warnings


def test_every_case_without_expected_messages_has_a_test_of_its_own() -> None:
    assert {case.name for case in CASES} - {case.name for case in READ} == {
        "25-zip-bomb",
        "30-zip-encrypted",
        "37-truncated-json",
        "73-codex-exec-json",
        "81-vscode-log-without-initial",
    }
