"""Conversations are brought in piece by piece, shown before they are kept, and nothing is left behind."""

import asyncio
import json
import os
import re
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcb.web import compiling, survey, tray
from dcb.web.pages import bring_in
from dcb.web.pages.bring_in import tags
from tests.web_client import as_stranger, said, web

__all__ = ["web"]

TALK = (
    "User: Let's use PostgreSQL on port 5433. Never log the token.\n\n"
    "Assistant: Understood.\n\nUser: We decided to deploy on Fridays."
)


def export(count, *, title="Talk"):
    """An export of so many conversations."""
    return json.dumps(
        [
            {
                "id": f"c{number}",
                "title": f"{title} {number}",
                "messages": [
                    {"role": "user", "content": f"We decided to use port {5000 + number}."},
                    {"role": "assistant", "content": "Noted."},
                ],
            }
            for number in range(count)
        ]
    ).encode()


def send(web, body, name="export.json", **headers):
    """The answer to a file that is sent."""
    return web.client.post(
        "/bring-in/upload",
        content=body,
        headers={
            "content-type": "application/octet-stream",
            "x-csrf-token": web.door.csrf,
            "x-file-name": name,
            **headers,
        },
    )


def brought(web, body, name="export.json"):
    """The key of a source that was sent and looked through."""
    answer = send(web, body, name)
    assert answer.status_code == 201, answer.text
    key = answer.json()["next"].partition("=")[2]
    source = tray_of(web).source(key)
    source.survey.work.wait(10)
    return key


def tray_of(web):
    return web.client.app.app.state.tray


def files(web):
    folder = tray_of(web)._folder
    return [] if folder is None else [p for p in Path(folder.name).rglob("*") if p.is_file()]


def until_done(web, key):
    tray_of(web).source(key).ingest.work.wait(20)
    return web.text(f"/bring-in/work?id={key}")


def test_a_file_that_is_sent_is_shown_with_its_conversations(web):
    key = brought(web, export(2), "My export.json")
    page = web.text(f"/bring-in/source?id={key}")
    assert "My export.json" in page
    assert "Talk 0" in page
    assert "Talk 1" in page
    assert re.search(r"Conversations 2", page)


def test_the_file_is_private(web):
    brought(web, export(1))
    (file,) = files(web)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_is_removed_when_it_is_let_go(web):
    key = brought(web, export(1))
    assert web.post("/bring-in/drop", {"id": key}).headers["location"] == "/bring-in"
    assert files(web) == []


def test_a_file_is_removed_when_nobody_asks_for_it(web):
    key = brought(web, export(1))
    tray_of(web)._clock = lambda: time.monotonic() + tray.SECONDS + 1
    tray_of(web).expire()
    assert files(web) == []
    answer = web.get(f"/bring-in/source?id={key}")
    assert answer.status_code == 404
    assert "This file is no longer here; bring it in again" in answer.text


def test_the_oldest_file_makes_room(web):
    keys = [brought(web, export(1)) for _ in range(tray.SOURCES + 1)]
    assert len(files(web)) == tray.SOURCES
    assert web.get(f"/bring-in/source?id={keys[0]}").status_code == 404


def test_everything_is_removed_at_the_end(web):
    brought(web, export(1))
    folder = Path(tray_of(web)._folder.name)
    tray_of(web).close()
    assert not folder.exists()


def test_what_a_killed_program_left_is_removed_at_the_next_start(tmp_path, monkeypatch):
    monkeypatch.setattr(tray.tempfile, "gettempdir", lambda: str(tmp_path))
    dead, alive, other = (tmp_path / name for name in ("dcb-web-999999999-x", "", "other-1-x"))
    alive = tmp_path / f"dcb-web-{os.getpid()}-x"
    for folder in (dead, alive, other):
        folder.mkdir()
    tray.sweep()
    assert (dead.exists(), alive.exists(), other.exists()) == (False, True, True)


