"""`dcb compile`: a conversation becomes a snapshot, shown before it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from dcb import files
from dcb.cli import choose
from dcb.cli.explain import explanation_lines
from dcb.cli.progress import counted
from dcb.cli.review import review
from dcb.cli.secrets import warn
from dcb.cli.session import (
    Verb,
    configured_model,
    current_settings,
    open_library,
    print_json,
    write_text,
)
from dcb.cli.view import faint, heading, report_lines, safe, snapshot_lines
from dcb.cli.words import say
from dcb.compile import Compiled, compile_conversation
from dcb.library import Library
from dcb.model import Conversation


@click.command(cls=Verb, name="compile")
@click.argument("source")
@click.option("--conversation", metavar="ID|TITLE", help="Which conversation of the source.")
@click.option("--all", "take_all", is_flag=True, help="Every conversation of the source.")
@click.option("--save", is_flag=True, help="Keep the result in the store.")
@click.option("--out", metavar="FILE|DIR|-", help="Write the document there; touch no store.")
@click.option("--max-tokens", type=int, help="Budget of the snapshot (default 4096).")
@click.option("--no-limit", is_flag=True, help="Keep everything found, whatever its size.")
@click.option("--tokens", metavar="FAMILY", help="Count tokens as o200k, deepseek, qwen … do.")
@click.option("--title", help="Title of the snapshot.")
@click.option("--description", help="Description of the snapshot.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be given several times.")
@click.option("--format", "format_", metavar="NAME", help="Take the source for this format.")
@click.option("--with-instructions", is_flag=True, help="Keep the export's standing instructions.")
@click.option("--summarise", "shorten", is_flag=True, help="Let the configured model shorten it.")
@click.option("--explain", is_flag=True, help="Say for every passage why it was taken or not.")
@click.option("--review", "pick", is_flag=True, help="Drop, pin or rekind entries, then save.")
@click.option("--all-left-out", is_flag=True, help="List everything that was left out.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(
    *,
    source: str,
    conversation: str | None,
    take_all: bool,
    save: bool,
    out: str | None,
    format_: str | None,
    with_instructions: bool,
    as_json: bool,
    explain: bool,
    pick: bool,
    shorten: bool,
    all_left_out: bool,
    **options: Any,
) -> None:
    """Compile a conversation of SOURCE into a snapshot.

    SOURCE is an export (JSON, zip), a coding agent's session, a pasted transcript, a folder
    of these, or - for standard input. The result is a draft that `dcb save` keeps.
    """
    if take_all and conversation is not None:
        raise click.UsageError("Give either --all or --conversation, not both.")
    if save and out is not None:
        raise click.UsageError("Give either --save or --out, not both.")
    if take_all and not save and out is None:
        raise click.UsageError("--all needs --out DIR, or --save.")
    reading = choose.Reading(source, format_, current_settings().limits)
    options["instructions"] = reading.instructions() if with_instructions else ()
    options["trace"] = explain
    options["summarise"] = configured_model() if shorten else None
    if take_all:
        compiled = _all(reading, **options)
        _save_all(compiled) if save else _write_all(compiled, Path(str(out)))
        return
    chosen = choose.one(reading, wanted=conversation)
    if out is not None:
        write_text(out, _compiled(chosen, **options).document)
        return
    with open_library() as library:
        options["choices"] = library.earlier_choices(chosen)
        draft = _compiled(chosen, **options)
        _show(draft, as_json=as_json, explain=explain, everything=all_left_out)
        _keep(library, draft, save=save, pick=pick, quiet=as_json)


def _compiled(
    conversation: Conversation,
    *,
    max_tokens: int | None,
    no_limit: bool,
    tokens: str | None,
    **options: Any,
) -> Compiled:
    settings = current_settings()
    return compile_conversation(
        conversation,
        max_tokens=None if no_limit else max_tokens or settings.max_tokens,
        count=tokens or settings.tokens,
        **options,
    )


def _all(reading: choose.Reading, **options: Any) -> Iterator[Compiled]:
    for conversation in counted(reading.conversations(), label="compile"):
        yield _compiled(conversation, **options)


def _save_all(compiled: Iterable[Compiled]) -> None:
    with open_library() as library:
        for draft in compiled:
            kept = library.save(draft)
            warn(kept.secrets)
            key = "saved.already" if kept.change == "same" else "saved"
            click.echo(f"{say(key, id=kept.id)}  {safe(draft.snapshot.title)}")


def _write_all(compiled: Iterable[Compiled], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names: dict[str, str] = {}
    for draft in compiled:
        name = _free_name(draft.conversation, names)
        files.write(folder / f"{name}.md", draft.document)
    click.echo(say("exported", count=len(names), path=folder), err=True)


def _free_name(conversation: Conversation, names: dict[str, str]) -> str:
    """A file name that no other conversation took, whatever the case of its letters."""
    base = name = files.safe_name(conversation.id)
    key = f"{conversation.format} {conversation.id}"
    copies = 1
    while names.setdefault(name.casefold(), key) != key:
        copies += 1
        name = f"{base}-{copies}"
    return name


def _keep(library: Library, draft: Compiled, *, save: bool, pick: bool, quiet: bool) -> None:
    reviewed = review(draft.snapshot) if pick else None
    if not save and reviewed is None:
        library.keep_draft(draft)
        click.echo(say("draft"), err=quiet)
        return
    kept = library.save(draft)
    warn(kept.secrets)
    if reviewed is not None and reviewed != draft.snapshot:
        # What was compiled is one version and the person's choices the next, so that the
        # choices can be told apart and hold when this conversation is compiled again.
        kept = library.edit(replace(reviewed, id=kept.id))
    key = "saved.already" if kept.change == "same" else "saved"
    click.echo(say(key, id=kept.id), err=quiet)


def _show(draft: Compiled, *, as_json: bool, explain: bool, everything: bool) -> None:
    snapshot, report = draft.snapshot, draft.report
    if as_json:
        from dcb import snapshot_json

        print_json({"snapshot": snapshot_json.to_json(snapshot), "report": asdict(report)})
        return
    conversation = draft.conversation
    click.echo(heading(safe(snapshot.title)))
    notes = (
        conversation.format,
        say("messages", count=len(conversation.messages)),
        say("budget", kept=f"{report.kept:,}", limit=f"{report.limit:,}"),
    )
    click.echo(faint(safe("  ".join(notes))))
    for warning in conversation.warnings + draft.notes:
        click.echo(f"dcb: {safe(warning)}", err=True)
    if snapshot.description:
        click.echo(safe(snapshot.description))
    click.echo()
    for line in snapshot_lines(snapshot):
        click.echo(line)
    for line in report_lines(report, everything=everything):
        click.echo(line)
    if explain:
        for line in explanation_lines(draft):
            click.echo(line)
    click.echo()
