"""Tokens are counted for the model that will read them, or nearly so."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcb import tokens
from dcb.errors import UnknownChoice
from dcb.text import estimate

ENGLISH = "We agreed to keep the scheduler in its own process, because a crash there must not stop the API. "
CHINESE = (
    "我们决定把排班服务单独部署，因为它崩溃时不能影响接口。数据库继续用现在这一个，等下个季度再看。"
)
CODE = "def retry(call, *, times=3):\n    for attempt in range(times):\n        result = call(attempt)\n"


def test_the_estimate_of_the_format_is_the_default():
    assert tokens.counter("estimate") is estimate


def test_an_unknown_family_lists_the_known_ones():
    with pytest.raises(UnknownChoice) as error:
        tokens.counter("gpt-2")
    assert str(error.value) == (
        "Unknown token family 'gpt-2'; "
        "choose one of: estimate, o200k, deepseek, qwen, glm, kimi, llama"
    )


@pytest.mark.parametrize("family", tokens.VOCABULARIES)
def test_without_the_optional_package_the_rule_counts(family, monkeypatch):
    monkeypatch.setitem(sys.modules, "splintr", None)
    tokens.exact.cache_clear()
    try:
        assert tokens.counter(family) is tokens.approximate(family)
    finally:
        tokens.exact.cache_clear()


@pytest.mark.parametrize("family", tokens.VOCABULARIES)
@pytest.mark.parametrize("text", [ENGLISH, CHINESE, CODE], ids=["english", "chinese", "code"])
def test_the_rule_is_near_the_vocabulary(family, text):
    pytest.importorskip("splintr")
    right = tokens.counter(family)(text * 5)
    assert abs(tokens.approximate(family)(text * 5) - right) / right < 0.25


@pytest.mark.parametrize("family", tokens.VOCABULARIES)
def test_special_tokens_in_a_text_are_only_text(family):
    pytest.importorskip("splintr")
    assert tokens.counter(family)("<|im_start|><|endoftext|>") > 4


def test_every_feature_has_a_coefficient():
    assert set(tokens.COEFFICIENTS) == set(tokens.VOCABULARIES)
    assert {len(row) for row in tokens.COEFFICIENTS.values()} == {len(tokens.FEATURES)}


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("han", "a中文b한", 3),
        ("kana and wide marks", "かな，。", 4),
        ("other", "é—🙂", 3),
        ("word", "camelCase and Two", 3),
        ("word part", "camelCase and Two", 4),
        ("long word", "configuration is", 1),
        ("capital", "camelCase API", 4),
        ("number", "5433 and 3.11", 3),
        ("digit", "5433 and 3.11", 7),
        ("mark", "a += (b)", 4),
        ("marks", "a += (b)", 3),
        ("line", "a\n\nb\nc", 2),
        ("blanks", "    a  b c", 2),
    ],
)
def test_a_feature_counts_what_its_name_says(name, text, count):
    assert tokens.FEATURES[name](text.encode()) == count


@given(st.text(max_size=50), st.sampled_from(list(tokens.VOCABULARIES)))
def test_any_text_has_a_count(text, family):
    count = tokens.approximate(family)
    assert count("") == 0
    assert count(text) >= 0
    assert count(text + "字") >= count(text)


def test_five_megabytes_are_counted_in_seconds():
    text = (ENGLISH + CODE + CHINESE) * 20_000
    began = time.process_time()
    tokens.approximate("o200k")(text)
    assert time.process_time() - began < 5
