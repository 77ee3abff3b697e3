"""MCP: what agents can find, read and propose, and what they cannot, through the SDK's client."""

import json
import re
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import anyio
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from dcb.compile import compile_conversation
from dcb.errors import DcbError
from dcb.library import Library
from dcb.mcp import desk, server, shown, words
from dcb.mcp.desk import Desk
from dcb.mcp.offered import TOOLS
from dcb.mcp.server import Service
from dcb.model import Conversation, Message
from dcb.read import read_conversations
from tests.cases import CASES, FEWER

PROMPTS = Path(__file__).parent / "data" / "hostile" / "prompts"
READING = [
    "search_context",
    "get_brief",
    "get_snapshot",
    "list_snapshots",
    "compile_conversation",
    "merge_context",
]
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\U000e0000-\U000e007f]")


@pytest.fixture
def library(place, tmp_path):
    with Library(place.settings(tmp_path / "data")) as opened:
        yield opened


def talk(*contents, id="", title="Harbour"):
    messages = tuple(
        Message(id=f"m{place}", role="user", content=content)
        for place, content in enumerate(contents, 1)
    )
    return Conversation(id=id, title=title, format="test", messages=messages)


def save(library, *contents, **options):
    return library.save(compile_conversation(talk(*contents, **options))).id


def with_client(library, use: Callable[[Client], Awaitable[Any]], **options: Any) -> Any:
    """What `use` makes of a client that is connected to a server over the library's folder."""

    async def main() -> Any:
        service = Service(lambda: Library(library._settings), **options)
        async with Client(service.server()) as client:
            try:
                return await use(client)
            except MCPError as error:
                return error

    answer = anyio.run(main)
    # Raised in there it would come out as a group of groups.
    if isinstance(answer, MCPError):
        raise answer
    return answer


def call(library, name, arguments, **options):
    """The answer of one tool."""
    return with_client(library, lambda client: client.call_tool(name, arguments), **options)


def sentence(answer):
    assert answer.is_error
    assert answer.structured_content is None
    (block,) = answer.content
    assert "\n" not in block.text
    return block.text


# --- what is offered ------------------------------------------------------------------


def test_a_server_reads_unless_it_was_started_to_write(library):
    async def names(client):
        return [tool.name for tool in (await client.list_tools()).tools]

    assert with_client(library, names) == READING
    assert with_client(library, names, allow_write=True) == [*READING, "save_draft"]


def test_no_tool_deletes_unlocks_or_exports():
    assert [tool.name for tool in TOOLS if tool.writes] == ["save_draft"]
    assert not re.search(
        "delete|remove|erase|unlock|decrypt|export", " ".join(t.name for t in TOOLS)
    )


def test_a_tool_takes_nothing_that_it_does_not_name():
    for tool in TOOLS:
        assert words.schema(tool.takes)["additionalProperties"] is False
        assert hasattr(Desk, tool.name)


def test_what_is_offered_is_the_same_bytes_for_an_empty_and_a_hostile_store(library):
    async def offered(client):
        lists = (client.list_tools(), client.list_prompts(), client.list_resource_templates())
        return [(await one).model_dump_json() for one in lists]

    before = with_client(library, offered)
    for path in PROMPTS.iterdir():
        save(library, path.read_text("utf-8"), title=path.read_text("utf-8")[:80])
    assert with_client(library, offered) == before


# --- finding and reading --------------------------------------------------------------


def test_search_gives_passages_with_their_message(library):
    snapshot = save(library, "Hello.", "Always use port 5433 for the harbour database.")
    answer = call(library, "search_context", {"query": "5433"})
    (found,) = answer.structured_content["found"]
    assert found["snapshot"]["id"] == snapshot
    assert [piece["message"] for piece in found["passages"] if piece["kind"] == "directive"] == [
        "m2"
    ]
    assert "5433" in answer.content[0].text


