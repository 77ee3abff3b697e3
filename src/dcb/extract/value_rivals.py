"""A value that is set -> the earlier values of the same sort that it replaces.

It changes what stands under the same name, answers the same question, or stands against a
value that is spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dcb.extract.moves import PLAIN, Matter, Move
from dcb.extract.terms import singular
from dcb.extract.told import told

_NEAR = 8  # messages within which a bare correction finds its object
_NEXT = 3  # messages within which an answer is still being talked about


def replaced_values(new: Move, earlier: Sequence[Move]) -> list[Move]:
    """Earlier values of the same sort that a new one replaces."""
    ours = new.matter
    rivals = [old for old in earlier if comparable(ours, old.matter) and _rival_value(new, old)]
    found = [old for old in rivals if _same_value(new, old)]
    # "100 is too little, make it 200": the value that is spoken of, not its neighbours.
    spoken_of = [old for old in found if _tells(old.matter, new.around.said)]
    if spoken_of:
        return spoken_of
    settles = not ours.names and _SETTLES.search(new.clause)
    if not found and settles and not new.around.topic:
        alike = [old for old in rivals if ours.units & old.matter.units]
        return alike if len({old.group for old in alike}) == 1 else []
    if not found and (alone := _only_one(new, rivals)):
        return alone
    if not found and new.corrects and (not new.led.names or _DOWN_TO.search(new.sentence)):
        alike = [old for old in rivals if ours.units & old.matter.units]
        if not alike and not ours.units.isdisjoint(PLAIN):
            alike = [old for old in rivals if new.message - old.message <= _NEAR]
        return alike if len(alike) == 1 else []  # "move it to 03:30": the only time there is
    return found


def _only_one(new: Move, rivals: Sequence[Move]) -> list[Move]:
    """The only value of this sort that was talked about, when no other matter was raised since.

    "Keep the logs 90 days." "I would say 30." "60 is fine with legal, so 60 days."
    """
    around = new.around
    if around.topic or (new.matter.names and not _STRETCH.search(new.sentence)):
        return []
    alike = [
        old
        for old in rivals
        if new.matter.units & old.matter.units
        and new.message - old.message <= _NEXT
        and not (new.things and old.things and new.things.isdisjoint(old.things))
        and not (new.head and old.head and new.head != old.head)
    ]
    return alike if len({(old.message, old.group) for old in alike}) == 1 else []


# A limit that gives way: it is the one just spoken of.
_STRETCH = re.compile(
    r"\b(?:stretch|extend|go|went|come|squeeze|get|raise[ds]?|cut|bring|brought|push(?:ed)?|drop(?:ped)?|scale[ds]?) (?:it |that |this |us )?(?:back )?(?:up |down )?(?:as (?:high|low|far) as|to)\b"
    r"|(?:加|减|降|提|涨|放宽|压|缩|延|推|松)到|(?:最多|顶多|可以)(?:给|加|出|到)",
    re.I | re.A,
)
# "so June 21 it is", "6 then", "改成七天".
_SETTLES = re.compile(
    r"\bit is\b|\bthen\W*$|^\W*so\b|^[\s，,]*(?:那?就?还?是?|都|先|直接)(?:改|换|调|降|提|压|缩|延|推|挪|加|减)(?:成|为|到|至)",
    re.I | re.A,
)


def _rival_value(new: Move, old: Move) -> bool:
    """Whether a comparable value can fall to a new one."""
    # What is more than a value falls only to a change that names it.
    mere = new.kind == old.kind == "parameter"
    ours, theirs = new.matter, old.matter
    return (
        mere
        or (not ours.names.isdisjoint(theirs.names) and new.changes)
        or (ours.names >= theirs.names > frozenset())
        or (old.kind == "parameter" and new.corrects and _tells(theirs, new.around.heard))
    )


def comparable(new: Matter, old: Matter) -> bool:
    """Whether one matter has another value of a sort that the other has."""
    # A bare number takes the unit of what it is compared with: "8" and "4px".
    return (
        not new.units.isdisjoint(old.units)
        or (new.plain and old.counted)
        or (old.plain and new.counted)
    ) and new.values.isdisjoint(old.values)


def _same_value(new: Move, old: Move) -> bool:
    ours, theirs = new.matter, old.matter
    named = not ours.names.isdisjoint(theirs.names) or _asked(new, old) or _led(new, old)
    if ours.units == {"name"}:
        return named and new.corrects
    if named:
        return _same_name(new, old)
    return _same_sort(new, old)


def _same_name(new: Move, old: Move) -> bool:
    """Whether two values under a common name belong to one thing: not adults and children."""
    ours, theirs = new.matter.names, old.matter.names
    if new.corrects or new.changes or _repeated(old.matter, new):
        return True
    apart = ours - theirs and theirs - ours
    return new.message - old.message <= _NEAR and not apart


def _same_sort(new: Move, old: Move) -> bool:
    """Whether a value without a common name still stands against an earlier one."""
    ours, theirs = new.matter, old.matter
    same_unit = not ours.units.isdisjoint(theirs.units)
    if new.corrects and same_unit and _tells(theirs, new.around.said):
        return True
    if new.corrects and any(told(number, new.around.said) for number in _numbers(theirs)):
        return True  # "30 is too long, make that 20"
    distance = new.message - old.message
    if distance > _NEAR:
        return False
    if not ours.names:
        if new.head and old.head and new.head != old.head:
            return False
        about, topic = new.around.topic or new.around.offered, old.around.topic
        again = same_unit and (about == topic if new.around.topic else not about.isdisjoint(topic))
        return (new.corrects and same_unit) or again or _repeated(theirs, new)
    if theirs.names or not same_unit or distance > _NEXT:
        return False
    return new.corrects or (not new.around.topic and _tells(ours, new.around.heard))


def _led(new: Move, old: Move) -> bool:
    """Whether a change names its object earlier in the sentence."""
    return new.changes and not new.led.names.isdisjoint(old.matter.names)


def _asked(new: Move, old: Move) -> bool:
    """Whether one is told under the name that the other was asked for."""
    ours, theirs = new.matter, old.matter
    if not new.things.isdisjoint(old.around.things):
        return True  # "40 guests" after "How many guests?"
    if not ours.names.isdisjoint(old.around.topic) or not new.around.topic.isdisjoint(theirs.names):
        return True
    # A bare value has the name of what it answered: "1,600" after "Contributions: 1,533".
    same_unit = not ours.units.isdisjoint(theirs.units)
    if not same_unit or theirs.names:
        return False
    heard = old.around.offered | old.led.names
    return not singular(ours.names).isdisjoint(singular(heard))


def _numbers(matter: Matter) -> Iterator[str]:
    """The bare numbers of values, of two digits or more."""
    for _, value in matter.values:
        yield from _LONG_NUMBER.findall(value)


_LONG_NUMBER = re.compile(r"\d[\d.,:]*\d", re.A)


def _repeated(old: Matter, new: Move) -> bool:
    return _tells(old, new.around.said) or _tells(old, new.around.asked)


def _tells(matter: Matter, text: str) -> bool:
    return any(told(value, text) for _, value in matter.values)


# The same of the thing that is talked about: "so we're down to 50".
_DOWN_TO = re.compile(
    r"\b(?:we'?re|we are|that'?s|it'?s|let'?s go) (?:back |now )?(?:down|up|back) to\b|(?:提|降|加|减|涨|缩|延|推|调|压)(?:到|至|成)",
    re.I,
)
