"""The summary: what becomes a bullet, what does not and why, and that nothing goes unlisted."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import permutations

import pytest
import re2

from dcb.extract import extract
from dcb.extract.passages import CUES, central
from dcb.extract.segments import Spans, message_spans, segments
from dcb.model import Conversation, Entry, Message, numbered


def talk(*turns: str) -> Conversation:
    """A conversation of turns, the person's first."""
    roles = ("user", "assistant")
    messages = tuple(
        Message(id=None, role=roles[number % 2], content=text) for number, text in enumerate(turns)
    )
    return numbered(Conversation(id="c", title="t", format="test", messages=messages))


def bullets(conversation: Conversation) -> list[str]:
    return [text for section in extract(conversation).sections for text in section.bullets]


def reasons(conversation: Conversation) -> dict[str, str]:
    return {item.text: item.reason for item in extract(conversation).omitted}


def test_every_cue_takes_its_hit_and_leaves_its_miss() -> None:
    options = re2.Options()
    options.case_sensitive = False
    for cue in CUES:
        rule = re2.compile(cue.pattern, options)
        assert rule.search(cue.hit), cue.name
        assert not rule.search(cue.miss), cue.name


def test_what_an_entry_holds_is_no_bullet() -> None:
    found = extract(talk("Never touch the production database.", "Understood."))
    assert [entry.content for entry in found.entries] == ["Never touch the production database."]
    assert found.sections == ()


def test_a_lead_in_is_no_bullet() -> None:
    told = talk("We run a small bakery with two shops.", "Here are three ways to build it:")
    assert bullets(told) == ["We run a small bakery with two shops."]
    assert reasons(told) == {"Here are three ways to build it:": "lead-in"}


def test_an_answered_question_is_no_bullet() -> None:
    asked = talk("What happens at night when it is cold outside?", "Nothing happens at all.")
    assert reasons(asked)["What happens at night when it is cold outside?"] == "answered question"


def test_what_the_assistant_only_says_again_is_no_bullet() -> None:
    echoed = talk(
        "Our greenhouse burns too much diesel in winter.",
        "The greenhouse burns diesel in winter, too much.",
    )
    assert bullets(echoed) == ["Our greenhouse burns too much diesel in winter."]
    assert reasons(echoed) == {"The greenhouse burns diesel in winter, too much.": "said again"}


def test_a_sentence_that_leans_on_the_one_before_is_joined_to_it() -> None:
    told = talk("Our old lathe stands in the cellar. It wobbles whenever somebody walks past.")
    assert bullets(told) == [
        "Our old lathe stands in the cellar. It wobbles whenever somebody walks past."
    ]


def test_every_span_is_in_a_layer_or_listed() -> None:
    told = talk("We are a choir of forty people. Hi! The hall is still not booked.", "Noted.")
    found = extract(told)
    held = " ".join(
        [entry.content for entry in found.entries]
        + [text for section in found.sections for text in section.bullets]
        + [item.text for item in found.omitted]
    )
    assert all(span.text in held for span in segments(told))


def test_every_word_of_a_very_long_conversation_is_in_a_layer_or_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules["dcb.extract.summary"], "READ", 2000)
    told = talk(*(f"Hall {n} is booked. Use port {8000 + n}. Its roof leaks." for n in range(300)))
    found = extract(told)
    held = Counter(entry.src for entry in found.entries)
    assert len(held) > 100
    texts: dict[str, list[str]] = {message.id or "": [] for message in told.messages}
    for item in (*found.entries, *found.omitted):
        texts[item.src].append(item.content if isinstance(item, Entry) else item.text)
    bullets = [text for section in found.sections for text in section.bullets]
    for message in told.messages:
        rest = message.content
        for text in (*texts[message.id or ""], *bullets):
            rest = rest.replace(text, "")
        assert not any(map(str.isalnum, rest)), rest


def test_code_is_found_without_its_surroundings() -> None:
    content = "Save this as `a.py`:\n\n```python\nx = 1\n```\n\nThen run it. It prints nothing."
    told = talk("Write it.", content)
    whole = tuple(s for s in message_spans(1, "assistant", content) if s.shape == "code")
    assert Spans(told).code(1) == whole
    assert [(span.text, span.lang, span.path) for span in whole] == [("x = 1", "python", "a.py")]


def test_words_weigh_the_same_in_any_order() -> None:
    # A set gives its words in another order in every process.
    weight = {"tide": 0.1, "crane": 0.2, "berth": 0.3}
    assert len({central(words, weight) for words in permutations(weight)}) == 1
