"""`dcb move`: the whole store to another place, a folder or a PostgreSQL server."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import click

from dcb.cli.progress import counted
from dcb.cli.session import Verb, current_settings, json_option, print_json
from dcb.cli.words import say
from dcb.errors import NotFound
from dcb.settings import Settings, shown
from dcb.store import Store, opened


@click.command(cls=Verb, name="move")
@click.option("--to", "target", required=True, metavar="URL|FOLDER", help="Where it goes.")
@click.option("--from", "source", metavar="URL|FOLDER", help="The store, unless it is yours.")
@json_option
def command(*, target: str, source: str | None, as_json: bool) -> None:
    """Copy the whole store to a folder or a PostgreSQL server, and hash every copy.

    The source stays as it is. After an interruption run it again: it goes on from there.
    The project of a server is the one of the settings (DCB_PROJECT).
    """
    settings = current_settings()
    begin = source or settings.store or str(settings.data_dir)
    count: Counter[str] = Counter()
    with (
        _opened(begin, settings, must_be_there=True) as old,
        _opened(target, settings) as new,
    ):
        for moved in counted(old.move_to(new), label="move"):
            count[moved.fate] += 1
            count[moved.kind] += moved.fate == "verified"
    account = {f"{kind}s": count[kind] for kind in ("snapshot", "version", "draft")}
    account |= {fate: count[fate] for fate in ("copied", "there", "verified")}
    if as_json:
        print_json(account)
        return
    path = shown("store", target) if _is_address(target) else target
    click.echo(say("moved", path=path, **account))
    variable = "DCB_STORE" if _is_address(target) else "DCB_DATA_DIR"
    click.echo(say("moved.use", how=f"{variable}={path}"))


def _opened(place: str, settings: Settings, *, must_be_there: bool = False) -> Store:
    if _is_address(place):
        return opened(settings.data_dir, address=place, project=settings.project, now=_now)
    folder = Path(place).expanduser()
    if must_be_there and not (folder / "store.db").is_file():
        raise NotFound(f"{folder} holds no store; name one with --from")
    return opened(folder, now=_now, git=settings.history_git)


def _is_address(place: str) -> bool:
    return "://" in place


def _now() -> int:
    return time.time_ns() // 1_000_000
