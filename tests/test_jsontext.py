"""JSON that is whole is read as it is; of damaged JSON, everything that is whole."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import DamagedSource, LimitExceeded
from dcb.model import Skipped
from dcb.readers.base import File, Shape
from dcb.readers.encodings import BOMS
from dcb.readers.inspect import CHARACTERS, ITEMS, inspect, outline
from dcb.readers.jsontext import WARNINGS, array_items, document, fault_in, loads, rows
from tests.cases import FEWER

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from('}{][",\\'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)
# In one order of keys, as one program writes them: a lost item is left by the next one's first.
OBJECTS = st.builds(
    lambda number, text: {"id": number, "text": text}, st.integers(0, 9), st.text(max_size=8)
)


def file(data: bytes | str) -> File:
    raw = data if isinstance(data, bytes) else data.encode()
    return File(name="x", data=raw, where="x")


def read_rows(data: bytes | str) -> tuple[list[tuple[int, Any]], list[str]]:
    warnings: list[str] = []
    return list(rows(file(data), warn=warnings.append)), warnings


def read_items(data: bytes | str, **options: Any) -> list[Any]:
    return [item for _, item in array_items(file(data), **options)]


@settings(max_examples=FEWER)
@given(st.lists(VALUES, max_size=6), st.sampled_from(["\n", "\r\n", "\n\n", "\n \t\n"]))
def test_rows_are_read_back(values: list[Any], end: str) -> None:
    text = "".join(json.dumps(value, ensure_ascii=False) + end for value in values)
    found, warnings = read_rows(text)
    assert [value for _, value in found] == values
    assert not warnings


@settings(max_examples=FEWER)
@given(st.lists(VALUES, max_size=6), st.sampled_from([None, 2]))
def test_items_are_read_back(values: list[Any], indent: int | None) -> None:
    assert read_items(json.dumps(values, indent=indent)) == values
    wrapped = json.dumps({"a": 1, "k": values, "z": [[]]}, indent=indent)
    assert read_items(wrapped, key="k") == values


@settings(max_examples=FEWER)
@given(st.lists(OBJECTS, min_size=1, max_size=5), st.data())
def test_of_a_cut_array_every_whole_item_is_read_and_the_cut_one_named(
    values: list[Any], data: st.DataObject
) -> None:
    text = json.dumps(values)
    cut = data.draw(st.integers(1, len(text) - 1))
    found = read_items(text[:cut])
    whole = [item for item in found if not isinstance(item, Skipped)]
    ends = [len(json.dumps(values[: count + 1])) - 1 for count in range(len(values))]
    assert whole == values[: sum(end <= cut for end in ends)]
    assert len(found) - len(whole) <= 1


@settings(max_examples=FEWER)
@given(st.lists(OBJECTS, min_size=3, max_size=5), st.data())
def test_damage_costs_the_damaged_item_only(values: list[Any], data: st.DataObject) -> None:
    texts = [json.dumps(value) for value in values]
    bad = data.draw(st.integers(0, len(texts) - 1))
    place = data.draw(st.integers(0, len(texts[bad]) - 1))
    character = data.draw(st.sampled_from(["", '"', "{", "}", "\\", "]"]))
    texts[bad] = texts[bad][:place] + character + texts[bad][place + 1 :]
    found = read_items("[" + ", ".join(texts) + "]")
    good = [value for number, value in enumerate(values) if number > bad]
    kept = [item for item in found if isinstance(item, dict)]
    assert kept[:bad] == values[:bad]
    if character != "]":  # which ends the array
        assert kept[len(kept) - len(good) :] == good


@pytest.mark.parametrize("damage", ['{""d": 0', '{"i"": 0', '{"id": 0"', '"id": 0', '{"id: 0'])
def test_how_items_begin_is_not_learnt_from_a_damaged_one(damage: str) -> None:
    found = read_items("[" + damage + ', "text": "a"}, {"id": 1, "text": ""}, {"id": 2}]')
    assert [item for item in found if isinstance(item, dict)] == [{"id": 1, "text": ""}, {"id": 2}]


def test_a_value_that_is_no_json_costs_one_item() -> None:
    found = read_items('[{"a": 1}, {"a": NaN}, {"a": 1e999}, {"a": "\\x"}, {"a": 2}]')
    assert [item for item in found if not isinstance(item, Skipped)] == [{"a": 1}, {"a": 2}]
    assert [item.reason for item in found if isinstance(item, Skipped)] == [
        "Not valid JSON: invalid character (line 1, column 7)",
        "Not valid JSON: Number out of range",
        "Not valid JSON: invalid escape character in string (line 1, column 10)",
    ]


def test_two_records_on_a_line_are_two_rows() -> None:
    assert read_rows('{"a":1}{"b":2} {"c":3}\n') == (
        [(1, {"a": 1}), (1, {"b": 2}), (1, {"c": 3})],
        [],
    )


def test_of_a_cut_record_with_a_whole_one_behind_the_whole_one_is_read() -> None:
    assert read_rows('{"a":1}\n{"type":"user","x":{"y":"cut{"b":{"c":2}}\n{"d":3}') == (
        [(1, {"a": 1}), (2, {"b": {"c": 2}}), (3, {"d": 3})],
        ["Line 2: A record is cut; the whole one behind it was read"],
    )


def test_a_cut_last_line_is_named() -> None:
    assert read_rows('{"a":1}\n{"b":') == (
        [(1, {"a": 1})],
        ["Line 2: A record is cut or damaged and was left out"],
    )


def test_runs_of_nul_are_passed_over() -> None:
    data = b"\0" * 9 + b'{"a":1}\n' + b"\0" * 5 + b"\n\0" + b'{"b":2}\0\n'
    assert read_rows(data) == (
        [(1, {"a": 1}), (3, {"b": 2})],
        [f"Line {number}: A run of NUL bytes was passed over" for number in (1, 2, 3)],
    )


def test_only_a_line_feed_ends_a_row() -> None:
    text = '{"a":"\u2028\u2029\u0085"}\n'
    assert read_rows(text) == ([(1, {"a": "\u2028\u2029\u0085"})], [])


def test_many_damaged_lines_are_counted() -> None:
    _, warnings = read_rows('{"a":\n' * (WARNINGS + 5))
    assert len(warnings) == WARNINGS + 1
    assert warnings[-1] == "5 more damaged lines"


def test_a_line_of_any_length_is_read_in_time_linear_in_it() -> None:
    long = '{"a":"' + "x" * 3_000_000 + '"}'
    assert read_rows(long)[0] == [(1, {"a": "x" * 3_000_000})]
    found, warnings = read_rows('{"a":' * 200_000 + "\n" + long)
    assert len(found) == 1
    assert len(warnings) == 1


@pytest.mark.parametrize(
    ("raw", "value", "warned"),
    [
        (rb'"\ud83d\ude80"', "🚀", []),
        (rb'"a\ud83d"', "a\ufffd", ["1 half surrogate pair became U+FFFD"]),
        (rb'"\udcb2\ud83dx"', "\ufffd\ufffdx", ["2 half surrogate pairs became U+FFFD"]),
        (rb'"\\ud83d \"\ud83d"', '\\ud83d "\ufffd', ["1 half surrogate pair became U+FFFD"]),
        (
            b'"\xed\xa0\xbd\xed\xb8\x82"',
            "😂",
            ["Surrogates encoded as three bytes each were joined"],
        ),
        (b'"a\xffb"', "a\ufffdb", ["Broken characters were replaced by U+FFFD"]),
    ],
)
def test_broken_characters_are_repaired_with_a_warning(
    raw: bytes, value: str, warned: list[str]
) -> None:
    warnings: list[str] = []
    assert loads(raw, warn=warnings.append) == value
    assert warnings == warned


def test_what_is_wrong_is_said_with_its_place() -> None:
    with pytest.raises(DamagedSource) as error:
        document(file('{"a":\n  x}'))
    assert str(error.value) == "Not valid JSON: invalid character (line 2, column 3)"
    with pytest.raises(DamagedSource) as error:
        document(file('{"a":\n  "'))
    assert str(error.value) == ("Not whole JSON: it ends at line 2, column 4; the file may be cut")
    with pytest.raises(LimitExceeded):
        document(file("[" * 100_000))
    assert fault_in(file('{"a": [1, 2]}')) is None
    assert fault_in(file("[" * 100_000)) is not None


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"\0" * 100, "binary"),
        (b"[]", "array"),
        (b"{}", "object"),
        (b'\xef\xbb\xbf{"a": 1}', "object"),
        (b'{"a": 1}\n{"a": 2}', "jsonl"),
        (b'{"a": cut\n{"a": 2}\n', "jsonl"),
        (b'cut"}\n{"a": 1}\n{"a": 2}\n', "jsonl"),
        (b'{\n "a": [1,\n  2', "object"),
        (b"<!DOCTYPE html><p>", "html"),
        (b"[User]: hi", "text"),
        (b"{name}: hi", "text"),
        ("中文：好".encode("gb18030"), "text"),
        ("用户：好".encode("utf-16"), "text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "binary"),
    ],
)
def test_the_shape_of_a_file_is_told_by_its_content(data: bytes, shape: str) -> None:
    assert inspect(file(data)).shape == shape


def test_keys_of_an_object_that_is_cut_are_known() -> None:
    assert {"mapping", "title"} <= inspect(file('{"title": "x", "mapping": {"a": {')).keys


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_encoding_with_a_mark_or_nuls_is_read(encoding: str) -> None:
    text = '[{"role": "user", "content": "好 🚀"}]'
    found = inspect(file(text.encode(encoding)))
    assert found.items == ({"role": "user", "content": "好 🚀"},)
    assert not found.warnings


@pytest.mark.parametrize(
    ("encoding", "broken"),
    [
        ("utf-16-le", "好".encode("utf-16-le")[:1]),
        ("utf-16-be", "🚀".encode("utf-16-be")[:2]),
        ("utf-32", b"\0\0\x11\x7f"),
    ],
)
def test_a_text_whose_end_is_cut_or_broken_is_read_up_to_there(
    encoding: str, broken: bytes
) -> None:
    found = inspect(file("User: hello".encode(encoding) + broken))
    assert found.head == "User: hello\ufffd"
    assert found.warnings == (f"Broken characters of the {encoding.upper()} text became U+FFFD",)


MARKS = st.sampled_from([b"", *(mark for mark, _ in BOMS), b"a\0", b"\0a"])


@settings(max_examples=FEWER)
@given(MARKS, st.binary(max_size=40))
def test_bytes_of_any_kind_are_looked_at_without_an_error(mark: bytes, data: bytes) -> None:
    found = inspect(file(mark + data))
    assert found.shape in get_args(Shape)
    assert bytes(found.file.data).decode(errors="ignore").startswith(found.head[:4])


def test_gb18030_is_a_guess_that_is_told() -> None:
    found = inspect(file("用户：你好".encode("gb18030")))
    assert found.head == "用户：你好"
    assert found.warnings == ("The text is not UTF-8; it was read as gb18030",)


def test_one_broken_byte_does_not_turn_utf8_into_gb18030() -> None:
    found = inspect(file("用户：你好，世界。\n助手：好".encode() + b"\xb0"))
    assert found.head.startswith("用户：你好")


@given(VALUES)
def test_an_outline_is_never_larger_than_it_says(value: Any) -> None:
    assert outline(value) == value or len(json.dumps(outline(value))) < len(json.dumps(value))


def test_an_outline_is_cut() -> None:
    deep: Any = "x"
    for _ in range(30):
        deep = [deep]
    found = outline({"text": "x" * 9999, "list": list(range(99)), "deep": deep})
    assert len(found["text"]) == CHARACTERS
    assert len(found["list"]) == ITEMS
    assert len(json.dumps(found["deep"])) < 30
