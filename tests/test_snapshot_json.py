"""The JSON shape of snapshots: complete, read in both spellings, wrong values named."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import ModelError
from dcb.model import Entry, Preference, Section, Snapshot
from dcb.snapshot_json import from_json, to_json
from tests.cases import CASES

SNAPSHOT = Snapshot(
    id="s-1",
    conversation_id="c-1",
    title="Harbour",
    created_at=7,
    tags=("a",),
    weight=2.5,
    verbatim=(
        Entry(id="v-1", kind="decision", content="A."),
        Entry(
            id="v-2",
            kind="code",
            content="x",
            role="assistant",
            src="m2",
            at=5,
            lang="python",
            status="superseded",
            by="v-1",
            origin="accepted",
            via="m3",
            pin=True,
            extra=(("mood", "calm"),),
        ),
    ),
    summary=(Section(heading="Goal", bullets=("Ship.",)),),
    preferences=(Preference(scope="style", key="tone", value="brief", at=9),),
    extra=(("owner", "team-a"), ("list", ("x", "y"))),
)
SHOWN = {
    "meta": {
        "schema_version": "1.0",
        "snapshot_id": "s-1",
        "source_conversation_id": "c-1",
        "title": "Harbour",
        "description": "",
        "tags": ["a"],
        "created_at": 7,
        "token_estimate": 0,
        "encrypted": False,
        "checksum": "",
        "weight": 2.5,
        "extra": {"owner": "team-a", "list": ["x", "y"]},
    },
    "verbatim": [
        {
            "id": "v-1",
            "kind": "decision",
            "role": "user",
            "src": "",
            "at": 0,
            "lang": "",
            "content": "A.",
        },
        {
            "id": "v-2",
            "kind": "code",
            "role": "assistant",
            "src": "m2",
            "at": 5,
            "lang": "python",
            "content": "x",
            "status": "superseded",
            "by": "v-1",
            "origin": "accepted",
            "via": "m3",
            "pin": True,
            "extra": {"mood": "calm"},
        },
    ],
    "summary": [{"heading": "Goal", "bullets": ["Ship."]}],
    "preferences": [{"scope": "style", "key": "tone", "explicit": True, "value": "brief", "at": 9}],
}
OLD = {
    "meta": {
        "schemaVersion": "1.0",
        "snapshotId": "s-1",
        "sourceConversationId": "c-1",
        "title": "Harbour",
        "createdAt": 7,
        "tokenEstimate": 3,
        "checksum": "sha256:" + "0" * 64,
        "weight": None,
    },
    "verbatim": [
        {
            "id": "v-1",
            "sourceMessageId": "m1",
            "sourceRole": "assistant",
            "kind": "code",
            "content": "x",
            "createdAt": 5,
            "language": "python",
        }
    ],
    "summary": [],
    "preferences": [{"scope": "style", "key": "tone", "value": "brief", "createdAt": 9}],
}


def test_a_snapshot_is_shown_whole() -> None:
    assert to_json(SNAPSHOT) == SHOWN
    assert from_json(json.loads(json.dumps(SHOWN))) == SNAPSHOT


def test_nothing_is_added_for_what_is_not_set() -> None:
    bare = Snapshot(id="s", conversation_id="c", title="", created_at=0)
    assert "extra" not in to_json(bare)["meta"]
    assert from_json({"meta": to_json(bare)["meta"]}) == bare


def test_the_spellings_of_the_original_are_read() -> None:
    snapshot = from_json(OLD)
    assert snapshot.checksum == "0" * 64
    assert snapshot.token_estimate == 3
    assert snapshot.verbatim == (
        Entry(id="v-1", kind="code", content="x", role="assistant", src="m1", at=5, lang="python"),
    )
    assert snapshot.preferences == (Preference(scope="style", key="tone", value="brief", at=9),)


def test_lone_surrogates_are_replaced() -> None:
    data = json.loads(json.dumps(OLD).replace("Harbour", "\\ud83d Harbour"))
    assert from_json(data).title == "\ufffd Harbour"


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ((), [], "snapshot: must be an object, not []"),
        (("meta",), None, "meta: missing"),
        (("meta",), 3, "meta: must be an object, not 3"),
        (("meta", "snapshot_id"), None, "meta.snapshot_id: missing"),
        (("meta", "title"), 5, "meta.title: must be text, not 5"),
        (("meta", "titel"), "x", "meta.titel: unknown key; known are: schema_version, snapshot_id, source_conversation_id, title, description, tags, created_at, token_estimate, encrypted, checksum, weight, extra"),
        (("meta", "snapshotId"), "x", "meta.snapshotId: given twice, in two spellings"),
        (("meta", "schema_version"), "2.0", "meta.schema_version: format '2.0' is not one that this version of dcb reads: 1.x"),
        (("meta", "created_at"), "soon", "meta.created_at: must be a whole number, not 'soon'"),
        (("meta", "created_at"), True, "meta.created_at: must be a whole number, not True"),
        (("meta", "created_at"), 10**20, "meta: created_at must be whole milliseconds since 1970, not 100000000000000000000"),
        (("meta", "encrypted"), "no", "meta.encrypted: must be true or false, not 'no'"),
        (("meta", "weight"), "x", "meta.weight: must be a number, not 'x'"),
        (("meta", "weight"), float("nan"), "meta: A weight is a finite number, not nan"),
        (("meta", "tags"), "a", "meta.tags: must be a list, not 'a'"),
        (("meta", "tags"), ["a", 1], "meta.tags[1]: must be text, not 1"),
        (("meta", "extra"), [], "meta.extra: must be an object, not []"),
        (("meta", "extra"), {"title": "x"}, "meta: The header key 'title' is known or given twice"),
        (("meta", "extra"), {"x": [1]}, "meta.extra.x[0]: must be text, not 1"),
        (("verbatim", 1, "kind"), "x", "verbatim[1].kind: unknown kind 'x'; choose one of: directive, decision, code, parameter"),
        (("verbatim", 1, "kind"), {}, "verbatim[1].kind: unknown kind {}; choose one of: directive, decision, code, parameter"),
        (("verbatim", 1, "status"), "x", "verbatim[1].status: unknown status 'x'; choose one of: superseded"),
        (("verbatim", 1, "at"), 1.5, "verbatim[1].at: must be a whole number, not 1.5"),
        (("verbatim", 1, "at"), -1, "verbatim[1]: entry time must be whole milliseconds since 1970, not -1"),
        (("verbatim", 1, "id"), "v-1", "meta: Two entries have the id 'v-1'"),
        (("verbatim", 1, "extra"), {"a b": "x"}, "verbatim[1]: 'a b' cannot name an unknown entry attribute"),
        (("summary", 0, "heading"), " ", "summary[0]: A summary section needs a heading"),
        (("summary", 0, "bullets", 0), None, "summary[0].bullets[0]: must be text, not None"),
        (("preferences", 0, "scope"), "x", "preferences[0].scope: unknown scope 'x'; choose one of: style, role, constraint"),
        (("preferences", 0, "key"), "。", "preferences[0]: '。' cannot be a preference key: use a-z, 0-9, '.', '_' and '-'"),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_wrong_value_is_named(place: tuple[Any, ...], value: object, message: str) -> None:
    data: Any = {"root": copy.deepcopy(SHOWN)}
    at: Any = data
    for step in ("root", *place[:-1]):
        at = at[step] if place else at
    if place:
        at[place[-1]] = value
    else:
        data["root"] = value
    with pytest.raises(ModelError) as caught:
        from_json(data["root"])
    assert str(caught.value) == message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("meta", "verbatim", "id", "kind", "tags")), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=CASES)
@given(JSON)
def test_any_json_is_read_or_refused(data: Any) -> None:
    with pytest.raises(ModelError):
        from_json(data)
    with pytest.raises(ModelError):
        from_json({"meta": SHOWN["meta"], "verbatim": [data]})
