"""What tools take and give back, as types: the schemas that clients see are made of these.

Every text here is fixed in the program, so that nothing in a store can change what an agent
is told about its tools.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Policy = Literal["new-wins", "snapshot-wins", "timestamp", "weighted"]

Id = Annotated[
    str,
    Meta(
        pattern=r"^\S+$",
        max_length=200,
        description="Id of a snapshot, or a beginning of it that no other id shares.",
    ),
]
DraftId = Annotated[
    str,
    Meta(pattern=r"^\S+$", max_length=200, description="Draft that a tool of this server made."),
]
Day = Annotated[str, Meta(max_length=40, description="Date or time, ISO 8601, such as 2026-03-01.")]
Skip = Annotated[
    int, Meta(ge=0, le=1_000_000, description="Skip so many: `next_offset` of the page before.")
]


class Input(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of a tool; anything not named here is refused.

    What may be left out has an empty default rather than a null: simple clients go by the
    one `type` of a schema when they turn what a person typed into JSON.
    """


class Output(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool gives back; a field that says nothing is left out."""


# --- arguments -------------------------------------------------------------------------


class SearchContext(Input, frozen=True):
    """Find decisions, directives, parameters, code and preferences in all stored conversations.

    Use it before asking the person something that may have been settled earlier. Words are
    joined by AND; also "exact phrase", -without, tag: role: kind: source: before: after:.
    """

    query: Annotated[str, Meta(min_length=1, max_length=1000, description="What to look for.")]
    limit: Annotated[int, Meta(ge=1, le=50, description="Snapshots on a page.")] = 10
    offset: Annotated[int, Meta(ge=0, le=200, description="`next_offset` of the page before.")] = 0


class ListSnapshots(Input, frozen=True):
    """List the stored snapshots, the last saved first."""

    tag: Annotated[str, Meta(max_length=200, description="Only with this tag.")] = ""
    source: Annotated[str, Meta(max_length=100, description="Only of this source format.")] = ""
    after: Day = ""
    before: Day = ""
    limit: Annotated[int, Meta(ge=1, le=200, description="Snapshots on a page.")] = 50
    offset: Skip = 0


class GetSnapshot(Input, frozen=True):
    """Read one snapshot: passages kept word for word, then summary, then preferences.

    For carrying on with its work `get_brief` is shorter and in the right order.
    """

    id: Id
    part: Annotated[
        Literal["all", "verbatim", "summary", "preferences"], Meta(description="Which layer.")
    ] = "all"
    offset: Skip = 0


class GetBrief(Input, frozen=True):
    """Get the read-only brief of an earlier conversation, to carry on from it.

    Name the snapshot, or describe the task in `query` to get the brief of the one that fits
    best. With both, what matters for the query comes first.
    """

    id: Annotated[
        str, Meta(pattern=r"^\S*$", max_length=200, description="Id of a snapshot, if known.")
    ] = ""
    query: Annotated[str, Meta(max_length=1000, description="The task at hand.")] = ""
    budget: Annotated[int, Meta(ge=256, le=6000, description="At most so many tokens.")] = 2000
    lang: Annotated[Literal["en", "zh"], Meta(description="Language of headings.")] = "en"


class Said(Input, frozen=True):
    """One message of a conversation."""

    role: Literal["user", "assistant", "system"]
    content: Annotated[str, Meta(max_length=1_000_000)]
    id: Annotated[str, Meta(max_length=200)] = ""


class CompileConversation(Input, frozen=True):
    """Turn a conversation into a draft snapshot and list what the draft leaves out.

    Give `messages`, word for word and in their order, or the `path` of a session file inside
    a folder that the person allowed. Nothing is stored; `save_draft` proposes the draft.
    """

    messages: Annotated[list[Said], Meta(max_length=20_000)] = []
    path: Annotated[str, Meta(max_length=4096, description="A session file.")] = ""
    conversation: Annotated[
        str, Meta(max_length=500, description="Which one, where the file holds several.")
    ] = ""
    title: Annotated[str, Meta(max_length=500)] = ""
    tags: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=50)] = []
    max_tokens: Annotated[int, Meta(ge=256, le=32_768)] = 4096


class MergeContext(Input, frozen=True):
    """Fuse a stored snapshot with a draft or another snapshot; every conflict is reported.

    Nothing is stored; `save_draft` proposes the result.
    """

    base: Id
    current: Annotated[
        str, Meta(pattern=r"^\S+$", max_length=200, description="Id of a draft or a snapshot.")
    ]
    policy: Annotated[Policy, Meta(description="Who wins a conflict.")] = "new-wins"


class SaveDraft(Input, frozen=True):
    """Propose a draft to the person: it waits in their inbox and is used after they accept it."""

    draft: DraftId
    note: Annotated[str, Meta(max_length=500, description="Why it is worth keeping.")] = ""


# --- answers ---------------------------------------------------------------------------


class Card(Output, frozen=True):
    """A stored snapshot in one line."""

    id: str
    title: str
    created: str
    tokens: int
    source: str = ""
    tags: list[str] = []


class Passage(Output, frozen=True):
    """One passage. `message` is the id of the message it was cut from."""

    kind: str
    text: str
    label: str = ""
    role: str = ""
    message: str = ""
    at: str = ""
    superseded: bool = False
    characters_cut: int = 0


class Left(Output, frozen=True):
    """One thing that a draft leaves out, and why."""

    kind: str
    text: str
    reason: str
    tokens: int
    message: str = ""


class FoundSnapshot(Output, frozen=True):
    """A snapshot with its best passages; `more` further ones match."""

    snapshot: Card
    passages: list[Passage]
    more: int = 0


class SearchAnswer(Output, frozen=True):
    """What was found, best first."""

    found: list[FoundSnapshot]
    next_offset: int | None = None
    suggestion: str = ""
    notes: list[str] = []


class SnapshotList(Output, frozen=True):
    """A page of the list."""

    snapshots: list[Card]
    next_offset: int | None = None


class SnapshotAnswer(Output, frozen=True):
    """A page of a snapshot."""

    snapshot: Card
    passages: list[Passage]
    description: str = ""
    written_by: str = ""
    next_offset: int | None = None


class BriefAnswer(Output, frozen=True):
    """A brief, already fenced and marked as data."""

    snapshot: Card
    brief: str
    others: list[Card] = []


class DraftAnswer(Output, frozen=True):
    """A draft. It is kept by this server until some newer ones were made."""

    draft: str
    title: str
    tokens: int
    messages: int
    passages: list[Passage]
    left_out: list[Left]
    left_out_in_all: int
    passages_in_all: int
    max_tokens_for_all_verbatim: int = 0
    warnings: list[str] = []


class Conflict(Output, frozen=True):
    """Two values for one matter, and the rule that settled it."""

    scope: str
    key: str
    base: str
    current: str
    winner: str
    reason: str


class MergeAnswer(Output, frozen=True):
    """A merged draft with every conflict."""

    draft: str
    title: str
    tokens: int
    conflicts: list[Conflict]
    conflicts_in_all: int
    passages: list[Passage]
    passages_in_all: int


class SavedAnswer(Output, frozen=True):
    """Where a draft waits now."""

    id: str
    state: Literal["waiting for the person"]
    waiting: int
    accept_with: str


def schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of a type, its object at the root."""
    _, parts = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    root = dict(parts.pop(kind.__name__))
    # The description of a tool says it already.
    del root["title"], root["description"]
    return {**root, "$defs": parts} if parts else root
