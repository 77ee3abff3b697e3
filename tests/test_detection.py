"""Telling formats apart: whatever stands where a type belongs, only our errors are raised."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import DcbError
from dcb.readers import READERS, identify
from tests.cases import FEWER
from tests.readings import ODD, jsonl, source

KEYS = (
    "type",
    "role",
    "kind",
    "message",
    "messages",
    "uuid",
    "sessionId",
    "content",
    "parts",
    "mapping",
    "chat",
    "chat_messages",
    "conversations",
    "history",
    "info",
    "data",
    "from",
    "value",
    "ts",
    "say",
    "lc",
    "id",
    "prompt",
    "completion",
    "requests",
    "v",
    "chunkedPrompt",
    "responses",
    "header",
    "time",
    "object",
    "input",
    "output",
    "is_user",
    "mes",
    "conversationId",
)
VALUES = st.sampled_from([*ODD, ["x"], {"a": 1}, {"type": ["x"]}, [{"role": {}}]])
RECORDS = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6)


@pytest.mark.parametrize("odd", [["x"], {"a": 1}, 3, None])
def test_a_type_that_is_no_text_stops_no_reader_from_being_asked(odd: Any) -> None:
    row = dict.fromkeys(KEYS, odd)
    for data in (row, [row], jsonl([row, row])):
        for reader in READERS:
            reader.detect(source(data))


@settings(max_examples=FEWER)
@given(st.lists(RECORDS, min_size=1, max_size=3))
def test_any_records_are_taken_or_refused_with_a_sentence(records: list[dict[str, Any]]) -> None:
    for data in (records, jsonl(records), records[0]):
        with suppress(DcbError):
            identify(source(data))
