"""Another budget or other choices cost no second look at the conversation."""

import pytest

from dcb.choices import Choice
from dcb.compile import compile_conversation, fitted
from dcb.model import Conversation, Message

WORDS = (
    ("user", "Let's use PostgreSQL on port 5433. Never log the token."),
    ("assistant", "```python\ndef connect():\n    return 5433\n```"),
    ("user", "Please always answer in English. We decided to deploy on Fridays."),
)
CONVERSATION = Conversation(
    id="c",
    title="t",
    format="test",
    messages=tuple(Message(id=None, role=role, content=text) for role, text in WORDS * 40),
)
FIXED = {"now": 0, "snapshot_id": "s"}


@pytest.mark.parametrize("limit", [None, 256, 300, 1000])
def test_fitted_is_as_compiled_with_that_budget_and_those_choices(limit):
    everything = compile_conversation(CONVERSATION, max_tokens=None, **FIXED)
    entry = everything.snapshot.verbatim[0]
    for choices in ((), (Choice(action="pin", key=("verbatim", entry.src, entry.content)),)):
        compiled = compile_conversation(
            CONVERSATION, max_tokens=limit, choices=choices, count="estimate", **FIXED
        )
        assert fitted(everything, max_tokens=limit, choices=choices) == compiled
