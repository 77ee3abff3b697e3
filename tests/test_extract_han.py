"""Traditional characters are read as the simplified ones that the rules are written in."""

from hypothesis import given
from hypothesis import strategies as st

from dcb.extract.han import simplified
from dcb.extract.rules.zh_traditional import SIMPLIFIED, TRADITIONAL


def test_each_traditional_character_has_one_simplified() -> None:
    assert len(TRADITIONAL) == len(set(TRADITIONAL)) == len(SIMPLIFIED)


def test_rules_read_traditional_characters() -> None:
    assert simplified("連線池上限設 50 個，別寫死") == "连线池上限设 50 个，别写死"


@given(st.text(st.sampled_from(TRADITIONAL + SIMPLIFIED + "ab 1，")))
def test_every_character_stays_at_its_place(text: str) -> None:
    changed = [old for old, new in zip(text, simplified(text), strict=True) if old != new]
    assert set(changed) <= set(TRADITIONAL)