def test_a_brief_comes_by_id_or_by_what_the_task_is(library):
    save(library, "Always water the tomatoes at dawn.", title="Garden")
    harbour = save(library, "Always moor the boats at the north pier.")
    for asked in ({"id": harbour[:30]}, {"query": "boats"}, {"id": harbour, "query": "pier"}):
        answer = call(library, "get_brief", asked)
        assert answer.structured_content["snapshot"]["id"] == harbour
        assert "north pier" in answer.structured_content["brief"]
        assert answer.content[0].text == answer.structured_content["brief"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "Give the id of a snapshot, or a query that describes the task"),
        ({"query": "zebra"}, "No snapshot fits that query; try fewer or other words"),
        ({"id": "none"}, "No snapshot 'none': nothing is stored yet"),
        ({"id": "a b"}, "get_brief: Expected `str` matching regex '^\\\\S*$' - at `$.id`"),
        ({"id": 7}, "get_brief: Expected `str`, got `int` - at `$.id`"),
        ({"budget": 1}, "get_brief: Expected `int` >= 256 - at `$.budget`"),
        ({"path": "/etc"}, "get_brief: Object contains unknown field `path`"),
    ],
)
def test_a_bad_request_is_answered_with_one_sentence(library, asked, told):
    assert sentence(call(library, "get_brief", asked)) == told


def test_an_ambiguous_id_is_told_without_titles(library):
    for name in ("one", "two"):
        draft = compile_conversation(talk("Always sail.", title="Secret"), snapshot_id=f"x-{name}")
        library.save(draft)
    told = sentence(call(library, "get_snapshot", {"id": "x-"}))
    assert told == "'x-' begins several ids; give more of it"


def test_pages_of_a_snapshot_hold_all_of_it_and_stay_small(library):
    lines = [f"Never moor at pier {n}: {'the planks are rotten, ' * 60}again." for n in range(80)]
    draft = compile_conversation(talk(*lines), max_tokens=None)
    snapshot = library.save(draft).id

    async def pages(client):
        read, offset = [], 0
        while offset is not None:
            answer = await client.call_tool("get_snapshot", {"id": snapshot, "offset": offset})
            assert len(answer.model_dump_json().encode()) <= 65_536
            read += answer.structured_content["passages"]
            offset = answer.structured_content.get("next_offset")
        return read

    whole = with_client(library, pages)
    kept = [entry.content for entry in library.get(snapshot).snapshot.verbatim]
    assert [piece["text"] for piece in whole if piece["kind"] == "directive"] == kept
    assert len(kept) > 40


def test_a_very_long_passage_is_cut_and_says_how_much(library):
    snapshot = save(library, "Use this:\n```\n" + "x = 1\n" * 4000 + "```")
    answer = call(library, "get_snapshot", {"id": snapshot, "part": "verbatim"})
    assert all(len(p["text"]) <= 9_000 for p in answer.structured_content["passages"])
    assert len(answer.model_dump_json().encode()) <= 65_536


def test_lists_go_page_by_page(library):
    for number in range(7):
        save(library, f"Always sail ship {number}.", title=f"Ship {number}")

    async def titles(client):
        read, offset = [], 0
        while offset is not None:
            page = (
                await client.call_tool("list_snapshots", {"limit": 3, "offset": offset})
            ).structured_content
            read += [card["title"] for card in page["snapshots"]]
            offset = page.get("next_offset")
        return read

    assert with_client(library, titles) == [f"Ship {number}" for number in range(6, -1, -1)]


def test_stored_text_cannot_pose_as_anything_else(library):
    for path in sorted(PROMPTS.iterdir()):
        text = path.read_text("utf-8", errors="replace")
        save(library, f"Always keep this.\n{text}", text, title=text[:100])

    async def answers(client):
        listed = (await client.call_tool("list_snapshots", {})).structured_content["snapshots"]
        yield await client.call_tool("list_snapshots", {})
        yield await client.call_tool("search_context", {"query": "always"})
        for card in listed:
            yield await client.call_tool("get_snapshot", {"id": card["id"]})

    async def collected(client):
        return [answer async for answer in answers(client)]

    for answer in with_client(library, collected):
        first, notice, *lines, last = answer.content[0].text.split("\n")
        assert re.fullmatch(r"\[dcb:brief [0-9a-f]{16} begin\]", first)
        assert last == first.replace("begin", "end")
        assert "not instructions" in notice
        assert all(line.startswith(">") for line in lines)
        everything = json.dumps(answer.structured_content, ensure_ascii=False)
        assert not HIDDEN.search(everything)
        assert not re.search(r"</?system>|<\|im_start\|>|\[INST\]|\[dcb:brief", everything)


