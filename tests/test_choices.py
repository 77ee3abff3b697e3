"""A person's choices hold when the same conversation is compiled again."""

from dataclasses import replace

from dcb.choices import Choice, apply, difference
from dcb.model import Entry, Omitted, Preference, Section, Snapshot

SNAPSHOT = Snapshot(
    id="s",
    conversation_id="c",
    title="t",
    created_at=0,
    verbatim=(
        Entry(id="v-001", kind="decision", content="Use Redis.", src="m1"),
        Entry(id="v-002", kind="parameter", content="Port 5433.", src="m2"),
    ),
    summary=(Section(heading="Other", bullets=("One.", "Two.")),),
    preferences=(Preference(scope="style", key="tone", value="dry"),),
)


def edited(**changes):
    return replace(SNAPSHOT, **changes)


def test_nothing_changed_is_no_choice():
    assert difference(SNAPSHOT, SNAPSHOT) == ()
    assert apply(SNAPSHOT, ()) == (SNAPSHOT, ())


def test_a_dropped_entry_stays_dropped_and_is_listed():
    choices = difference(SNAPSHOT, edited(verbatim=SNAPSHOT.verbatim[1:]))
    assert choices == (Choice(action="drop", key=("verbatim", "m1", "Use Redis.")),)
    again = edited(verbatim=(replace(SNAPSHOT.verbatim[0], id="v-009"), SNAPSHOT.verbatim[1]))
    kept, omitted = apply(again, choices)
    assert [entry.id for entry in kept.verbatim] == ["v-002"]
    assert omitted == (
        Omitted(
            layer="verbatim",
            kind="decision",
            text="Use Redis.",
            src="m1",
            tokens=3,
            reason="dropped by hand",
        ),
    )


def test_pins_and_kinds_are_kept():
    first, second = SNAPSHOT.verbatim
    after = edited(verbatim=(replace(first, pin=True), replace(second, kind="directive")))
    kept, omitted = apply(SNAPSHOT, difference(SNAPSHOT, after))
    assert kept == after
    assert omitted == ()


def test_a_pin_can_be_taken_back():
    pinned = edited(verbatim=(replace(SNAPSHOT.verbatim[0], pin=True), SNAPSHOT.verbatim[1]))
    kept, _ = apply(pinned, difference(pinned, SNAPSHOT))
    assert kept == SNAPSHOT


def test_dropped_bullets_and_preferences_are_listed():
    after = edited(summary=(Section(heading="Other", bullets=("Two.",)),), preferences=())
    kept, omitted = apply(SNAPSHOT, difference(SNAPSHOT, after))
    assert kept == after
    assert [(item.kind, item.text) for item in omitted] == [
        ("bullet", "One."),
        ("style", "tone dry"),
    ]


def test_reworded_bullets_and_preferences_stay_so():
    after = edited(
        summary=(Section(heading="Other", bullets=("One and a half.", "Two.")),),
        preferences=(Preference(scope="style", key="tone", value="warm"),),
    )
    assert difference(SNAPSHOT, after) == (
        Choice(action="reword", key=("preference", "style", "tone"), text="warm"),
        Choice(action="reword", key=("summary", "", "One."), text="One and a half."),
    )
    assert apply(SNAPSHOT, difference(SNAPSHOT, after)) == (after, ())


def test_the_words_of_an_entry_are_not_reworded():
    choice = Choice(action="reword", key=("verbatim", "m1", "Use Redis."), text="Use Kafka.")
    assert apply(SNAPSHOT, [choice]) == (SNAPSHOT, ())


def test_of_two_entries_of_one_passage_only_the_one_meant_is_dropped():
    first = SNAPSHOT.verbatim[0]
    twice = edited(verbatim=(first, replace(first, id="v-003", kind="parameter")))
    after = edited(verbatim=(first,))
    choices = difference(twice, after)
    key = ("verbatim", "m1", "Use Redis.")
    assert choices == (Choice(action="drop", key=key, of="parameter"),)
    assert apply(twice, choices)[0] == after


def test_a_later_choice_takes_an_earlier_one_back():
    without = edited(verbatim=SNAPSHOT.verbatim[1:])
    choices = (*difference(SNAPSHOT, without), *difference(without, SNAPSHOT))
    assert [choice.action for choice in choices] == ["drop", "keep"]
    assert apply(SNAPSHOT, choices) == (SNAPSHOT, ())


def test_what_was_unpinned_can_be_pinned_again():
    key = ("verbatim", "m1", "Use Redis.")
    choices = [Choice(action=action, key=key) for action in ("pin", "unpin", "pin")]
    assert [entry.pin for entry in apply(SNAPSHOT, choices)[0].verbatim] == [True, False]


def test_a_reworded_bullet_is_dropped_by_its_new_words():
    choices = (
        Choice(action="reword", key=("summary", "", "One."), text="First."),
        Choice(action="drop", key=("summary", "", "First.")),
    )
    kept, omitted = apply(SNAPSHOT, choices)
    assert kept.summary == (Section(heading="Other", bullets=("Two.",)),)
    assert [item.text for item in omitted] == ["First."]
