"""Two values, one set after the other -> what speaks for and against the later replacing the earlier.

A sign is a name; `rivalry` weighs them. Several are told of one pair, also together ("linked,
same unit"), since what they are worth together is not what each is worth alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dcb.extract.moves import Move
from dcb.extract.told import told


def cues(new: Move) -> Iterator[str]:
    """What shows that a value changes something, whatever that is."""
    around = new.around
    told_of = {
        "changes": new.changes,
        "corrects": new.corrects,
        "withdraws": new.withdraws,
        "drops": new.drops,
        "annuls": new.annuls,
        "turns": around.turns,
        "thinks again": around.thinks,
        "confirmed": around.confirmed,
        "relative": new.relative,
    }
    return (cue for cue, holds in told_of.items() if holds)


def signs(new: Move, old: Move, against: Sequence[Move], cued: Sequence[str]) -> Iterator[str]:
    """The signs of one pair; `against` are all values that the new one may replace."""
    links = (*_named(new, old), *_asked(new, old), *_told(new, old), *_replied(new, old))
    sort = _sort(new, old)
    yield from (_distance(_between(new, old)), sort, *links, *cued)
    yield from _place(new, old, against)
    yield from _together(links, cued, sort)
    topic = new.around.topic
    if topic and topic.isdisjoint(old.around.topic | old.matter.names | old.led.names):
        yield "another question"
        yield f"another question, {sort}"
        if not cued:
            yield "another question, no cue"


def _together(links: Sequence[str], cued: Sequence[str], sort: str) -> Iterator[str]:
    """What links and cues are worth for values of this sort."""
    relation = next((link for link in links if link in _RELATIONS), "unnamed")
    yield f"{relation}, {sort}"
    strong = sum(link in _STRONG for link in links)
    if strong > 1:
        yield "linked thrice" if strong > 2 else "linked twice"
    if strong:
        yield f"linked, {sort}"
    elif not cued:
        yield f"nothing, {sort}"
    if cued:
        yield f"{relation}, {sort}, cued"
        yield f"linked, cued, {sort}" if strong else f"cued, {sort}"


_RELATIONS = frozenset({"names apart", "all its names", "names", "names 2", "other names"})
_STRONG = frozenset(
    (
        *("names", "names 2", "sentence names", "same question", "asks for it", "told"),
        *("named as asked", "said as asked", "number told", "named as recorded", "stood beside"),
        "recorded alike",
    )
)


def _between(new: Move, old: Move) -> int:
    """How many messages were spoken since."""
    since = new.around.turn - old.around.turn
    return since if old.around.turn and since > 0 else new.message - old.message


def _distance(messages: int) -> str:
    return next((name for limit, name in _DISTANCES if messages <= limit), "very far")


_DISTANCES = ((2, "next"), (6, "near"), (12, "far"))


def _place(new: Move, old: Move, against: Sequence[Move]) -> Iterator[str]:
    shared = new.matter.units & old.matter.units
    alike = [one for one in against if not shared.isdisjoint(one.matter.units)]
    if not alike:
        return
    if all((one.message, one.group) == (old.message, old.group) for one in alike):
        yield "only one"
    elif alike[-1].message == old.message:
        yield "latest"


def _sort(new: Move, old: Move) -> str:
    """How well the values compare."""
    ours, theirs = new.matter, old.matter
    if not ours.values.isdisjoint(theirs.values):
        return "same value"
    shared = ours.units & theirs.units
    return f"same {max(_SORTS.get(unit, 'unit') for unit in shared)}" if shared else "bare number"


# Units that compare less well than a measure does; of several, the last name counts.
_SORTS = {
    **dict.fromkeys(("name", "template", "version"), "name"),
    **dict.fromkeys(("number", "word", "ratio"), "number"),
    **dict.fromkeys(("date", "time"), "moment"),
}


def _named(new: Move, old: Move) -> Iterator[str]:
    """How the new one's own words name what the old one is about."""
    ours, theirs = new.matter.names, old.matter.names
    if shared := ours & theirs:
        if theirs <= ours:
            yield "all its names"
        elif ours - theirs:
            yield "names apart"
        yield "names" if len(shared) == 1 else "names 2"
        return
    if ours and theirs:
        yield "other names"
    if not new.led.names.isdisjoint(theirs):
        yield "sentence names"


def _asked(new: Move, old: Move) -> Iterator[str]:
    """How the new one meets what the old one was asked for, offered with and recorded as."""
    around, topic = new.around, old.around.topic - _VAGUE
    if topic:
        yield from _met(new, topic, "asked")
        if not topic.isdisjoint(around.topic):
            yield "same question"
        yield from _counted("answered as asked", topic & around.answered)
        yield from _counted("heard as asked", topic & around.offered)
    if not (around.topic - _VAGUE).isdisjoint(old.matter.names):
        yield "asks for it"
    if recorded := old.recorded - _VAGUE:
        yield from _met(new, recorded, "recorded")
        if not recorded.isdisjoint(new.confirming):
            yield "recorded alike"
    offered, theirs = old.around.offered, old.matter.names
    if not ((new.matter.names or new.led.names) - theirs).isdisjoint(offered):
        yield "was offered" if theirs.isdisjoint(offered) else "stood beside"


def _met(new: Move, topic: frozenset[str], how: str) -> Iterator[str]:
    if not topic.isdisjoint(new.led.names):
        yield f"named as {how}"
    elif not topic.isdisjoint(new.around.words):
        yield f"said as {how}"


def _counted(sign: str, shared: frozenset[str]) -> Iterator[str]:
    if shared:
        yield sign if len(shared) == 1 else f"{sign} 2"


def _told(new: Move, old: Move) -> Iterator[str]:
    """How the message and what it answers speak of the old value."""
    around, names = new.around, old.matter.names
    values = [value for _, value in old.matter.values]
    if _any_told(values, around.said):
        yield "told"
    elif _any_told(_numbers(values), around.said):
        yield "number told"
    if _any_told(values, around.heard):
        yield "heard"
    yield from _counted("term told", names & around.words)
    if not names.isdisjoint(around.offered):
        yield "term heard"
    if not new.things.isdisjoint(old.things):
        yield "same things"
    if new.head and old.head:
        yield "same head" if new.head == old.head else "other head"


def _replied(new: Move, old: Move) -> Iterator[str]:
    """How what answers the message speaks of the old value."""
    around, theirs = new.around, old.matter
    if _any_told([value for _, value in theirs.values], around.reply):
        yield "replied"
    yield from _counted("answered by name", theirs.names & around.answered)
    replied = around.replied.values
    if any(unit in theirs.units for unit, _ in replied - theirs.values):
        yield "reply of its unit"
        if new.matter.values.isdisjoint(replied):
            yield "reply of its unit, derived"


def _any_told(values: Iterable[str], text: str) -> bool:
    return any(told(value, text) for value in values)


def _numbers(values: Iterable[str]) -> Iterator[str]:
    """The digits of each value that has any."""
    return filter(None, ("".join(filter(str.isdigit, value)) for value in values))


# Words of a question that do not tell what it is about.
_VAGUE = frozenset(
    (
        *("many", "much", "long", "often", "want", "like", "should", "shall", "time", "else"),
        *("sure", "say", "says", "let", "next", "add", "keep", "work", "works", "plan", "name"),
        *("number", "still", "start", "list", "thing", "anything", "something", "first", "other"),
        *("would", "also", "tell", "how's", "what's", "day", "days", "week", "什么", "多少"),
        *("几个", "怎么", "需要", "建议", "可以"),
    )
)
