"""`dcb export`: snapshots as plain Markdown files, or their preferences as portable memories."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcb import files
from dcb.cli.session import Verb, complete_ids, open_library, write_text
from dcb.cli.words import say
from dcb.errors import RequestError

if TYPE_CHECKING:
    from dcb.library import Held


@click.command(cls=Verb, name="export")
@click.argument("ids", nargs=-1, shell_complete=complete_ids)
@click.option("--all", "everything", is_flag=True, help="Every stored snapshot.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "pam"]),
    default="md",
    help="md: documents; pam: preferences as a Portable AI Memory v1 file.",
)
@click.option("--out", default="-", metavar="FILE|DIR|-", help="Where to write.")
@click.option("--keep-secrets", is_flag=True, help="Do not mask passwords and keys.")
def command(
    *, ids: tuple[str, ...], everything: bool, form: str, out: str, keep_secrets: bool
) -> None:
    """Write the snapshots of these IDS as documents: one to a file or standard output,
    several to a folder as `<title>-<id>.md`.

    With --format pam, their preferences (without IDS, those of all snapshots) as one file that
    other programs with a memory can take in, and dcb add as well.

    Passwords and keys are masked unless --keep-secrets is given.
    """
    mask = not keep_secrets
    if form == "pam":
        _memories(ids, everything=everything, out=out, mask=mask)
        return
    if everything == bool(ids):
        raise click.UsageError("Give ids, or --all.")
    with open_library() as library:
        if len(ids) == 1 and not Path(out).is_dir():
            text, secrets = _document(library.get(ids[0]), mask=mask)
            write_text(out, text)
        elif out == "-":
            raise RequestError("Several snapshots need a folder: --out DIR")
        else:
            held = library.all() if everything else map(library.get, ids)
            secrets = _write_all(held, Path(out), mask=mask)
    _tell_secrets(secrets, mask=mask)


def _memories(ids: tuple[str, ...], *, everything: bool, out: str, mask: bool) -> None:
    if everything and ids:
        raise click.UsageError("Give ids, or --all.")
    if Path(out).is_dir():
        raise RequestError(f"{out} is a folder; name the file to write: --out FILE.json")
    with open_library() as library:
        held = map(library.get, ids) if ids else library.all()
        memories = library.memories(held, keep_secrets=not mask)
    write_text(out, memories.text)
    if out != "-":
        click.echo(say("exported.pam", count=memories.preferences, path=out))
    _tell_secrets(memories.secrets, mask=mask)


def _tell_secrets(count: int, *, mask: bool) -> None:
    if count:
        click.echo(say("secrets.masked" if mask else "secrets.exported", count=count), err=True)


def _write_all(held: Iterable[Held], folder: Path, *, mask: bool) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    count = secrets = 0
    for stored in held:
        name = files.safe_name(f"{stored.snapshot.title[:60]}-{stored.snapshot.id}")
        text, found = _document(stored, mask=mask)
        files.write(folder / f"{name}.md", text)
        count += 1
        secrets += found
    click.echo(say("exported", count=count, path=folder))
    return secrets


def _document(stored: Held, *, mask: bool) -> tuple[str, int]:
    """What is written of a snapshot, and how many secrets it holds or held."""
    return stored.masked() if mask else stored.document, len(stored.secrets())