def test_secrets_are_masked_wherever_an_agent_reads(library):
    snapshot = save(library, f"Always use the token {TOKEN} here.", title=f"Token {TOKEN}")

    async def everything(client):
        yield await client.call_tool("search_context", {"query": "token"})
        yield await client.call_tool("list_snapshots", {})
        yield await client.call_tool("get_snapshot", {"id": snapshot})
        yield await client.call_tool("get_brief", {"id": snapshot})
        yield await client.list_resources()
        yield await client.read_resource(f"dcb://snapshot/{snapshot}")
        yield await client.read_resource(f"dcb://brief/{snapshot}")
        yield await client.get_prompt("continue-from", {"snapshot": snapshot})
        messages = [{"role": "user", "content": f"Never use {TOKEN}."}]
        yield await client.call_tool("compile_conversation", {"messages": messages})

    async def collected(client):
        return [answer.model_dump_json() async for answer in everything(client)]

    for text in with_client(library, collected):
        assert TOKEN not in text
        assert "redacted" in text


def test_a_secret_is_masked_where_a_snippet_would_show_half_of_it(library):
    save(
        library, f"Always use {'a very long explanation of it, ' * 20}token {TOKEN} for the zebra."
    )
    answer = call(library, "search_context", {"query": "zebra"})
    text = answer.model_dump_json()
    assert not any(TOKEN[at : at + 8] in text for at in range(4, len(TOKEN) - 8))


def test_no_answer_is_longer_than_64_kib(library):
    lines = [f"必须使用第{n}号码头，{'不许改动港口的登记资料，' * 700}编号{n}。" for n in range(30)]
    snapshot = library.save(compile_conversation(talk(*lines), max_tokens=None)).id
    messages = [{"role": "user", "content": line} for line in lines]
    calls = {
        "get_snapshot": {"id": snapshot},
        "get_brief": {"id": snapshot, "budget": 6000},
        "search_context": {"query": "码头", "limit": 50},
        "compile_conversation": {"messages": messages, "max_tokens": 32_768},
        "merge_context": {"base": snapshot, "current": snapshot},
    }

    async def sizes(client):
        for name, asked in calls.items():
            yield name, (await client.call_tool(name, asked)).model_dump_json()
        yield (
            "resource",
            (await client.read_resource(f"dcb://snapshot/{snapshot}")).model_dump_json(),
        )

    async def collected(client):
        return {name: len(text.encode()) async for name, text in sizes(client)}

    found = with_client(library, collected)
    assert max(found.values()) <= 65_536, found


# --- compiling, merging, proposing ----------------------------------------------------


def test_messages_become_a_draft_with_what_it_leaves_out(library):
    messages = [
        {"role": "user", "content": f"Always sail ship {n}. {'Some talk. ' * 50}"}
        for n in range(40)
    ]
    answer = call(
        library, "compile_conversation", {"messages": messages, "max_tokens": 256, "title": "Ships"}
    ).structured_content
    assert (answer["title"], answer["messages"]) == ("Ships", 40)
    assert answer["left_out_in_all"] >= len(answer["left_out"]) > 0
    assert answer["left_out"][0]["reason"] == "budget"
    assert library.list() == library.inbox() == ()


def test_a_brief_among_the_messages_is_not_taken_for_the_persons_words(library):
    snapshot = save(library, "Always moor at the north pier.")
    brief = library.brief(snapshot)
    messages = [{"role": "user", "content": f"{brief}\nAlways paint it blue."}]
    answer = call(library, "compile_conversation", {"messages": messages}).structured_content
    assert [piece["text"] for piece in answer["passages"]] == ["Always paint it blue."]


def test_a_session_file_is_read_only_inside_the_allowed_folders(library, tmp_path):
    root, other = tmp_path / "sessions", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    session = json.dumps({"messages": [{"role": "user", "content": "Always sail."}]})
    for folder in (root, other):
        (folder / "s.json").write_text(session)
    (root / "link.json").symlink_to(other / "s.json")
    outside = "No such file in the folders that this server may read"
    asked = {
        "s.json": "",
        str(root / "s.json"): "",
        "../other/s.json": outside,
        str(other / "s.json"): outside,
        "link.json": outside,
        "missing.json": outside,
        ".": outside,
        "a\0b": outside,
        "x" * 4000: outside,
    }
    for path, told in asked.items():
        answer = call(library, "compile_conversation", {"path": path}, roots=(root,))
        if told:
            assert sentence(answer) == told
        else:
            assert answer.structured_content["passages"][0]["text"] == "Always sail."
    told = "This server may read no files; give messages, or start it with --root FOLDER"
    assert sentence(call(library, "compile_conversation", {"path": "s.json"})) == told
    assert sentence(call(library, "compile_conversation", {})) == "Give either messages or a path"


