#!/usr/bin/env python3
"""Fit the coefficients of `dcb.tokens` to the real vocabularies, and print how far they are off.

    python benchmarks/fit_tokens.py [KIND=PATH …]

Needs `splintr-rs`. The texts are Python's own library (code), the descriptions of installed
packages (prose), and every text file under each PATH as a kind of its own. Every second file
(or, where there are few, every second piece) is held out: the errors printed are of those.
"""

from __future__ import annotations

import json
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

from dcb.tokens import FEATURES, VOCABULARIES, approximate, exact

PIECE = 2_000  # characters
PIECES = 400  # per kind
ROUNDS = 1_000


def main() -> None:
    kinds = {kind: pieces for kind, path in _sources() if (pieces := list(_pieces(path)))}
    train = [piece for pieces in kinds.values() for piece in pieces[::2]]
    # Every kind has the same say, however many texts there are of it; a handful has less.
    says = [1 / max(20, len(pieces[::2])) for pieces in kinds.values() for _ in pieces[::2]]
    rows = [[feature(piece.encode()) for feature in FEATURES.values()] for piece in train]
    for family in VOCABULARIES:
        count = exact(family)
        if count is None:
            sys.exit("Install splintr-rs first: pip install splintr-rs")
        weights = fit(rows, [count(piece) for piece in train], says)
        figures = ", ".join(f"{weight:.3f}".rstrip("0").rstrip(".") for weight in weights)
        print(f'    "{family}": ({figures}),')
    print("\nerror on held-out texts, with the coefficients that dcb.tokens holds:")
    print("pieces: " + "  ".join(f"{kind} {len(pieces[1::2])}" for kind, pieces in kinds.items()))
    print("total of a kind, and the mean over pieces of 2,000 characters")
    for family in VOCABULARIES:
        print(
            f"{family:10}"
            + "  ".join(f"{kind} {_error(family, kinds[kind][1::2])}" for kind in kinds)
        )
    _speed("".join(train))


def fit(rows: list[list[int]], wanted: list[int], says: list[float]) -> list[float]:
    """Weights of 0 or more with the least squared relative error, by coordinate descent."""
    roots = [say**0.5 for say in says]
    scaled = [
        [value * root / max(1, total) for value in row]
        for row, total, root in zip(rows, wanted, roots, strict=True)
    ]
    columns = list(zip(*scaled, strict=True))
    weights = [0.0] * len(columns)
    rest = list(roots)
    norms = [sum(value * value for value in column) for column in columns]
    for _ in range(ROUNDS):
        for at, column in enumerate(columns):
            if not norms[at]:
                continue
            step = sum(v * r for v, r in zip(column, rest, strict=True)) / norms[at]
            new = max(0.0, weights[at] + step)
            moved, weights[at] = new - weights[at], new
            rest = [r - moved * v for r, v in zip(rest, column, strict=True)]
    return weights


def _sources() -> Iterator[tuple[str, Path]]:
    yield "python", Path(sysconfig.get_path("stdlib"))
    yield "packages", Path(sysconfig.get_path("purelib"))
    for argument in sys.argv[1:]:
        kind, _, path = argument.partition("=")
        yield kind, Path(path)


def _pieces(root: Path) -> Iterator[str]:
    """Up to PIECES pieces, one of every file first."""
    files = [root] if root.is_file() else sorted(filter(_wanted, root.rglob("*")))
    files = files[:: max(1, len(files) // PIECES)]
    each = max(1, PIECES // max(1, len(files)))
    found = [piece for file in files for piece in _cut(_text(file))[:each]]
    yield from found[:PIECES]


def _wanted(file: Path) -> bool:
    packaged = "site-packages" in file.parts and file.name != "METADATA"
    return file.is_file() and (file.name == "METADATA" or not packaged) and file.suffix in _SUFFIXES


_SUFFIXES = {"", ".py", ".md", ".txt", ".json", ".jsonl", ".rst"}


def _text(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError):
        return ""
    return "\n".join(_strings(text)) if file.suffix in {".json", ".jsonl"} else text


def _strings(text: str) -> Iterator[str]:
    """The texts inside JSON, since people's conversations come in it."""
    for line in text.split("\n") if not text.lstrip().startswith("[") else [text]:
        try:
            stack = [json.loads(line)] if line.strip() else []
        except ValueError:
            stack = []
        while stack:
            value = stack.pop()
            if isinstance(value, str):
                yield value
            elif isinstance(value, (list, dict)):
                stack += reversed(list(value.values()) if isinstance(value, dict) else value)


def _cut(text: str) -> list[str]:
    pieces = [text[at : at + PIECE] for at in range(0, min(len(text), PIECE * PIECES), PIECE)]
    return [piece for piece in pieces if len(piece) > PIECE // 4]


def _error(family: str, pieces: list[str]) -> str:
    count, guess = exact(family), approximate(family)
    if count is None or not pieces:
        return "-"
    pairs = [(count(piece), guess(piece)) for piece in pieces]
    total = sum(guessed for _, guessed in pairs) / sum(right for right, _ in pairs) - 1
    mean = sum(abs(guessed - right) / right for right, guessed in pairs) / len(pairs)
    return f"{total:+.1%} ({mean:.1%})"


def _speed(text: str) -> None:
    began = time.process_time()
    approximate("o200k")(text)
    seconds = time.process_time() - began
    print(f"\nspeed {len(text.encode()) / 1e6 / seconds:.0f} MB/s")


if __name__ == "__main__":
    main()
