"""Arguments of tools -> their answers, over one person's library.

Nothing here deletes, unlocks or exports; one verb writes, and what it writes waits in the
inbox. Answers are cleaned for a model; errors are those of `dcb.errors`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dcb.errors import NotFound, RequestError, StoreError
from dcb.library import Library
from dcb.mcp import shown, words
from dcb.model import WRITTEN_BY, Conversation, Message, Report, Snapshot, found_nul
from dcb.store import Passage as Stored
from dcb.store import Row, Source

if TYPE_CHECKING:
    from dcb.choices import Choice

DRAFTS_KEPT = 16
HITS = 3
COMPLETED_FROM = 1000
"""Snapshots that a completion looks at: it is asked for at every key."""

Note = Callable[[str], None]
"""Told in a few words what a long call is doing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drafted:
    """A draft that a client may propose to the person."""

    snapshot: Snapshot
    report: Report
    source: Source


class Desk:
    """The tools. `open_library` is called by the first that needs it; `roots` may be read from.

    Calls may come from several threads: the library is used by one at a time.
    """

    def __init__(
        self, open_library: Callable[[], Library], *, roots: tuple[Path, ...] = ()
    ) -> None:
        self._open = open_library
        self._library: Library | None = None
        self._roots = tuple(root.expanduser().resolve() for root in roots)
        self._lock = threading.Lock()
        self._drafts: OrderedDict[str, Drafted] = OrderedDict()

    @contextmanager
    def library(self) -> Iterator[Library]:
        """The library, for this thread alone."""
        with self._lock:
            self._library = self._library or self._open()
            yield self._library

    def close(self) -> None:
        """Close the library and forget all drafts."""
        with self._lock:
            if self._library is not None:
                self._library.__exit__()
            self._library = None
        self._drafts.clear()

    # --- find ----------------------------------------------------------------------------

    def search_context(self, asked: words.SearchContext) -> words.SearchAnswer:
        """A page of what was found."""
        end = asked.offset + asked.limit
        with self.library() as library:
            answer = library.search(asked.query, limit=end + 1, hits=HITS)
        clean = shown.cleaner()
        page = (
            words.FoundSnapshot(
                snapshot=shown.card(found.row, clean),
                passages=[
                    shown.passage(hit.passage, clean, text=hit.snippet, limit=shown.PREVIEW)
                    for hit in found.hits
                ],
                more=found.more,
            )
            for found in answer.found[asked.offset : end]
        )
        kept = shown.fitting(page)
        return words.SearchAnswer(
            found=kept,
            next_offset=_next(asked.offset, len(kept), len(answer.found)),
            suggestion=clean(answer.suggestion),
            notes=[clean(note) for note in answer.notes],
        )

    def list_snapshots(self, asked: words.ListSnapshots) -> words.SnapshotList:
        """A page of the list."""
        with self.library() as library:
            rows = library.list(
                tag=asked.tag or None,
                source=asked.source or None,
                after=asked.after or None,
                before=asked.before or None,
                limit=asked.limit + 1,
                offset=asked.offset,
            )
        clean = shown.cleaner()
        kept = shown.fitting(shown.card(row, clean) for row in rows[: asked.limit])
        reached = asked.offset + len(rows)
        return words.SnapshotList(
            snapshots=kept, next_offset=_next(asked.offset, len(kept), reached)
        )

    def get_snapshot(self, asked: words.GetSnapshot) -> words.SnapshotAnswer:
        """A page of a snapshot's passages."""
        with self.library() as library:
            held = library.get(asked.id)
        clean = shown.cleaner()
        pieces = [p for p in shown.passages(held.snapshot) if asked.part in ("all", _layer(p.kind))]
        kept = shown.fitting(shown.passage(piece, clean) for piece in pieces[asked.offset :])
        return words.SnapshotAnswer(
            snapshot=shown.card(held.row, clean),
            description=clean(held.snapshot.description),
            written_by=clean(_written_by(held.snapshot)),
            passages=kept,
            next_offset=_next(asked.offset, len(kept), len(pieces)),
        )

    def get_brief(self, asked: words.GetBrief) -> words.BriefAnswer:
        """The brief of a snapshot, or of the one that fits a query best."""
        with self.library() as library:
            row, *others = self._meant(library, asked)
            brief = library.brief(
                row.id, limit=asked.budget, query=asked.query or None, lang=asked.lang
            )
        clean = shown.cleaner()
        return words.BriefAnswer(
            snapshot=shown.card(row, clean),
            brief=brief,
            others=[shown.card(other, clean) for other in others],
        )

    def _meant(self, library: Library, asked: words.GetBrief) -> list[Row]:
        if asked.id:
            return [library.get(asked.id).row]
        if not asked.query.strip():
            raise RequestError("Give the id of a snapshot, or a query that describes the task")
        found = library.search(asked.query, limit=4, hits=1).found
        if not found:
            raise NotFound("No snapshot fits that query; try fewer or other words")
        return [item.row for item in found]

    # --- make ----------------------------------------------------------------------------

    def compile_conversation(
        self, asked: words.CompileConversation, note: Note = lambda text: None
    ) -> words.DraftAnswer:
        """A draft of messages or of a session file."""
        from dcb.compile import compile_conversation, content_hash

        note("reading")
        conversation = self._conversation(asked)
        note(f"compiling {len(conversation.messages):,} messages")
        compiled = compile_conversation(
            conversation,
            max_tokens=asked.max_tokens,
            title=asked.title or None,
            tags=tuple(asked.tags),
            choices=self._earlier_choices(conversation),
        )
        source = Source(
            format=conversation.format, where=conversation.where, hash=content_hash(conversation)
        )
        snapshot, report = compiled.snapshot, compiled.report
        self._keep(Drafted(snapshot=snapshot, report=report, source=source))
        clean = shown.cleaner()
        half = shown.PAGE_BYTES // 2
        pieces = shown.passages(snapshot)
        return words.DraftAnswer(
            draft=snapshot.id,
            title=clean(snapshot.title),
            tokens=snapshot.token_estimate,
            messages=len(conversation.messages),
            passages=_previews(pieces, clean),
            passages_in_all=len(pieces),
            left_out=shown.fitting((shown.left(o, clean) for o in report.omitted), limit=half),
            left_out_in_all=len(report.omitted),
            max_tokens_for_all_verbatim=report.enough_for_verbatim,
            warnings=[shown.line(warning) for warning in conversation.warnings[:20]],
        )

    def _earlier_choices(self, conversation: Conversation) -> tuple[Choice, ...]:
        """What the person decided about an earlier compile; a draft needs no store, though."""
        with suppress(StoreError), self.library() as library:
            return library.earlier_choices(conversation)
        return ()

    def _conversation(self, asked: words.CompileConversation) -> Conversation:
        if bool(asked.messages) == bool(asked.path):
            raise RequestError("Give either messages or a path")
        if asked.messages:
            return _said(asked.messages, asked.title)
        from dcb.read import read_alone

        read = [
            item for item in read_alone(self._inside(asked.path)) if isinstance(item, Conversation)
        ]
        return _chosen(read, asked.conversation)

    def _inside(self, text: str) -> Path:
        """The path as it really is, when it lies in a folder that the person allowed."""
        if not self._roots:
            raise RequestError(
                "This server may read no files; give messages, or start it with --root FOLDER"
            )
        # The same answer for what lies outside and for what is missing: a client learns
        # nothing about other folders.
        for root in self._roots:
            with suppress(OSError, ValueError, RuntimeError):
                path = (root / Path(text).expanduser()).resolve()
                if path.is_relative_to(root) and path.is_file():
                    return path
        raise RequestError("No such file in the folders that this server may read")

    def merge_context(self, asked: words.MergeContext) -> words.MergeAnswer:
        """A draft of two contexts fused."""
        with self.library() as library:
            base = library.get(asked.base).snapshot
            drafted = self._drafts.get(asked.current)
            current = drafted.snapshot if drafted else library.get(asked.current).snapshot
            merged, conflicts = library.merge(base, current, policy=asked.policy)
        tokens = merged.token_estimate
        report = Report(limit=tokens, needed=tokens, kept=tokens)
        self._keep(Drafted(snapshot=merged, report=report, source=Source()))
        clean = shown.cleaner()
        half = shown.PAGE_BYTES // 2
        pieces = shown.passages(merged)
        settled = (
            words.Conflict(
                scope=clean(item.scope),
                key=clean(item.key),
                base=clean(item.base)[: shown.PREVIEW],
                current=clean(item.current)[: shown.PREVIEW],
                winner=item.winner,
                reason=clean(item.reason),
            )
            for item in conflicts
        )
        return words.MergeAnswer(
            draft=merged.id,
            title=clean(merged.title),
            tokens=tokens,
            conflicts=shown.fitting(settled, limit=half),
            conflicts_in_all=len(conflicts),
            passages=_previews(pieces, clean),
            passages_in_all=len(pieces),
        )

    def _keep(self, drafted: Drafted) -> None:
        with self._lock:
            self._drafts[drafted.snapshot.id] = drafted
            while len(self._drafts) > DRAFTS_KEPT:
                self._drafts.popitem(last=False)

    # --- propose -------------------------------------------------------------------------

    def save_draft(self, asked: words.SaveDraft, by: str) -> words.SavedAnswer:
        """Put a draft into the inbox. `by` is what the client calls itself."""
        drafted = self._drafts.get(asked.draft)
        if drafted is None:
            raise NotFound("No such draft here (only the last ones are kept); compile it again")
        with self.library() as library:
            waiting = library.submit(
                drafted.snapshot,
                drafted.report,
                source=drafted.source,
                by=shown.line(by, limit=80),
                note=shown.line(asked.note, limit=500),
            )
        return words.SavedAnswer(
            id=drafted.snapshot.id,
            state="waiting for the person",
            waiting=waiting,
            accept_with=f"dcb inbox accept {drafted.snapshot.id}",
        )

    # --- resources -----------------------------------------------------------------------

    def document(self, identifier: str) -> str:
        """The document of a snapshot, cleaned and fenced."""
        with self.library() as library:
            text = library.get(identifier).document
        text = shown.cleaner()(text)
        if len(text) > shown.DOCUMENT:
            text = f"{text[: shown.DOCUMENT]}\n(cut; get_snapshot gives all of it page by page)"
        return shown.fence(text)

    def ids(self, beginning: str, *, most: int = 100) -> list[str]:
        """Ids that begin so among the snapshots saved last, the last first."""
        with self.library() as library:
            rows = library.list(limit=COMPLETED_FROM)
        return [row.id for row in rows if row.id.startswith(beginning)][:most]