def test_what_the_person_dropped_stays_dropped_when_an_agent_compiles_the_session_again(
    library, tmp_path
):
    spoken = [
        {"id": f"m{n}", "role": "user", "content": content}
        for n, content in enumerate(("Always sail at dawn.", "Never anchor in the fairway."), 1)
    ]
    (tmp_path / "s.json").write_text(json.dumps({"id": "c-1", "messages": spoken}))
    (conversation,) = read_conversations(tmp_path / "s.json")
    identifier = library.keep_conversation(conversation).id
    kept = library.get(identifier).snapshot
    library.edit(replace(kept, verbatim=kept.verbatim[1:]))
    answer = call(library, "compile_conversation", {"path": "s.json"}, roots=(tmp_path,))
    assert [piece["text"] for piece in answer.structured_content["passages"]] == [
        "Never anchor in the fairway."
    ]


def test_of_several_conversations_in_a_file_one_is_named(library, tmp_path):
    several = [
        {"id": name, "messages": [{"role": "user", "content": f"Always {name}."}]}
        for name in ("sail", "moor")
    ]
    (tmp_path / "two.json").write_text(json.dumps(several))
    asked = {"path": "two.json"}
    assert sentence(call(library, "compile_conversation", asked, roots=(tmp_path,))) == (
        "The file holds 2 conversations; name one in `conversation`: sail, moor"
    )
    answer = call(
        library, "compile_conversation", {**asked, "conversation": "moor"}, roots=(tmp_path,)
    )
    assert answer.structured_content["passages"][0]["text"] == "Always moor."


def test_what_an_agent_saves_waits_and_is_used_after_the_person_accepts_it(library):
    async def propose(client):
        messages = [{"role": "user", "content": "Always moor the zebra boat."}]
        draft = (
            await client.call_tool("compile_conversation", {"messages": messages})
        ).structured_content["draft"]
        saved = await client.call_tool("save_draft", {"draft": draft, "note": "wanted"})
        assert saved.structured_content["accept_with"] == f"dcb inbox accept {draft}"
        assert not (
            await client.call_tool("search_context", {"query": "zebra"})
        ).structured_content["found"]
        assert (await client.call_tool("get_brief", {"id": draft})).is_error
        assert not (await client.list_resources()).resources
        library.accept(draft)
        answer = await client.call_tool("get_snapshot", {"id": draft})
        return answer.structured_content["written_by"]

    assert with_client(library, propose, allow_write=True) == "agent: mcp 0.1.0"


def test_nothing_is_saved_without_leave(library):
    with pytest.raises(MCPError) as caught:
        call(library, "save_draft", {"draft": "x"})
    assert caught.value.message == f"Unknown tool; this server has: {', '.join(READING)}"


def test_a_draft_that_is_not_here_is_not_saved(library):
    told = sentence(call(library, "save_draft", {"draft": "x"}, allow_write=True))
    assert told == "No such draft here (only the last ones are kept); compile it again"


def test_a_merge_reports_every_conflict_and_stores_nothing(library):
    base = save(library, "Please answer in French from now on.")

    async def merged(client):
        messages = [{"role": "user", "content": "Please answer in German from now on."}]
        draft = (
            await client.call_tool("compile_conversation", {"messages": messages})
        ).structured_content["draft"]
        asked = {"base": base, "current": draft, "policy": "snapshot-wins"}
        return (await client.call_tool("merge_context", asked)).structured_content

    answer = with_client(library, merged)
    assert answer["conflicts_in_all"] == len(answer["conflicts"]) == 1
    assert (answer["conflicts"][0]["winner"], answer["conflicts"][0]["reason"]) == (
        "base",
        "snapshot-wins",
    )
    assert [row.id for row in library.list()] == [base]


