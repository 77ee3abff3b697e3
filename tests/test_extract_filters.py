"""Whether a phrase occurs in a text, and what is worked out once."""

from __future__ import annotations

import re

import pytest

from dcb.extract.filters import occurs
from dcb.extract.once import once

TEXTS = ["We MOVED to Fly", "we moved on", "removed to", "改成七天", "七天吧move to", ""]


@pytest.mark.parametrize("text", TEXTS)
def test_a_phrase_occurs_where_re_finds_it_with_ascii_word_edges(text: str) -> None:
    pattern = r"\b(?:mov(?:e|ed) to|on)\b|改(?:成|为)"

    assert occurs(pattern)(text) == bool(re.search(pattern, text, re.I | re.A))


def test_a_property_is_worked_out_once_and_kept_on_its_own_object() -> None:
    asked: list[str] = []

    class Thing:
        def __init__(self, name: str) -> None:
            self.name = name

        @once
        def told(self) -> str:
            asked.append(self.name)
            return self.name.upper()

    one, other = Thing("a"), Thing("b")

    assert (one.told, one.told, other.told) == ("A", "A", "B")
    assert asked == ["a", "b"]
