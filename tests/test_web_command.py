"""`dcb web` on the command line: what it prints, when it opens a browser, how it is made again."""

import click
import pytest
from click.testing import CliRunner

from dcb.cli import cli, web, words

LINKS = ("http://127.0.0.1:1/#one", "http://127.0.0.1:1/#two")


@pytest.fixture
def served(monkeypatch):
    """Run `dcb web` with a server that gives two links and ends; what was opened."""
    opened, given = [], []

    def run(settings, *, port, lang, show, wait_for_more):
        given.append((port, lang))
        for link in LINKS:
            show(link)
        assert wait_for_more() is False  # nobody presses Enter where there is no terminal

    monkeypatch.setattr(web, "_server", lambda: run)
    monkeypatch.setattr(click, "launch", opened.append)

    def call(*arguments, lang="en"):
        monkeypatch.setenv("DCB_LANG", lang)
        words.chinese.cache_clear()
        result = CliRunner().invoke(cli, ["web", *arguments])
        words.chinese.cache_clear()
        assert result.exit_code == 0, result.output
        return result, opened, given

    return call


def test_the_first_link_is_opened_and_every_link_printed(served):
    result, opened, given = served()
    assert opened == [LINKS[0]]
    assert given == [(8377, "")]
    assert result.stdout == ""
    assert result.stderr == (
        f"Open {LINKS[0]}\n"
        "The link works once and for a minute. Enter prints another, Ctrl-C stops.\n"
        f"Open {LINKS[1]}\n"
    )


def test_no_browser_is_opened_where_none_is_wanted(served):
    _, opened, given = served("--no-open", "--port", "0")
    assert opened == []
    assert given == [(0, "")]


def test_chinese_is_spoken_here_and_on_the_page(served):
    result, _, given = served("--no-open", lang="zh")
    assert given == [(8377, "zh")]
    assert result.stderr == (
        f"请打开 {LINKS[0]}\n"
        "链接只能使用一次，一分钟内有效。按回车获取新链接，按 Ctrl-C 停止。\n"
        f"请打开 {LINKS[1]}\n"
    )
