"""The features of a sentence -> how likely it decides, orders or sets a value, and its claims.

The weights are fitted (`benchmarks/fit_judge.py`) on labelled conversations written for this
project; they are a table that anybody can read. Rules propose, the judge disposes: a claim
that is unlikely where it stands falls, and a sentence that is likely to matter is kept though
no rule knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    of: dict[str, tuple[float, ...]]


@cache
def weights() -> Weights:
    """The fitted table (judge.tsv): the first two lines are biases and limits."""
    text = (resources.files("dcb.extract") / "judge.tsv").read_text("utf-8")
    table = {name: values for name, values in map(_row, text.splitlines())}
    return Weights(table.pop("(bias)"), table.pop("(limit)"), table)


def _row(line: str) -> tuple[str, tuple[float, ...]]:
    name, *values = line.split("\t")
    return name, tuple(map(float, values))


def likelihoods(named: Iterable[str], fitted: Weights) -> tuple[float, ...]:
    """How likely each kind is, from 0 to 1, by the features that a sentence has."""
    sums = list(fitted.bias)
    for name in set(named):
        for place, weight in enumerate(fitted.of.get(name, ())):
            sums[place] += weight
    return tuple(1 / (1 + exp(-total)) for total in sums)


def judged(seen: Seen, scene: Scene) -> list[Claim]:
    """The claims of the rules that are likely here, and those that no rule knew."""
    fitted = weights()
    likely = likelihoods(features(seen, scene), fitted)
    wanted = [
        kind for kind, p, least in zip(KINDS, likely, fitted.limits, strict=True) if p >= least
    ]
    return list(_settled(seen.claims, wanted, seen.span.text))


def _settled(claims: Sequence[Claim], wanted: Sequence[Kind], text: str) -> Iterator[Claim]:
    held = {claim.kind for claim in claims}
    yield from (claim for claim in claims if claim.kind in wanted)
    fallen = [claim for claim in claims if claim.kind not in wanted]
    for kind in wanted:
        if kind in held:
            continue
        if fallen:  # it is something else than the rule took it for
            yield from (claim._replace(kind=kind) for claim in fallen)
        else:
            yield Claim(kind, "judge", 0, len(text))
