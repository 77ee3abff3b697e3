"""Every rule of preferences takes its example and leaves its near miss; guards stop and let by."""

import pytest

from dcb.extract.preferences import GUARDS, RULES, stated
from dcb.extract.rules.preferences import Guard, Rule
from dcb.extract.segments import Spans
from dcb.model import Conversation, Message


def _read(*said: str) -> list[str]:
    """The names of the rules that read something in a person's messages."""
    messages = tuple(Message(id=None, role="user", content=text) for text in said)
    conversation = Conversation(id="c", title="t", format="f", messages=messages)
    return [item.rule for item in stated(conversation, Spans(conversation))]


def _named(item: Rule | Guard) -> str:
    return item.name


@pytest.mark.parametrize("rule", RULES, ids=_named)
def test_a_wish_is_read_from_the_example(rule: Rule) -> None:
    times = 2 if rule.basis == "shown" else 1  # a correction made once shows no habit
    assert rule.name in _read(*[rule.hit] * times)


@pytest.mark.parametrize("rule", RULES, ids=_named)
def test_no_wish_is_read_from_the_near_miss(rule: Rule) -> None:
    assert rule.name not in _read(rule.miss, rule.miss)


@pytest.mark.parametrize("guard", GUARDS, ids=_named)
def test_a_guard_stops_its_example(guard: Guard) -> None:
    assert not _read(guard.stops)


@pytest.mark.parametrize("guard", GUARDS, ids=_named)
def test_a_guard_lets_its_near_miss_by(guard: Guard) -> None:
    assert _read(guard.lets)


def test_a_wish_in_traditional_characters_is_kept_as_written() -> None:
    message = Message(id=None, role="user", content="步驟都編上號。")
    conversation = Conversation(id="c", title="t", format="f", messages=(message,))
    (item,) = stated(conversation, Spans(conversation))
    assert (item.preference.key, item.preference.value) == ("style.format", "步驟都編上號")


def test_what_is_written_for_somebody_is_no_habit_of_theirs() -> None:
    assert _read("稿子你替她写，用英文写。")
    assert not _read("稿子她写，用英文写。")


@pytest.mark.parametrize(
    "said",
    [
        "Set the default grid to 0.5 degrees.",
        "Run the tests before you say done, and never edit files under vendor/.",
        "Please add a table of the ferry times to the flyer.",
        "From now on the shop opens at nine.",
        "Give me the three cheapest hotels first.",
        "海报上不要放照片。",
        "先发给会计看，再发给客户。",
    ],
)
def test_an_order_about_the_work_is_no_wish_about_answers(said: str) -> None:
    assert not _read(said)


def _values(said: str) -> list[str]:
    message = Message(id=None, role="user", content=said)
    conversation = Conversation(id="c", title="t", format="f", messages=(message,))
    return [item.preference.value for item in stated(conversation, Spans(conversation))]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        (
            "You see, for the captain, no tables please, he reads it off his phone. Bye.",
            ["You see, for the captain, no tables please, he reads it off his phone"],
        ),
        ("以后说短一点，我眼睛花，看多了累。", ["以后说短一点，我眼睛花，看多了累"]),
        (
            "No emojis, he hates them, and always use British spelling.",
            ["No emojis, he hates them", "always use British spelling"],
        ),
        (
            "Please keep your answers short and use metric units.",
            ["Please keep your answers short", "use metric units"],
        ),
        ("回答短一点并且用公制单位。", ["回答短一点", "用公制单位"]),
        (
            "回答短一点，比如「凡人，立刻交出你们的水晶！」这种。",
            ["回答短一点"],
        ),
    ],
    ids=["for whom", "why", "two wishes", "joined", "joined in Chinese", "not what is quoted"],
)
def test_a_wish_is_held_with_what_its_sentence_says_of_it(said: str, values: list[str]) -> None:
    assert _values(said) == values
