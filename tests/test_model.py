"""The words: what is built is checked and normalised, so that it equals its document."""

from typing import Any

import pytest

from dcb.errors import DocumentError, ModelError, UnknownChoice
from dcb.model import (
    Conversation,
    Entry,
    Message,
    Preference,
    Section,
    Snapshot,
    numbered,
    preference_key,
    together,
    tokens_of,
    united,
)

KNOWN: dict[type, dict[str, Any]] = {
    Entry: {"id": "v-1", "kind": "decision", "content": "x"},
    Preference: {"scope": "style", "key": "tone", "value": "x"},
    Section: {"heading": "h", "bullets": ("x",)},
    Snapshot: {"id": "s", "conversation_id": "c", "title": "t", "created_at": 0},
}


def _build(what: type, **fields: Any) -> Any:
    return what(**(KNOWN[what] | fields))


def test_messages_without_id_are_numbered_and_ids_are_unique() -> None:
    ids = (None, "a", "m1", "a", "a", "a~2", None)
    messages = tuple(Message(id=name, role="user", content="x") for name in ids)
    conversation = Conversation(id="c", title="", format="x", messages=messages)
    found = [message.id for message in numbered(conversation).messages]
    assert found == ["m1", "a", "m1~2", "a~2", "a~3", "a~2~2", "m7"]


@pytest.mark.parametrize(
    ("what", "fields", "message"),
    [
        (Entry, {"id": ""}, "An entry needs an id"),
        (
            Entry,
            {"kind": "song"},
            "Unknown kind 'song'; choose one of: directive, decision, code, parameter",
        ),
        (Entry, {"status": "x"}, "Unknown status 'x'; choose one of: superseded"),
        (Entry, {"origin": "x"}, "Unknown origin 'x'; choose one of: accepted"),
        (Entry, {"at": -1}, "entry time must be whole milliseconds since 1970, not -1"),
        (
            Entry,
            {"content": "a\ud83d"},
            "Text holds a lone surrogate at character 1; replace it by U+FFFD before building",
        ),
        (Entry, {"extra": (("a b", ""),)}, "'a b' cannot name an unknown entry attribute"),
        (Entry, {"extra": (("src", ""),)}, "The entry attribute 'src' is known or given twice"),
        (Section, {"heading": "\n"}, "A summary section needs a heading"),
        (
            Preference,
            {"key": "。"},
            "'。' cannot be a preference key: use a-z, 0-9, '.', '_' and '-'",
        ),
        (Preference, {"scope": "x"}, "Unknown scope 'x'; choose one of: style, role, constraint"),
        (Snapshot, {"id": "a b"}, "A snapshot id may hold no white space: 'a b'"),
        (
            Snapshot,
            {"created_at": 10**15},
            "created_at must be whole milliseconds since 1970, not 1000000000000000",
        ),
        (Snapshot, {"weight": 10**400}, f"A weight is a finite number, not 1{'0' * 39}"),
        (Snapshot, {"weight": True}, "A weight is a finite number, not True"),
        (
            Snapshot,
            {"token_estimate": -1},
            "A token estimate is a whole number, 0 or more, not -1",
        ),
        (
            Snapshot,
            {"extra": (("x", ""), ("x", ""))},
            "The header key 'x' is known or given twice",
        ),
        (
            Snapshot,
            {"verbatim": (_build(Entry), _build(Entry))},
            "Two entries have the id 'v-1'",
        ),
    ],
)
def test_a_value_that_no_snapshot_can_hold_is_refused(
    what: type, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises((ModelError, UnknownChoice)) as caught:
        _build(what, **fields)
    assert str(caught.value) == message


def test_a_snapshot_is_normalised_when_built() -> None:
    snapshot = _build(
        Snapshot,
        title="  a \n\t b\rc ",
        tags=(" x ", "", "a\nb"),
        weight=2.0,
        summary=(_build(Section, bullets=(" ", "a\n b")), _build(Section, bullets=("",))),
        extra=(("x", ("", "y")),),
    )
    assert snapshot.title == "a b\rc"
    assert snapshot.tags == ("x", "a b")
    assert snapshot.weight == 2
    assert snapshot.summary == (Section(heading="h", bullets=("a b",)),)
    assert snapshot.extra == (("x", ("y",)),)


def test_the_checksum_takes_no_part_in_comparison() -> None:
    assert _build(Snapshot, checksum="a" * 64, schema="1.3") == _build(Snapshot)


@pytest.mark.parametrize(
    ("text", "key"),
    [("a.b_c-1", "a.b_c-1"), ("Two Words", "two-words"), (" 回复 Language! ", "language")],
)
def test_a_preference_key_has_a_stable_form(text: str, key: str) -> None:
    assert preference_key(text) == key


def test_the_later_preference_wins_but_inferred_never_replaces_explicit() -> None:
    first = _build(Preference, value="1", explicit=False)
    second = _build(Preference, value="2", explicit=False)
    stated = _build(Preference, value="3")
    elsewhere = _build(Preference, scope="role", value="4")
    assert united((first, second)) == (second,)
    assert united((first, stated, second, elsewhere)) == (stated, elsewhere)


def test_tokens_are_the_sum_over_all_layers() -> None:
    snapshot = _build(
        Snapshot,
        verbatim=(_build(Entry, content="决定"),),
        summary=(_build(Section, heading="目标", bullets=("上线", "a")),),
        preferences=(_build(Preference, value="简短"),),
    )
    # 2, then 2 + 2 + 1, then "tone 简短": 2 + 5 × 5/18, rounded up.
    assert tokens_of(snapshot) == 2 + 5 + 4
    assert tokens_of(snapshot, count=len) == 2 + 5 + 7


def test_a_passage_that_was_accepted_goes_with_the_decision_that_accepts_it() -> None:
    entries = (
        _build(Entry, id="1", kind="parameter", src="m3"),
        _build(Entry, id="2", src="m1", origin="accepted", via="m3"),
        _build(Entry, id="3", src="m3"),
        _build(Entry, id="4", src="m3"),
        _build(Entry, id="5", src="m9"),
        _build(Entry, id="6", src="m9", origin="accepted"),
    )
    assert together(entries) == ((0,), (1, 2), (3,), (4,), (5,))


def test_an_error_without_a_place_has_no_line() -> None:
    assert (DocumentError("x").line, str(DocumentError("x"))) == (0, "x")
