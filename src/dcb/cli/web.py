"""`dcb web`: the store in the browser, on this machine only."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from dcb.cli.session import Verb, current_settings
from dcb.cli.words import chinese, say
from dcb.errors import RequestError


@click.command(cls=Verb, name="web")
@click.option("--port", type=click.IntRange(0, 65535), default=8377, show_default=True)
@click.option("--no-open", is_flag=True, help="Print the link, open no browser.")
def command(*, port: int, no_open: bool) -> None:
    """Look at the store, choose what to keep and settle conflicts in the browser.

    The page is served on 127.0.0.1 to the browser that opens the printed link, and to no
    other. The link works once and for a minute; Enter prints another, Ctrl-C stops.
    """
    run = _server()
    shown = 0

    def show(link: str) -> None:
        nonlocal shown
        click.echo(say("web.link", link=link), err=True)
        if not shown:
            click.echo(say("web.keys"), err=True)
            if not no_open:
                click.launch(link)
        shown += 1

    run(
        current_settings(),
        port=port,
        lang="zh" if chinese() else "",
        show=show,
        wait_for_more=_enter_pressed,
    )


def _enter_pressed() -> bool:
    return sys.stdin.isatty() and sys.stdin.readline() != ""


def _server() -> Callable[..., Any]:
    try:
        from dcb.web.serve import run
    except ModuleNotFoundError as error:
        raise RequestError(
            f"The page needs a few more packages ({error.name} is missing): "
            "pip install dialogue-context-bridge[web]"
        ) from None
    return run
