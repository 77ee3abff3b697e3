"""Snapshot (+ conflicts) -> a read-only text for a new conversation.

Every line that came from the earlier conversation begins with `>` and stands between two
lines that carry the nonce; what is hidden in it is made visible, what reads like a role, a
tool call or a chat token becomes plain words. Marked and made visible, not made harmless:
nothing can promise that a model will not follow a quoted order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Literal, NamedTuple, Protocol

from dcb.brief_words import WORDS, Words
from dcb.errors import RequestError, UnknownChoice
from dcb.model import WRITTEN_BY, Conflict, Entry, Preference, Report, Snapshot, together
from dcb.secrets import masker
from dcb.text import Counter, estimate, relevance
from dcb.visible import inert

MIN_BUDGET = 256
MAX_BUDGET = 32_768
TITLE_SHOWN = 60

_NONCE = re.compile(r"[0-9A-Za-z]{16,64}\Z")
_BRIEF = re.compile(
    r"^[ \t]*\[dcb:brief ([0-9A-Za-z]{16,64}) begin\][ \t\r]*$"
    r".*?(?:^[ \t]*\[dcb:brief \1 end\][ \t\r]*$\n?|\Z)",
    re.M | re.S,
)
_BACKTICKS = re.compile(r"`+")
_LANGUAGE = re.compile(r"[A-Za-z0-9+#._-]{1,20}")
# What CommonMark or HTML would make into something other than text.
_ACTIVE = re.compile(r"[<`~|\\]|!\[|\]\(|\]:|\*\*|^[ \t]*(?:#|=|-{3}|\t| {4})", re.M)

# Sections in their order in the brief, which is also the order of keeping.
SECTIONS = ("directive", "decision", "parameter", "code", "preference", "summary", "superseded")
_KEEP = ("directive", "decision", "code", "parameter", "preference", "summary", "superseded")


class Clean(Protocol):
    """Untrusted text -> the same text, masked, visible and without live markup."""

    def __call__(self, text: str, *, code: bool = False) -> str: ...


def brief(
    snapshot: Snapshot,
    *,
    nonce: str,
    budget: int | None = None,
    count: Counter = estimate,
    query: str | None = None,
    keep_secrets: bool = False,
    lang: Literal["en", "zh"] = "en",
    conflicts: Sequence[Conflict] = (),
    report: Report | None = None,
) -> str:
    """The brief; with `budget` at most so many tokens, headings and notes included.

    `nonce` is fresh for every brief: 16 to 64 letters and digits. `query` puts what has its
    words first. `report` adds what was left out before. Raises RequestError for a budget
    out of range or a nonce of another form, UnknownChoice for a language without words.
    """
    if lang not in WORDS:
        raise UnknownChoice("language", lang, WORDS)
    if not _NONCE.match(nonce):
        raise RequestError("The nonce of a brief is 16 to 64 letters and digits")
    if budget is not None and not MIN_BUDGET <= budget <= MAX_BUDGET:
        raise RequestError(
            f"A brief's budget is {MIN_BUDGET} to {MAX_BUDGET:,} tokens, not {budget:,}"
        )
    clean = _cleaner(nonce, keep_secrets=keep_secrets)
    every = list(_blocks(snapshot, conflicts, WORDS[lang], clean, relevance(query or "")))
    blocks = [block for block in every if not block.hidden]
    total = len(every) + (len(report.omitted) if report else 0)
    page = _Page(snapshot, nonce, WORDS[lang], clean, total)
    return page.render(blocks if budget is None else _fit(page, blocks, budget, count))


def without_briefs(text: str) -> str:
    """The text without the briefs in it, so that a brief is not taken for the user's words."""
    return _BRIEF.sub("", text)


# --- text that came from the conversation ----------------------------------------------


def _cleaner(nonce: str, *, keep_secrets: bool) -> Clean:
    mask = (lambda text: text) if keep_secrets else masker()
    mark = re.compile(re.escape(nonce), re.IGNORECASE)

    def clean(text: str, *, code: bool = False) -> str:
        return inert(mark.sub("‹mark›", mask(text)), code=code)

    return clean


