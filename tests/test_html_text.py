"""HTML of an answer becomes Markdown again."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.readers.html_text import markdown
from tests.cases import FEWER

PIECES = (
    "<p>", "</p>", "<b>", "</b>", "<ul>", "<li>", "</ul>", "<pre>", "<code>", "</code>", "</pre>",
    "<table>", "<tr>", "<td>", "</td>", "</tr>", "</table>", "<blockquote>", "</blockquote>",
    "<script>", "</script>", "<!--", "-->", "<a href='https://x.y'>", "</a>", "<br>", "&lt;", "<",
    "word", " ", "\n",
)  # fmt: skip


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>One\n two</p><p>three</p>", "One two\n\nthree"),
        ("a<br>b", "a\nb"),
        ("<h2>Plan</h2><p>x</p>", "## Plan\n\nx"),
        ("<ul><li>a</li><li><p>b</p></li></ul><p>c</p>", "- a\n- b\n\nc"),
        ("<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>", "1. a\n  - b\n2. c"),
        ("<b>Port</b> <code>5433</code> <em>only</em>", "**Port** `5433` *only*"),
        ('<pre><code class="language-go">a  b\n\n&lt;c&gt;\n</code></pre>', "```go\na  b\n\n<c>\n```"),
        ("<pre>```\n</pre>", "````\n```\n````"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
         "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc"),
        ('<a href="https://x.y/z?a=1&amp;b=2">text</a>', "[text](https://x.y/z?a=1&b=2)"),
        ('<a href="javascript:x()">text</a>', "text"),
        ('<img alt="a map" src="https://x.y">', "[image: a map]"),
        ("a<!-- <p>hidden --> b<script>x()</script><style>p{}</style>", "a b"),
        ("1 < 2 &amp; 3 > 2", "1 < 2 & 3 > 2"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<unknown>kept</unknown>", "kept"),
        ("<pre>open", "```\nopen\n```"),
    ],
)  # fmt: skip
def test_html_becomes_the_markdown_it_was(html: str, expected: str) -> None:
    assert markdown(html) == expected


@settings(max_examples=FEWER)
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_any_sequence_of_tags_is_read(pieces: list[str]) -> None:
    text = markdown("".join(pieces))
    assert text == text.strip()


@settings(max_examples=FEWER)
@given(st.lists(st.sampled_from(["<p>", "</p>", "<b>", "<ul>", "<li>", "</ul>", "w", "v"])))
def test_every_word_is_kept_in_order(pieces: list[str]) -> None:
    kept = [letter for letter in markdown("".join(pieces)) if letter in "wv"]
    assert kept == [piece for piece in pieces if piece in "wv"]


@pytest.mark.parametrize(
    "piece", ["<blockquote>", "<ul><li>", "<td>", "<", "<!--", "<a href='", "<b>"]
)
def test_thirty_thousand_of_anything_take_no_time(piece: str) -> None:
    start = time.process_time()
    markdown(piece * 30_000)
    assert time.process_time() - start < 2
