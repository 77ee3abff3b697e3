"""The verbs over one person's store: keep, find, bring back, carry away."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from dcb.errors import DamagedStore, NotFound, RequestError
from dcb.settings import Settings
from dcb.store import Action, Row, Source, Store, opened

# Stages are imported by the verbs that need them: `list` and `brief` are called by hooks
# and scripts and must not wait for the rules of extraction.
if TYPE_CHECKING:
    from dcb.adding import Added
    from dcb.choices import Choice
    from dcb.compile import Compiled
    from dcb.merge import Matters, Side
    from dcb.model import Conflict, Conversation, Omitted, Report, Snapshot
    from dcb.secrets import Place
    from dcb.store import Answer, Health, Version, Waiting


# What `add` gives to snapshots that others may have written.
_FROM_ELSEWHERE = ("document", "portable-ai-memory")


class Kept(NamedTuple):
    """What a save did: the snapshot's id, whether anything changed, secrets it took in."""

    id: str
    change: Literal["new", "same", "changed"]
    secrets: tuple[Place, ...] = ()


class Held(NamedTuple):
    """A stored snapshot as read back: the row, the object, its document, what it left out."""

    row: Row
    snapshot: Snapshot
    document: str
    omitted: tuple[Omitted, ...] = ()

    def secrets(self) -> tuple[Place, ...]:
        """Where secrets stand in it."""
        from dcb.secrets import places

        return places(self.snapshot)

    def masked(self) -> str:
        """Its document with the secrets masked."""
        from dcb import document
        from dcb.secrets import masked

        return document.dump(masked(self.snapshot))


class Memories(NamedTuple):
    """Preferences as a portable file, how many they are, and how many secrets stand in them."""

    text: str
    preferences: int
    secrets: int


