"""The laws of the document format, over every snapshot that can be built."""

import random
from datetime import UTC, datetime, timedelta

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dcb import document
from dcb.document import _text
from dcb.errors import DocumentError
from dcb.model import Snapshot
from dcb.snapshot_json import from_json, to_json
from tests.cases import CASES
from tests.snapshots import PIECES, SNAPSHOTS, TEXT

MARKERS = (
    "<!-- dcb:layer:verbatim -->",
    "<!-- dcb:layer:summary -->",
    "<!-- dcb:layer:preference -->",
    "<!-- dcb:end -->",
)


@settings(max_examples=CASES)
@given(SNAPSHOTS)
def test_what_is_written_is_read_back(snapshot: Snapshot) -> None:
    text = document.dump(snapshot)
    found, warnings = document.read(text)
    assert found == snapshot
    assert warnings == ()
    assert document.dump(found) == text
    assert document.verify(text).status == "intact"


@settings(max_examples=CASES)
@given(SNAPSHOTS)
def test_the_header_is_yaml_with_the_same_values(snapshot: Snapshot) -> None:
    text = document.dump(snapshot)
    header = yaml.safe_load(text[4 : text.index("\n---\n") + 1])
    extra = {name for name, _ in snapshot.extra}
    known = {key: value for key, value in header.items() if key not in extra}
    assert known.pop("weight", 0) == snapshot.weight
    assert known == {
        "dcb_schema": "1.0",
        "snapshot_id": snapshot.id,
        "source_conversation_id": snapshot.conversation_id,
        "title": snapshot.title,
        "description": snapshot.description,
        "tags": list(snapshot.tags),
        "created_at": datetime(1970, 1, 1, tzinfo=UTC)
        + timedelta(milliseconds=snapshot.created_at),
        "token_estimate": snapshot.token_estimate,
        "encrypted": snapshot.encrypted,
        "checksum": document.verify(text).counted,
        "layers": ["verbatim", "summary", "preference"],
    }


@settings(max_examples=CASES)
@given(SNAPSHOTS)
def test_nothing_forges_a_marker(snapshot: Snapshot) -> None:
    # A reader that knows nothing of fences but where an entry's begin and end.
    lines, fence = document.dump(snapshot).split("\n"), ""
    found = []
    for before, line in zip(["", *lines], lines, strict=False):
        if fence:
            fence = "" if line == fence else fence
        elif before.startswith("<!-- dcb:entry ") and line.startswith("```"):
            fence = line[: len(line) - len(line.lstrip("`"))]
        elif line.startswith("<!-- dcb:"):
            found.append(line)
    entries = [line for line in found if line not in MARKERS]
    assert [line for line in found if line in MARKERS] == list(MARKERS)
    assert len(entries) == len(snapshot.verbatim)
    assert all(line.count("-->") == 1 and line.endswith(" -->") for line in entries)


@settings(max_examples=CASES)
@given(SNAPSHOTS)
def test_whole_crlf_documents_are_read(snapshot: Snapshot) -> None:
    text = document.dump(snapshot)
    changed = "\ufeff" + text.replace("\n", "\r\n")
    assert document.parse(changed) == snapshot
    assert document.verify(changed).status in ("newlines-changed", "modified")


@settings(max_examples=CASES)
@given(SNAPSHOTS, st.integers(0, 2**32))
def test_damaged_documents_are_read_or_refused_with_their_place(
    snapshot: Snapshot, seed: int
) -> None:
    text = _damaged(document.dump(snapshot), random.Random(seed))
    verdict = document.verify(text)
    if verdict.status == "not-a-snapshot":
        assert min(verdict.line, verdict.column) >= 1
        with pytest.raises(DocumentError):
            document.parse(text)
    else:
        found = document.parse(text)
        assert document.parse(document.dump(found)) == found


def _damaged(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                del lines[at : at + chance.randint(1, 3)]
            case 1:
                lines.insert(at, chance.choice(PIECES))
            case 2:
                lines.insert(at, chance.choice(lines))
            case 3:
                cut = chance.randint(0, len(lines[at]))
                lines[at] = lines[at][:cut] + chance.choice(PIECES) + lines[at][cut:]
            case _:
                cut = chance.randint(0, len(lines[at]))
                lines[at] = lines[at][:cut] + lines[at][cut + 1 :]
        lines = lines or [""]
    return "\n".join(lines)


@settings(max_examples=CASES)
@given(st.text())
@example("---\n---\n")
@example("---")
@example("")
def test_any_text_is_read_or_refused(text: str) -> None:
    assert document.verify(text).status == "not-a-snapshot"
    assert document.verify(f"---\n{text}\n---\n").status == "not-a-snapshot"


@settings(max_examples=CASES)
@given(TEXT)
@example("&amp;amp;lt;!--&lt;!--<!--&&lt;!--")
def test_escape_and_unescape_undo_each_other(text: str) -> None:
    assert "<!--" not in _text.escape(text)
    assert _text.unescape(_text.escape(text)) == text


@settings(max_examples=CASES)
@given(TEXT)
def test_attribute_values_are_one_word_and_come_back(text: str) -> None:
    word = _text.encode(text)
    assert not any(char.isspace() or char in '"<>' for char in word)
    assert "--" not in word
    assert _text.decode(word) == text


@settings(max_examples=CASES)
@given(SNAPSHOTS)
def test_json_holds_all_of_a_snapshot(snapshot: Snapshot) -> None:
    assert from_json(to_json(snapshot)) == snapshot
