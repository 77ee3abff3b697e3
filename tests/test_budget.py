"""What fits is kept by a fixed order; what does not is listed."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.budget import MIN_LIMIT, trim
from dcb.errors import RequestError
from dcb.model import KINDS, SCOPES, Entry, Preference, Section, Snapshot, tokens_of
from tests.cases import FEWER


def snapshot(*entries: Entry, sections=(), preferences=()) -> Snapshot:
    return Snapshot(
        id="s",
        conversation_id="c",
        title="t",
        created_at=0,
        verbatim=entries,
        summary=tuple(sections),
        preferences=tuple(preferences),
    )


def entry(name: str, tokens: int, **more) -> Entry:
    """An entry of so many tokens: one Han character is one token."""
    return Entry(**{"id": name, "kind": "directive", "content": "字" * tokens, "src": "m1", **more})


def preference(key: str, tokens: int, **more) -> Preference:
    """A preference of `tokens`: `key` and a space are one token for keys of two letters."""
    return Preference(**{"scope": "style", "key": key, "value": "字" * (tokens - 1), **more})


def kept(snapshot: Snapshot, limit: int) -> list[str]:
    result, _ = trim(snapshot, limit=limit)
    names = [item.id for item in result.verbatim]
    names += [bullet for section in result.summary for bullet in section.bullets]
    return names + [item.key for item in result.preferences]


@pytest.mark.parametrize("limit", [0, 255, 32_769, -1])
def test_a_limit_out_of_range_is_refused(limit):
    with pytest.raises(RequestError) as error:
        trim(snapshot(), limit=limit)
    assert str(error.value) == f"A budget is 256 to 32,768 tokens, not {limit:,}"


def test_no_limit_keeps_everything():
    whole = snapshot(entry("e1", 50_000))
    result, report = trim(whole, limit=None)
    assert result.verbatim == whole.verbatim
    assert (report.limit, report.needed, report.kept, report.omitted) == (50_000,) * 3 + ((),)


def test_tokens_are_contents_headings_bullets_and_preferences():
    whole = snapshot(
        entry("e1", 10),
        sections=[Section(heading="背景", bullets=("三个字", "四个字吧"))],
        preferences=[preference("ab", 5)],
    )
    assert tokens_of(whole) == 10 + 2 + 3 + 4 + 5
    assert trim(whole)[0].token_estimate == 24


def test_kinds_are_kept_in_order_and_stand_in_theirs():
    kinds = ("parameter", "code", "decision", "directive")
    whole = snapshot(*(entry(kind, 100, kind=kind) for kind in kinds))
    assert kept(whole, 256) == ["decision", "directive"]
    assert kept(whole, 300) == ["code", "decision", "directive"]


def test_newest_is_kept_first_by_time_then_by_place():
    timed = snapshot(entry("new", 200, at=2), entry("old", 200, at=1))
    untimed = snapshot(entry("old", 200), entry("new", 200))
    assert kept(timed, 256) == kept(untimed, 256) == ["new"]


def test_superseded_goes_before_any_other_entry():
    old = entry("old", 200, status="superseded", by="new", at=9)
    assert kept(snapshot(old, entry("new", 200, kind="parameter")), 256) == ["new"]


def test_pinned_is_kept_before_everything():
    pin = entry("pin", 250, kind="parameter", pin=True)
    other = entry("other", 250)
    assert kept(snapshot(other, pin, preferences=[preference("ab", 50)]), 256) == ["pin"]


def test_a_smaller_item_after_one_that_does_not_fit_is_kept():
    whole = snapshot(entry("large", 300), entry("small", 200, kind="parameter"))
    assert kept(whole, 256) == ["small"]


def test_preferences_take_a_fifth_before_entries():
    whole = snapshot(entry("e", 256), preferences=[preference("aa", 51)])
    assert kept(whole, 256) == ["aa"]


def test_preferences_above_a_fifth_wait_for_the_entries():
    whole = snapshot(entry("e", 200), preferences=[preference("aa", 52), preference("bb", 40)])
    assert kept(whole, 256) == ["e", "bb"]


def test_a_preference_above_a_fifth_is_kept_when_there_is_room():
    assert kept(snapshot(preferences=[preference("aa", 200)]), 256) == ["aa"]


def test_stated_preferences_are_kept_before_inferred_and_new_before_old():
    whole = snapshot(
        entry("e", 206),
        preferences=[
            preference("aa", 50, explicit=False, at=9),
            preference("bb", 50, at=1),
            preference("cc", 50, at=2),
        ],
    )
    assert kept(whole, 256) == ["e", "cc"]


def test_a_passage_travels_with_the_entry_that_points_at_it():
    passage = entry("passage", 150, kind="parameter", src="m2", origin="accepted", via="m3")
    choice = entry("choice", 20, kind="decision", src="m3")
    other = entry("other", 100, kind="code")
    assert kept(snapshot(passage, choice, other), 256) == ["passage", "choice"]
    assert kept(snapshot(entry("first", 100), passage, choice, other), 256) == ["first", "other"]


def test_a_passage_belongs_to_the_decision_of_the_accepting_message():
    passage = entry("passage", 150, src="m2", origin="accepted", via="m3")
    order = entry("order", 20, kind="directive", src="m3")
    choice = entry("choice", 120, kind="decision", src="m3")
    assert kept(snapshot(passage, order, choice), 256) == ["order"]


def test_bullets_are_taken_in_turns_and_pay_for_their_heading():
    sections = [
        Section(heading="一" * 20, bullets=("甲" * 100, "乙" * 100)),
        Section(heading="二" * 20, bullets=("丙" * 100, "丁" * 100)),
    ]
    result, report = trim(snapshot(sections=sections), limit=256)
    assert [section.bullets for section in result.summary] == [("甲" * 100,), ("丙" * 100,)]
    assert report.kept == 240
    assert [(item.kind, item.text[0], item.tokens) for item in report.omitted] == [
        ("bullet", "乙", 100),
        ("bullet", "丁", 100),
    ]


def test_the_report_names_every_item_left_out():
    whole = snapshot(
        entry("e1", 250, src="m7", kind="code"),
        entry("e2", 250, src="m8"),
        preferences=[preference("aa", 60, scope="role")],
    )
    _, report = trim(whole, limit=256)
    assert [(o.layer, o.kind, o.src, o.tokens, o.reason) for o in report.omitted] == [
        ("verbatim", "code", "m7", 250, "budget"),
        ("preference", "role", "", 60, "budget"),
    ]
    assert (report.limit, report.needed, report.kept) == (256, 560, 250)


def test_a_hundred_thousand_entries_take_seconds():
    entries = [
        Entry(id=f"e{n}", kind=KINDS[n % 4], content=f"keep {n}", src=f"m{n}")
        for n in range(100_000)
    ]
    began = time.process_time()
    trim(snapshot(*entries), limit=32_768)
    assert time.process_time() - began < 10


# --- properties ------------------------------------------------------------------------

sizes = st.integers(min_value=0, max_value=150)
entries = st.lists(
    st.builds(
        lambda tokens, kind, src, at, old, via, pin: {
            "content": "字" * tokens,
            "kind": kind,
            "src": src,
            "at": at,
            "status": "superseded" if old else "",
            "origin": "accepted" if via else "",
            "via": via,
            "pin": pin,
        },
        sizes,
        st.sampled_from(KINDS),
        st.sampled_from(["m1", "m2", "m3"]),
        st.integers(min_value=0, max_value=3),
        st.booleans(),
        st.sampled_from(["", "", "m1", "m2"]),
        st.sampled_from([False, False, True]),
    ),
    max_size=8,
).map(lambda rows: [Entry(id=f"e{at}", **row) for at, row in enumerate(rows)])
preferences = st.lists(
    st.builds(
        Preference,
        scope=st.sampled_from(SCOPES),
        key=st.sampled_from(["aa", "bb", "cc"]),
        value=sizes.map(lambda tokens: "字" * tokens),
        explicit=st.booleans(),
        at=st.integers(min_value=0, max_value=3),
    ),
    max_size=6,
)
sections = st.lists(
    st.builds(
        Section,
        heading=st.sampled_from(["背景", "其他"]),
        bullets=st.lists(st.integers(1, 80).map(lambda n: "字" * n), max_size=4).map(tuple),
    ),
    max_size=3,
)
snapshots = st.builds(
    lambda e, s, p: snapshot(*e, sections=s, preferences=p), entries, sections, preferences
)
limits = st.integers(min_value=MIN_LIMIT, max_value=1200)


def everything(snapshot: Snapshot) -> Counter[tuple[str, str]]:
    items = [("verbatim", item.content) for item in snapshot.verbatim]
    items += [("summary", text) for section in snapshot.summary for text in section.bullets]
    items += [("preference", f"{item.key} {item.value}") for item in snapshot.preferences]
    return Counter(items)


@settings(max_examples=FEWER)
@given(snapshots, limits)
def test_what_is_kept_fits_and_with_what_is_omitted_it_is_everything(whole, limit):
    result, report = trim(whole, limit=limit)
    assert tokens_of(result) == result.token_estimate == report.kept <= limit
    omitted = Counter((item.layer, item.text) for item in report.omitted)
    assert everything(result) + omitted == everything(whole)
    assert report.needed == tokens_of(whole)
    assert (report.needed <= limit) == (not report.omitted)
    assert trim(whole, limit=limit) == (result, report)


@settings(max_examples=FEWER)
@given(snapshots)
def test_the_limit_said_to_be_enough_is_the_smallest_that_is(whole):
    enough = trim(whole)[1].enough_for_verbatim
    assert trim(whole, limit=enough)[0].verbatim == whole.verbatim
    for smaller in {enough - 1, (enough + MIN_LIMIT) // 2, MIN_LIMIT} - {enough}:
        if smaller >= MIN_LIMIT:
            assert trim(whole, limit=smaller)[0].verbatim != whole.verbatim


@settings(max_examples=FEWER)
@given(snapshots, limits, st.data())
def test_pinning_an_entry_never_loses_it(whole, limit, data):
    result, _ = trim(whole, limit=limit)
    candidates = [item for item in result.verbatim if not any(e.pin for e in whole.verbatim)]
    if not candidates:
        return
    chosen = data.draw(st.sampled_from(candidates))
    pinned = [
        Entry(**{name: getattr(item, name) for name in Entry.__slots__} | {"pin": item is chosen})
        for item in whole.verbatim
    ]
    again, _ = trim(
        snapshot(*pinned, sections=whole.summary, preferences=whole.preferences), limit=limit
    )
    assert chosen.id in {item.id for item in again.verbatim}
