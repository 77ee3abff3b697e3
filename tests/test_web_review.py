"""A person sees what is kept of a conversation and has a say in it, and that say holds."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.compile import compile_conversation, fitted
from dcb.errors import DcbError
from dcb.library import Library
from dcb.model import Conversation, Message
from dcb.settings import Settings
from dcb.web.drafts import Draft
from dcb.web.talk import CHARACTERS, LONG, Passages, marked
from tests.cases import FEWER
from tests.test_web_bring_in import TALK, brought, files, tray_of
from tests.web_client import said, web
from tests.web_store import LEDGER, fill

__all__ = ["web"]

LONG_TALK = "\n\n".join(
    f"User: We decided to run service {n} on port {6000 + n}. Never restart service {n} by hand.\n\n"
    f"Assistant: Service {n} has a queue of its own and a long story behind it."
    for n in range(60)
)


def under_review(web, text=TALK):
    """The key of a draft of a pasted conversation."""
    key = brought(web, text.encode(), "talk.txt")
    web.post("/bring-in/review", {"id": key, "place": "0"})
    compiling = tray_of(web).source(key).compiling
    compiling.work.wait(20)
    return compiling.draft


def draft_of(web, key):
    return tray_of(web).draft(key)


def place(web, key, words):
    """The name of the item that says so."""
    items = draft_of(web, key).items
    return str(next(at for at, item in enumerate(items) if words in str(item.value)))


def saved(web, key, **fields):
    answer = web.post("/review/save", {"draft": key, "title": "T", "tags": "", **fields})
    assert answer.status_code == 303, answer.text
    identifier = answer.headers["location"].partition("id=")[2].partition("&")[0]
    with web.library() as library:
        return library.get(identifier)


def test_the_conversation_stands_beside_its_layers(web):
    page = web.get(f"/review?draft={under_review(web)}").text
    assert '<section class="talk card" id="talk"' in page
    assert page.count('<mark class="kind-') == 3
    assert page.index('id="talk"') < page.index('id="layers"')


def test_an_entry_leads_to_its_message(web):
    key = under_review(web)
    name = place(web, key, "deploy on Fridays")
    page = web.get(f"/review?draft={key}&item={name}").text
    assert f'href="/review?draft={key}&amp;item={name}#hit-{name}"' in page
    assert f'<span id="hit-{name}"></span>' in page
    assert "hit-now" in page


def test_what_is_dropped_is_not_saved_and_listed(web):
    key = under_review(web)
    name = place(web, key, "Never log")
    answer = web.post("/review/choose", {"draft": key, "drop": name})
    assert answer.headers["location"] == f"/review?draft={key}#item-{name}"
    assert "Dropped by you" in web.text(f"/review?draft={key}")
    held = saved(web, key)
    assert "Never log the token." not in [entry.content for entry in held.snapshot.verbatim]
    assert (held.omitted[0].text, held.omitted[0].reason) == (
        "Never log the token.",
        "dropped by hand",
    )


def test_every_choice_holds_when_the_conversation_is_brought_in_again(web):
    key = under_review(web)
    decision, port = place(web, key, "deploy on Fridays"), place(web, key, "5433")
    web.post("/review/choose", {"draft": key, "drop": place(web, key, "Never log")})
    web.post("/review/choose", {"draft": key, "pin": decision, f"kind-{decision}": "directive"})
    web.post("/review/choose", {"draft": key, f"kind-{port}": "parameter"})
    first = saved(web, key).snapshot
    assert [(entry.kind, entry.pin) for entry in first.verbatim] == [
        ("parameter", False),
        ("directive", True),
    ]
    again = under_review(web)
    assert "It is stored already; saving makes the next version." in web.text(
        f"/review?draft={again}"
    )
    assert saved(web, again).snapshot.verbatim == first.verbatim


def test_what_was_dropped_once_can_be_kept_again(web):
    key = under_review(web)
    web.post("/review/choose", {"draft": key, "drop": place(web, key, "Never log")})
    saved(web, key)
    again = under_review(web)
    web.post("/review/choose", {"draft": again, "keep": place(web, again, "Never log")})
    assert "Never log" in saved(web, again).document
    assert "Never log" in saved(web, under_review(web)).document


def test_a_bullet_that_is_reworded_stays_so(web):
    key = under_review(web, LONG_TALK)
    items = draft_of(web, key).items
    name = str(next(at for at, item in enumerate(items) if isinstance(item.value, str)))
    page = web.get(f"/review/reword?draft={key}&item={name}").text
    assert f'name="item" value="{name}"' in page
    web.post("/review/reword", {"draft": key, "item": name, "text": "In  other\nwords."})
    assert "In other words." in saved(web, key).document.replace("In  other", "In other")
    assert "words." in saved(web, under_review(web, LONG_TALK)).document


def test_the_words_of_an_entry_stay(web):
    key = under_review(web)
    answer = web.post("/review/reword", {"draft": key, "item": "0", "text": "Other"})
    assert answer.status_code == 400
    assert "The words of a key message stay as they were said" in said(answer.text)


def test_the_budget_shows_what_goes_and_comes(web):
    key = under_review(web, LONG_TALK)
    fields = {"csrf": web.door.csrf, "draft": key}
    small = web.client.post(
        "/review/budget", data={**fields, "limit": "256"}, headers={"hx-request": "true"}
    ).text
    assert 'hx-swap-oob="innerHTML"' in small
    assert "went out" in said(small)
    assert "No room in the budget" in said(small)
    large = web.client.post(
        "/review/budget", data={**fields, "limit": "9000"}, headers={"hx-request": "true"}
    ).text
    assert "came in" in said(large)
    assert draft_of(web, key).limit == 9000


@pytest.mark.parametrize("limit", ["", "0", "255", "32769", "-1", "1e3", "٣٠٠", "9" * 40])
def test_a_budget_out_of_range_is_refused(web, limit):
    key = under_review(web)
    assert web.post("/review/budget", {"draft": key, "limit": limit}).status_code == 400
    assert draft_of(web, key).limit == 4096


def test_what_only_the_budget_left_out_is_no_choice(web):
    key = under_review(web, LONG_TALK)
    web.post("/review/budget", {"draft": key, "limit": "256"})
    last = place(web, key, "service 59 on")
    web.post("/review/choose", {"draft": key, "pin": last})
    web.post("/review/choose", {"draft": key, "drop": place(web, key, "Never restart service 58")})
    held = saved(web, key)
    with web.library() as library:
        actions = [choice.action for choice in library.choices(held.row.id)]
    assert sorted(actions) == ["drop", "pin"]


def test_an_untouched_draft_is_saved_as_compiled(web):
    key = under_review(web)
    draft = draft_of(web, key)
    compiled = fitted(draft.compiled, max_tokens=4096)
    held = saved(web, key, title=draft.snapshot.title)
    assert replace(held.snapshot, id="s", created_at=0) == replace(
        compiled.snapshot, id="s", created_at=0
    )
    with web.library() as library:
        assert [v.action for v in library.store.versions(held.row.id)] == ["save"]


def test_a_stored_snapshot_is_reviewed_without_its_conversation(web):
    with web.library() as library:
        fill(library)
    there = web.get("/review/stored?id=s-ledger").headers["location"]
    assert web.get("/review/stored?id=s-ledger").headers["location"] == there
    page = web.text(there)
    assert "A stored snapshot. Saving makes its next version." in page
    key = there.partition("=")[2]
    web.post("/review/choose", {"draft": key, "drop": place(web, key, "PostgreSQL 16")})
    held = saved(web, key, title="Ledger", tags="x，y")
    assert (held.row.id, held.row.title, held.row.tags) == ("s-ledger", "Ledger", ("x", "y"))
    assert "PostgreSQL 16" not in held.document
    assert LEDGER.preferences == held.snapshot.preferences


def test_a_snapshot_that_was_changed_meanwhile_is_not_overwritten(web):
    with web.library() as library:
        fill(library)
    key = web.get("/review/stored?id=s-ledger").headers["location"].partition("=")[2]
    with web.library() as library:
        library.weigh("s-ledger", 7)
    answer = web.post("/review/save", {"draft": key, "title": "T"})
    assert answer.status_code == 400
    assert "The snapshot was changed meanwhile; open it again" in said(answer.text)


def test_a_draft_can_be_let_go(web):
    key = under_review(web)
    assert web.post("/review/discard", {"draft": key}).headers["location"] == "/bring-in"
    answer = web.get(f"/review?draft={key}")
    assert answer.status_code == 404
    with web.library() as library:
        assert library.list() == ()


@pytest.mark.parametrize("path", ["choose", "budget", "reword", "save", "discard"])
def test_every_form_needs_its_token(web, path):
    key = under_review(web)
    assert web.post(f"/review/{path}", {"draft": key, "drop": "0"}, csrf=False).status_code == 403
    assert draft_of(web, key).decisions == {}


def test_a_long_conversation_makes_a_light_page(web):
    text = "\n\n".join(
        f"User: We decided to use port {n}.\n\nAssistant: " + "Well. " * 40 for n in range(2000)
    )
    key = under_review(web, text)
    page = web.get(f"/review?draft={key}").text
    assert len(page) < 200_000
    assert "messages 1 to" in said(page)


def test_markup_in_a_conversation_is_text(web):
    key = under_review(
        web, "User: We decided to use <img src=x onerror=alert(1)> \u202egpj.exe.\n\nAssistant: No."
    )
    page = web.get(f"/review?draft={key}").text
    assert "<img src=x" not in page
    assert "\u202e" not in page.partition('<section class="talk')[2].partition('name="title"')[0]


def test_the_page_speaks_chinese(web):
    key = under_review(web)
    page = web.speaking("zh").text(f"/review?draft={key}")
    assert "预算（token）" in page
    assert "关键消息原文" in page


def test_an_encrypted_store_hides_drafts_while_it_is_locked(web):
    key = under_review(web)
    with web.library() as library:
        library.store.encrypt("correct horse battery staple")
    assert web.get(f"/review?draft={key}").status_code == 303
    web.desk.unlock("correct horse battery staple")
    assert web.get(f"/review?draft={key}").status_code == 200
    assert all(web.settings.data_dir not in file.parents for file in files(web))


# --- laws -----------------------------------------------------------------------------------


SPANS = st.text(min_size=1, max_size=40).flatmap(
    lambda text: st.tuples(
        st.just(text),
        st.lists(
            st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text))).map(
                lambda pair: (min(pair[0], pair[1] - 1), pair[1])
            ),
            max_size=6,
        ),
    )
)


@given(SPANS)
def test_marked_pieces_are_the_text_and_each_passage_begins_once(given_):
    text, pairs = given_
    spans = [(start, end, at) for at, (start, end) in enumerate(pairs)]
    pieces = list(marked(text, sorted(spans)))
    assert "".join(piece.text for piece in pieces) == text
    assert sorted(at for piece in pieces for at in piece.begins) == list(range(len(spans)))
    for start, end, at in spans:
        assert "".join(p.text for p in pieces if at in p.places) == text[start:end]


def test_a_window_is_bounded_however_long_messages_are():
    messages = [Message(id=f"m{n}", role="user", content="x" * 100_000) for n in range(100)]
    passages = Passages(messages, ())
    window = passages.window(50)
    shown = sum(len(piece.text) for said_ in window.said for piece in said_.pieces)
    assert shown <= CHARACTERS + LONG
    assert (window.first, window.before, window.total) == (50, 30, 100)
    assert sum(len(p.text) for p in passages.window(3, whole=3).said[0].pieces) == 100_000


DRAFT_TALK = Conversation(
    id="c",
    title="t",
    format="test",
    messages=tuple(
        Message(
            id=None, role="user", content=f"We decided to use port {n}. Never use port {n + 1}."
        )
        for n in range(6)
    ),
)
NAMES = st.one_of(st.integers(0, 30).map(str), st.text(max_size=5))
FIELDS = st.lists(
    st.tuples(
        st.sampled_from(["drop", "keep", "pin", "unpin"]) | NAMES.map(lambda name: f"kind-{name}"),
        NAMES | st.sampled_from(["directive", "decision", "code", "parameter"]),
    ),
    max_size=8,
)


@pytest.fixture(scope="module")
def everything():
    return compile_conversation(DRAFT_TALK, max_tokens=None, now=0, snapshot_id="s")


@given(fields=FIELDS)
def test_no_form_breaks_a_draft(everything, fields):
    draft = Draft(compiled=everything, limit=256)
    for field, value in fields:
        name = field.removeprefix("kind-") if field.startswith("kind-") else value
        changes = {"drop": {"gone": True}, "keep": {"gone": False}, "pin": {"pin": True}}
        try:
            draft.decide(draft.item(name), **changes.get(field, {"kind": value}))
        except DcbError:
            continue
    fit = draft.fit()
    assert len(fit.states) == len(everything.snapshot.verbatim) + sum(
        len(part.bullets) for part in everything.snapshot.summary
    ) + len(everything.snapshot.preferences)
    assert fit.number("kept") == len(fit.compiled.snapshot.verbatim) + sum(
        len(part.bullets) for part in fit.compiled.snapshot.summary
    ) + len(fit.compiled.snapshot.preferences)


def test_saved_choices_make_the_same_snapshot_again(tmp_path, everything):
    @given(
        st.dictionaries(
            st.integers(0, len(everything.snapshot.verbatim) - 1),
            st.sampled_from([{"gone": True}, {"pin": True}, {"kind": "parameter"}]),
            min_size=1,
            max_size=4,
        )
    )
    def law(decisions):
        with Library(Settings(data_dir=tmp_path / str(hash(str(decisions))))) as library:
            draft = Draft(compiled=everything, limit=4096)
            for at, changes in decisions.items():
                draft.decide(at, **changes)
            kept = draft.save(library)
            again = fitted(everything, max_tokens=4096, choices=library.choices(kept.id))
            assert again.snapshot.verbatim == library.get(kept.id).snapshot.verbatim

    settings(max_examples=min(FEWER, 100), deadline=None)(law)()
