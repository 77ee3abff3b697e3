"""When decisions were made and replaced, as a drawing and as a table that says the same."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given

from dcb.model import KINDS, Entry, Snapshot
from dcb.store import Source
from dcb.web.timeline import WIDTH, draw, events
from tests.snapshots import SNAPSHOTS
from tests.web_client import anywhere

web = anywhere

DAY = 24 * 3600 * 1000
START = 1_790_000_000_000


def snapshot(name, day, *contents, **more):
    """A snapshot of decisions that were made on a day."""
    return Snapshot(
        id=name,
        conversation_id=f"c-{name}",
        title=f"Talk {name}",
        created_at=START + day * DAY,
        verbatim=tuple(
            Entry(
                id=f"v-{n}",
                kind="decision",
                content=content,
                src=f"m{n}",
                at=START + day * DAY + n * 60_000,
            )
            for n, content in enumerate(contents)
        ),
        **more,
    )


FIRST = snapshot("a", 0, "Use Redis as the cache.", "Deploy on Fridays.", tags=("shop",))
SECOND = snapshot("b", 30, "Use Memcached as the cache.")


@pytest.fixture
def filled(web):
    """A browser at a store with two snapshots."""
    with web.library() as library:
        for one in (FIRST, SECOND):
            library._keep(one, Source(format="test"), ())
    return web


def test_a_later_snapshot_replaces_a_decision_of_an_earlier_one():
    found = events([SECOND, FIRST], kinds=["decision"])
    assert [(event.entry.content, event.by) for event in found] == [
        ("Use Redis as the cache.", 2),
        ("Deploy on Fridays.", None),
        ("Use Memcached as the cache.", None),
    ]


def test_within_a_snapshot_the_entries_say_what_replaced_them():
    old, new = FIRST.verbatim
    whole = replace(FIRST, verbatim=(replace(old, status="superseded", by="v-1"), new))
    assert [event.by for event in events([whole], kinds=["decision"])] == [1, None]


def test_a_passage_without_a_time_has_that_of_its_snapshot():
    whole = replace(FIRST, verbatim=(replace(FIRST.verbatim[0], at=0),))
    (event,) = events([whole], kinds=["decision"])
    assert (event.at, event.dated) == (START, False)


@given(SNAPSHOTS, SNAPSHOTS)
def test_everything_has_its_place_in_the_drawing(first, second):
    second = replace(second, id=f"{first.id}-2")
    found = events([first, second], kinds=KINDS)
    drawing = draw(found)
    assert sorted(dot.place for dot in drawing.dots) == list(range(len(found)))
    for dot in drawing.dots:
        assert 0 <= dot.x <= WIDTH
        assert 0 < dot.y < drawing.height
    assert all(event.by is None or found[event.by].at >= 0 for event in found)


def test_the_table_says_what_the_drawing_shows(filled):
    page = filled.get("/timeline").text
    drawing = re.search(r"(?s)<svg viewBox.*?</svg>", page)[0]
    root = ElementTree.fromstring(drawing)
    assert len(root.findall(".//circle")) == 3
    assert len(root.findall("path")) == 1
    assert page.count('<tr id="event-') == 3
    text = filled.text("/timeline")
    assert "replaced on 2026-10-21: what replaced it" in text
    assert 'href="/snapshot?id=b#at-' in page


def test_a_tag_or_words_choose_the_snapshots(filled):
    assert "Memcached" not in filled.text("/timeline?tag=shop")
    assert "Talk b" in filled.text("/timeline?q=Memcached")
    assert "Fridays" not in filled.text("/timeline?q=Memcached")
    assert "No decision was found here." in filled.text("/timeline?tag=nothing")


def test_very_many_are_bounded(web):
    with web.library() as library:
        for n in range(12):
            many = snapshot(f"s{n}", n, *(f"Use port {n * 100 + at}." for at in range(40)))
            library._keep(many, Source(format="test"), ())
    page = web.get("/timeline").text
    assert page.count('<tr id="event-') == 300
    assert "The last 60 snapshots and 300 passages are shown" in web.text("/timeline")


def test_the_page_speaks_chinese(filled):
    assert "决策何时作出" in filled.speaking("zh").text("/timeline")
