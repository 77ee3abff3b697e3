"""A labelled record, one line of `data/heldout.jsonl` or `data/talks` -> its conversation."""

from __future__ import annotations

from typing import Any

from dcb.model import Conversation, Message


def conversation(record: dict[str, Any]) -> Conversation:
    """The messages of a record, without its marks."""
    messages = (
        Message(id=m["id"], role=m["role"], content=m["content"], created_at=m.get("at"))
        for m in record["messages"]
    )
    return Conversation(
        id=record["id"], title=record["id"], format="labels", messages=tuple(messages)
    )
