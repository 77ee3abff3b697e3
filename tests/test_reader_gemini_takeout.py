"""Gemini in Takeout: records and pages, grouped by their gaps, oldest first."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.readers.takeout_time import takeout_ms
from tests.cases import FEWER
from tests.readings import counts, damaged, items, said, survives, taken_for, talk, talks

Record = dict[str, Any]


def record(title: str, time: Any = "2025-12-12T06:00:00Z", answer: str = "", **more: Any) -> Record:
    html = {"safeHtmlItem": [{"html": answer}]} if answer else {}
    return {"header": "Gemini Apps", "title": title, "time": time, **html, **more}


def cell(body: str, header: str = "Gemini Apps") -> str:
    return (
        f'<div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell mdl-cell">'
        f'<p class="mdl-typography--title">{header}<br></p></div>'
        f'<div class="content-cell mdl-cell mdl-typography--body-1">{body}</div>'
        f'<div class="content-cell mdl-typography--text-right"></div>'
        f'<div class="content-cell mdl-typography--caption"><b>Products:</b><br> Gemini Apps</div>'
        f"</div></div>"
    )


def page(*cells: str) -> bytes:
    style = "<style>.outer-cell{margin:0}</style>"
    head = f"<html><head><title>My Activity History</title>{style}</head><body>"
    return f"{head}{''.join(cells)}</body></html>".encode()


def test_records_at_most_thirty_minutes_apart_are_one_conversation() -> None:
    records = [
        record("Prompted c", "2025-12-12T07:00:01Z"),
        record("Prompted b", "2025-12-12T06:30:00Z"),
        record("Prompted a", "2025-12-12T06:00:00Z"),
    ]
    assert [said(each) for each in talks(records)] == [
        [("user", "a"), ("user", "b")],
        [("user", "c")],
    ]


def test_a_file_with_the_oldest_first_is_not_turned_round() -> None:
    records = [record("Prompted a"), record("Prompted b", "2025-12-12T06:10:00Z")]
    assert said(talk(records)) == [("user", "a"), ("user", "b")]


def test_of_other_records_and_products_nothing_is_read() -> None:
    records = [
        record("Prompted a"),
        record("Used Gemini Apps"),
        record("Gave feedback: Good response"),
        record("Created a canvas", answer="<p>x</p>"),
        {"header": "Search", "title": "Searched for x", "time": "2025-12-12T06:00:00Z"},
    ]
    read_of = talk(records)
    assert said(read_of) == [("user", "a")]
    assert counts(read_of) == {"interface": 4}


def test_a_verb_of_another_language_stays_with_a_warning() -> None:
    read_of = talk([record("Eingabe: Wie spät?", header="Bard", answer="<p>Acht.</p>")])
    assert said(read_of) == [("user", "Eingabe: Wie spät?"), ("assistant", "Acht.")]
    assert read_of.warnings == (
        "Titles begin with a verb of an unknown language, which stands in the prompts",
    )


@pytest.mark.parametrize("header", ["Gemini-Apps", "Applis Gemini", "Gemini 应用", "Bard"])
def test_the_product_is_known_in_every_language(header: str) -> None:
    records = [
        record("Prompted a", header=header),
        record("Prompted b", header="Gemini Observatory " * 9),
    ]
    assert taken_for(records) == "gemini-takeout"
    assert said(talk(records)) == [("user", "a")]
    whole = page(cell("Prompted a<br>Dec 12, 2025, 6:00:00 AM UTC<br>", header))
    assert taken_for(whole) == "gemini-takeout"
    assert said(talk(whole)) == [("user", "a")]


def test_files_and_images_are_marked() -> None:
    read_of = talk([record("Prompted a", attachedFiles=["n.pdf"], imageFile="i.jpg")])
    assert said(read_of) == [("user", "a\n\n[file: n.pdf]\n\n[image: i.jpg]")]


def test_records_without_time_stay_together_with_none() -> None:
    read_of = talk([record("Prompted b", None), record("Prompted a", None)])
    assert [(m.content, m.created_at) for m in read_of.messages] == [("a", None), ("b", None)]


def test_a_page_is_read_like_records() -> None:
    body = "Prompted\u00a0Which licence?<br>Attached 1 file.<br>- <a href='n.pdf'>n.pdf</a><br>"
    body += "Dec 12, 2025, 6:31:05\u202fAM UTC<br><p>Use <b>CC BY</b>.</p><p>Since 2013.</p>"
    older = "Prompted a &amp; b<br>12 Dec 2025, 06:20:00 GMT+00:00<br><div>Yes.</div>"
    other = cell("Searched for x<br>Dec 12, 2025, 6:00:00 AM UTC", "Search")
    whole = page(
        cell(body), other, cell(older), cell("Used Gemini Apps<br>Dec 12, 2025, 6:00:00 AM UTC")
    )
    assert taken_for(whole, name="MyActivity.html") == "gemini-takeout"
    read_of = talk(whole)
    assert said(read_of) == [
        ("user", "a & b"),
        ("assistant", "Yes."),
        ("user", "Which licence?\n\n[file: n.pdf]"),
        ("assistant", "Use **CC BY**.\n\nSince 2013."),
    ]
    assert [message.created_at for message in read_of.messages] == [
        1765520400000, 1765520400000, 1765521065000, 1765521065000,
    ]  # fmt: skip
    assert counts(read_of) == {"interface": 2}


def test_a_page_may_have_its_time_in_the_header() -> None:
    header = "Gemini Apps<br>Prompted<br>Dec 12, 2025, 6:20:00 AM UTC"
    read_of = talk(page(cell("<p>Which port?</p><p>5433.</p><p>Always.</p>", header)))
    assert said(read_of) == [("user", "Which port?"), ("assistant", "5433.\n\nAlways.")]
    assert read_of.created_at == 1765520400000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dec 12, 2025, 6:20:00\u202fAM UTC", 1765520400000),
        ("Dec 12, 2025, 12:20:00 AM GMT", 1765498800000),
        ("Dec 12, 2025, 12:20:00 PM UTC", 1765542000000),
        ("12 December 2025, 07:20:00 CET", 1765520400000),
        ("12 Dec 2025, 11:50:00 GMT+05:30", 1765520400000),
        ("2025年12月12日 下午2:20:00 UTC+8", 1765520400000),
        ("Dec 12, 2025, 6:20:00 AM CST", None),
        ("Dec 12, 2025, 6:20:00 AM", None),
        ("Xyz 12, 2025, 6:20:00 AM UTC", None),
        ("Feb 31, 2025, 6:20:00 AM UTC", None),
        ("Dec 12, 2025, 6:20:00 AM GMT+99:00", None),
        ("12.12.2025, 06:20:00 UTC", None),
    ],
)
def test_a_printed_time_is_read_or_not_guessed(text: str, expected: int | None) -> None:
    assert takeout_ms(text) == expected


GOOD = [
    record("Prompted a", answer="<p>x</p>", attachedFiles=["f"], products=["Gemini Apps"]),
    record("Said b", "2025-12-10T06:00:00Z", imageFile="i"),
    record("Used Gemini Apps"),
]


@settings(max_examples=FEWER)
@given(damaged(GOOD))
def test_whatever_is_damaged_only_our_errors_are_raised(records: Any) -> None:
    survives(records, format="gemini-takeout")


@settings(max_examples=FEWER)
@given(st.lists(st.integers(0, 90), min_size=1, max_size=8))
def test_every_prompt_is_read_once_in_order(minutes: list[int]) -> None:
    starts = [sum(minutes[: n + 1]) * 60_000 + 1_700_000_000_000 for n in range(len(minutes))]
    records = [record(f"Prompted {n}", start) for n, start in enumerate(starts)]
    read_of = talks(records[::-1] if starts[0] < starts[-1] else records)
    prompts = [text for each in read_of for _, text in said(each)]
    in_order = list(map(str, range(len(minutes))))
    assert prompts == (in_order if starts[0] < starts[-1] else in_order[::-1])
    assert len(read_of) == 1 + sum(gap > 30 for gap in minutes[1:])


def test_a_page_of_broken_tags_takes_no_time() -> None:
    start = time.process_time()
    items(page(cell("<div " + "content-cell " * 100_000)), format="gemini-takeout")
    assert time.process_time() - start < 2
