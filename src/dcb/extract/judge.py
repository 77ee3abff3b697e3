"""The features of a sentence -> how likely it decides, orders or sets a value, and its claims.

The weights are fitted (`benchmarks/fit_judge.py`) on labelled conversations written for this
project; they are a table that anybody can read. Rules propose, the judge disposes: a claim
that is unlikely where it stands falls, and a sentence that is likely to matter is kept though
no rule knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from math import exp
from typing import NamedTuple

from dcb.extract.classify import Claim
from dcb.extract.features import Scene, Seen, features
from dcb.model import Kind

Judge = Callable[[Seen, Scene], "list[Claim]"]
"""What is claimed for a sentence, after all."""

KINDS: tuple[Kind, ...] = ("decision", "directive", "parameter")


class Weights(NamedTuple):
    """What is fitted: for every kind a bias, a limit and the weight of each feature."""

    bias: tuple[float, ...]
    limits: tuple[float, ...]  # likelihood from which a kind is claimed
    keeps: tuple[float, ...]  # likelihood from which a claim of the rules stands
    of: dict[str, tuple[float, ...]]


@cache
def weights() -> Weights:
    """The fitted table (judge.tsv): the first lines are biases and limits."""
    text = (resources.files("dcb.extract") / "judge.tsv").read_text("utf-8")
    table = dict(map(_row, text.splitlines()))
    return Weights(table.pop("(bias)"), table.pop("(limit)"), table.pop("(keep)"), table)


def _row(line: str) -> tuple[str, tuple[float, ...]]:
    name, *values = line.split("\t")
    return name, tuple(map(float, values))


def likelihoods(named: Iterable[str], fitted: Weights) -> tuple[float, ...]:
    """How likely each kind is, from 0 to 1, by the features that a sentence has."""
    # In their order, so that the sums are the same every time.
    found = filter(None, map(fitted.of.get, dict.fromkeys(named)))
    sums = map(sum, zip(fitted.bias, *found, strict=True))
    return tuple(1 / (1 + exp(-total)) for total in sums)


def judged(seen: Seen, scene: Scene) -> list[Claim]:
    """The claims of the rules that are likely here, or one that no rule knew."""
    if seen.accepted:  # what was pointed at is kept, and so are the words that did it
        return list(seen.claims)
    fitted = weights()
    likely = dict(zip(KINDS, likelihoods(features(seen, scene), fitted), strict=True))
    keeps = dict(zip(KINDS, fitted.keeps, strict=True))
    kept = [
        claim
        for claim in seen.claims
        if likely[claim.kind] >= (_PLAINLY if claim.rule in PLAIN else keeps[claim.kind])
    ]
    if kept:
        return kept
    limits = dict(zip(KINDS, fitted.limits, strict=True))
    kind = max(KINDS, key=lambda kind: likely[kind] / limits[kind])
    if likely[kind] < limits[kind]:
        return []
    # It is something else than the rules took it for, or nothing that they know.
    fallen = [claim._replace(kind=kind) for claim in seen.claims]
    return fallen or [Claim(kind, "judge", 0, len(seen.span.text))]


# Words that say outright what is done: they stand unless everything speaks against them.
PLAIN = frozenset(
    [
        "zh.decide",
        "zh.settle",
        "zh.thus",
        "zh.must",
        "zh.always",
        "zh.forbid",
        "zh.never",
        "zh.not-one",
        "zh.from-now",
        "en.lets",
        "en.go-with",
        "en.decided",
        "en.we-will",
        "en.must",
        "en.never",
        "en.always",
        "en.nobody",
        "en.only-may",
    ]
)
_PLAINLY = 0.06
