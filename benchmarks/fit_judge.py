#!/usr/bin/env python3
"""Fit the weights of `dcb.extract.judge` to labelled conversations, and print what they gain.

    python benchmarks/fit_judge.py [--write] [--apart LABELS.jsonl …]

Needs `scikit-learn`. The conversations are those of `benchmarks/data/talks`; the files there
whose names end in `-apart` are only measured with, like every file given after --apart. For each
of these the table tells F1 of sentences with the rules alone and with the judge. --write puts
the weights where the product reads them; the same conversations give the same file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dcb.extract.classify import Claim
from dcb.extract.features import Scene, Seen, features
from dcb.extract.judge import KINDS, Weights, likelihoods
from dcb.extract.segments import Spans
from dcb.extract.walk import Walk
from labels import conversation

TALKS = Path(__file__).parent / "data" / "talks"
SPEECH = Path(__file__).parents[1] / "tests" / "data" / "speech"
TABLE = Path(__file__).parents[1] / "src" / "dcb" / "extract" / "judge.tsv"
STRENGTH = 0.15  # of the fit against the pull of every weight to zero
DOUBTFUL = 0.3  # how much a passage counts that need not be kept and is not wrong
LEAST = 0.02  # a smaller weight changes nothing
RARE = 2  # a feature of fewer sentences is not fitted
LIMITS = (0.4, 0.4, 0.4)  # of decision, directive, parameter: see `report`
KEEPS = (0.2, 0.12, 0.22)


# Features of where a sentence stands rather than of what it says.
_PLACED = re.compile(r"place:|reply|^after |apart|echo|first&")


class Row(NamedTuple):
    """One sentence: its features, what it is, what the rules say that it is."""

    named: list[str]
    wanted: frozenset[str]  # kinds
    claimed: frozenset[str]
    doubtful: bool


def main(arguments: Sequence[str]) -> None:
    """Fit, print the table, and write the weights when asked to."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--apart", nargs="*", type=Path, default=[])
    asked = parser.parse_args(arguments)
    files = sorted(TALKS.glob("*.jsonl"))
    apart = [path for path in files if path.stem.endswith("-apart")]
    train = [row for path in files if path not in apart for row in rows(path)]
    train += spoken()
    fitted = fit(train)
    print(f"{len(train)} sentences, {len(fitted.of)} weights")
    for path in (*apart, *asked.apart):
        report(path.stem, list(rows(path)), fitted)
    if asked.write:
        TABLE.write_text(table(fitted), "utf-8")


def spoken() -> Iterator[Row]:
    """The single sentences and answers that the tests of the rules hold."""
    for name, lead in (("said", "I see. Go on."), ("answered", "")):
        for line in (SPEECH / f"{name}.tsv").read_text("utf-8").splitlines():
            kind, before, said = line.split("\t")
            messages = ("Let us talk about it.", lead or before, said)
            marks = [] if kind == "none" else [{"src": "m3", "kind": kind, "must_contain": said}]
            record = {
                "id": "said",
                "messages": [
                    {
                        "id": f"m{n}",
                        "role": "user" if n % 2 else "assistant",
                        "content": text,
                        "at": 0,
                    }
                    for n, text in enumerate(messages, 1)
                ],
                "gold": marks,
                "optional": [],
                "preferences": [],
            }
            # Where such a sentence stands says nothing: it stands alone, at the end.
            for row in list(_rows(record))[1:]:
                yield row._replace(named=[n for n in row.named if not _PLACED.search(n)])


def rows(path: Path) -> Iterator[Row]:
    """The sentences of the talk in a file of labels."""
    for line in path.read_text("utf-8").splitlines():
        yield from _rows(json.loads(line))


