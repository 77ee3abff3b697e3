"""`dcb render`: the JSON of a snapshot as a document."""

from __future__ import annotations

import click

from dcb import document, snapshot_json
from dcb.cli.session import Verb, read_text, write_text
from dcb.errors import ModelError


@click.command(cls=Verb, name="render")
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@click.option("--out", default="-", type=click.Path(allow_dash=True), help="Where to write it.")
def command(*, file: str, out: str) -> None:
    """Write the snapshot whose JSON is in FILE (default: standard input) as a document."""
    import json

    try:
        value = json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{file} is not JSON: {error}") from None
    write_text(out, document.dump(snapshot_json.from_json(value)))
