"""`dcb hook`: what coding agents call by themselves, put into their settings and taken out."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcb.cli.session import Verb, current_settings, open_library
from dcb.cli.words import WORDS, chinese, say

if TYPE_CHECKING:
    from dcb.hooks.agent import Agent
    from dcb.hooks.install import Change
    from dcb.hooks.run import Done
    from dcb.settings import Settings

_config = click.option(
    "--config", type=click.Path(dir_okay=False), help="Another settings file than the person's."
)
_dry_run = click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")


@click.group(name="hook")
def command() -> None:
    """Let a coding agent save its sessions and start with a brief of the project.

    AGENT is claude-code, codex or gemini-cli.
    """


@command.command(cls=Verb, name="install")
@click.argument("name", metavar="AGENT")
@_config
@_dry_run
@click.option("--uninstall", is_flag=True, help="Take the hooks out again.")
def install(*, name: str, config: str | None, dry_run: bool, uninstall: bool) -> None:
    """Put our hooks into the settings of AGENT; nothing else in the file changes."""
    from dcb import hooks
    from dcb.hooks import install as installing

    agent = hooks.agent(name)
    path = Path(config) if config else agent.config(os.environ)
    if uninstall:
        change = installing.uninstalled(agent, path)
    else:
        change = installing.installed(agent, path, installing.program(_data_dir()))
    _carry_out(agent, change, dry_run=dry_run, uninstall=uninstall)


@command.command(cls=Verb, name="uninstall")
@click.argument("name", metavar="AGENT")
@_config
@_dry_run
@click.pass_context
def uninstall(ctx: click.Context, *, name: str, config: str | None, dry_run: bool) -> None:
    """Take our hooks out of the settings of AGENT; the file is as it was before."""
    ctx.invoke(install, name=name, config=config, dry_run=dry_run, uninstall=True)


@command.command(cls=Verb, name="print")
@click.argument("what", required=False)
def print_(*, what: str | None) -> None:
    """Print an example file: a skill, slash commands, a text for AGENTS.md or CLAUDE.md.

    Without WHAT, the list of them. `project` is the tag of the project in this folder.
    """
    from dcb import hooks

    if what == "project":
        from dcb.hooks import project

        click.echo(project.tag(Path.cwd()))
    elif what is None:
        for snippet in hooks.SNIPPETS:
            click.echo(f"{snippet.name:16} {snippet.place}")
    else:
        click.echo(hooks.snippet(what).text, nl=False)


# An unknown word must not end in status 2, by which agents understand that they may not go on.
@command.command(
    name="run", context_settings={"ignore_unknown_options": True, "allow_extra_args": True}
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def run(ctx: click.Context, *, words: tuple[str, ...]) -> None:
    """Do what is to be done at EVENT of AGENT: dcb hook run EVENT AGENT (called by agents)."""
    from contextlib import suppress

    with suppress(Exception):
        done = _run(ctx, *words[:3])
        sys.stdout.buffer.write(done.text.encode())
        sys.stdout.buffer.flush()


def _run(ctx: click.Context, event: str, name: str, here: str = "") -> Done:
    """Do it within the limit; saving is handed to a process that is told to do it `here`."""
    from dcb import hooks
    from dcb.hooks import run as running

    agent = hooks.agent(name)
    task = agent.task(event)
    settings = current_settings(ctx)
    data_dir = settings.data_dir.absolute()

    def work() -> Done:
        said = sys.stdin.buffer.read()
        if task == "recall":
            return _recall(ctx, agent, said, settings)
        if here:
            return _save(ctx, agent, said, settings)
        place = [] if settings.store else ["--data-dir", str(data_dir)]
        words = [*place, "hook", "run", event, name, "here"]
        return running.hand_over(words, said, wait=running.patience(event, settings.hook_seconds))

    return running.guarded(
        work,
        seconds=running.SAVING_SECONDS if here else settings.hook_seconds - running.STARTING,
        note=running.noting(data_dir, agent.name, event),
    )


def _recall(ctx: click.Context, agent: Agent, said: bytes, settings: Settings) -> Done:
    from dcb.hooks import run as running

    with open_library(ctx) as library:
        return running.recall(
            library,
            agent,
            running.parse(said),
            lang="zh" if chinese() else "en",
            limit=settings.hook_tokens,
        )


def _save(ctx: click.Context, agent: Agent, said: bytes, settings: Settings) -> Done:
    from dcb.hooks import run as running

    with running.one_at_a_time(settings.data_dir), open_library(ctx) as library:
        return running.save(
            library,
            agent,
            running.parse(said),
            limits=settings.limits,
            max_tokens=settings.max_tokens,
            count=settings.tokens,
        )


def _data_dir() -> str:
    """The folder of the store, if the person named it: an agent may not have our environment."""
    if current_settings().store:
        return ""
    given = click.get_current_context().find_root().params.get("data_dir")
    return str(given or os.environ.get("DCB_DATA_DIR") or "")


def _carry_out(agent: Agent, change: Change, *, dry_run: bool, uninstall: bool) -> None:
    from dcb.cli.view import safe

    if change.before == change.after:
        click.echo(say("hook.same", path=safe(str(change.path))))
        return
    for line in change.diff().splitlines():
        click.echo(safe(line))
    if dry_run:
        click.echo(say("hook.not-written"))
        return
    change.apply()
    if uninstall:
        click.echo(say("hook.uninstalled", agent=agent.title))
        return
    events = ", ".join(event.name for event in agent.events)
    click.echo(say("hook.installed", agent=agent.title, name=agent.name, events=events))
    hint = f"hook.hint.{agent.name}"
    if hint in WORDS:
        click.echo(say(hint))
