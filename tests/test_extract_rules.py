"""Every rule takes its example and leaves its near miss; none goes missing unseen."""

import re
from pathlib import Path

import pytest

from dcb.extract.classify import read
from dcb.extract.filters import alternatives
from dcb.extract.matcher import MATCHER, RULES
from dcb.extract.rules import Rule

NAMES = Path(__file__).parent / "data" / "speech" / "rules.txt"
CLAIMS = ("decision", "directive", "parameter")


def _named(rule: Rule) -> str:
    return f"{rule.act} {rule.name}"


def _matches(rule: Rule, text: str) -> bool:
    return any((hit.act, hit.rule) == (rule.act, rule.name) for hit in MATCHER.find(text))


def _claims(rule: Rule, text: str) -> bool:
    """Whether a rule stands in a text and no guard stops it."""
    reading = read(text)
    stopped = {passed.rule for passed in reading.passed}
    kinds = {claim.kind for claim in reading.claims}
    return _matches(rule, text) and rule.act in kinds and rule.name not in stopped


def test_no_rule_is_missing_from_the_list() -> None:
    assert [rule.name for rule in RULES] == NAMES.read_text("utf-8").split()


@pytest.mark.parametrize("rule", RULES, ids=_named)
def test_a_rule_takes_its_example(rule: Rule) -> None:
    assert _matches(rule, rule.hit)


@pytest.mark.parametrize("rule", [r for r in RULES if r.act in CLAIMS], ids=_named)
def test_an_example_counts(rule: Rule) -> None:
    assert rule.act in {claim.kind for claim in read(rule.hit).claims}


@pytest.mark.parametrize("rule", RULES, ids=_named)
def test_a_rule_leaves_its_near_miss(rule: Rule) -> None:
    if rule.act in CLAIMS:
        assert not _claims(rule, rule.miss)
    else:
        assert not _matches(rule, rule.miss)


def test_the_filter_tells_what_each_rule_tells_alone() -> None:
    alone = [re.compile(rule.pattern, re.I | re.A) for rule in RULES]
    for text in (text for rule in RULES for text in (rule.hit, rule.miss)):
        assert MATCHER.which(text) == {n for n, rule in enumerate(alone) if rule.search(text)}


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("a", ["a"]),
        ("a|b(?:c|d)|", ["a", "b(?:c|d)", ""]),
        (r"[|)]\||[^]|]|[]|(]\\|(x)", [r"[|)]\|", "[^]|]", r"[]|(]\\", "(x)"]),
    ],
)
def test_a_pattern_divides_into_its_alternatives(pattern: str, found: list[str]) -> None:
    assert list(alternatives(pattern)) == found