def test_a_sender_who_goes_away_leaves_nothing(web):
    scope, sent = scope_of(web), []
    pieces = iter(
        [
            {"type": "http.request", "body": b"x" * 70_000, "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive():
        return next(pieces)

    async def send_(message):
        sent.append(message)

    asyncio.run(web.client.app(scope, receive, send_))
    assert sent[0]["status"] == 400
    assert files(web) == []


def scope_of(web):
    headers = {
        "host": f"127.0.0.1:{web.door.port}",
        "cookie": f"{web.door.cookie}={web.door.session}",
        "content-type": "application/octet-stream",
        "x-csrf-token": web.door.csrf,
    }
    return {
        "type": "http",
        "method": "POST",
        "path": "/bring-in/upload",
        "raw_path": b"/bring-in/upload",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", web.door.port),
        "client": ("127.0.0.1", 1),
        "root_path": "",
    }


def test_a_body_that_grows_beyond_the_limit_is_refused_and_removed(web):
    web.client.app.door.large["/bring-in/upload"] = 100_000

    def pieces():
        for _ in range(4):
            yield b"x" * 50_000

    answer = send(web, pieces())
    assert answer.status_code == 413
    assert answer.text == "This takes at most 100,000 bytes\n"
    assert files(web) == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"x-csrf-token": "wrong"}, 403),
        ({"content-type": "multipart/form-data; boundary=x"}, 415),
        ({"origin": "http://evil.example"}, 403),
        ({"content-length": str(5 << 30)}, 413),
    ],
)
def test_an_upload_is_taken_from_this_page_only(web, headers, status):
    assert send(web, b"x", **headers).status_code == status
    assert files(web) == []


PATHS = ("text", "path", "drop", "review", "ingest", "stop", "add", "merge")


@pytest.mark.parametrize("path", PATHS)
def test_every_form_needs_its_token(web, path):
    assert web.post(f"/bring-in/{path}", {"id": "x"}, csrf=False).status_code == 403


def test_a_stranger_can_send_nothing(web):
    assert send(as_stranger(web), b"x").status_code == 401


def test_a_name_cannot_lead_out_of_the_folder(web):
    brought(web, export(1), "..%2F..%2Fetc%2Fpasswd")
    (file,) = files(web)
    assert file.is_relative_to(tray_of(web)._folder.name)
    assert "/" not in file.name


def test_pasted_text_is_a_source(web):
    answer = web.post("/bring-in/text", {"text": TALK})
    key = answer.headers["location"].partition("=")[2]
    tray_of(web).source(key).survey.work.wait(10)
    page = web.text(answer.headers["location"])
    assert "pasted text" in page
    assert "Conversations 1" in page


def test_nothing_pasted_is_said_so(web):
    answer = web.post("/bring-in/text", {"text": "  "})
    assert (answer.status_code, "Paste some text first" in answer.text) == (400, True)


def test_a_path_is_read_where_it_lies(web, tmp_path):
    file = tmp_path / "here.json"
    file.write_bytes(export(1))
    answer = web.post("/bring-in/path", {"path": str(file)})
    key = answer.headers["location"].partition("=")[2]
    tray_of(web).source(key).survey.work.wait(10)
    assert "Talk 0" in web.text(answer.headers["location"])
    web.post("/bring-in/drop", {"id": key})
    assert file.exists()


def test_a_path_where_nothing_is_is_said_so(web):
    answer = web.post("/bring-in/path", {"path": "/nowhere/at all"})
    assert answer.status_code == 422
    assert "There is nothing at “/nowhere/at all”" in said(answer.text)


def test_what_holds_no_conversation_is_said_so(web):
    key = brought(web, b"\x00\x01\x02", "noise.bin")
    assert "No conversation was found in it." in web.text(f"/bring-in/source?id={key}")


def test_many_are_stored_with_an_account(web):
    key = brought(web, export(5))
    answer = web.post("/bring-in/ingest", {"id": key, "what": "all", "tags": "a, b"})
    assert answer.headers["location"] == f"/bring-in/work?id={key}"
    page = until_done(web, key)
    assert "5 = 5 kept + 0 skipped + 0 not reached" in page
    with web.library() as library:
        rows = library.list()
        assert [row.tags for row in rows] == [("a", "b")] * 5
        assert {row.where.partition(",")[0] for row in rows} == {"export.json"}


