"""What is said in a talk is weighed by its words, its place, what was asked and what followed."""

import pytest

from dcb.extract import extract
from dcb.extract.classify import Claim
from dcb.extract.features import Scene, Seen, features
from dcb.extract.judge import KINDS, PLAIN, Weights, judged, likelihoods, weights
from dcb.extract.matcher import RULES
from dcb.extract.segments import Spans
from dcb.model import Conversation, Message


def conversation(*turns: str) -> Conversation:
    return Conversation(
        id="c",
        title="t",
        format="f",
        messages=tuple(
            Message(id=None, role="assistant" if number % 2 else "user", content=turn)
            for number, turn in enumerate(turns)
        ),
    )


def seen(text: str, *claims: Claim, accepted: bool = False) -> Seen:
    span = Spans(conversation(text)).of(0)[0]
    return Seen(
        span=span, position=0, last=True, rules=(), claims=claims, accepted=accepted, earlier=None
    )


def scene(heard: str = "", reply: str | None = None) -> Scene:
    return Scene(heard=heard, reply=reply, opening=False, sentences=1)


def test_every_weight_has_a_number_for_each_kind() -> None:
    table = weights()
    assert {len(row) for row in (table.bias, table.limits, table.keeps)} == {len(KINDS)}
    assert {len(row) for row in table.of.values()} == {len(KINDS)}


def test_the_table_is_small_enough_to_travel_with_the_product() -> None:
    lines = sum(len(name.encode()) + 18 for name in weights().of)
    assert lines < 2_000_000


def test_a_sentence_without_features_is_as_likely_as_the_bias_says() -> None:
    fitted = Weights((0.0, 0.0, 0.0), (0.5,) * 3, (0.5,) * 3, {"yes": (1.0, 0.0, -1.0)})
    assert likelihoods([], fitted) == (0.5, 0.5, 0.5)
    likely = likelihoods(["yes", "yes", "unknown"], fitted)
    assert [round(value, 3) for value in likely] == [0.731, 0.5, 0.269]


def test_a_feature_says_what_was_asked_and_whether_the_reply_takes_it_up() -> None:
    around = scene("Which colour should the gate have?", "Green it is: I'll order 3 tins.")
    named = set(features(seen("Green, and 3 tins."), around))
    assert {"first&asked", "first&asked&number", "reply:numbers", "reply=green"} <= named
    assert "apart" in named  # no word of the question is said again


def test_nothing_is_known_of_a_reply_that_has_not_come() -> None:
    assert not [name for name in features(seen("Green."), scene("Which?")) if "reply" in name]


def test_words_that_took_what_was_offered_stand_whatever_is_likely() -> None:
    claim = Claim("decision", "en.that-one", 0, 5)
    assert judged(seen("qqqqq", claim, accepted=True), scene()) == [claim]


@pytest.mark.parametrize(
    ("before", "said", "kind"),
    [
        ("When does the market open?", "Half past eight, Saturdays only.", "parameter"),
        ("签到台发，还是放桌上？", "签到台发省得小孩乱拆", "decision"),
        (
            "The kiln reaches 1,240 °C. Oxidation or reduction?",
            "Oxidation. Always has been.",
            "decision",
        ),
    ],
)
def test_what_no_rule_knows_is_kept_where_it_answers(before: str, said: str, kind: str) -> None:
    found = extract(conversation("Hello.", before, said, "Noted."))
    assert kind in {entry.kind for entry in found.entries}


@pytest.mark.parametrize("said", ["Thanks, that helps a lot!", "哈哈，我妈也这么说。"])
def test_small_talk_settles_nothing(said: str) -> None:
    assert not extract(conversation("Let us plan it.", "Here is the list.", said, "Sure.")).entries


@pytest.mark.parametrize("said", ["We must use TLS.", "必须用 TLS。", "Never use TLS 1.0 again."])
def test_an_order_in_plain_words_stands_wherever_it_is_said(said: str) -> None:
    found = extract(conversation("I like tea. " + said + " Bye.", "Hello.", "So do I.", "Good."))
    assert [entry.kind for entry in found.entries] == ["directive"]


def test_every_plain_rule_is_one() -> None:
    assert {rule.name for rule in RULES if rule.act in KINDS} >= PLAIN


def test_a_lone_message_is_read_by_the_rules_alone() -> None:
    found = extract(conversation("We must use TLS."))
    assert [(entry.kind, entry.content) for entry in found.entries] == [
        ("directive", "We must use TLS.")
    ]


def test_what_the_table_lets_fall_is_said_to_be_unlikely() -> None:
    trace = extract(conversation("Let us plan it.", "Where shall we begin?"), trace=True).trace
    assert [(line.kind, line.rule) for line in trace] == [("", "unlikely")]
