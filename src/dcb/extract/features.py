"""A sentence of a person, what rules saw in it and what stands around it -> its features.

A feature is a short string that is there or not: words and pairs of words, the rules that hit,
the place in the message, what was asked before and how it was answered after. Nothing here
knows which feature speaks for what; that is fitted (judge.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from dcb.extract.classify import Claim
from dcb.extract.once import once
from dcb.extract.segments import Span

_LATIN = re.compile(r"[a-z][a-z'’]*|\d+|[?!]", re.A)
_WORD = re.compile(r"[a-z][a-z0-9_-]+|\d+(?:\.\d+)?", re.A)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_SMALL = frozenset(
    (
        *("the", "an", "to", "of", "and", "or", "in", "on", "at", "for", "is", "are"),
        *("it", "its", "this", "that", "with", "we", "you", "be", "as", "by", "from", "our"),
        *("my", "your", "not", "no", "so", "if", "do", "does", "can", "will"),
    )
)
_HEARD = 600  # characters of the assistant's message that a sentence is held against
_ASKED = 150  # characters at its end in which a question may stand
_OFFERED = 200  # characters at its end in which a choice may stand
_REPLIED = 300  # characters of the reply in which a sentence is taken up
_WIDE = 2.2  # columns of a character outside ASCII, for lengths that mean the same
_DIGIT = re.compile(r"\d")
_OR = re.compile(r"\bor\b|还是|或", re.I | re.A)


class Scene:
    """What stands around the sentences of one message; worked out when first asked for."""

    def __init__(self, *, heard: str, reply: str | None, opening: bool, sentences: int) -> None:
        self._heard = heard[-_HEARD:].rstrip().lower()
        self._reply = reply if reply is None else reply[:_HEARD].strip().lower()
        self.opening = opening  # nothing was said by the person before
        self.alone = sentences == 1

    @once
    def asked(self) -> bool:
        """Whether the assistant's last message ends with a question."""
        return self._heard[-1:] in ("?", "？")

    @once
    def told(self) -> frozenset[str]:
        """The words of the assistant's last message."""
        return _words(self._heard)

    @once
    def taken_up(self) -> frozenset[str]:
        """The words that the reply begins with."""
        return _words((self._reply or "")[:_REPLIED])

    @once
    def before(self) -> tuple[str, ...]:
        """Features of the message that is answered: they count at the head of an answer."""
        end = self._heard[-_ASKED:]
        return (
            *(("asked",) if self.asked else ()),
            *(("asks",) if "?" in end or "？" in end else ()),
            *(("offers",) if _OR.search(self._heard[-_OFFERED:]) else ()),
        )

    @once
    def after(self) -> tuple[str, ...]:
        """Features of the reply: its first words, its size."""
        reply = self._reply
        if reply is None:
            return ()
        size = "long" if len(reply) >= _HEARD - 1 else "short" if len(reply) < 80 else "middling"
        return (
            f"reply:{size}",
            *(("reply:code",) if "```" in reply else ()),
            *(f"reply={word}" for word in _opening(reply, "")),
        )


class Seen(NamedTuple):
    """A sentence as the rules left it."""

    span: Span
    position: int  # of the sentence in its message
    last: bool  # no sentence follows it
    rules: Sequence[str]  # that occur in it
    claims: Sequence[Claim]
    accepted: bool  # it took something that the assistant said
    earlier: Sequence[Claim] | None  # the claims of the sentence before it


def features(seen: Seen, scene: Scene) -> list[str]:
    """Every feature of a sentence, each once at most counted by its fitted weight."""
    low = seen.span.text.strip().lower()
    plain = [*_of_rules(seen), *_of_place(seen, scene), *_of_form(low)]
    around = list(_of_surroundings(low, seen, scene))
    kinds = [f"claims {kind}" for kind in dict.fromkeys(c.kind for c in seen.claims)] or ["bare"]
    telling = [name for name in (*plain, *around) if name in _TELLING]
    return [
        *_of_words(low),
        *plain,
        *around,
        *kinds,
        *(f"{kind}&{name}" for kind in kinds for name in telling),
    ]