class Library:
    """The verbs. A context manager; the store is opened by the first verb that needs it."""

    def __init__(
        self,
        settings: Settings,
        *,
        passphrase: Callable[[], str] | None = None,
    ) -> None:
        """`passphrase` is asked once, by the first verb on an encrypted store."""
        self._settings = settings
        self._passphrase = passphrase

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        if "store" in self.__dict__:
            self.store.close()

    @cached_property
    def store(self) -> Store:
        """The open store. Raises StoreError."""
        given = self._settings
        return opened(
            given.data_dir,
            address=given.store,
            project=given.project,
            now=_now,
            passphrase=self._passphrase,
            git=given.history_git,
        )

    # --- keep ----------------------------------------------------------------------------

    def keep_draft(self, compiled: Compiled) -> None:
        """Keep a compiled conversation until `save_draft` or the next draft."""
        self.store.save_draft(compiled.document, compiled.report, source=_source(compiled))

    def save_draft(self) -> Kept:
        """Store the draft. Raises NotFound when there is none."""
        from dcb import document

        draft = self.store.load_draft()
        source = Source(format=draft.format, where=draft.where, hash=draft.source_hash)
        kept = self._keep(document.parse(draft.document), source, draft.report.omitted)
        self.store.drop_draft()
        return kept

    def save(self, compiled: Compiled) -> Kept:
        """Store a compiled conversation; one that was stored before becomes its next version."""
        return self._keep(compiled.snapshot, _source(compiled), compiled.report.omitted)

    def _keep(
        self,
        snapshot: Snapshot,
        source: Source,
        omitted: tuple[Omitted, ...],
        *,
        action: Action = "save",
        note: str = "",
    ) -> Kept:
        from dcb import document, secrets

        before = self._before(source.format, snapshot.conversation_id)
        if before is not None:
            # The same conversation keeps its id, so that links to it stay good; unchanged
            # it keeps its time as well, so that saving it again changes nothing.
            at = before.created_at if before.source_hash == source.hash else snapshot.created_at
            snapshot = replace(snapshot, id=before.id, created_at=at)
        saved = self.store.put(
            snapshot,
            document.dump(snapshot),
            source=source,
            omitted=omitted,
            action=action,
            note=note,
        )
        return Kept(
            id=saved.row.id,
            change=saved.change,
            secrets=secrets.places(snapshot) if saved.change != "same" else (),
        )

    def keep_conversation(self, conversation: Conversation, **options: Any) -> Kept:
        """Compile and store a conversation unless it is stored as it is already.

        `options` are those of `compile_conversation`.
        """
        from dcb.compile import compile_conversation

        kept = self.kept_already(conversation)
        if kept is not None:
            return kept
        return self.save(
            compile_conversation(
                conversation, **self.stamp(), **self.as_before(conversation, options)
            )
        )

    def stamp(self) -> Mapping[str, Any]:
        """A new id and the time, as options of `compile_conversation`."""
        return {"snapshot_id": _new_id(), "now": _now()}

    def kept_already(self, conversation: Conversation) -> Kept | None:
        """What is stored of a conversation that says what it said then."""
        from dcb.compile import content_hash

        before = self._before(conversation.format, conversation.id)
        if before is None or before.source_hash != content_hash(conversation):
            return None
        return Kept(id=before.id, change="same")

    def as_before(
        self, conversation: Conversation, options: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Options of `compile_conversation` with the choices and tags that there are of it."""
        before = self._before(conversation.format, conversation.id)
        if before is None:
            return options
        tags = tuple(dict.fromkeys((*before.tags, *options.get("tags", ()))))
        return {**options, "choices": self.choices(before.id), "tags": tags}

    def earlier_choices(self, conversation: Conversation) -> tuple[Choice, ...]:
        """The choices that a person made when this conversation was compiled before."""
        before = self._before(conversation.format, conversation.id)
        return self.choices(before.id) if before is not None else ()

    def _before(self, format: str, conversation_id: str) -> Row | None:
        if not conversation_id:
            return None
        return self.store.find_conversation(format, conversation_id)

    # --- inbox ---------------------------------------------------------------------------

    def submit(
        self, snapshot: Snapshot, report: Report, *, source: Source, by: str, note: str = ""
    ) -> int:
        """Put what an agent wrote into the inbox, marked as such; how many items wait now.

        `by` is what the agent calls itself. Raises RequestError when too many wait.
        """
        from dcb import document
        from dcb.model import WRITTEN_BY
        from dcb.store import Draft, Waiting

        others = tuple(field for field in snapshot.extra if field[0] != WRITTEN_BY)
        marked = replace(snapshot, extra=(*others, (WRITTEN_BY, f"agent: {by}")))
        draft = Draft(
            document=document.dump(marked),
            report=report,
            format=source.format,
            where=source.where,
            source_hash=source.hash,
            at=_now(),
        )
        item = Waiting(id=snapshot.id, title=snapshot.title, by=by, note=note, draft=draft)
        return self.store.submit(item)

    def inbox(self) -> tuple[Waiting, ...]:
        """What agents wrote and the person has not decided about yet."""
        return self.store.inbox()

    def waiting(self, identifier: str) -> tuple[Waiting, Snapshot]:
        """One item of the inbox with its snapshot. Raises NotFound, Ambiguous."""
        from dcb import document

        item = self.store.waiting(identifier)
        return item, document.parse(item.draft.document)

    def accept(self, identifier: str) -> Kept:
        """Store an item of the inbox; its mark stays in the document and in the history.

        What an agent compiled of a stored conversation becomes that snapshot's next version.
        """
        item, snapshot = self.waiting(identifier)
        draft = item.draft
        source = Source(format=draft.format, where=draft.where, hash=draft.source_hash)
        kept = self._keep(
            snapshot,
            source,
            draft.report.omitted,
            action="accept",
            note=f"written by an agent: {item.by}",
        )
        # Stored first: a stop in between leaves an item that can be accepted again.
        self.store.drop_waiting(item.id)
        return kept

    def reject(self, *identifiers: str) -> None:
        """Drop items of the inbox for good. Raises NotFound, Ambiguous."""
        for identifier in identifiers:
            self.store.drop_waiting(identifier)

    # --- find ----------------------------------------------------------------------------

    def list(
        self,
        *,
        tag: str | None = None,
        source: str | None = None,
        after: str | None = None,
        before: str | None = None,
        below: int | None = None,
        limit: int | None = 50,
        offset: int = 0,
    ) -> tuple[Row, ...]:
        """Rows, the last saved first. `after` and `before` are dates such as `2026-03-01`.

        `below` goes on after a page, at whatever depth: it is the `seq` of its last row.
        """
        return self.store.list(
            tags=(tag,) if tag else (),
            format=source or "",
            after=_date(after),
            before=_date(before),
            below=below,
            limit=limit,
            offset=offset,
        )

    def reading(self) -> AbstractContextManager[None]:
        """Several verbs that find: they see one state of the store, and cost less together."""
        return self.store.reading()

    def kinds(self, identifier: str) -> Counter[str]:
        """How many passages of each kind a snapshot has ("decision", "summary", "tag" …)."""
        return Counter(passage.kind for passage in self.store.passages(identifier))

    def accepted(self, *, tag: str, limit: int) -> tuple[Row, ...]:
        """Rows of a tag that may be brought back without being asked for, newest first.

        A document that came from elsewhere is one of them when the person has edited it.
        """
        rows = self._tagged(tag, limit=4 * limit)
        return tuple(islice(filter(self._accepted, rows), limit))

    def _tagged(self, tag: str, *, limit: int) -> Iterable[Row]:
        """Rows of a tag, newest first: by the index, since a list looks at every row."""
        if self.store.sealed:
            return self.list(tag=tag, limit=limit)
        found = self.search(f'tag:"{tag}"', limit=limit, hits=0).found
        rows = (item.row for item in found if tag in item.row.tags)
        return sorted(rows, key=lambda row: -row.seq)

    def _accepted(self, row: Row) -> bool:
        if row.format not in _FROM_ELSEWHERE:
            return True
        return any(version.action == "edit" for version in self.store.versions(row.id))

    def get(self, identifier: str) -> Held:
        """A snapshot by its id or a unique beginning of it.

        Raises NotFound, Ambiguous, DamagedStore.
        """
        from dcb import document

        stored = self.store.get(identifier)
        return Held(
            row=stored.row,
            snapshot=document.parse(stored.document),
            document=stored.document,
            omitted=stored.omitted,
        )

    def snapshot(self, name: str) -> Snapshot:
        """The snapshot of an id, or of one of its versions: `ID@2`."""
        from dcb import document

        return document.parse(self.document(name))

    def document(self, name: str) -> str:
        """The document of an id, or of one of its versions: `ID@2`.

        Raises RequestError for a version that is a removal.
        """
        identifier, number = _version(name)
        if number is None:
            return self.store.get(identifier).document
        _, text = self.store.version(identifier, number)
        if not text:
            raise RequestError(f"{name} is a removal: it has no document")
        return text

    def rollback(self, name: str) -> Kept:
        """Make version `ID@N` the present one; a new version with its content."""
        number = _version(name)[1]
        if number is None:
            raise RequestError(f"Name the version to go back to: {name}@1 (dcb history {name})")
        return self._change(self.document(name), action="rollback", note=f"to @{number}")

    def edit(self, snapshot: Snapshot, *, omitted: tuple[Omitted, ...] | None = None) -> Kept:
        """Store a snapshot as a person changed it; what it drops stays dropped later.

        `omitted` is what it leaves out now; without it, what it left out before.
        """
        from dcb import document

        return self._change(document.dump(snapshot), action="edit", omitted=omitted)

    def history(self, identifier: str) -> tuple[Version, ...]:
        """Every version of a snapshot, the oldest first. Of one that was removed by its whole id.

        Raises NotFound, Ambiguous.
        """
        versions = self.store.versions(identifier)
        return versions or self.store.versions(self.store.find(identifier).id)

    def choices(self, identifier: str) -> tuple[Choice, ...]:
        """What a person decided about a snapshot in all edits, in their order."""
        from dcb import document
        from dcb.choices import difference

        found: list[Choice] = []
        before: Snapshot | None = None
        for version in self.store.versions(identifier):
            text = self.store.version(identifier, version.number)[1]
            after = document.parse(text) if text else None
            if version.action == "edit" and before is not None and after is not None:
                found += difference(before, after)
            before = after
        return tuple(found)

    def weigh(self, identifier: str, weight: float) -> Kept:
        """Give a snapshot another weight."""
        from dcb import document

        changed = replace(self.get(identifier).snapshot, weight=weight)
        return self._change(document.dump(changed), action="weight", note=f"{changed.weight:g}")

    def _change(
        self,
        text: str,
        *,
        action: Action,
        note: str = "",
        omitted: tuple[Omitted, ...] | None = None,
    ) -> Kept:
        from dcb import document

        snapshot = document.parse(text)
        left_out = self._left_out(snapshot.id) if omitted is None else omitted
        saved = self.store.put(snapshot, text, omitted=left_out, action=action, note=note)
        return Kept(id=saved.row.id, change=saved.change)

    def _left_out(self, identifier: str) -> tuple[Omitted, ...]:
        """What the stored snapshot leaves out: no change of it alters what was read once."""
        try:
            return self.store.get(identifier).omitted
        except NotFound:
            return ()

    def all(self) -> Iterator[Held]:
        """Every stored snapshot."""
        for row in self.store.list(limit=None):
            yield self.get(row.id)

    def search(self, text: str, *, limit: int = 10, hits: int = 3) -> Answer:
        """The best snapshots for what was typed; see `Store.search`."""
        return self.store.search(text, limit=limit, hits=hits)

    def remove(self, identifier: str) -> Row:
        """Take a snapshot out of the list; its versions stay."""
        return self.store.remove(identifier)

    # --- care ----------------------------------------------------------------------------

    def health(self) -> Health:
        """What a look at the whole store finds: every hash checked, the index compared."""
        return self.store.check()

    def repair(self) -> tuple[str, ...]:
        """Mend what can be mended from what is whole; what was done, in sentences."""
        from dcb import document

        return self.store.repair(document.parse)

    # --- bring back ----------------------------------------------------------------------

    def brief(
        self,
        identifier: str,
        *,
        limit: int | None = None,
        query: str | None = None,
        keep_secrets: bool = False,
        lang: Literal["en", "zh"] = "en",
    ) -> str:
        """The brief of a snapshot, trimmed to `limit` tokens."""
        from dcb.brief import brief
        from dcb.tokens import counter

        return brief(
            self.get(identifier).snapshot,
            nonce=os.urandom(8).hex(),
            budget=limit,
            count=counter(self._settings.tokens),
            query=query,
            keep_secrets=keep_secrets,
            lang=lang,
        )

    def briefs(
        self,
        identifiers: Iterable[str],
        *,
        limit: int,
        characters: int,
        lang: Literal["en", "zh"] = "en",
    ) -> tuple[str, ...]:
        """Briefs of several snapshots, together within `limit` tokens and so many characters.

        The first get their room first; what is damaged or has no room is passed over.
        """
        from dcb.brief import MIN_BUDGET, brief
        from dcb.tokens import counter

        tokens = counter(self._settings.tokens)

        def count(text: str) -> int:
            return max(tokens(text), -(-len(text) * limit // characters))

        found: list[str] = []
        for identifier in identifiers:
            room = limit - sum(map(count, found))
            if room < MIN_BUDGET:
                break
            with suppress(DamagedStore, RequestError):
                snapshot = self.get(identifier).snapshot
                nonce = os.urandom(8).hex()
                found.append(brief(snapshot, nonce=nonce, budget=room, count=count, lang=lang))
        return tuple(found)

    def merge(
        self,
        base: Snapshot,
        current: Snapshot,
        *,
        policy: str,
        chosen: Mapping[Matters, Side] | None = None,
    ) -> tuple[Snapshot, tuple[Conflict, ...]]:
        """Two snapshots as one; see `dcb.merge`."""
        from dcb.merge import merge

        return merge(base, current, policy=policy, chosen=chosen, new_id=_new_id, now=_now())

    def save_merged(self, snapshot: Snapshot) -> Kept:
        """Store the result of a merge."""
        from dcb import document

        saved = self.store.put(snapshot, document.dump(snapshot), action="merge")
        return Kept(id=saved.row.id, change=saved.change)

    # --- carry ---------------------------------------------------------------------------

    def memories(self, held: Iterable[Held], *, keep_secrets: bool = False) -> Memories:
        """The preferences of these snapshots as a MemoryStore of Portable AI Memory v1."""
        import uuid

        from dcb import portable_memory, secrets
        from dcb._version import __version__

        kept = [
            (_preferences_of(one.snapshot), one.row.format)
            for one in held
            if one.snapshot.preferences
        ]
        shown = kept if keep_secrets else [(secrets.masked(one), form) for one, form in kept]
        return Memories(
            text=portable_memory.dump(
                shown, export_id=str(uuid.uuid4()), now=_now(), version=__version__
            ),
            preferences=sum(len(one.preferences) for one, _ in kept),
            secrets=sum(len(secrets.places(one)) for one, _ in kept),
        )

    def add(
        self,
        paths: Iterable[str],
        *,
        strict: bool = False,
        passphrase: Callable[[], str] | None = None,
    ) -> Iterator[Added]:
        """Store snapshot documents from files, folders and stores of the original implementation,
        and the preferences in a MemoryStore of Portable AI Memory.

        One result for each. An id that another snapshot has is given anew: nothing is
        overwritten. `passphrase` opens what such a store holds sealed; without it, that of
        this store is tried.
        """
        from dcb.adding import Adder

        adder = Adder(
            store=self.store,
            new_id=_new_id,
            now=_now(),
            strict=strict,
            passphrase=passphrase or self._passphrase,
        )
        return adder.add(paths)

    def add_document(self, text: str, *, where: str) -> Added:
        """Store one snapshot document that was read already. Raises DocumentError."""
        from dcb.adding import Adder

        return Adder(store=self.store, new_id=_new_id, now=_now()).document(where, text)


def _preferences_of(snapshot: Snapshot) -> Snapshot:
    """The snapshot with what a MemoryStore says of it, and nothing else."""
    return replace(snapshot, description="", tags=(), verbatim=(), summary=())


def _version(name: str) -> tuple[str, int | None]:
    identifier, mark, number = name.rpartition("@")
    if mark and number.isdecimal():
        return identifier, int(number)
    return name, None


def _source(compiled: Compiled) -> Source:
    from dcb.compile import content_hash

    conversation = compiled.conversation
    return Source(
        format=conversation.format, where=conversation.where, hash=content_hash(conversation)
    )


def _date(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise RequestError(f"{text!r} is not a date; write it like 2026-03-01") from None
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=UTC)
    return int(parsed.timestamp() * 1000)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _new_id() -> str:
    import uuid_utils

    return str(uuid_utils.uuid7())
