"""What was compiled and what a person decides about it -> what is kept, and how it is saved.

Items are named by their place among all that was found, so a name means the same whatever
the budget. The words of an entry are nobody's to change; a bullet or the value of a
preference may be reworded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dcb.choices import Choice, Item, applied, left_out, rebuilt
from dcb.compile import Compiled, fitted
from dcb.errors import NotFound, RequestError
from dcb.library import Kept, Library
from dcb.model import Conversation, Entry, Omitted, Preference, Report, Snapshot, tokens_of
from dcb.text import one_line

Origin = Literal["conversation", "snapshot", "document"]
State = Literal["kept", "out", "dropped"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What the person decided about one item; None and "" where they did not."""

    gone: bool | None = None
    pin: bool | None = None
    kind: str = ""
    text: str = ""

    def on(self, item: Item) -> Item:
        """The item as decided."""
        decided = Item(item.key, item.value, item.gone if self.gone is None else self.gone)
        for choice in self._choices(item):
            decided.take(choice)
        return decided

    def _choices(self, item: Item) -> Iterator[Choice]:
        if self.pin is not None:
            yield Choice(action="pin" if self.pin else "unpin", key=item.key)
        if self.kind:
            yield Choice(action="rekind", key=item.key, kind=self.kind)
        if self.text:
            yield Choice(action="reword", key=item.key, text=self.text)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """A draft within its budget: what would be saved, and the state of each item."""

    compiled: Compiled
    items: tuple[Item, ...]
    states: tuple[State, ...]

    def number(self, state: State) -> int:
        """How many items are in a state."""
        return self.states.count(state)


@dataclass(kw_only=True)
class Draft:
    """`compiled` is everything found, without a limit; `earlier` what was decided before.

    `stored` is the id of the snapshot of which saving makes the next version, or "".
    """

    compiled: Compiled
    origin: Origin = "conversation"
    earlier: tuple[Choice, ...] = ()
    limit: int | None = None
    count: str = "estimate"
    stored: str = ""
    version: int = 0  # of the stored snapshot when the draft was made
    source: str = ""  # key of the source it came from
    decisions: dict[int, Decision] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.items = applied(self.compiled.snapshot, self.earlier)
        self._fit: Fit | None = None

    @property
    def snapshot(self) -> Snapshot:
        """Everything found, with its header."""
        return self.compiled.snapshot

    def head(self, *, title: str, tags: tuple[str, ...]) -> None:
        """Give it a title and tags."""
        self.compiled = replace(
            self.compiled, snapshot=replace(self.snapshot, title=title, tags=tags)
        )
        self._fit = None

    def budget(self, limit: int) -> None:
        """Give it another limit. Raises RequestError for one out of range."""
        before, self.limit, self._fit = self.limit, limit, None
        try:
            self.fit()
        except RequestError:
            self.limit = before
            raise

    def item(self, name: str) -> int:
        """The place that a name means. Raises NotFound."""
        if name.isascii() and name.isdecimal() and len(name) < 10 and int(name) < len(self.items):
            return int(name)
        raise NotFound("This draft has no such item; load the page again")

    def decide(self, place: int, **changes: Any) -> None:
        """Change what is decided about an item. Raises UnknownChoice, RequestError."""
        item = self.items[place]
        if "text" in changes:
            changes["text"] = _words(item, changes["text"])
        decision = replace(self.decisions.get(place, Decision()), **changes)
        decision.on(item)  # A kind that there is not is refused here.
        self.decisions[place] = decision
        self._fit = None

    def fit(self) -> Fit:
        """What is kept within the limit."""
        if self._fit is None:
            self._fit = self._fitted()
        return self._fit

    def _fitted(self) -> Fit:
        items = tuple(self._decided())
        wanted = replace(self.compiled, snapshot=rebuilt(self.snapshot, items))
        fit = fitted(wanted, max_tokens=self.limit, count=self.count)
        report = replace(fit.report, omitted=left_out(items) + fit.report.omitted)
        states = tuple(_states(self.snapshot, items, fit.snapshot))
        return Fit(compiled=replace(fit, report=report), items=items, states=states)

    def save(self, library: Library) -> Kept:
        """Store it: what was found as one version, what the person decided as the next.

        So the decisions can be told apart and hold when this conversation is compiled again.
        Rewording is a version of its own: only so is it known which words became which.
        """
        fit = self.fit()
        first, middle = self._first(fit), self._middle(fit)
        kept = self._begin(library, first, fit)
        for before, after in ((first, middle), (middle, fit.compiled.snapshot)):
            if self.origin == "snapshot" or not _same(before, after):
                kept = _edit(library, kept, after, fit.compiled.report)
        return kept

    def _begin(self, library: Library, first: Snapshot, fit: Fit) -> Kept:
        if self.origin == "snapshot":
            if library.store.find(self.stored).version != self.version:
                raise RequestError("The snapshot was changed meanwhile; open it again")
            return Kept(id=self.stored, change="same")
        return library.save(replace(fit.compiled, snapshot=first))

    def _decided(self) -> Iterator[Item]:
        for place, item in enumerate(self.items):
            decision = self.decisions.get(place)
            yield decision.on(item) if decision else item

    def _first(self, fit: Fit) -> Snapshot:
        """As if the person had decided nothing about what is kept or dropped now."""
        return self._rebuilt(
            Item(item.key, item.value, item.gone or state == "out")
            for item, state in zip(self.items, fit.states, strict=True)
        )

    def _middle(self, fit: Fit) -> Snapshot:
        """As the person decided, in the words that were found."""
        return self._rebuilt(
            Item(
                item.key,
                item.value if isinstance(decided.value, str | Preference) else decided.value,
                state != "kept",
            )
            for item, decided, state in zip(self.items, fit.items, fit.states, strict=True)
        )

    def _rebuilt(self, items: Iterator[Item]) -> Snapshot:
        snapshot = rebuilt(self.snapshot, items)
        return replace(snapshot, token_estimate=tokens_of(snapshot))