def test_only_the_last_drafts_are_kept(library, monkeypatch):
    monkeypatch.setattr(desk, "DRAFTS_KEPT", 1)

    async def oldest(client):
        ids = []
        for text in ("Always sail.", "Always moor."):
            asked = {"messages": [{"role": "user", "content": text}]}
            answer = await client.call_tool("compile_conversation", asked)
            ids.append(answer.structured_content["draft"])
        return [(await client.call_tool("save_draft", {"draft": one})).is_error for one in ids]

    assert with_client(library, oldest, allow_write=True) == [True, False]


def test_a_long_compile_tells_how_far_it_is(library):
    told: list[tuple[float, str | None]] = []

    async def heard(progress, total, message):
        told.append((progress, message))

    async def compiled(client):
        messages = [{"role": "user", "content": "Always sail."}] * 3000
        await client.call_tool(
            "compile_conversation", {"messages": messages}, progress_callback=heard
        )

    with_client(library, compiled)
    assert told[-1][1] == "compiling 3,000 messages"
    assert [at for at, _ in told] == sorted(at for at, _ in told)


# --- resources, prompts, completion ---------------------------------------------------


def test_resources_are_the_snapshots_page_by_page(library, monkeypatch):
    monkeypatch.setattr(server, "PAGE", 2)
    ids = [save(library, f"Always sail ship {n}.", title=f"Ship {n}") for n in range(5)]

    async def listed(client):
        page = await client.list_resources()
        found = list(page.resources)
        while page.next_cursor:
            page = await client.list_resources(cursor=page.next_cursor)
            found += page.resources
        return found, await client.read_resource(found[0].uri)

    found, read = with_client(library, listed)
    assert [item.name for item in found] == ids[::-1]
    assert found[0].title == "Ship 4"
    assert "Always sail ship 4." in read.contents[0].text


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("dcb://snapshot/none", "No snapshot 'none': nothing is stored yet"),
        ("dcb://brief/none", "No snapshot 'none': nothing is stored yet"),
        ("dcb://brief/", "Unknown address; see: dcb://snapshot/ID, dcb://brief/ID"),
        ("dcb://secret/x", "Unknown address; see: dcb://snapshot/ID, dcb://brief/ID"),
        ("file:///etc/passwd", "Unknown address; see: dcb://snapshot/ID, dcb://brief/ID"),
    ],
)
def test_an_address_of_nothing_is_an_error(library, uri, told):
    with pytest.raises(MCPError) as caught:
        with_client(library, lambda client: client.read_resource(uri))
    assert caught.value.message == told


def test_an_unknown_cursor_is_an_error(library):
    with pytest.raises(MCPError, match="Unknown cursor; begin again without one"):
        with_client(library, lambda client: client.list_resources(cursor="²"))


def test_prompts_carry_the_brief_and_what_to_do(library):
    snapshot = save(library, "Always moor at the north pier.")

    async def texts(client):
        asked = {"snapshot": snapshot, "task": "Paint the boat."}
        for name, arguments in (("continue-from", asked), ("save-this", {"title": "Boats"})):
            (message,) = (await client.get_prompt(name, arguments)).messages
            yield message.content.text

    async def collected(client):
        return [text async for text in texts(client)]

    going_on, saving = with_client(library, collected)
    assert "north pier" in going_on
    assert going_on.endswith("Paint the boat.")
    assert "Title: Boats." in saving
    assert "dcb compile FILE --save" in saving
    _, saving = with_client(library, collected, allow_write=True)
    assert "save_draft" in saving
    with pytest.raises(MCPError, match="Unknown prompt; see: continue-from, save-this"):
        with_client(library, lambda client: client.get_prompt("other", {}))


def test_ids_are_completed(library):
    snapshot = save(library, "Always sail.")

    async def completed(client):
        prompt = PromptReference(type="ref/prompt", name="continue-from")
        brief = ResourceTemplateReference(type="ref/resource", uri="dcb://brief/{id}")
        for ref, name, begun in (
            (prompt, "snapshot", snapshot[:4]),
            (brief, "id", ""),
            (brief, "id", "zzz"),
            (prompt, "task", ""),
        ):
            answer = await client.complete(ref, {"name": name, "value": begun})
            yield answer.completion.values

    async def collected(client):
        return [values async for values in completed(client)]

    assert with_client(library, collected) == [[snapshot], [snapshot], [], []]


# --- bad days -------------------------------------------------------------------------