def test_only_the_picked_ones_are_stored(web):
    key = brought(web, export(5))
    web.post("/bring-in/ingest", {"id": key, "what": "ticked", "place": ["1", "3", "77"]})
    assert "2 = 2 kept" in until_done(web, key)
    with web.library() as library:
        assert {row.conversation_id for row in library.list()} == {"c1", "c3"}


def test_all_that_a_search_matches_are_stored(web):
    key = brought(web, export(12))
    assert "3 of 12" in web.text(f"/bring-in/source?id={key}&q=talk+1")
    web.post("/bring-in/ingest", {"id": key, "what": "all", "q": "talk 1"})
    assert "3 = 3 kept" in until_done(web, key)


def test_storing_again_changes_nothing(web):
    for expected in ("stored as new snapshots", "stored before and unchanged"):
        key = brought(web, export(3))
        web.post("/bring-in/ingest", {"id": key, "what": "all"})
        assert expected in until_done(web, key)


def test_storing_can_be_stopped(web):
    key = brought(web, export(400))
    web.post("/bring-in/ingest", {"id": key, "what": "all"})
    web.post("/bring-in/stop", {"id": key})
    page = until_done(web, key)
    assert "Stopped. What was stored until then stays" in page
    kept, rest = re.search(r"400 = (\d+) kept \+ 0 skipped \+ (\d+) not reached", page).groups()
    assert int(kept) + int(rest) == 400
    with web.library() as library:
        assert len(library.list(limit=None)) == int(kept)


def test_none_picked_is_said_so(web):
    key = brought(web, export(3))
    answer = web.post("/bring-in/ingest", {"id": key, "what": "ticked"})
    assert (answer.status_code, "Pick a conversation first" in answer.text) == (400, True)


def test_a_long_list_is_shown_by_pages(web):
    key = brought(web, export(250))
    first = web.get(f"/bring-in/source?id={key}")
    assert first.text.count('name="place" value="') == 200  # a box and a button for each
    assert len(first.text) < 120_000
    assert "Talk 249" in web.text(f"/bring-in/source?id={key}&from=200")


def test_a_snapshot_document_is_added_as_it_is(web):
    key = brought(web, export(1))
    web.post("/bring-in/ingest", {"id": key, "what": "all"})
    until_done(web, key)
    with web.library() as library:
        (row,) = library.list()
        document = library.document(row.id)
        library.remove(row.id)
    key = brought(web, document.encode(), "snapshot.md")
    assert "This is a snapshot document." in web.text(f"/bring-in/source?id={key}")
    answer = web.post("/bring-in/add", {"id": key})
    assert answer.headers["location"] == f"/snapshot?id={row.id}&done=saved"
    with web.library() as library:
        assert library.document(row.id) == document
        assert library.list()[0].where == "snapshot.md"


def test_the_page_speaks_chinese(web):
    page = web.speaking("zh").text("/bring-in")
    assert "将文件拖放到此处" in page
    key = brought(web, export(2))
    assert "不经审阅直接保存" in web.text(f"/bring-in/source?id={key}")


@given(st.text())
def test_tags_are_whole_and_each_once(text):
    found = tags(text)
    assert len(found) == len(set(found))
    assert all(tag and tag == " ".join(tag.split()) and "," not in tag for tag in found)
    assert tags(", ".join(found)) == found


