"""What the index of a server is asked, of expressions written for that of a folder."""

from __future__ import annotations

import pytest

from dcb.store.postgres.expressions import confirming, parse, proposing


@pytest.mark.parametrize(
    ("expression", "proposed"),
    [
        ('"a"', "'7:a'"),
        ('"a b"', "'7:a' & '7:b'"),
        ('"a b"*', "'7:a' & '7:b':*"),
        ('"a" AND "b"', "('7:a') & ('7:b')"),
        ('("a" OR "b")', "('7:a') | ('7:b')"),
        ('"a" NOT ("b")', "'7:a'"),
        ('settled : ("a")', "'7:\ue005a'"),
        # What holds anyway is not asked.
        ('("a" OR "b" OR "c") AND "b"', "('7:b')"),
        ('("a" OR ("b" AND "c")) AND "b" AND "c"', "('7:b') & ('7:c')"),
        ('("a" OR "b") AND ("a" OR "b")', "(('7:a') | ('7:b'))"),
        # And what does not is.
        ('("a" OR "b") AND "c"', "(('7:a') | ('7:b')) & ('7:c')"),
        ('("a" OR "b c") AND "b"', "(('7:a') | ('7:b' & '7:c')) & ('7:b')"),
        ('("a" OR title : "b") AND "b"', "(('7:a') | ('7:b')) & ('7:b')"),
        ('"it\'s \\"', "'7:it''s' & '7:\\\\'"),
    ],
)
def test_an_expression_proposes(expression: str, proposed: str) -> None:
    assert proposing(parse(expression), 7) == f"({proposed}) | '7:\ue004'"


def test_what_confirms_is_as_long_as_what_is_asked() -> None:
    either = " OR ".join(f'"w{number}"' for number in range(100))
    assert confirming(parse(f'({either}) AND "w7"')) == ("(strpos(said, ?) > 0)", [" w7 "])
