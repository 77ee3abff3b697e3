"""What a person types is understood, and nothing a person types breaks."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dcb.migrations import SEARCHED
from dcb.query import Filter, Matcher, Text, fold, index_text, loosen, parse
from tests.cases import CASES

TYPED = st.one_of(
    st.text(max_size=60),
    st.text(alphabet='ab泊位カ"“”「」-:：*()%_^+ \u3000\0😀{}ANDORTnear.12', max_size=40),
    st.lists(
        st.sampled_from(
            [
                "tag:",
                "kind:code",
                "-",
                '"',
                "AND",
                "OR",
                "NEAR(a b)",
                "端口",
                "*",
                "before:2026",
                "ﬁ",
            ]
        ),
        max_size=8,
    ).map(" ".join),
)


def places(typed: str, passage: str) -> list[str]:
    (term,) = parse(typed).terms
    return [passage[start:end] for start, end in Matcher.of(term).spans(Text(passage))]


INDEX = apsw.Connection(":memory:")
INDEX.execute(SEARCHED[0])


def indexed(passage: str) -> apsw.Connection:
    """The index with this one passage; taking the last one back is faster than a new index."""
    if INDEX.in_transaction:
        INDEX.execute("rollback")
    INDEX.execute("begin")
    INDEX.execute("insert into words(rowid, other) values (1, ?)", (index_text([passage]),))
    return INDEX


def proposed(typed: str, passage: str) -> bool:
    expression = " AND ".join(term.expression for term in parse(typed).terms)
    found = indexed(passage).execute("select 1 from words where words match ?", (expression,))
    return found.fetchone() is not None


FOUND = [
    ("检索", "两个汉字的检索也要快", ["检索"]),
    ("泊", "空泊位", ["泊"]),
    ("位", "空泊位", ["位"]),
    ("泊位调度", "新的泊位调度接口", ["泊位调度"]),
    ("redis", "用Redis做队列", ["Redis"]),
    ("用Redis做", "我用Redis做队列", ["用Redis做"]),
    ("端口5433", "端口 5433 留给报表", ["端口 5433"]),
    ("redis", "ＲＥＤＩＳ 集群", ["ＲＥＤＩＳ"]),
    ("ＲＥＤＩＳ", "redis 集群", ["redis"]),
    ("ガ", "ｶﾞｰﾄﾞ", ["ｶﾞ"]),
    ("サーバー", "新しいサーバーへ", ["サーバー"]),
    ("cafe", "Café au lait", ["Café"]),
    ("max_tokens", "set max_tokens to 5", ["max_tokens"]),
    ("tokens", "set max_tokens to 5", ["tokens"]),
    ("maxTokens", "set max_tokens", ["max_tokens"]),
    ("maxtokens", "let maxTokens = 1", ["maxTokens"]),
    ("tokens", "let maxTokens = 1", ["Tokens"]),
    ("server", "class HTTPServer", ["Server"]),
    ("hub", "GitHub", ["Hub"]),
    ("hub", "github", []),
    ("AAa", "A AAa", ["AAa"]),
    ("30", "超时 30s", ["30"]),
    ("http.server.Handler", "import http.server.Handler", ["http.server.Handler"]),
    ("server", "import http.server.Handler", ["server"]),
    ("C++", "C++ 与 C", ["C++"]),
    ("C#", "C++ 与 C", []),
    ("5%", "比例 5% 以内，5 次", ["5%"]),
    ("%", "比例 5% 以内", ["%"]),
    ("%", "没有", []),
    ("_", "audit_log", ["_"]),
    ("->", "a -> b", ["->"]),
    ("🚢", "船🚢到了", ["🚢"]),
    ('"page size"', "page-size 50", ["page-size"]),
    ('"page size"', "page of this size", []),
    ("redis", "predis redisx", []),
    ("(redis)", "use redis.", ["redis"]),
]


@pytest.mark.parametrize(("typed", "passage", "expected"), FOUND)
def test_words_are_found_where_they_stand(typed: str, passage: str, expected: list[str]) -> None:
    if len(parse(typed).terms) == 1:
        assert places(typed, passage) == expected


@pytest.mark.parametrize(("typed", "passage"), [(a, b) for a, b, places in FOUND if places])
def test_the_index_proposes_whatever_matches(typed: str, passage: str) -> None:
    assert proposed(typed, passage)


@given(TYPED, TYPED)
@settings(max_examples=CASES)
@example("\0", "\0")
@example('"', "-")
@example("﷐", "\ue000")
def test_no_input_raises(typed: str, passage: str) -> None:
    text, index = Text(passage), indexed(passage)
    for query in (parse(typed), loosen(parse(typed))):
        for term in (*query.terms, *query.excluded):
            Matcher.of(term).spans(text)
            index.execute("select 1 from words where words match ?", (term.expression,))


@given(st.text(max_size=30))
@settings(max_examples=CASES)
def test_a_place_is_inside_its_passage(passage: str) -> None:
    for term in parse(passage).terms:
        for start, end in Matcher.of(term).spans(Text(passage)):
            assert 0 <= start <= end <= len(passage)


@given(st.text(alphabet="泊位调度ab1 ,。_A", min_size=1, max_size=8), st.text(max_size=3))
@settings(max_examples=CASES)
def test_every_written_word_is_found_again(word: str, around: str) -> None:
    passage = f"{around} {word} {around}"
    for term in parse(word).terms:
        assert Matcher.of(term).holds(Text(passage))
        assert proposed(term.text, passage)


@given(
    st.text(alphabet="abesd", min_size=1, max_size=6),
    *[st.text(alphabet="aBeS1 .", max_size=6)] * 2,
)
@settings(max_examples=CASES)
@example("server", "let ", "Handler")
def test_a_loosened_word_is_found_wherever_the_word_is(word: str, before: str, after: str) -> None:
    text = Text(before + word + after)
    strict, loose = (Matcher.of(query.terms[0]) for query in (parse(word), loosen(parse(word))))
    assert loose.holds(text) or not strict.holds(text)


def test_filters_are_read() -> None:
    query = parse("端口 tag:API -kind:code role:User source：chatgpt-export after:2026-03")
    assert [term.text for term in query.terms] == ["端口"]
    assert query.filters == (
        Filter(name="tag", value="api"),
        Filter(name="kind", value="code", without=True),
        Filter(name="role", value="user"),
        Filter(name="source", value="chatgpt-export"),
        Filter(name="after", value=1_772_323_200_000),
    )


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        (
            "kind:song",
            "kind:song is not understood and looked for as words; known: directive, decision, "
            "code, parameter, preference, summary, title, description, tag, style, role, constraint",
        ),
        (
            "before:2026-13",
            "before:2026-13 is not understood and looked for as words; give a day as 2026-03-14, "
            "a month or a year",
        ),
    ],
)
def test_a_filter_that_is_not_understood_is_words_and_says_so(typed: str, note: str) -> None:
    query = parse(typed)
    assert query.notes == (note,)
    assert [term.text for term in query.terms] == [typed]


def test_quotes_keep_words_together_and_a_minus_excludes() -> None:
    query = parse('“page size” -"old port" --flag -x "unclosed words')
    assert [(term.text, term.phrase) for term in query.terms] == [
        ("page size", True),
        ("--flag", False),
        ("unclosed words", True),
    ]
    assert [term.text for term in query.excluded] == ["old port", "x"]


def test_a_question_is_loosened_to_its_telling_words() -> None:
    query = loosen(parse("When did the activities start? 端口是多少"))
    assert [term.text for term in query.terms] == ["activities", "start", "端口", "多少"]
    assert places("deploy", "deploy") == ["deploy"]
    (term,) = loosen(parse("deployed")).terms
    assert Matcher.of(term).holds(Text("we are deploying"))


def test_folding_is_stable() -> None:
    assert fold(fold("ＡéŁ")) == fold("ＡéŁ") == "ae\u0142"


def test_a_hundred_words_are_looked_for_at_most() -> None:
    typed = " ".join(map(chr, range(0x4E00, 0x4E00 + 400)))
    assert [term.text for term in parse(typed).terms] == typed.split()[:100]
