"""Every vector that concerns documents, as another implementation would run it."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from dcb import document
from dcb.errors import DocumentError, ModelError
from dcb.snapshot_json import from_json, to_json
from dcb.text import estimate

VECTORS = Path(__file__).parent.parent / "vectors"
# Values that no snapshot of ours can hold; the original builds them and loses them.
UNBUILDABLE = ("section_empty_heading", "pref_negative_time", "pref_fraction_time")


def _rows(name: str) -> list[dict[str, Any]]:
    text = (VECTORS / name).read_text(encoding="utf-8")
    lines = text.splitlines() if name.endswith(".jsonl") else [text]
    rows = [json.loads(line) for line in lines]
    return rows if name.endswith(".jsonl") else rows[0]


def _named(name: str, key: str = "name") -> list[Any]:
    return [pytest.param(row, id=row[key][:60]) for row in _rows(name)]


DOCUMENTS = sorted((VECTORS / "documents").glob("*.md"))
READ = _named("read/read.json")
REFUSED = _named("refused/refused.json")
ATTACKS = _named("attacks/attacks.json", "attack")
ORIGINAL = _named("original/documents.jsonl")
EDITED = _named("original/edited.jsonl")
TOKENS = _rows("tokens/tokens.json")


def test_there_are_vectors() -> None:
    # An empty folder would make every test below pass by doing nothing.
    counts = (DOCUMENTS, READ, REFUSED, ATTACKS, ORIGINAL, EDITED, TOKENS)
    assert all(
        len(rows) >= least for rows, least in zip(counts, (18, 34, 75, 60, 97, 32, 64), strict=True)
    )


@pytest.mark.parametrize("page", ["format.md", "format.zh-CN.md"])
def test_the_example_of_the_format_page_is_a_vector(page: str) -> None:
    text = (VECTORS.parent / "docs" / page).read_text(encoding="utf-8")
    example = text.split("```markdown\n")[1].split("```")[0]
    assert example == (VECTORS / "documents" / "example.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_snapshot_and_its_document_are_one(path: Path) -> None:
    text = path.read_bytes().decode()
    shown = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    snapshot, warnings = document.read(text)
    assert to_json(snapshot) == shown
    assert document.dump(from_json(shown)) == text
    assert document.verify(text).status == "intact"
    assert warnings == ()


@pytest.mark.parametrize("row", READ)
def test_what_a_person_edits_is_read(row: dict[str, Any]) -> None:
    snapshot, warnings = document.read(row["text"])
    assert to_json(snapshot) == row["snapshot"]
    assert document.verify(row["text"]).status == row["status"]
    assert len(warnings) == row["warnings"]


@pytest.mark.parametrize("row", REFUSED)
def test_bad_text_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(DocumentError) as caught:
        document.parse(row["text"])
    error = caught.value
    assert (str(error), error.line, error.column) == (row["message"], row["line"], row["column"])
    assert str(error).endswith(f"(line {error.line}, column {error.column})")


@pytest.mark.parametrize("row", ATTACKS)
def test_an_attack_is_answered_as_decided(row: dict[str, Any]) -> None:
    text = _attack(row)
    if text is None:
        assert row["status"] == "not-a-snapshot"
        return
    verdict = document.verify(text)
    assert (verdict.status, verdict.line) == (row["status"], row.get("line", 0)), verdict.message
    if verdict.line == 0:
        snapshot, warnings = document.read(text)
        assert len(warnings) == row["warnings"]
        assert document.parse(document.dump(snapshot)) == snapshot


def _attack(row: dict[str, Any]) -> str | None:
    if "base64" in row:
        with pytest.raises(UnicodeDecodeError):
            base64.b64decode(row["base64"]).decode()
        return None
    if "parts" in row:
        return "".join(text * times for text, times in row["parts"])
    return str(row["text"])


@pytest.mark.parametrize("row", ORIGINAL)
def test_what_the_original_loses_is_kept(row: dict[str, Any]) -> None:
    if row["name"] in UNBUILDABLE:
        with pytest.raises(ModelError):
            from_json(row["snapshot"])
    else:
        snapshot = from_json(row["snapshot"])
        assert document.parse(document.dump(snapshot)) == snapshot


@pytest.mark.parametrize("row", ORIGINAL)
def test_documents_of_the_original_are_read(row: dict[str, Any]) -> None:
    verdict = document.verify(row["markdown"])
    if row["lossless"]:
        assert verdict.status == "intact"
        assert document.parse(row["markdown"]) == from_json(row["reparsed"])
    else:
        # What it lost by writing stays lost; broken documents are refused with their place.
        assert verdict.status == "intact" or verdict.line > 0


@pytest.mark.parametrize("row", EDITED)
def test_edited_documents_are_answered_as_decided(row: dict[str, Any]) -> None:
    verdict = document.verify(row["markdown"])
    assert (verdict.status, verdict.line) == (row["status"], row.get("line", 0))
    if verdict.line == 0:
        snapshot = document.parse(row["markdown"])
        assert to_json(snapshot) == row["snapshot"]
    if "differs" not in row:
        reads, intact = row["original"]["reads"], row["original"]["intact"]
        assert (verdict.line == 0, verdict.status == "intact") == (reads, intact)


@pytest.mark.parametrize("row", TOKENS, ids=lambda row: ascii(row["text"][:20]))
def test_tokens_are_estimated_alike(row: dict[str, Any]) -> None:
    assert estimate(row["text"]) == row["tokens"]
    # The original counts UTF-16 units: only characters beyond U+FFFF may differ.
    assert "original" not in row or any(ord(char) > 0xFFFF for char in row["text"])