# What changes the meaning of a claim, or of none.
_TELLING = frozenset(
    [
        "place:first",
        "number",
        "length<40",
        "reply:numbers",
        "reply:apart",
        "opening",
        "question",
        "first&asked",
    ]
)


def _of_words(low: str) -> Iterator[str]:
    latin = ["0" if word.isdigit() else word for word in _LATIN.findall(low)]
    yield from latin
    for pair in pairwise(latin):
        yield " ".join(pair)
    if not low.isascii():
        for run in _HAN.findall(low):
            yield from run
            for at in range(len(run) - 1):
                yield run[at : at + 2]
        yield from (f"end={word}" for word in _HAN_END.findall(low))
    yield from (f"begin={word}" for word in _opening(low, "?!"))
    if latin:
        yield f"end={latin[-1]}"


_HAN_END = re.compile(r"([\u3400-\u9fff])[。！!.…]*$")


def _opening(low: str, signs: str) -> Iterator[str]:
    """The first word and the first two, or Han characters."""
    if run := _HAN.match(low):
        yield run.group()[0]
        yield run.group()[:2]
        return
    words = [word for word in _LATIN.findall(low[:60]) if word not in signs][:2]
    if words:
        yield words[0]
        yield " ".join(words)


def _of_rules(seen: Seen) -> Iterator[str]:
    for rule in seen.rules:
        yield f"rule={rule}"
    for claim in seen.claims:
        yield f"by={claim.rule}"
    if seen.accepted:
        yield "accepts"


def _of_place(seen: Seen, scene: Scene) -> Iterator[str]:
    if seen.position < 2:
        yield ("place:first", "place:second")[seen.position]
    if scene.opening:
        yield "opening"
    if seen.last:
        yield "place:last"
    if scene.alone:
        yield "place:only"
    yield f"shape={seen.span.shape}"
    if seen.earlier is not None:
        yield from {f"after {c.kind}" for c in seen.earlier} or ("after nothing",)


def _of_form(low: str) -> Iterator[str]:
    columns = len(low) if low.isascii() else int(len(low) * _WIDE)
    yield from (f"length<{most}" for most in (12, 20, 40, 80) if columns < most)
    if columns > 160:
        yield "length>160"
    if low[-1:] in ("?", "？"):
        yield "question"
    if _DIGIT.search(low):
        yield "number"


def _of_surroundings(low: str, seen: Seen, scene: Scene) -> Iterator[str]:
    words = _words(low)
    share = _share(words, scene.told)
    first = seen.position == 0
    near = [*(("apart",) if not share else ()), *(("echo",) if share > 0.5 else ())]
    yield from near
    yield from scene.before
    if first:
        yield from (f"first&{name}" for name in (*near, *scene.before))
        if scene.asked and _DIGIT.search(low):
            yield "first&asked&number"
    yield from scene.after
    yield from _of_reply(words, scene)


def _of_reply(words: frozenset[str], scene: Scene) -> Iterator[str]:
    if not scene.after:
        return
    share = _share(words, scene.taken_up)
    if not share:
        yield "reply:apart"
    yield from (f"reply>{least}" for least in (0.3, 0.6) if share > least)
    if len((words - scene.told) & scene.taken_up) > 1:
        yield "reply:new"
    if any(word[0].isdigit() for word in words & scene.taken_up):
        yield "reply:numbers"


def _share(words: frozenset[str], of: frozenset[str]) -> float:
    return len(words & of) / max(1, len(words))


def _words(low: str) -> frozenset[str]:
    """Latin words but the smallest, numbers, and pairs of Han characters."""
    found = set(_WORD.findall(low)) - _SMALL
    for run in () if low.isascii() else _HAN.findall(low):
        found.update(_pairs(run))
    return frozenset(found)


def _pairs(run: str) -> Iterable[str]:
    return map("".join, pairwise(run))