def of_snapshot(
    snapshot: Snapshot, *, origin: Origin, omitted: tuple[Omitted, ...] = (), version: int = 0
) -> Draft:
    """A draft of a snapshot that is stored, or of a document from elsewhere."""
    conversation = Conversation(
        id=snapshot.conversation_id, title=snapshot.title, format="document", messages=()
    )
    report = Report(limit=0, needed=0, kept=0, omitted=omitted)
    compiled = Compiled(snapshot=snapshot, report=report, conversation=conversation)
    stored = snapshot.id if origin == "snapshot" else ""
    return Draft(compiled=compiled, origin=origin, stored=stored, version=version)


def _words(item: Item, text: str) -> str:
    if isinstance(item.value, Entry):
        raise RequestError("The words of a key message stay as they were said")
    words = one_line(text)
    if not words:
        raise RequestError("Words are missing; to be rid of it, drop it")
    return words


def _same(before: Snapshot, after: Snapshot) -> bool:
    return (before.verbatim, before.summary, before.preferences) == (
        after.verbatim,
        after.summary,
        after.preferences,
    )


def _edit(library: Library, kept: Kept, after: Snapshot, report: Report) -> Kept:
    changed = replace(
        library.get(kept.id).snapshot,
        title=after.title,
        tags=after.tags,
        verbatim=after.verbatim,
        summary=after.summary,
        preferences=after.preferences,
        token_estimate=tokens_of(after),
    )
    return kept._replace(id=library.edit(changed, omitted=report.omitted).id)


def _states(whole: Snapshot, items: tuple[Item, ...], kept: Snapshot) -> Iterator[State]:
    """The state of each item, told by what the snapshot within the budget holds."""
    left = Counter(name for name, _ in _named(kept, _bare(kept)))
    for name, item in _named(whole, items):
        if item.gone:
            yield "dropped"
        elif left[name]:
            left[name] -= 1
            yield "kept"
        else:
            yield "out"


def _bare(snapshot: Snapshot) -> tuple[Item, ...]:
    return applied(snapshot, ())


def _named(snapshot: Snapshot, items: tuple[Item, ...]) -> Iterator[tuple[tuple[str, ...], Item]]:
    """Each item with what tells it from the others of its snapshot."""
    headings = [part.heading for part in snapshot.summary for _ in part.bullets]
    bullets = iter(headings)
    for item in items:
        if isinstance(item.value, Entry):
            yield ("entry", item.value.id), item
        elif isinstance(item.value, Preference):
            yield ("preference", item.value.scope, item.value.key), item
        else:
            yield ("bullet", next(bullets), item.value), item
