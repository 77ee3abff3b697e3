"""Two passages -> whether they settle the same matter, and which.

Careful rather than clever: a wrong "yes" would retire a decision that still holds. Both
passages must differ in what they choose and agree in what they choose it for.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from dcb.model import Entry
from dcb.rivals import GROUP_OF

_VALUE = re.compile(r"\d+(?:[.:]\d+)*")
_NAME = re.compile(r"[a-z][a-z0-9.+#-]*[a-z0-9+#]|[a-z]", re.A)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_DEFINED = re.compile(
    r"^[ \t]*(?:export\s+|async\s+|pub\s+|public\s+|static\s+)*"
    r"(?:def|class|function|func|fn|interface|type|struct|create\s+table|const|let)\s+([\w.]+)",
    re.M | re.I | re.A,
)
_SMALL_WORDS = """
    a an the and or but so to of in on at for with by from as is are was be it this that we i
    you our my your do not no yes use uses using used go going keep make let lets will would
    should shall can could must may choose chose chosen pick picked decide decided adopt switch
    switched move moved change changed instead rather than now then set up final finally ok okay
    store data have has want need please all
"""
_STOP = frozenset(_SMALL_WORDS.split())
_HAN_STOP = re.compile(
    r"决定|采用|使用|改用|换成|改成|改为|换到|选用|选择|最终|还是|统一|我们|那就|就用|定了|确定|不用|不再|切换|用于|存储|保存|数据"
    r"|[的了吧就那我你他是在有和与或还也都要用个这先把被按从到为定选换走做给让很再不所以]"
)
_CORRECTS = re.compile(
    r"改用|换成|改成|改为|换到|不再|不用|切换|放弃|取代|代替|还是用|instead|rather than|switch|"
    r"replac|drop|no longer|move[sd]? (?:to|from)|chang",
    re.I,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Matter:
    """What a passage is about (`terms`), what it chooses (`names`, `values`)."""

    kind: str
    frame: str  # the passage with its values blanked
    values: tuple[str, ...]
    names: frozenset[str]
    groups: frozenset[str]
    terms: frozenset[str]
    corrects: bool
    keys: frozenset[str]  # what two passages on one matter have at least one of in common
    listed: bool = False  # a table or list, of which a sentence corrects one cell at most


def matter(entry: Entry) -> Matter:
    """The matter of an entry."""
    if entry.kind == "code":
        return _code(entry)
    text = unicodedata.normalize("NFKC", entry.content).casefold()
    names = frozenset(_NAME.findall(text)) - _STOP | {
        n for n in GROUP_OF if not n.isascii() and n in text
    }
    groups = frozenset(GROUP_OF[name] for name in names if name in GROUP_OF)
    terms = frozenset(_pairs(text)) | {name for name in names if name not in GROUP_OF}
    frame = " ".join(_VALUE.sub("#", text).strip("。.!！ ").split())
    return Matter(
        kind=entry.kind,
        frame=frame,
        values=tuple(_VALUE.findall(text)),
        names=names,
        groups=groups,
        terms=terms,
        corrects=bool(_CORRECTS.search(text)),
        keys=frozenset({f"frame {frame}"} | {f"group {g}" for g in groups} | terms),
        listed="\n" in entry.content,
    )


def same(new: Matter, old: Matter) -> str:
    """What both settle differently, in a word or two; empty where they do not."""
    if new.kind != old.kind:
        return ""
    if new.kind == "code":
        return " ".join(sorted(new.terms)) if new.terms and new.terms == old.terms else ""
    if new.values and new.frame == old.frame and new.values != old.values:
        return _label(new.terms, new.frame)
    if new.kind != "decision":
        return ""
    return _rivals(new, old) or _corrected(new, old)


def _rivals(new: Matter, old: Matter) -> str:
    """The group out of which each picks another thing, unless they say what for and differ."""
    for group in sorted(new.groups & old.groups):
        ours, theirs = _of(group, new.names), _of(group, old.names)
        # What one passage names beside the other's choice ("Postgres instead of MySQL") is
        # what it gave up; the choices differ as soon as one has a name the other lacks.
        subjects = new.terms, old.terms
        shared = len(new.terms & old.terms)
        alike = not all(subjects) or 2 * shared > min(map(len, subjects))
        if ours - theirs and alike and (theirs - ours or new.corrects):
            return group
    return ""


def _corrected(new: Matter, old: Matter) -> str:
    """Terms both share, where the new one says that it changes something."""
    if old.listed and not new.listed:
        return ""
    shared = new.terms & old.terms
    differ = bool(new.terms - old.terms or new.values != old.values)
    if new.corrects and differ and len(shared) * 5 >= 2 * min(len(new.terms), len(old.terms)) > 0:
        return _label(shared, "")
    return ""


def _of(group: str, names: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name in names if GROUP_OF.get(name) == group)


def _label(terms: frozenset[str], otherwise: str) -> str:
    return " ".join(sorted(terms)[:4]) or otherwise


def _pairs(text: str) -> list[str]:
    """Neighbouring Han characters of what is left without the small words."""
    runs = _HAN.findall(_HAN_STOP.sub(" ", text))
    return [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]


def _code(entry: Entry) -> Matter:
    defined = frozenset(_DEFINED.findall(entry.content))
    return Matter(
        kind="code",
        frame="",
        values=(),
        names=frozenset(),
        groups=frozenset(),
        terms=defined,
        corrects=False,
        keys=defined,
    )
