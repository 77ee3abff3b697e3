"""Two sides become one on the page, each conflict settled by the policy or by the person."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcb import document
from dcb.model import Entry, Preference, Snapshot
from dcb.store import Source
from dcb.web.pages.merge import Chosen, name_of
from tests.test_web_bring_in import brought, tray_of
from tests.web_client import anywhere, said

web = anywhere

BASE = Snapshot(
    id="s-base",
    conversation_id="c-base",
    title="Cache",
    created_at=1_790_000_000_000,
    tags=("a",),
    verbatim=(Entry(id="v-1", kind="decision", content="Use Redis as the cache.", src="m1"),),
    preferences=(Preference(scope="style", key="tone", value="dry"),),
)
CURRENT = replace(
    BASE,
    id="s-current",
    conversation_id="c-current",
    title="Cache again",
    tags=("b",),
    verbatim=(Entry(id="v-1", kind="decision", content="Use Memcached as the cache.", src="m1"),),
    preferences=(Preference(scope="style", key="tone", value="warm"),),
)
SIDES = {"base": "s-base", "current": "s-current"}


@pytest.fixture
def filled(web):
    """A browser at a store with two snapshots that disagree."""
    with web.library() as library:
        for snapshot in (BASE, CURRENT):
            library._keep(snapshot, Source(format="test"), ())
    return web


def conflicts(page):
    """The names of the fields of all conflicts."""
    return list(dict.fromkeys(re.findall(r'name="(c-[0-9a-f]{16})"', page)))


def test_one_picks_two_sides(filled):
    page = filled.get("/merge?id=s-base").text
    assert '<option value="s-base" selected>' in page
    assert "Cache again" in page


def test_conflicts_are_shown_with_both_values_and_the_rule(filled):
    page = filled.text("/merge?base=s-base&current=s-current&policy=new-wins")
    assert "Conflicts 2" in page
    for words in ("Use Redis as the cache.", "Use Memcached as the cache.", "dry", "warm"):
        assert words in page
    assert page.count("the current one wins") == 2
    assert page.count("the policy's choice") == 2


def test_a_person_decides_against_the_policy(filled):
    page = filled.get("/merge?base=s-base&current=s-current").text
    chosen = dict.fromkeys(conflicts(page), "base")
    answer = filled.post("/merge", {**SIDES, "policy": "new-wins", **chosen})
    assert said(answer.text).count("chosen by you") == 2
    answer = filled.post("/merge/save", {**SIDES, "policy": "new-wins", "title": "M", **chosen})
    identifier = answer.headers["location"].partition("id=")[2].partition("&")[0]
    with filled.library() as library:
        merged = library.get(identifier).snapshot
    assert merged.title == "M"
    assert [(entry.content, entry.status) for entry in merged.verbatim] == [
        ("Use Redis as the cache.", ""),
        ("Use Memcached as the cache.", "superseded"),
    ]
    assert merged.preferences == BASE.preferences


def test_a_part_of_the_page_keeps_what_was_typed(filled):
    fields = {"csrf": filled.door.csrf, **SIDES, "policy": "snapshot-wins", "title": "Typed"}
    answer = filled.client.post("/merge", data=fields, headers={"hx-request": "true"})
    assert answer.text.startswith('<div id="preview">')
    assert 'value="Typed"' in answer.text


def test_a_document_that_was_sent_is_a_side(filled):
    sent = replace(CURRENT, id="s-sent", title="From elsewhere")
    key = brought(filled, document.dump(sent).encode(), "sent.md")
    there = filled.post("/bring-in/merge", {"id": key}).headers["location"]
    assert re.fullmatch(r"/merge\?current=draft%3A[\w-]+", there)
    page = filled.text(there + "&base=s-base")
    assert "Current: From elsewhere" in page
    assert len(tray_of(filled).drafts()) == 1


def test_faults_are_said(filled):
    for fields, sentence in (
        ({"base": "s-base"}, "Pick two sides"),
        ({"base": "s-base", "current": "s-base"}, "Pick two different sides"),
        ({**SIDES, "policy": "dice"}, "Unknown merge policy 'dice'"),
    ):
        answer = filled.post("/merge/save", fields)
        assert answer.status_code == 400
        assert sentence in said(answer.text)


@pytest.mark.parametrize("path", ["/merge", "/merge/save"])
def test_every_form_needs_its_token(filled, path):
    assert filled.post(path, SIDES, csrf=False).status_code == 403


def test_an_empty_store_says_what_to_do(web):
    page = web.text("/merge")
    assert "There is nothing to merge yet" in page


def test_the_page_speaks_chinese(filled):
    page = filled.speaking("zh").text("/merge?base=s-base&current=s-current")
    assert "当前一方优先" in page
    assert "冲突 2" in page


@given(st.dictionaries(st.text(max_size=20), st.text(max_size=20), max_size=5))
def test_no_form_is_taken_for_a_choice_that_it_is_not(fields):
    matters = ("style", "tone", "dry", "warm")
    assert Chosen(fields).get(matters) in (None, fields.get(name_of(matters)))
    assert Chosen({**fields, name_of(matters): "base"})[matters] == "base"
