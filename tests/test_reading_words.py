"""Times, chains of parents and content parts: what all readers rely on."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import Ambiguous, EmptySource, UnknownChoice, UnknownFormat
from dcb.model import MAX_TIME, Conversation, Message, Skipped
from dcb.readers import (
    NAMES,
    READERS,
    identify,
    is_companion,
    its_own,
    newest,
    read,
    read_all,
)
from dcb.readers.base import Notes
from dcb.readers.chain import PREVIEW, leaves, live_path, newest_leaf, preview
from dcb.readers.content import attachment, join_blocks, text_of
from dcb.readers.times import epoch_ms, noted_ms
from tests.cases import FEWER
from tests.readings import source

MIDNIGHT = 1767225600000


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (1767225600, MIDNIGHT),
        (1767225600.25, MIDNIGHT + 250),
        ("1767225600.5", MIDNIGHT + 500),
        (1767225600750, MIDNIGHT + 750),
        (1767225600125000, MIDNIGHT + 125),
        (1767225600125000000, MIDNIGHT + 125),
        ("2026-01-01T00:00:00Z", MIDNIGHT),
        ("2026-01-01T08:00:00.500+08:00", MIDNIGHT + 500),
        ("2026-01-01T00:00:00.7501234Z", MIDNIGHT + 750),
        ("2026-01-01 00:00:00.123456789+00:00", MIDNIGHT + 123),
        ("2026-01-01T00:00:00", MIDNIGHT),
        ("2026-01-01 00:00:00 UTC", MIDNIGHT),
        ("2026-01-01", MIDNIGHT),
        ({"$date": {"$numberLong": "1767225600000"}}, MIDNIGHT),
        ({"$date": "2026-01-01T00:00:00Z"}, MIDNIGHT),
        *((nothing, None) for nothing in (None, 0, -1, "", "yesterday", True, [], {}, "1e9")),
        *((nothing, None) for nothing in (float("nan"), float("inf"), 10**400, "9" * 30)),
        *((nothing, None) for nothing in ("0001-01-01T00:00:00+23:00", "2026-13-01", "２０２６")),
    ],
)
def test_times_of_every_kind_become_milliseconds_or_none(value: Any, wanted: int | None) -> None:
    assert epoch_ms(value) == wanted


@settings(max_examples=FEWER)
@given(st.one_of(st.integers(), st.floats(), st.text(max_size=30)))
def test_a_time_is_in_range_or_none(value: Any) -> None:
    time = epoch_ms(value)
    assert time is None or 0 < time <= MAX_TIME


def test_a_time_that_is_none_is_noted() -> None:
    notes = Notes()
    assert noted_ms("yesterday", notes) is None
    assert noted_ms(0, notes) is None
    assert notes.warnings == ("'yesterday' is no time; left empty",)


NAMES_OF_NODES = st.sampled_from("abcdef")


@settings(max_examples=FEWER)
@given(st.dictionaries(NAMES_OF_NODES, st.one_of(st.none(), NAMES_OF_NODES), min_size=1))
def test_a_path_ends_at_its_leaf_and_never_repeats_itself(parents: dict[str, str | None]) -> None:
    leaf = newest_leaf(parents, {})
    assert leaf in leaves(parents)
    assert leaf is not None
    notes = Notes()
    path = live_path(parents, leaf, notes)
    assert path[-1] == leaf
    assert len(path) == len(set(path))
    assert all(parents[child] == parent for parent, child in itertools.pairwise(path))
    assert bool(notes.warnings) == (parents[path[0]] is not None)


def test_a_chain_of_any_length_is_walked() -> None:
    parents: dict[str, str | None] = {"0": None}
    parents |= {str(number): str(number - 1) for number in range(1, 50_000)}
    assert len(live_path(parents, "49999", Notes())) == 50_000


def test_the_newest_leaf_is_the_last_of_equals() -> None:
    parents = {"root": None, "a": "root", "b": "root", "c": "root"}
    assert newest_leaf(parents, {"a": 5, "b": 5, "c": 4, "root": 9}) == "b"
    assert newest_leaf(parents, {}) == "c"
    assert newest_leaf({}, {}) is None
    assert newest_leaf({"a": "b", "b": "a"}, {"a": 1}) == "a"


def test_a_preview_is_one_short_line() -> None:
    assert preview(" a\n b ") == "a b"
    assert len(preview("word " * 1000)) == PREVIEW


def test_blocks_are_joined_by_one_blank_line() -> None:
    assert join_blocks(["\n - a\n", "", None, " ", "b"]) == "- a\n\nb"


@pytest.mark.parametrize(
    ("kind", "name", "text", "wanted"),
    [
        ("image", "a b.png", None, "[image: a b.png]"),
        ("image", None, None, "[image]"),
        ("file", 3, None, "[file]"),
        ("file", "a\nb", None, "[file: a b]"),
        ("attachment", "x.txt", " body\n", "[attachment: x.txt]\n\nbody"),
    ],
)
def test_attachments_become_marks(kind: Any, name: Any, text: Any, wanted: str) -> None:
    assert attachment(kind, name, text) == wanted


def test_unknown_parts_keep_their_text_and_are_noted() -> None:
    notes = Notes()
    assert text_of([{"type": "holo", "text": "seen"}, {"type": "orb"}, 3, None], notes) == "seen"
    assert notes.warnings == ("Unknown content part 'holo'", "Unknown content part 'orb' skipped")


def test_reader_names_are_unique_and_titles_given() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 25
    assert all(reader.title and reader.name == reader.name.lower() for reader in READERS)
    assert [reader.name for reader in READERS if reader.generic] == ["message-list", "pasted-text"]


def test_a_format_can_be_named() -> None:
    talk = source([{"role": "user", "content": "hi"}])
    assert identify(talk, format="message-list")[1] == "named by --format"
    with pytest.raises(UnknownChoice) as error:
        identify(talk, format="mystery")
    assert str(error.value) == (f"Unknown format 'mystery'; choose one of: {', '.join(NAMES)}")


def test_two_readers_that_claim_a_file_are_both_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import dcb.readers as registry

    specific = [reader for reader in READERS if not reader.generic][:2]
    both = tuple(
        type(reader)(name=reader.name, title=reader.title, detect=lambda _: "why", read=reader.read)
        for reader in specific
    )
    monkeypatch.setattr(registry, "READERS", both)
    with pytest.raises(Ambiguous) as error:
        identify(source({"a": 1}))
    names = f"{both[0].name}, {both[1].name}"
    assert str(error.value) == f"input is matched by {names}; name one with --format"


@pytest.mark.parametrize(
    ("data", "looked_at"),
    [
        ({"b": 1, "a": 2}, "a JSON object with the keys a, b"),
        ([1, 2], "text in which no two speakers take turns under their names"),
        ([[1]], "a JSON array with no objects"),
        (b"just text", "text in which no two speakers take turns under their names"),
        (b"<html><p>x</p>", "a web page"),
        (b"\0\1\2\3" * 100, "binary data"),
    ],
)
def test_an_unknown_file_says_what_was_looked_at_and_lists_the_formats(
    data: Any, looked_at: str
) -> None:
    with pytest.raises(UnknownFormat) as error:
        list(read(source(data)))
    assert str(error.value) == (
        f"input is of no known format: {looked_at}. Known formats: {', '.join(NAMES)}"
    )


def test_an_empty_file_says_so() -> None:
    with pytest.raises(EmptySource) as error:
        list(read(source(b" \n")))
    assert str(error.value) == "input is empty"


def conversation(id: str, at: int | None, where: str = "") -> Conversation:
    message = Message(id=None, role="user", content="hi")
    return Conversation(
        id=id, title="", format="x", messages=(message,), updated_at=at, where=where
    )


def test_of_copies_the_one_updated_last_is_kept_where_the_first_stood() -> None:
    found = list(
        newest(
            [
                conversation("a", 1, "old"),
                conversation("b", None, "b"),
                conversation("a", 3, "new"),
                conversation("a", 2, "middle"),
                conversation("", 1),
                conversation("", 1),
            ]
        )
    )
    assert [item.where for item in found if isinstance(item, Conversation)] == ["new", "b", "", ""]
    assert [item for item in found if isinstance(item, Skipped)] == [
        Skipped(where="old", reason="A copy of conversation 'a'; the one updated last is kept"),
        Skipped(where="middle", reason="A copy of conversation 'a'; the one updated last is kept"),
    ]


def test_reading_nothing_names_what_stood_in_the_way() -> None:
    inputs = [source(b"x", name=f"{number}.txt") for number in range(5)]
    with pytest.raises(EmptySource) as error:
        list(read_all([*inputs, Skipped(where="y", reason="It is a pipe")]))
    assert str(error.value).startswith("No conversation could be read: 0.txt is of no known")
    assert str(error.value).endswith("; and 3 more")
    with pytest.raises(EmptySource) as error:
        list(read_all([]))
    assert str(error.value) == "No conversation could be read"


def test_files_that_accompany_a_format_are_passed_over() -> None:
    assert is_companion("export/user.json")
    assert not is_companion("notes.txt")
    talk = source([{"role": "user", "content": "hi"}])
    found = list(read_all([source({"id": 1}, name="a/user.json"), talk]))
    assert [type(item) for item in found] == [Conversation]


def test_a_reason_is_said_of_the_thing_itself() -> None:
    assert its_own("a.zip is encrypted", "a.zip") == "It is encrypted"
    assert its_own("a.zip: Not valid", "a.zip") == "Not valid"
    assert its_own("elsewhere", "a.zip") == "elsewhere"


def test_a_title_that_hides_something_is_warned_of() -> None:
    talk = source({"title": "pay \u202eecila", "messages": [{"role": "user", "content": "hi"}]})
    (found,) = read(talk)
    assert isinstance(found, Conversation)
    assert found.warnings == (
        "The title holds characters that do not show or that turn the text round",
    )
    assert found.why == "objects with a list of `messages`"


def test_the_reader_of_the_guide_works() -> None:
    guide = (Path(__file__).parent.parent / "docs" / "adding-a-reader.md").read_text("utf-8")
    code = guide.split("```python\n", 1)[1].split("```", 1)[0]
    module: dict[str, Any] = {}
    exec(compile(code, "adding-a-reader.md", "exec"), module)
    sample = [line[4:] for line in guide.splitlines() if line.startswith('    {"')]
    opened = source("\n".join(sample).encode())
    assert module["READER"].detect(opened) == "a first row with `heron` and `talk`"
    (talk,) = module["READER"].read(opened)
    assert (talk.id, talk.title, talk.created_at) == ("h-17", "Tides", 1772352000000)
    assert [(each.role, each.content, each.created_at) for each in talk.messages] == [
        ("user", "Use UTC.", 1772352001000),
        ("assistant", "UTC it is.", 1772352004000),
    ]
    assert [(drop.reason, drop.count) for drop in talk.dropped] == [("interface", 1)]