def _rows(record: dict[str, Any]) -> Iterator[Row]:
    talk = conversation(record)
    found: list[tuple[Seen, list[str]]] = []

    def record_only(seen: Seen, scene: Scene) -> list[Claim]:
        found.append((seen, features(seen, scene)))
        return list(seen.claims)

    walk = Walk(talk, Spans(talk), judge=record_only)
    for number in range(len(talk.messages)):
        walk.read(number)
    for seen, named in found:
        src, text = talk.messages[seen.span.message].id, _even(seen.span.text)
        marks = [m for m in record["gold"] if m["src"] == src and _meets(m["must_contain"], text)]
        aside = [m["span"] for m in record["optional"] if m["src"] == src] + [
            m["value_span"] for m in record["preferences"] if m["src"] == src
        ]
        yield Row(
            named,
            frozenset(mark["kind"] for mark in marks),
            frozenset(claim.kind for claim in seen.claims),
            any(_meets(span, text) for span in aside),
        )


def _even(text: str) -> str:
    return re.sub(r"[\s`*\\]+", "", unicodedata.normalize("NFKC", text).lower())


def _meets(span: str, text: str) -> bool:
    span = _even(span)
    return bool(span) and (span in text or text in span)


def fit(train: Sequence[Row]) -> Weights:
    """Logistic regression, kind by kind; every sentence also as if nothing had followed yet."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    words = CountVectorizer(analyzer=lambda row: row.named, binary=True, min_df=2 * RARE)
    train = [
        *train,
        *(row._replace(named=[n for n in row.named if "reply" not in n]) for row in train),
    ]
    counted = words.fit_transform(train)
    models = []
    for kind in KINDS:
        wanted = [kind in row.wanted for row in train]
        says = [
            DOUBTFUL if row.doubtful and not want else 1
            for row, want in zip(train, wanted, strict=True)
        ]
        model = LogisticRegression(C=STRENGTH, max_iter=2_000, tol=1e-6)
        models.append(model.fit(counted, wanted, sample_weight=says))
    columns = zip(*(model.coef_[0] for model in models), strict=True)
    weights = dict(zip(words.get_feature_names_out(), columns, strict=True))
    return Weights(
        tuple(float(model.intercept_[0]) for model in models),
        LIMITS,
        KEEPS,
        {name: tuple(map(float, of)) for name, of in weights.items() if max(map(abs, of)) >= LEAST},
    )


def report(name: str, apart: Sequence[Row], fitted: Weights) -> None:
    """F1 of each kind with the rules alone, and with the judge at its limits and beside them."""
    print(f"\n{name}: {len(apart)} sentences")
    likely = [likelihoods(row.named, fitted) for row in apart]
    for place, (kind, limit) in enumerate(zip(KINDS, fitted.limits, strict=True)):
        figures = [f"rules {_f1(apart, kind, [kind in row.claimed for row in apart])}"]
        for least in (limit - 0.1, limit, limit + 0.1):
            taken = [p[place] >= least for p in likely]
            figures.append(f"judge at {least:.2f} {_f1(apart, kind, taken)}")
        print(f"  {kind:10}" + "   ".join(figures))


def _f1(apart: Sequence[Row], kind: str, taken: Sequence[bool]) -> str:
    pairs = list(zip(apart, taken, strict=True))
    right = sum(took and kind in row.wanted for row, took in pairs)
    wrong = sum(took and kind not in row.wanted and not row.doubtful for row, took in pairs)
    missed = sum(not took and kind in row.wanted for row, took in pairs)
    precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
    both = 2 * precision * recall / max(1e-9, precision + recall)
    return f"{precision * 100:3.0f} {recall * 100:3.0f} {both * 100:4.1f}"


def table(fitted: Weights) -> str:
    """The weights as lines: a name and the weight for each kind."""
    fixed = [("(bias)", fitted.bias), ("(limit)", fitted.limits), ("(keep)", fitted.keeps)]
    lines = [*fixed, *sorted(fitted.of.items())]
    return "".join(
        "\t".join((name, *(f"{value:.2f}" for value in values))) + "\n" for name, values in lines
    )


if __name__ == "__main__":
    main(sys.argv[1:])
