"""Labelled conversations -> what each sign of one value replacing another is worth.

    python benchmarks/fit_rivalry.py LABELS.jsonl … > rivalry.py
    python benchmarks/fit_rivalry.py --aside LABELS.jsonl -- LABELS.jsonl …   what it finds there

The table belongs in src/dcb/extract/rules. The examples of tests/data/speech/changed.jsonl are
fitted to as well, each for several, since they are what must hold.

A label tells that a value was replaced, not by which later one: it falls if any of them
replaces it, and each of those replaces one thing or nothing. The likelihood of that is made
as large as it gets, with a small price on large weights.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import exp, log1p
from pathlib import Path
from typing import Any, NamedTuple

from dcb.extract.classify import Claim
from dcb.extract.moves import Move
from dcb.extract.rivalry import LIKELY, rivals
from dcb.extract.segments import Span, Spans
from dcb.extract.signs import cues, signs
from dcb.extract.supersede import Replaced
from dcb.extract.walk import Walk
from dcb.model import Conversation
from labels import conversation

SEEN = 8  # pairs that must show a sign before it is weighed
STEPS, RATE, PRICE = 300, 0.05, 0.1
REACH = 16
TIMES = 8  # conversations that an example counts for
EXAMPLES = str(Path(__file__).parents[1] / "tests" / "data" / "speech" / "changed.jsonl")
OPENING = ("I am building something new, let me think aloud.", "Go ahead.")

Record = dict[str, Any]


class Pair(NamedTuple):
    """One later value against one earlier."""

    old: int
    group: int  # the later value: what it may replace competes
    signs: frozenset[str]


class Sample(NamedTuple):
    """The pairs of labelled conversations, and for every value whether it was replaced."""

    pairs: list[Pair]
    fell: list[bool | None]  # None: nobody labelled it


class Watching(Replaced):
    """Notes every pair instead of judging it, so that none hides another."""

    def __init__(self) -> None:
        super().__init__()
        self.moves: list[Move] = []
        self.found: list[tuple[int, int, frozenset[str]]] = []

    def add(self, new: Move) -> None:
        """Note the pairs of a move."""
        if new.via is None:
            standing = [
                old
                for old in self.moves[-REACH:]
                if old.number not in self.by and old.message < new.message
                if old.via != new.message and (new.lines or not old.lines)
            ]
            against, cued = rivals(new, standing), tuple(cues(new))
            for old in against:
                told = frozenset(signs(new, old, against, cued))
                self.found.append((old.number, new.number, told))
        super().add(new)
        self.moves.append(new)


class Labelled(Walk):
    """A walk that also takes what is labelled and no rule finds."""

    def __init__(
        self, conversation: Conversation, gold: Sequence[Record], *, complete: bool
    ) -> None:
        super().__init__(conversation, Spans(conversation))
        self.gold = gold
        self.complete = complete  # everything that matters is found
        self.replaced = self.watching = Watching()

    def _take(self, span: Span, claims: Sequence[Claim]) -> None:
        super()._take(span, [*claims, *self._missing(span, claims)])

    def _pass(self, span: Span, why: str) -> None:
        if span.shape != "code" and (missing := list(self._missing(span, ()))):
            super()._take(span, missing)

    def _missing(self, span: Span, claims: Sequence[Claim]) -> Iterator[Claim]:
        src = self.messages[span.message].id
        for label in self.gold:
            at = span.text.find(label["must_contain"]) if label["src"] == src else -1
            claim = Claim(label["kind"], "label", at, at + len(label["must_contain"]))
            same = (claim.kind == one.kind and claim.meets(one) for one in claims)
            if at >= 0 and not self.complete and claim.kind != "code" and not any(same):
                yield claim


def sample(paths: Iterable[str]) -> Sample:
    """The pairs of all conversations in some files."""
    pairs, fell, groups = list[Pair](), list[bool | None](), 0
    for path in paths:
        for walk in map(_walked, _records(Path(path))):
            place = {move.number: len(fell) + n for n, move in enumerate(walk.watching.moves)}
            fell += [_fell(move, walk) for move in walk.watching.moves]
            later = {number: groups + number for _, number, _ in walk.watching.found}
            groups = max(later.values(), default=groups) + 1
            pairs += [Pair(place[o], later[n], told) for o, n, told in walk.watching.found]
    return Sample(pairs, fell)


def _records(path: Path) -> Iterator[Record]:
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        record = json.loads(line)
        if "turns" in record:
            yield from TIMES * [_example(record, number)]
        else:
            yield record


def _example(case: Record, number: int) -> Record:
    """An example of the tests as a labelled conversation."""
    messages = [
        {"id": f"m{place}", "role": ("user", "assistant")[place % 2], "content": said}
        for place, said in enumerate((*OPENING, *case["turns"]))
    ]
    gold = []
    for replaced, key in ((True, "replaced"), (False, "stands")):
        for words in case[key]:
            holding = [one["id"] for one in messages if words in one["content"]]
            src = holding[0 if replaced else -1]
            gold.append(
                {"kind": "parameter", "must_contain": words, "src": src, "superseded": replaced}
            )
    return {"id": f"example-{number}", "messages": messages, "gold": gold, "example": True}


def _walked(record: Record) -> Labelled:
    talk = conversation(record)
    walk = Labelled(talk, record["gold"], complete="example" in record)
    for number in range(len(talk.messages)):
        walk.read(number)
    return walk


def _fell(move: Move, walk: Labelled) -> bool | None:
    message = walk.messages[move.message]
    said = message.content[move.start : move.end]
    fates = [
        label["superseded"]
        for label in walk.gold
        if (label["kind"], label["src"]) == (move.kind, message.id)
        and label["must_contain"] in said
    ]
    return all(fates) if fates and move.kind == "parameter" else None


def fit(known: Sample) -> dict[str, float]:
    """The weights under which the labels are most likely (Adam, one step for all pairs)."""
    seen = Counter(sign for pair in known.pairs for sign in pair.signs)
    weights = {"always": -3.0} | {s: 0.0 for s, times in sorted(seen.items()) if times >= SEEN}
    speed, spread = dict.fromkeys(weights, 0.0), dict.fromkeys(weights, 0.0)
    price = PRICE * len(known.fell) / 100
    for step in range(1, STEPS + 1):
        for name, slope in _slopes(known, weights).items():
            down = slope + (0.0 if name == "always" else price * weights[name])
            speed[name] = 0.9 * speed[name] + 0.1 * down
            spread[name] = 0.999 * spread[name] + 0.001 * down * down
            scale = (spread[name] / (1 - 0.999**step)) ** 0.5 + 1e-8
            weights[name] -= RATE * speed[name] / (1 - 0.9**step) / scale
    return weights


def _chances(known: Sample, weights: dict[str, float]) -> list[float]:
    """For every pair how likely the later replaces the earlier."""
    odds = [
        exp(weights["always"] + sum(weights.get(sign, 0.0) for sign in pair.signs))
        for pair in known.pairs
    ]
    total: dict[int, float] = defaultdict(lambda: 1.0)
    for pair, own in zip(known.pairs, odds, strict=True):
        total[pair.group] += own
    return [own / total[pair.group] for pair, own in zip(known.pairs, odds, strict=True)]


def _slopes(known: Sample, weights: dict[str, float]) -> dict[str, float]:
    chances = _chances(known, weights)
    stays = [0.0] * len(known.fell)  # log of the chance that nothing replaces it
    for pair, chance in zip(known.pairs, chances, strict=True):
        stays[pair.old] += log1p(-min(chance, 1 - 1e-9))
    pulls = [
        _pull(known.fell[p.old], stays[p.old], c) for p, c in zip(known.pairs, chances, strict=True)
    ]
    shared: dict[int, float] = defaultdict(float)
    for pair, pull in zip(known.pairs, pulls, strict=True):
        shared[pair.group] += pull
    slopes = dict.fromkeys(weights, 0.0)
    for pair, pull, chance in zip(known.pairs, pulls, chances, strict=True):
        push = pull - chance * shared[pair.group]
        for name in ("always", *pair.signs):
            if name in slopes:
                slopes[name] -= push
    return slopes


def _pull(fell: bool | None, stays: float, chance: float) -> float:
    """How much more likely the labels become with the odds of a pair."""
    if fell is None:
        return 0.0
    towards = exp(stays) / max(1 - exp(stays), 1e-9) if fell else -1.0
    return towards * chance / max(1 - chance, 1e-9)


def report(known: Sample, weights: dict[str, float]) -> str:
    """How many labelled values fall, rightly and wrongly."""
    best: dict[int, float] = defaultdict(float)
    for pair, chance in zip(known.pairs, _chances(known, weights), strict=True):
        best[pair.old] = max(best[pair.old], chance)
    right, wrong = (
        sum(fell is fate and best[n] > LIKELY for n, fell in enumerate(known.fell))
        for fate in (True, False)
    )
    return (
        f"{right} of {known.fell.count(True)} replaced values found,"
        f" {wrong} of {known.fell.count(False)} standing ones struck"
    )


def table(weights: dict[str, float]) -> str:
    """The weights as a module, the heaviest first."""
    rows = sorted(weights.items(), key=lambda row: -row[1])
    lines = [f'    "{sign}": {weight:.2f},\n' for sign, weight in rows if abs(weight) >= 0.05]
    return (
        '"""What each sign that one value takes the place of another is worth, in log odds.\n\n'
        'Fitted by `benchmarks/fit_rivalry.py`; not written by hand.\n"""\n\n'
        f"WEIGHTS: dict[str, float] = {{\n{''.join(lines)}}}\n"
    )


def main(paths: list[str]) -> None:
    """Print the table, or what a fit without some files finds in those."""
    aside = paths[1 : paths.index("--")] if paths[:1] == ["--aside"] else []
    known = sample([*(paths[len(aside) + 2 :] if aside else paths), EXAMPLES])
    weights = fit(known)
    print(report(sample(aside), weights) if aside else table(weights), end="\n" if aside else "")


if __name__ == "__main__":
    main(sys.argv[1:])