def _inline(text: str) -> str:
    """One line of data: as it is where it is only words, otherwise a code span."""
    text = " ".join(text.split("\n"))
    if not _ACTIVE.search(text):
        return text
    ticks = "`" * (_longest(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _quoted(entry: Entry, clean: Clean) -> str:
    """An entry's content, every line with `> ` before it; fenced unless it is only words."""
    text = clean(entry.content, code=entry.kind == "code")
    if entry.kind == "code" or _ACTIVE.search(text):
        fence = "`" * max(3, _longest(text) + 1)
        language = _LANGUAGE.match(entry.lang) if entry.kind == "code" else None
        text = f"{fence}{language.group() if language else ''}\n{text}\n{fence}"
    return _prefixed(text)


def _prefixed(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _longest(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)


# --- what can be kept or left out ------------------------------------------------------


class _Block(NamedTuple):
    """A piece that is kept or dropped whole; `lead` is said once before its neighbours."""

    section: str
    text: str
    rank: tuple[float, ...]
    lead: str = ""
    hidden: bool = False  # never shown, only counted


def _blocks(
    snapshot: Snapshot,
    conflicts: Sequence[Conflict],
    words: Words,
    clean: Clean,
    score: Callable[[str], float],
) -> Iterator[_Block]:
    found = [
        *_conflict_blocks(conflicts, words, clean),
        *_preference_blocks(snapshot.preferences, words, clean, score),
        *_entry_blocks(snapshot.verbatim, words, clean, score),
        *_bullet_blocks(snapshot, clean, score),
    ]
    order = ("conflict", *SECTIONS)
    yield from sorted(found, key=lambda block: order.index(block.section))


def _rank(section: str, *, score: float, pin: bool = False, newest: float = 0) -> tuple[float, ...]:
    """Order of keeping: pinned, directives, what the query asks for, then the rest by kind."""
    kind = _KEEP.index(section)
    return (not pin, section == "superseded", kind > 0, not score, kind, -score, -newest)


def _conflict_blocks(conflicts: Sequence[Conflict], words: Words, clean: Clean) -> Iterator[_Block]:
    for item in conflicts:
        base, current, reason, key = map(
            _inline, map(clean, (item.base, item.current, item.reason, item.key))
        )
        won = words["won." + item.winner]
        text = f"> - [{item.scope}] {key}: {base} / {current} → {won} ({reason})"
        yield _Block(section="conflict", text=text, rank=_rank("decision", score=0))


def _preference_blocks(
    preferences: Iterable[Preference], words: Words, clean: Clean, score: Callable[[str], float]
) -> Iterator[_Block]:
    for item in preferences:
        notes = (words["stated" if item.explicit else "inferred"], _date(item.at))
        text = (
            f"> - [{item.scope}] {item.key}: {_inline(clean(item.value))} ({_listed(notes, words)})"
        )
        section = "directive" if item.scope == "constraint" else "preference"
        asked = score(f"{item.key} {item.value}")
        rank = _rank(section, score=asked, pin=False, newest=item.at + item.explicit * 1e15)
        yield _Block(section=section, text=text, rank=rank)


def _entry_blocks(
    entries: Sequence[Entry], words: Words, clean: Clean, score: Callable[[str], float]
) -> Iterator[_Block]:
    sources = {entry.id: entry.src for entry in entries}
    for group in together(entries):
        members = sorted((entries[at] for at in group), key=lambda entry: entry.origin)
        old = all(entry.status for entry in members)
        section = "superseded" if old else next(e.kind for e in members if not e.status)
        shown = [entry for entry in members if old or not entry.status]
        yield _Block(
            section=section,
            text="\n".join(
                f"- {_provenance(entry, sources, words, clean)}\n{_quoted(entry, clean)}"
                for entry in shown
            ),
            rank=_rank(
                section,
                score=max(score(entry.content) for entry in shown),
                pin=any(entry.pin for entry in shown),
                newest=max(entry.at for entry in shown) + group[0] / len(entries),
            ),
            # Of replaced code nothing is worth its room.
            hidden=old and any(entry.kind == "code" for entry in members),
        )


def _bullet_blocks(
    snapshot: Snapshot, clean: Clean, score: Callable[[str], float]
) -> Iterator[_Block]:
    for section in snapshot.summary:
        lead = f"> **{_inline(clean(section.heading)).replace('*', '')}**"
        for at, bullet in enumerate(section.bullets):
            rank = _rank("summary", score=score(bullet), newest=-at)
            text = f"> - {_inline(clean(bullet))}"
            yield _Block(section="summary", text=text, rank=rank, lead=lead)


def _provenance(entry: Entry, sources: dict[str, str], words: Words, clean: Clean) -> str:
    role = words.get("role." + entry.role) or _inline(clean(entry.role))
    notes = [role, _date(entry.at), _message(entry.src, words, clean)]
    if entry.origin == "accepted":
        notes.append(words["accepted"].format(message=_message(entry.via, words, clean)))
    if entry.status:
        by = _message(sources.get(entry.by, ""), words, clean)
        notes.append(words["replaced"].format(message=by or words["later"]))
    if entry.pin:
        notes.append(words["pinned"])
    return _listed(notes, words) or words["unknown"]


def _message(name: str, words: Words, clean: Clean) -> str:
    return words["message"].format(id=_inline(clean(name))) if name else ""


def _listed(notes: Iterable[str], words: Words) -> str:
    return words["comma"].join(filter(None, notes))


def _date(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d") if at > 0 else ""


# --- the page --------------------------------------------------------------------------


class _Page(NamedTuple):
    """What stands around the blocks."""

    snapshot: Snapshot
    nonce: str
    words: Words
    clean: Clean
    total: int  # items there were, those left out before included

    def render(self, kept: Sequence[_Block]) -> str:
        """The whole text with the blocks that are kept."""
        body = []
        for section, blocks in groupby(kept, key=lambda block: block.section):
            body += ["", self.heading(section)]
            for lead, members in groupby(blocks, key=lambda block: block.lead):
                body += [lead] if lead else []
                body += [block.text for block in members]
        return "\n".join([*self._head(self.total - len(kept)), *body, "", self._mark("end"), ""])

    def heading(self, section: str) -> str:
        """The heading of a section."""
        return f"## {self.words['section.' + section]}"

    def _head(self, dropped: int) -> Iterator[str]:
        words = self.words
        yield self._mark("begin")
        yield f"# {words['title']}"
        yield ""
        yield words["about"].format(nonce=self.nonce)
        yield ""
        yield f"> {words['conversation']}: {self._short(self.snapshot.title)}"
        yield f"> {words['snapshot']}: {self._origin()}"
        if dropped:
            yield ""
            yield words["left-out"].format(count=dropped)
        if not self.snapshot.verbatim and not self.snapshot.summary:
            yield from ("", words["empty"])

    def _origin(self) -> str:
        notes = (
            self._short(self.snapshot.id),
            _date(self.snapshot.created_at),
            self._short(self.snapshot.conversation_id),
            self._writer(),
        )
        return _listed(notes, self.words)

    def _writer(self) -> str:
        writer = str(dict(self.snapshot.extra).get(WRITTEN_BY, ""))
        return self.words["writer"].format(name=self._short(writer)) if writer else ""

    def _short(self, text: str) -> str:
        # Cleaned before it is cut: half a secret has no shape by which to know it.
        text = _inline(self.clean(text)[:TITLE_SHOWN])
        return text if len(text) <= TITLE_SHOWN * 2 else self.words["long"]

    def _mark(self, place: str) -> str:
        return f"[dcb:brief {self.nonce} {place}]"


def _fit(page: _Page, blocks: Sequence[_Block], budget: int, count: Counter) -> list[_Block]:
    """The blocks that fit, whole, the most important first; in their order of appearance."""
    room = budget - count(page.render(()))
    said: set[str] = set()
    kept: list[int] = []
    for at in sorted(range(len(blocks)), key=lambda at: blocks[at].rank):
        block = blocks[at]
        leads = {f"\n\n{page.heading(block.section)}", f"\n{block.lead}"} - said
        cost = count("\n" + block.text) + sum(map(count, leads))
        if cost <= room:
            room -= cost
            said |= leads
            kept.append(at)
    return _surely(page, blocks, kept, budget, count)


def _surely(
    page: _Page,
    blocks: Sequence[_Block],
    kept: list[int],
    budget: int,
    count: Counter,
) -> list[_Block]:
    """The same, less the last ones should the whole take more tokens than its parts."""
    while True:
        chosen = [blocks[at] for at in sorted(kept)]
        if count(page.render(chosen)) <= budget:
            return chosen
        if not kept:
            raise RequestError(f"A brief needs more than {budget:,} tokens; raise the budget")
        kept.pop()
