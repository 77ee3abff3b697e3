"""Grok's data export -> conversations.

Where: accounts.x.ai, a zip with `prod-grok-backend.json`:
`{conversations: [{conversation: {id, title, create_time, modify_time}, responses: [{response:
{_id, message, sender, create_time, parent_response_id}}]}], projects, tasks}`. The sender is
`human`, `assistant` or `ASSISTANT`; times are ISO or Mongo's `{"$date": {"$numberLong"}}`.

Read: where every response names its parent and all parents are there, up from the last leaf
in the file (an answer asked for again is a sibling); in any doubt in file order, all of it.
Left out: other branches, thinking and tool traces, the cards between the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.model import Skipped
from dcb.readers.base import Input, Item, Notes, Reader
from dcb.readers.chain import leaves, live_path, tree
from dcb.readers.content import attachment, join_blocks
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, each
from dcb.readers.times import noted_ms

NAME = "grok"
CARD, CARD_END = "<grok:render", "</grok:render>"

ROLES = {"human": "user", "user": "user", "assistant": "assistant"}


def detect(source: Input) -> str | None:
    """Conversations whose `responses` hold a `response`."""
    for item in map(fields, source.items):
        for entry in [item, *map(fields, items(item.get("conversations"))[:20])]:
            if any("response" in fields(turn) for turn in items(entry.get("responses"))):
                return "conversations with `responses[].response`"
    return None


def read(source: Input) -> Iterator[Item]:
    """Each conversation."""
    key = "conversations" if source.shape == "object" else None
    for position, item, warnings in each(source, key=key):
        if isinstance(item, Skipped):
            yield item
        elif isinstance(fields(item).get("responses"), list):
            yield _conversation(Talk(source, warnings), item, position)
        else:
            where = f"{source.file.where}, conversation {position}"
            yield Skipped(where=where, reason="It has no `responses`")


def _conversation(talk: Talk, item: dict[str, Any], position: int) -> Item:
    about = fields(item.get("conversation"))
    turns = [fields(fields(turn).get("response")) for turn in item["responses"]]
    talk.notes.drop("damaged", sum(not turn for turn in turns))
    turns = [turn for turn in turns if turn]
    path = _path(turns, talk.notes)
    for turn in path:
        _say(talk, turn)
    return talk.close(
        NAME,
        id=about.get("id"),
        title=about.get("title"),
        place=f"conversation {position}",
        created_at=about.get("create_time"),
        updated_at=about.get("modify_time"),
        tree=_tree(turns, path) if talk.source.want_tree else (),
    )


def _path(turns: list[dict[str, Any]], notes: Notes) -> list[dict[str, Any]]:
    by_id = {identity(turn.get("_id")) or "": turn for turn in turns}
    parents = {name: identity(turn.get("parent_response_id")) for name, turn in by_id.items()}
    roots = [name for name, parent in parents.items() if parent not in by_id]
    whole = "" not in by_id and len(by_id) == len(turns)
    if not whole or len(roots) != 1 or parents[roots[0]] is not None:
        return turns
    path = live_path(parents, leaves(parents)[-1], notes)
    if path[0] != roots[0]:  # the last leaf hangs on a ring
        return turns
    notes.drop("branch", len(turns) - len(path))
    return [by_id[name] for name in path]


def _say(talk: Talk, turn: dict[str, Any]) -> None:
    sender = string(turn.get("sender"))
    role = ROLES.get(sender.casefold())
    if role is None:
        talk.notes.warn(f"Unknown sender {sender[:60]!r} skipped")
        talk.notes.drop("unknown")
        return
    files = (attachment("file", identity(name)) for name in items(turn.get("file_attachments")))
    text = join_blocks((_without_cards(string(turn.get("message"))), *files))
    talk.say(
        role, text, id=identity(turn.get("_id")), at=noted_ms(turn.get("create_time"), talk.notes)
    )


def _without_cards(text: str) -> str:
    """The message without `<grok:render …>…</grok:render>`, where the page draws a card."""
    kept = []
    here = 0
    while (start := text.find(CARD, here)) >= 0:
        end = text.find(CARD_END, start)
        if end < 0:
            break
        kept.append(text[here:start])
        here = end + len(CARD_END)
    return "".join(kept) + text[here:]


def _tree(turns: list[dict[str, Any]], path: list[dict[str, Any]]) -> Any:
    told = [
        (
            identity(turn.get("_id")) or "",
            identity(turn.get("parent_response_id")),
            ROLES.get(string(turn.get("sender")).casefold(), ""),
            string(turn.get("message")),
        )
        for turn in turns
    ]
    return tree(told, shown={identity(turn.get("_id")) or "" for turn in path})


READER = Reader(name=NAME, title="Grok export", detect=detect, read=read)