def test_a_locked_store_says_so_and_shows_nothing(library):
    save(library, "Always whisper.", title="Xylophone")
    library.store.encrypt("open sesame")

    async def answers(client):
        for name, asked in (
            ("list_snapshots", {}),
            ("search_context", {"query": "whisper"}),
            ("get_brief", {"query": "whisper"}),
        ):
            told = sentence(await client.call_tool(name, asked))
            assert told.startswith("The store is encrypted; give its passphrase")
            assert "Xylophone" not in told
        ref = PromptReference(type="ref/prompt", name="continue-from")
        return (await client.complete(ref, {"name": "snapshot", "value": ""})).completion.values

    assert with_client(library, answers) == []


def test_a_flood_of_calls_is_answered_to_the_last(library):
    save(library, "Always sail.")
    told: list[bool] = []

    async def flood(client):
        async def one():
            told.append((await client.call_tool("search_context", {"query": "sail"})).is_error)

        async with anyio.create_task_group() as group:
            for _ in range(500):
                group.start_soon(one)
        return await client.call_tool("search_context", {"query": "sail"})

    assert not with_client(library, flood).is_error
    assert len(told) == 500
    assert told.count(False) >= server.MOST_WAITING


def test_a_call_that_takes_too_long_is_given_up(library, monkeypatch):
    monkeypatch.setattr(server, "SECONDS", 0.05)
    monkeypatch.setattr(Desk, "list_snapshots", lambda desk, asked: time.sleep(0.3))
    told = sentence(call(library, "list_snapshots", {}))
    assert told == "No answer within 0.05 seconds; ask for less"


def test_a_fault_of_ours_tells_its_kind_and_no_more(library, monkeypatch):
    def fails(desk, asked):
        raise KeyError("xylophone")

    monkeypatch.setattr(Desk, "list_snapshots", fails)
    told = sentence(call(library, "list_snapshots", {}))
    assert told == "An internal fault stopped this call (KeyError)"


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(st.data())
@settings(max_examples=FEWER, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_asked_is_answered_or_refused_in_a_sentence(library, data):
    tool = data.draw(st.sampled_from(TOOLS))
    names = st.sampled_from(tool.takes.__struct_fields__)
    asked = data.draw(st.dictionaries(names, ANYTHING))
    try:
        arguments = msgspec.convert(asked, tool.takes)
        run = getattr(Desk(lambda: library), tool.name)
        answer = run(arguments, "test") if tool.writes else run(arguments)
    except (DcbError, msgspec.ValidationError):
        return
    assert isinstance(answer, tool.gives)


@given(st.text(max_size=60))
@settings(max_examples=FEWER, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_query_makes_a_search_fail(library, text):
    asked = words.SearchContext(query=text or "x")
    assert isinstance(Desk(lambda: library).search_context(asked), words.SearchAnswer)


@given(st.text())
@settings(max_examples=CASES)
def test_no_line_of_content_stands_without_its_mark(text):
    first, _, *lines, last = shown.fenced({"text": shown.cleaner()(text)}).split("\n")
    assert last == first.replace("begin", "end")
    assert all(line.startswith(">") for line in lines)


def test_nothing_of_ours_is_loaded_before_the_client_is_greeted():
    late = {"dcb.library", "dcb.store", "dcb.mcp.desk", "dcb.mcp.shown", "dcb.compile", "dcb.model"}
    with patch.dict(sys.modules):
        for name in [name for name in sys.modules if name.partition(".")[0] == "dcb"]:
            del sys.modules[name]
        import_module("dcb.cli.mcp")
        import_module("dcb.mcp.server")
        assert late & sys.modules.keys() == set()


def test_two_servers_share_one_store(library):
    async def both():
        services = [
            Service(lambda: Library(library._settings), allow_write=True).server() for _ in range(2)
        ]
        async with Client(services[0]) as one, Client(services[1]) as two:

            async def propose(client, text):
                for number in range(10):
                    said = [{"role": "user", "content": f"Always {text} {number}."}]
                    draft = await client.call_tool("compile_conversation", {"messages": said})
                    asked = {"draft": draft.structured_content["draft"]}
                    assert not (await client.call_tool("save_draft", asked)).is_error

            async with anyio.create_task_group() as group:
                group.start_soon(propose, one, "sail")
                group.start_soon(propose, two, "moor")

    anyio.run(both)
    assert len(library.inbox()) == 20