def test_a_survey_that_ends_while_its_page_is_made_is_asked_for_again(web, monkeypatch):
    began, go = threading.Event(), threading.Event()
    listing, matched = survey.Survey._list, bring_in._matching

    def list_late(self, item):
        began.set()
        assert go.wait(10)
        listing(self, item)

    def matching_then_ended(found, query):
        was = matched(found, query)
        go.set()
        found.work.wait(10)
        return was

    monkeypatch.setattr(survey.Survey, "_list", list_late)
    monkeypatch.setattr(bring_in, "_matching", matching_then_ended)
    there = send(web, export(1)).json()["next"]
    assert began.wait(10)
    assert 'hx-trigger="every 1s"' in web.get(there).text
    page = web.get(there).text
    assert 'form="review"' in page
    assert 'hx-trigger="every 1s"' not in page


def test_a_draft_that_comes_while_its_page_is_made_is_asked_for_again(slow, monkeypatch):
    web, go = slow
    key = brought(web, export(1))
    web.post("/bring-in/review", {"id": key, "place": "0"})
    compiled = bring_in._compiled

    def then_ended(found):
        was = compiled(found)
        go.set()
        found.compiling.work.wait(10)
        return was

    monkeypatch.setattr(bring_in, "_compiled", then_ended)
    page = web.get(f"/bring-in/compiling?id={key}").text
    assert 'hx-trigger="every 1s"' in page
    assert "You stopped it." not in page


# --- a long conversation ------------------------------------------------------------------


@pytest.fixture
def slow(web, monkeypatch):
    """A browser at a server that compiles a message only when `go` is set; it waits for none."""
    go = threading.Event()
    compiled = compiling.compile_conversation

    def compile_slowly(conversation, *, watched, **options):
        def waiting(messages):
            for number, message in enumerate(watched(messages)):
                if number:
                    assert go.wait(10)
                yield message

        return compiled(conversation, watched=waiting, **options)

    monkeypatch.setattr(compiling, "compile_conversation", compile_slowly)
    monkeypatch.setattr("dcb.web.pages.bring_in.AT_ONCE", 0.2)
    yield web, go
    go.set()


def test_a_long_conversation_is_compiled_while_one_watches(slow):
    web, go = slow
    key = brought(web, export(1))
    answer = web.post("/bring-in/review", {"id": key, "place": "0"})
    there = f"/bring-in/compiling?id={key}"
    assert answer.headers["location"] == there
    assert "1 of 2 messages" in web.text(there)
    assert "Library" in web.text("/")  # nobody else waits
    go.set()
    tray_of(web).source(key).compiling.work.wait(10)
    assert re.fullmatch(r"/review\?draft=.+", web.get(there).headers["location"])
    polled = web.get(there, **{"HX-Request": "true"})
    assert (polled.status_code, polled.headers["hx-redirect"][:14]) == (204, "/review?draft=")


def test_compiling_can_be_stopped(slow):
    web, go = slow
    key = brought(web, export(1))
    web.post("/bring-in/review", {"id": key, "place": "0"})
    answer = web.post("/bring-in/compiling/stop", {"id": key})
    assert answer.headers["location"] == f"/bring-in/source?id={key}"
    go.set()
    tray_of(web).source(key).compiling.work.wait(10)
    assert "You stopped it." in web.text(f"/bring-in/compiling?id={key}")
    assert tray_of(web).drafts() == {}


def test_a_conversation_that_a_source_has_not_is_not_compiled(web):
    key = brought(web, export(1))
    answer = web.post("/bring-in/review", {"id": key, "place": "7"})
    assert answer.status_code == 404
    assert "This source has no such conversation; load its list again" in said(answer.text)


def test_nobody_waits_for_the_library_while_one_conversation_of_many_is_compiled(web, monkeypatch):
    began, go = threading.Event(), threading.Event()
    compiled = survey.compile_conversation

    def compile_slowly(conversation, **options):
        began.set()
        assert go.wait(10)
        return compiled(conversation, **options)

    monkeypatch.setattr(survey, "compile_conversation", compile_slowly)
    key = brought(web, export(3))
    web.post("/bring-in/ingest", {"id": key, "what": "all"})
    assert began.wait(10)
    assert "0 of 3" in web.text(f"/bring-in/work?id={key}")
    go.set()
    assert "3 = 3 kept + 0 skipped + 0 not reached" in until_done(web, key)
