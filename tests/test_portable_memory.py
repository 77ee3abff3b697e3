"""Preferences travel as Portable AI Memory: valid for its own SDK, and back without loss."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import portable_ai_memory as pam
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from portable_ai_memory import schemas

from dcb.errors import DocumentError
from dcb.library import Library
from dcb.model import Preference, Snapshot
from dcb.portable_memory import canonical, checksum, content_hash, dump, is_json, parse
from tests.cases import FEWER
from tests.command_line import Run, use
from tests.places import Place
from tests.snapshots import SNAPSHOTS

NOW = 1_790_000_000_000
SNAPSHOT = Snapshot(
    id="s-1",
    conversation_id="talk-7",
    title="Greenhouse",
    created_at=1_773_469_800_123,
    preferences=(
        Preference(scope="style", key="style.language", value="Always answer in French", at=7),
        Preference(scope="role", key="role.user", value="I am a nurse", explicit=False),
        Preference(scope="constraint", key="constraint.network", value=""),
    ),
)


def written(*snapshots: Snapshot, format: str = "chatgpt-export") -> str:
    return dump(
        ((one, format) for one in snapshots), export_id="e-1", now=NOW, version="1.2.3.dev4"
    )


def memory(**more: Any) -> dict[str, Any]:
    """A memory as another program writes it."""
    content = more.pop("content", "Prefers dark mode.")
    return {
        "id": "mem-001",
        "type": "preference",
        "content": content,
        "content_hash": content_hash(content),
        "temporal": {"created_at": "2026-03-14T05:30:00Z"},
        "provenance": {"platform": "claude", "extraction_method": "llm_inference"},
        **more,
    }


def store(*memories: Any, **more: Any) -> str:
    return json.dumps(
        {
            "schema": "portable-ai-memory",
            "schema_version": "1.0",
            "exported_by": "other/2.0.0",
            "export_date": "2026-04-01T00:00:00+02:00",
            "owner": {"id": "me"},
            "memories": list(memories),
            **more,
        }
    )


SCHEMA = jsonschema.Draft202012Validator(
    json.loads(
        (Path(schemas.__file__).parent / "portable-ai-memory.schema.json").read_text("utf-8")
    )
)


# --- writing -----------------------------------------------------------------------------


def sound(text: str) -> None:
    """The SDK and the schema find nothing to say."""
    found = pam.load_dict(json.loads(text))
    assert pam.validate(found).issues == []
    assert list(SCHEMA.iter_errors(json.loads(text))) == []


def test_what_is_written_is_sound() -> None:
    sound(written(SNAPSHOT, replace(SNAPSHOT, id="s-2", title="", preferences=())))
    sound(written())


@given(st.lists(SNAPSHOTS, max_size=3), st.sampled_from(["", "x", "Chat GPT/Export 名" * 4]))
@settings(max_examples=FEWER)
def test_of_any_snapshots_what_is_written_is_sound(found: list[Snapshot], format: str) -> None:
    sound(written(*found, format=format))


def test_a_preference_is_written_with_where_it_came_from() -> None:
    first, inferred, empty = json.loads(written(SNAPSHOT))["memories"]
    assert first == {
        "id": "s-1/style.style.language",
        "type": "preference",
        "status": "active",
        "content": "Always answer in French",
        "content_hash": content_hash("always  answer in french"),
        "tags": [],
        "temporal": {"created_at": "1970-01-01T00:00:00.007000Z"},
        "provenance": {
            "platform": "chatgpt-export",
            "conversation_ref": "s-1",
            "extraction_method": "explicit_user_input",
            "extractor": "dcb/1.2.3",
        },
        "metadata": {
            "dcb": {
                "snapshot": "s-1",
                "conversation": "talk-7",
                "scope": "style",
                "key": "style.language",
                "explicit": True,
                "at": 7,
            }
        },
    }
    assert (inferred["type"], empty["type"]) == ("identity", "instruction")
    assert "extraction_method" not in inferred["provenance"]
    assert empty["content"] == "constraint.network"
    assert inferred["temporal"] == {"created_at": "2026-03-14T06:30:00.123000Z"}


def test_a_snapshot_named_twice_is_written_once() -> None:
    assert len(json.loads(written(SNAPSHOT, SNAPSHOT))["memories"]) == 3


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON)
@settings(max_examples=FEWER)
def test_json_is_canonical_as_rfc_8785_has_it(value: Any) -> None:
    assert canonical(value).encode() == rfc8785.dumps(value)


@given(st.text())
@settings(max_examples=FEWER)
def test_a_content_hash_is_that_of_the_sdk(content: str) -> None:
    assert content_hash(content) == pam.compute_content_hash(content)


# --- there and back ----------------------------------------------------------------------


@given(st.lists(SNAPSHOTS, max_size=3, unique_by=lambda one: one.id))
@settings(max_examples=FEWER)
def test_every_preference_comes_back(found: list[Snapshot]) -> None:
    wanted = [one for one in found if one.preferences]
    read = parse(written(*found), now=NOW)
    assert (read.omitted, read.problem) == ((), "")
    assert [one.preferences for one in read.snapshots] == [one.preferences for one in wanted]
    for back, one in zip(read.snapshots, wanted, strict=True):
        assert back.conversation_id == one.conversation_id
        assert back.created_at == one.created_at
        assert back.title == (one.title or "Memories of dcb/1.2.3")


def test_a_word_that_another_program_mended_comes_back_mended() -> None:
    text = json.loads(written(SNAPSHOT))
    text["memories"][0] |= {"content": "Auf Deutsch", "content_hash": content_hash("Auf Deutsch")}
    text["integrity"]["checksum"] = checksum(text["memories"])
    (back,) = parse(json.dumps(text), now=NOW).snapshots
    assert back.preferences[0].value == "Auf Deutsch"
    assert back.preferences[0].key == "style.language"


# --- what others wrote -------------------------------------------------------------------


def test_preferences_instructions_and_identity_are_taken_in() -> None:
    (snapshot,) = parse(
        store(
            memory(),
            memory(id="m/2", type="instruction", content="No\njargon", tags=["x"]),
            memory(
                id="3",
                type="identity",
                content="A nurse",
                provenance={"platform": "me", "extraction_method": "manual"},
                temporal={"created_at": "bad", "updated_at": "2026-03-14T05:30:01.5"},
            ),
        ),
        now=NOW,
    ).snapshots
    assert snapshot.preferences == (
        Preference(
            scope="style",
            key="memory.mem-001",
            value="Prefers dark mode.",
            explicit=False,
            at=1_773_466_200_000,
        ),
        Preference(
            scope="constraint",
            key="memory.eef0bffe7acb3707",
            value="No jargon",
            explicit=False,
            at=1_773_466_200_000,
        ),
        Preference(scope="role", key="memory.3", value="A nurse", at=1_773_466_201_500),
    )
    assert snapshot.title == "Memories of other/2.0.0"
    assert snapshot.description == "Preferences from a Portable AI Memory export by other/2.0.0"
    assert snapshot.created_at == 1_774_994_400_000


LEFT_OUT = [
    (memory(type="fact"), "not a preference"),
    (memory(type=["preference"]), "not a preference"),
    (memory(type="custom", custom_type="preference"), "not a preference"),
    (memory(status="superseded"), "superseded"),
    (memory(status=3), "unknown status"),
    (memory(content_hash="sha256:0"), "content and hash differ"),
    (memory(content=" \n"), "no content"),
    (memory(temporal={"valid_until": "2020-01-01T00:00:00Z"}), "no longer valid"),
    ("a text", "no content"),
    (None, "no content"),
]


@pytest.mark.parametrize(("wrong", "reason"), LEFT_OUT)
def test_what_is_left_out_is_listed_with_the_reason(wrong: Any, reason: str) -> None:
    read = parse(store(memory(id="good"), wrong), now=NOW)
    assert [item.reason for item in read.omitted] == [reason]
    assert len(read.snapshots[0].preferences) == 1


@pytest.mark.parametrize(
    "own",
    [
        None,
        [],
        {},
        {"snapshot": "s", "conversation": "", "scope": "x", "key": "k", "explicit": True, "at": 0},
        {"snapshot": "s", "conversation": "", "scope": [], "key": "k", "explicit": True, "at": 0},
        {"snapshot": "s", "conversation": "", "scope": "role", "key": 1, "explicit": 1, "at": 0},
        {"snapshot": "s", "conversation": "", "scope": "role", "key": "k", "explicit": 1, "at": -1},
    ],
)
def test_our_own_field_that_was_spoilt_is_passed_over(own: Any) -> None:
    (snapshot,) = parse(store(memory(metadata={"dcb": own})), now=NOW).snapshots
    assert snapshot.preferences[0].key == "memory.mem-001"


def test_a_key_that_no_preference_can_have_costs_that_memory_only() -> None:
    own = {"snapshot": "s", "conversation": "", "scope": "role", "key": "名", "explicit": True}
    read = parse(store(memory(metadata={"dcb": {**own, "at": 0}}), memory(id="2")), now=NOW)
    assert [item.reason for item in read.omitted] == [
        "'名' cannot be a preference key: use a-z, 0-9, '.', '_' and '-'"
    ]


def test_lone_surrogates_become_the_sign_for_what_is_lost() -> None:
    content = "a \ud800 b"
    text = store(memory(content_hash=None) | {"content": content, "id": "\udfff"})
    (snapshot,) = parse(text, now=NOW).snapshots
    assert snapshot.preferences[0].value == "a \ufffd b"


@pytest.mark.parametrize("time", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", 7])
def test_a_time_that_no_snapshot_can_hold_is_unknown(time: Any) -> None:
    text = store(memory(temporal={"created_at": time}), export_date=time)
    (snapshot,) = parse(text, now=NOW).snapshots
    assert (snapshot.created_at, snapshot.preferences[0].at) == (0, 0)


def test_the_same_text_gives_the_same_snapshots() -> None:
    text = store(memory())
    assert parse(text, now=NOW) == parse(text, now=NOW + 1)
    assert parse(text, now=NOW).snapshots[0].id.startswith("pam-")


@pytest.mark.parametrize(
    ("integrity", "problem"),
    [
        (
            {"checksum": "sha256:0", "total_memories": 1},
            "The memories were changed since the integrity checksum was written",
        ),
        ({"total_memories": 7}, "The integrity block counts 7 memories, there are 1"),
        ("x", ""),
    ],
)
def test_memories_that_were_changed_are_told_of(integrity: Any, problem: str) -> None:
    read = parse(store(memory(), integrity=integrity), now=NOW)
    assert read.problem == problem
    assert len(read.snapshots) == 1


@pytest.mark.parametrize("odd", ["1e999", '"x"', "null", '{"id": [1]}'])
def test_memories_that_cannot_be_hashed_are_told_of(odd: str) -> None:
    integrity = {"checksum": "sha256:0", "total_memories": 2}
    text = store(memory(), "ODD", integrity=integrity).replace('"ODD"', odd)
    assert parse(text, now=NOW).problem == (
        "The memories were changed since the integrity checksum was written"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "This is not valid JSON: Expecting property name enclosed in double quotes "),
        ('{"a": NaN}', "This is not valid JSON: NaN is no number"),
        ('{"a": ' + "1" * 5000 + "}", "This is not valid JSON: Exceeds the limit"),
        ("[" * 100_000, "This JSON is nested too deeply for a MemoryStore"),
        (
            '{"mapping": {}}',
            "This JSON is neither a snapshot document nor a MemoryStore of Portable AI Memory "
            '("schema": "portable-ai-memory"); conversations are read by: dcb compile',
        ),
        (
            '{"schema": "portable-ai-memory-conversation"}',
            "This is a portable-ai-memory-conversation file, which holds no preferences; add the "
            "MemoryStore beside it",
        ),
        (
            store(schema_version="2.0"),
            "Portable AI Memory 2.0 is not read here, only 1.x",
        ),
        (
            store(schema_version=None),
            "Portable AI Memory without a schema_version is not read here, only 1.x",
        ),
        (
            '{"schema": "portable-ai-memory", "schema_version": "1.0", "memories": {}}',
            'This MemoryStore has no list of "memories"',
        ),
    ],
)
def test_what_is_no_memory_store_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(DocumentError) as refused:
        parse(text, now=NOW)
    assert str(refused.value).startswith(message)


@given(JSON)
@settings(max_examples=FEWER)
def test_no_memory_is_odd_enough_to_fail(value: Any) -> None:
    for odd in (value, memory(metadata={"dcb": value}), memory(temporal=value), memory(id=value)):
        read = parse(store(odd, memory(id="good")), now=NOW)
        assert sum(len(one.preferences) for one in read.snapshots) + len(read.omitted) >= 1


@given(st.text(), JSON)
@settings(max_examples=FEWER)
def test_no_store_is_odd_enough_to_fail(name: str, value: Any) -> None:
    known = ["exported_by", "export_date", "conversations_index", "integrity", "export_id"]
    own = json.loads(written(SNAPSHOT))
    for field in (name, *known):
        try:
            parse(json.dumps({**own, field: value}), now=NOW)
        except DocumentError:
            assert field in ("schema", "schema_version", "memories")


@pytest.mark.parametrize(
    ("text", "expected"), [("{}", True), ("\ufeff\n {", True), ("---\n{", False), ("[a]", False)]
)
def test_json_is_told_from_documents(text: str, expected: bool) -> None:
    assert is_json(text) is expected


# --- in the store ------------------------------------------------------------------------


@pytest.fixture
def library(place: Place, tmp_path: Path) -> Any:
    with Library(place.settings(tmp_path / "data")) as opened:
        yield opened


def test_an_export_is_added_once_elsewhere(library: Library, place: Place, tmp_path: Path) -> None:
    library.edit(SNAPSHOT)
    path = tmp_path / "memories.json"
    path.write_text(library.memories(library.all()).text)
    with Library(place.settings(tmp_path / "other")) as other:
        first, again = (list(other.add([str(path)])) for _ in range(2))
        (row,) = other.list()
        assert other.get(row.id).snapshot.preferences == SNAPSHOT.preferences
    assert [item.change for item in (*first, *again)] == ["new", "same"]
    assert (row.format, row.where) == ("portable-ai-memory", str(path))


def test_what_was_left_out_is_kept_with_the_snapshot(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "memories.json"
    path.write_text(store(memory(), memory(id="f", type="fact", content="Lives in Oslo.")))
    (added,) = library.add([str(path)])
    assert [item.text for item in added.omitted] == ["Lives in Oslo."]
    assert library.get(added.id).omitted == added.omitted


def test_memories_from_elsewhere_are_not_brought_back_by_themselves(
    library: Library, tmp_path: Path
) -> None:
    path = tmp_path / "memories.json"
    path.write_text(store(memory()))
    (added,) = library.add([str(path)])
    snapshot = library.get(added.id).snapshot
    library._change(_tagged(snapshot), action="rekind")
    assert library.accepted(tag="here", limit=5) == ()
    library.edit(replace(snapshot, tags=("here",), title="Mine"))
    assert [row.id for row in library.accepted(tag="here", limit=5)] == [added.id]


def _tagged(snapshot: Snapshot) -> str:
    from dcb import document

    return document.dump(replace(snapshot, tags=("here",)))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (store(memory(type="fact")), "None of its memories is a preference that holds"),
        (store(), "None of its memories is a preference that holds"),
        ('{"a": 1', "This is not valid JSON: Expecting ',' delimiter (line 1, column 8)"),
    ],
)
def test_a_file_without_preferences_adds_nothing(
    library: Library, tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "memories.json"
    path.write_text(text)
    (added,) = library.add([str(path)])
    assert (added.id, added.problem, library.list()) == ("", problem, ())


def test_strict_refuses_changed_memories(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "memories.json"
    path.write_text(store(memory(), integrity={"checksum": "x", "total_memories": 1}))
    (added,) = library.add([str(path)], strict=True)
    assert (added.id, library.list()) == ("", ())
    (added,) = library.add([str(path)])
    assert (added.change, added.problem) == (
        "new",
        "The memories were changed since the integrity checksum was written",
    )


# --- on the command line -----------------------------------------------------------------


def test_export_and_add_on_the_command_line(
    library: Library, place: Place, tmp_path: Path, dcb: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.edit(SNAPSHOT)
    library.edit(replace(SNAPSHOT, id="t-2", title="Other"))
    library.edit(replace(SNAPSHOT, id="u-3", preferences=()))
    out = tmp_path / "memories.json"
    result = dcb("export", "--format", "pam", "--out", out)
    assert result.stdout == f"Wrote 6 preferences to {out}\n"
    sound(out.read_text())
    assert len(json.loads(dcb("export", "--format", "pam", "s-1").stdout)["memories"]) == 3
    use(place.variables(tmp_path / "other"), monkeypatch)
    added = dcb("add", out)
    assert added.exit_code == 0
    assert [line.split("  ")[1] for line in added.stdout.splitlines()] == ["Other", "Greenhouse"]


def test_add_lists_what_it_leaves_out(tmp_path: Path, dcb: Run) -> None:
    path = tmp_path / "memories.json"
    path.write_text(store(memory(), memory(id="f", type="fact", content="Lives in Oslo.")))
    result = dcb("add", path)
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Added pam-")
    assert lines[1].startswith("Left out: 1 items, ")
    assert lines[2].split() == ["4", "fact", "not", "a", "preference", "Lives", "in", "Oslo.", "f"]


def test_secrets_are_masked_unless_they_are_to_be_kept(
    library: Library, tmp_path: Path, dcb: Run
) -> None:
    secret = "sk-ant-api03-" + "A1b2" * 24
    item = Preference(scope="constraint", key="constraint.key", value=f"Use {secret} always")
    library.edit(replace(SNAPSHOT, preferences=(item,)))
    masked = dcb("export", "--format", "pam")
    sound(masked.stdout)
    assert secret not in masked.stdout
    assert masked.stderr == "Secrets masked: 1; --keep-secrets does not\n"
    plain = dcb("export", "--format", "pam", "--keep-secrets")
    assert secret in plain.stdout
    assert plain.stderr == "Secrets in what was written: 1\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--out", "{}"), "{} is a folder; name the file to write: --out FILE.json"),
        (("--all", "s-1"), "Give ids, or --all."),
    ],
)
def test_an_export_that_makes_no_sense_is_refused(
    tmp_path: Path, dcb: Run, arguments: tuple[str, ...], message: str
) -> None:
    result = dcb("export", "--format", "pam", *(part.format(tmp_path) for part in arguments))
    assert message.format(tmp_path) in (result.stderr or str(result.exception))
    assert result.exit_code != 0
