"""Secrets in provider shapes are found and masked; ordinary talk is left alone."""

from __future__ import annotations

import itertools
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb import secrets
from dcb.secret_rules import RULES
from tests.cases import FEWER


def kinds(text: str) -> list[str]:
    return [secret.kind for secret in secrets.find(text)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)
def test_a_rule_finds_its_hit_and_leaves_its_miss(rule):
    assert kinds(rule.hit) == [rule.kind]
    assert kinds(f"钥匙是「{rule.hit}」 吧") == [rule.kind]
    assert kinds(rule.miss) == []


@pytest.mark.parametrize(
    "text",
    [
        "password = get_password()",
        "password: str",
        "api_key = os.environ['OPENAI_API_KEY_2']",
        "token: ${GITHUB_TOKEN_1}",
        "postgres://user:password@localhost/db",
        "secret: your-secret-1234",
        "The password is somewhere in the vault, ask Anna.",
        "sk-learn-like-component-names-are-fine",
        "commit 0123456789abcdef0123456789abcdef01234567",
        "https://example.org:8080/a@b",
        "id 0198c2a4-7a3e-7d11-8b62-1f0c9d7e5a10",
    ],
)
def test_placeholders_and_ordinary_text_are_left_alone(text):
    assert kinds(text) == []


def test_a_secret_says_where_it_stands_and_never_its_value():
    text = "密码：Tr0ub4dor&3，谢谢"
    (secret,) = secrets.find(text)
    assert text[secret.start : secret.end] == "Tr0ub4dor&3"
    assert "Tr0ub4dor" not in repr(secret)


def test_masking_keeps_all_but_the_value():
    text = "postgres://app:t0psecretX@db:5432/app"
    assert secrets.mask(text) == "postgres://app:[redacted: url-password #1]@db:5432/app"


def test_the_same_value_gets_the_same_number_in_all_texts():
    mask = secrets.masker()
    key = "ghp_" + "a1B2" * 9
    other = "ghp_" + "c3D4" * 9
    assert mask(f"{key} {other}") == "[redacted: github-token #1] [redacted: github-token #2]"
    assert mask(other) == "[redacted: github-token #2]"


def test_an_unclosed_private_key_is_masked_to_its_last_line_only():
    text = "-----BEGIN PRIVATE KEY-----\n" + "QUJD" * 16 + "\nthen we talked."
    assert secrets.mask(text) == "[redacted: private-key #1]\nthen we talked."


def test_a_key_with_the_soft_line_breaks_of_a_text_editor_is_masked_whole():
    text = (
        "-----BEGIN PRIVATE KEY-----\v"
        + "QUJD" * 16
        + "\vAB==\v-----END PRIVATE KEY-----\vthen we talked."
    )
    assert secrets.mask(text) == "[redacted: private-key #1]\vthen we talked."


def test_a_key_in_a_json_string_is_masked_whole():
    text = (
        '{"key": "-----BEGIN PRIVATE KEY-----\\n'
        + "QUJD" * 16
        + '\\nAB==\\n-----END PRIVATE KEY-----\\n"}'
    )
    assert secrets.mask(text) == '{"key": "[redacted: private-key #1]\\n"}'


@settings(max_examples=FEWER)
@given(st.text(max_size=40), st.sampled_from(RULES), st.text(max_size=40))
def test_what_is_masked_holds_no_secret_and_places_are_apart(before, rule, after):
    text = f"{before} {rule.hit} {after}"
    found = secrets.find(text)
    assert found
    assert all(one.end <= two.start for one, two in itertools.pairwise(found))
    masked = secrets.mask(text)
    assert all(text[secret.start : secret.end] not in masked for secret in found)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----\n" * 8_000,
        "password=" * 20_000,
        "eyJ" * 60_000,
        "a://b:" * 30_000,
        "aws_secret_key " * 12_000,
        "普通的对话文字。" * 25_000,
    ],
    ids=lambda text: text[:12],
)
def test_long_texts_take_linear_time(text):
    began = time.process_time()
    secrets.mask(text)
    assert time.process_time() - began < 2


PLAIN = [rule for rule in RULES if "(" not in rule.pattern.replace("(?:", "")]


@settings(max_examples=FEWER)
@given(st.data(), st.sampled_from(PLAIN))
def test_made_up_tokens_of_a_shape_are_found(data, rule):
    token = data.draw(st.from_regex(re.compile(rule.pattern, re.ASCII), fullmatch=True))
    assert kinds(f"用这个 {token} 就行")


def test_there_are_more_than_twelve_providers():
    assert len({rule.kind for rule in PLAIN}) > 12