def _previews(pieces: list[Stored], clean: shown.Clean) -> list[words.Passage]:
    short = (shown.passage(piece, clean, limit=shown.PREVIEW) for piece in pieces)
    return shown.fitting(short, limit=shown.PAGE_BYTES // 2)


def _next(offset: int, kept: int, there: int) -> int | None:
    return offset + kept if offset + kept < there else None


def _layer(kind: str) -> str:
    return {"summary": "summary", "preference": "preferences"}.get(kind, "verbatim")


def _written_by(snapshot: Snapshot) -> str:
    return str(dict(snapshot.extra).get(WRITTEN_BY, ""))


def _said(messages: list[words.Said], title: str) -> Conversation:
    from dcb.brief import without_briefs

    # A brief that an agent carries along is not what the person said in this conversation.
    told = [(said, without_briefs(said.content)) for said in messages]
    kept = tuple(
        Message(id=said.id or None, role=said.role, content=content)
        for said, content in told
        if content.strip()
    )
    if not kept:
        raise RequestError("There is nothing in these messages")
    conversation = Conversation(id="", title=title, format="mcp", messages=kept)
    if refused := found_nul(conversation):
        raise RequestError(refused)
    return conversation


def _chosen(read: list[Conversation], name: str) -> Conversation:
    named = [item for item in read if item.id == name] if name else read
    if len(named) == 1:
        return named[0]
    ids = ", ".join(shown.line(item.id, limit=60) for item in read[:5])
    raise RequestError(
        f"The file holds {len(read)} conversations; name one in `conversation`: {ids}"
    )
