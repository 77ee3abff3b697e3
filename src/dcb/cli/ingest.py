"""`dcb ingest`: whole archives into the store, with an account at the end."""

from __future__ import annotations

from collections.abc import Iterator

import click

from dcb import discover, engines
from dcb.account import Account
from dcb.cli.progress import counted
from dcb.cli.secrets import warn
from dcb.cli.session import Verb, current_settings, json_option, open_library, print_json
from dcb.cli.view import faint, safe
from dcb.cli.words import say
from dcb.ingest import ingest


@click.command(cls=Verb, name="ingest")
@click.argument("sources", nargs=-1)
@click.option("--discover", "find", is_flag=True, help="Take every session that dcb sources finds.")
@click.option("--max-tokens", type=int, help="Budget of each snapshot (default 4096).")
@click.option("--tokens", metavar="FAMILY", help="Count tokens as o200k, deepseek, qwen … do.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be given several times.")
@click.option("--format", "format_", metavar="NAME", help="Take the sources for this format.")
@click.option("--with-instructions", is_flag=True, help="Keep the exports' standing instructions.")
@click.option(
    "--engine",
    type=click.Choice(engines.NAMES),
    default="local",
    help="Who compiles: processes of this machine (local), or Ray.",
)
@click.option("--workers", type=click.IntRange(min=1), help="How many compile at once.")
@click.option("--address", default="", help="Of a running Ray cluster; else one is made here.")
@json_option
def command(
    *,
    sources: tuple[str, ...],
    find: bool,
    max_tokens: int | None,
    tokens: str | None,
    tags: tuple[str, ...],
    format_: str | None,
    with_instructions: bool,
    engine: str,
    workers: int | None,
    address: str,
    as_json: bool,
) -> None:
    """Compile and save every conversation in SOURCES (files, folders, archives).

    Running it again adds only what is new or has grown, also after an interruption.
    """
    if find == bool(sources):
        raise click.UsageError("Give sources, or --discover.")
    settings = current_settings()
    account = Account()
    opened = engines.opened(engine, workers=workers, address=address)
    with opened as helpers, open_library() as library:
        outcomes = ingest(
            library,
            [str(path) for path in discover.paths()] if find else sources,
            format=format_,
            limits=settings.limits,
            with_instructions=with_instructions,
            engine=helpers,
            max_tokens=max_tokens or settings.max_tokens,
            count=tokens or settings.tokens,
            tags=tags,
        )
        for outcome in counted(outcomes, label="ingest"):
            account.take(outcome)
    warn(account.secrets)
    if as_json:
        print_json(account.as_json())
    else:
        for line in _account_lines(account):
            click.echo(line)
    if not account.read:
        raise click.exceptions.Exit(1)


def _account_lines(account: Account) -> Iterator[str]:
    yield say(
        "account",
        read=account.read,
        new=account.outcomes["new"],
        grown=account.outcomes["grown"],
        same=account.outcomes["same"],
        skipped=account.outcomes["skipped"],
        messages=account.messages,
        warnings=account.warnings,
    )
    if account.reasons:
        yield say("skipped")
    for reason, count in account.reasons.most_common():
        yield f"  {count} × {safe(reason)}"
        yield from (faint(f"      {safe(where)}") for where in account.skipped[reason])
    if account.warned:
        yield say("warnings")
        yield from (f"  {safe(warning)}" for warning in account.warned)
