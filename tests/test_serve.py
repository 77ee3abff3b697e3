"""Several people and their agents at one server: each sees what is theirs, and no more."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

import pytest

from dcb import document
from dcb.errors import StoreUnwritable
from dcb.team import tokens
from tests import served as served_by
from tests.served import URL, csrf_of, serving
from tests.test_store import snapshot

served = served_by.served

NORTH, SOUTH = "0199-0001", "0199-0002"


# --- the door ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/timeline", f"/snapshot?id={NORTH}", "/projects", "/p/north/"]
)
def test_who_is_not_logged_in_is_asked_for_a_token(served, path):
    answer = served.client().get(path)
    assert answer.status_code == 401
    assert 'name="token"' in answer.text
    assert NORTH not in answer.text.replace(path, "")


def test_a_session_cookie_is_for_this_host_over_tls_and_for_no_script(served):
    answer = served.client().post("/enter", data={"token": served.token("Ada")})
    cookie = answer.headers["set-cookie"]
    assert re.fullmatch(
        r"__Host-dcb_session=[\w-]{43}; HttpOnly; Path=/; SameSite=strict; Secure", cookie
    )


def test_a_wrong_token_is_refused_on_the_page(served):
    answer = served.client().post("/enter", data={"token": "dcb_" + "A" * 43})
    assert answer.status_code == 401
    assert "This token is unknown, revoked or too old." in answer.text


def test_another_name_for_the_server_is_refused(served):
    answer = served.client().get("/enter", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.text) == (
        421,
        "This server does not answer to that Host\n",
    )


def test_another_page_cannot_log_anybody_in(served):
    answer = served.client().post(
        "/enter", data={"token": served.token("Ada")}, headers={"Origin": "https://evil.example"}
    )
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_who_logs_out_is_out(served):
    ada = served.browser("Ada")
    assert ada.get("/").status_code == 200
    cookie = dict(ada.client.cookies)
    assert ada.post("/leave", of="/projects").status_code == 303
    again = served.client()
    again.cookies.update(cookie)
    assert again.get("/").status_code == 401


def test_a_token_that_is_revoked_ends_its_sessions(served):
    ada = served.browser("Ada")
    assert ada.get("/").status_code == 200
    served.team.revoke(served.team.tokens()[-1].id)
    assert ada.get("/").status_code == 401


# --- pages -------------------------------------------------------------------------------


def test_everyone_sees_their_own_project(served):
    assert "/snapshot?id=0199-0001" in served.browser("Ada").get("/").text
    assert "/snapshot?id=0199-0002" in served.browser("Bo").get("/").text


@pytest.mark.parametrize(
    "path",
    [
        "/snapshot?id={}",
        "/snapshot/document?id={}",
        "/snapshot/history?id={}",
        "/snapshot/brief?id={}",
    ],
)
def test_what_is_anothers_is_answered_as_what_is_not_there(served, path):
    ada = served.browser("Ada")
    theirs, nobodys = ada.get(path.format(SOUTH)), ada.get(path.format("0199-0009"))
    assert theirs.status_code == nobodys.status_code == 404
    assert theirs.text.replace(SOUTH, "?") == nobodys.text.replace("0199-0009", "?")


def test_a_project_of_another_is_answered_as_one_that_is_not_there(served):
    ada = served.browser("Ada")
    theirs, nobodys = ada.get("/p/south/"), ada.get("/p/nowhere/")
    assert theirs.status_code == nobodys.status_code == 404
    assert "There is no such project here." in theirs.text
    assert theirs.text.replace("south", "?") == nobodys.text.replace("nowhere", "?")


def test_a_person_of_several_projects_chooses_one(served):
    served.team.set_member("south", "Ada", role="reader")
    ada = served.browser("Ada")
    assert ada.get("/").headers["location"] == "/projects"
    assert ada.post("/projects", {"project": "south"}, of="/projects").status_code == 303
    assert "/snapshot?id=0199-0002" in ada.get("/").text
    assert ada.get(f"/p/north/snapshot?id={NORTH}").headers["location"] == f"/snapshot?id={NORTH}"
    assert ada.get(f"/snapshot?id={NORTH}").status_code == 200


def test_a_form_of_one_project_changes_nothing_in_another(served):
    served.team.set_member("south", "Ada", role="writer")
    ada = served.browser("Ada")
    ada.get("/p/north/")
    csrf = csrf_of(ada.get(f"/snapshot?id={NORTH}").text)
    ada.get("/p/south/")
    answer = ada.post("/snapshot/remove", {"id": SOUTH}, csrf=csrf)
    assert (answer.status_code, answer.text) == (403, "The page is out of date; load it again\n")
    assert len(served.store("Bo", "south").list()) == 1


def test_a_reader_reads_and_changes_nothing(served):
    cy = served.browser("Cy")
    assert cy.get(f"/snapshot?id={NORTH}").status_code == 200
    answer = cy.post("/snapshot/remove", {"id": NORTH}, of="/")
    assert (answer.status_code, answer.text) == (
        403,
        "You may read this project and not change it; ask an owner for the role of a writer\n",
    )
    assert len(served.store("Ada", "north").list()) == 1


def test_what_the_server_lets_through_the_database_refuses(served):
    cy = served.app.admission.gate.admit(tokens.hashed(served.token("Cy")))
    library = served.app.rooms.library(cy[0], cy[1][0])
    with pytest.raises(StoreUnwritable) as error:
        library.weigh(NORTH, 2)
    assert str(error.value) == (
        "You may not change this in project 'north'; ask its owner for the role of a writer"
    )


def test_an_owner_with_a_token_to_read_changes_nothing(served):
    ada = served.browser("Ada", scope="read")
    assert ada.post("/snapshot/remove", {"id": NORTH}, of="/").status_code == 403


def test_a_writer_changes_their_project(served):
    ada = served.browser("Ada")
    assert ada.post("/snapshot/weight", {"id": NORTH, "weight": "2"}, of="/").status_code == 303
    assert served.store("Ada", "north").get(NORTH).row.version == 2


def test_a_role_that_is_taken_away_ends_at_the_next_request(served):
    cy = served.browser("Cy")
    assert cy.get("/").status_code == 200
    served.team.drop_member("north", "Cy")
    assert cy.get("/").headers["location"] == "/projects"
    assert "There is no project for you yet" in cy.get("/projects").text


def test_a_guest_reads_what_was_shared(served):
    served.team.share("north", NORTH, "Bo")
    bo = served.browser("Bo")
    bo.get("/p/north/")
    assert f"/snapshot?id={NORTH}" in bo.get("/").text
    assert bo.get(f"/snapshot?id={NORTH}").status_code == 200


@pytest.fixture
def guest(served) -> str:
    """Bo was shown one of the two snapshots of `north`, and has a token for that project."""
    hidden = snapshot(3, title="泊位 secret harbour")
    served.store("Ada", "north").put(hidden, document.dump(hidden))
    served.team.share("north", NORTH, "Bo")
    return served.token("Bo", project="north")


@pytest.mark.parametrize(
    ("typed", "found"),
    [("泊位", [NORTH]), ("5433", [NORTH]), ("secret", []), ("泊位 secret", [NORTH]), ("secrt", [])],
)
def test_a_guest_finds_what_was_shared_on_the_page(served, guest, typed, found):
    bo = served.browser("Bo", project="north")
    page = bo.get(f"/?q={typed}").text
    assert sorted(set(re.findall(r'href="/snapshot\?id=([^"#&]+)', page))) == found
    assert "harbour" not in page
    assert ("secret" in page) == ("secret" in typed)  # what was typed stands in the form


@pytest.mark.parametrize(
    "path",
    ["/", "/timeline", "/inbox", "/merge", "/snapshot/history?id={}", "/snapshot/brief?id={}"],
)
def test_no_page_shows_a_guest_what_was_not_shared(served, guest, path):
    bo = served.browser("Bo", project="north")
    answer = bo.get(path.format(NORTH))
    assert answer.status_code in (200, 403, 404)
    assert "0199-0003" not in answer.text
    assert "secret" not in answer.text
    assert (
        bo.get(path.format("0199-0003") if "{" in path else "/snapshot?id=0199-0003").status_code
        == 404
    )


@pytest.mark.parametrize("path", ["/settings", "/unlock"])
def test_pages_about_the_machine_are_not_there(served, path):
    assert served.browser("Ada").get(path).status_code == 404


def test_no_file_of_the_machine_is_read(served):
    answer = served.browser("Ada").post("/bring-in/path", {"path": "/etc/passwd"}, of="/")
    assert answer.status_code == 404
    assert "bring-in/path" not in served.browser("Ada").get("/bring-in").text


def test_an_encrypted_project_is_opened_nowhere_on_the_server(served):
    served.store("Ada", "north").encrypt("a long passphrase")
    answer = served.browser("Ada").get("/")
    assert answer.status_code == 400
    sentence = (
        "This project is encrypted end to end, and this server has no key: use dcb with "
        "DCB_STORE on your own machine, which searches and reads it there"
    )
    assert sentence in answer.text
    found = served.tool(served.token("Ada"), "get_snapshot", {"id": NORTH})
    assert (found["isError"], found["content"][0]["text"]) == (True, sentence)


# --- agents ------------------------------------------------------------------------------


def test_an_agent_finds_what_its_person_may_read(served):
    found = served.tool(served.token("Cy"), "get_snapshot", {"id": NORTH})
    assert found["structuredContent"]["snapshot"]["id"] == NORTH


def test_an_agent_is_told_of_anothers_snapshot_what_it_is_told_of_none(served):
    token = served.token("Ada")
    theirs = served.tool(token, "get_snapshot", {"id": SOUTH})
    nobodys = served.tool(token, "get_snapshot", {"id": "0199-0009"})
    assert theirs["isError"]
    assert str(theirs).replace(SOUTH, "?") == str(nobodys).replace("0199-0009", "?")


@pytest.mark.parametrize(
    ("typed", "found"),
    [("泊位", [NORTH]), ("5433", [NORTH]), ("secret", []), ("泊位 secret", [NORTH]), ("secrt", [])],
)
def test_the_agent_of_a_guest_finds_what_was_shared(served, guest, typed, found):
    answer = served.tool(guest, "search_context", {"query": typed})["structuredContent"]
    assert [one["snapshot"]["id"] for one in answer["found"]] == found
    assert "suggestion" not in answer
    assert "harbour" not in str(answer)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_snapshot", {"id": "0199-0003"}),
        ("get_brief", {"id": "0199-0003"}),
        ("merge_context", {"ids": [NORTH, "0199-0003"]}),
    ],
)
def test_the_agent_of_a_guest_gets_nothing_that_was_not_shared(served, guest, tool, arguments):
    answer = served.tool(guest, tool, arguments)
    assert answer["isError"]
    nobodys = served.tool(guest, tool, json.loads(json.dumps(arguments).replace("0003", "0009")))
    assert str(answer).replace("0003", "?") == str(nobodys).replace("0009", "?")


def test_the_agent_of_a_guest_lists_what_was_shared(served, guest):
    listed = served.tool(guest, "list_snapshots", {})["structuredContent"]
    assert [one["id"] for one in listed["snapshots"]] == [NORTH]
    resources = served_by.result(served.call(guest, "resources/list"))
    assert "0199-0003" not in str(resources)
    assert "secret" not in str(resources)


@pytest.mark.parametrize(("person", "count"), [("Cy", 0), ("Ada", 1)])
def test_only_who_may_write_is_offered_a_tool_that_writes(served, person, count):
    tools = served_by.result(served.call(served.token(person), "tools/list"))["tools"]
    assert [tool["name"] for tool in tools].count("save_draft") == count


@pytest.mark.parametrize("token", ["", "dcb_" + "A" * 43, "x"])
def test_an_agent_without_a_good_token_is_not_let_in(served, token):
    answer = served.call(token, "tools/list")
    assert (answer.status_code, answer.text) == (
        401,
        "Send a token that is good: Authorization: Bearer dcb_…\n",
    )
    assert answer.headers["www-authenticate"] == "Bearer"


def test_nothing_is_said_to_an_agent_unasked(served):
    headers = {**served_by.HEADERS, "Authorization": f"Bearer {served.token('Ada')}"}
    answer = served.client().get("/mcp", headers=headers)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_token_for_one_project_opens_no_other(served):
    served.team.set_member("south", "Ada", role="owner")
    token = served.token("Ada", project="north")
    assert served.call(token, "tools/list").status_code == 200
    assert served.call(token, "tools/list", path="/p/north/mcp").status_code == 200
    answer = served.call(token, "tools/list", path="/p/south/mcp")
    assert (answer.status_code, answer.text) == (404, "There is no such project here\n")


def test_an_agent_of_several_projects_names_one(served):
    served.team.set_member("south", "Ada", role="owner")
    token = served.token("Ada")
    answer = served.call(token, "tools/list")
    assert (answer.status_code, answer.text) == (
        400,
        "Name the project in the address: /p/PROJECT/mcp; this token has several\n",
    )
    arguments = {"id": SOUTH}
    found = served.tool(token, "get_snapshot", arguments, path="/p/south/mcp")
    assert found["structuredContent"]["snapshot"]["id"] == SOUTH


def test_a_draft_of_one_token_is_not_that_of_another(served):
    served.team.set_member("north", "Bo", role="writer")
    said = [{"role": "user", "content": "The port is 5433 and the timeout must be 30 seconds."}]
    ours = served.token("Ada")
    draft = served.tool(ours, "compile_conversation", {"messages": said})
    key = draft["structuredContent"]["draft"]
    theirs = served.token("Bo", project="north")
    assert served.tool(theirs, "save_draft", {"draft": key})["isError"]
    assert not served.tool(ours, "save_draft", {"draft": key})["isError"]
    assert served.store("Ada", "north").inbox()[0].by.startswith("Ada (token ")


# --- the log -----------------------------------------------------------------------------


def test_the_log_of_the_project_says_who_did_what(served):
    served.browser("Cy").get(f"/snapshot?id={NORTH}")
    ada = served.browser("Ada")
    ada.get("/?q=Redis")
    ada.post("/snapshot/weight", {"id": NORTH, "weight": "2"}, of="/")
    done = {(e.person, e.action, e.snapshot) for e in served.team.audit(project="north")}
    assert {("Cy", "read", NORTH), ("Ada", "search", ""), ("Ada", "weight", NORTH)} <= done


def log_of(browser, query=""):
    """The lines of the page of the log: person, action, snapshot."""
    page = browser.get(f"/log{query}")
    assert page.status_code == 200, page.text
    rows = re.findall(r"<tr>\s*<td>.*?</tr>", page.text, re.DOTALL)
    cells = [re.findall(r"<td>(.*?)</td>", row, re.DOTALL) for row in rows]
    return [tuple(re.sub(r"<[^>]+>", "", cell) for cell in row[1:4]) for row in cells]


def test_an_owner_reads_the_log_of_the_project(served):
    served.browser("Cy").get(f"/snapshot?id={NORTH}")
    ada = served.browser("Ada", scope="owner")
    assert '<a href="/log"' in ada.get("/").text
    lines = log_of(ada)
    assert ("Cy", "read", NORTH) in lines
    assert ("Ada", "save", NORTH) in lines
    assert SOUTH not in str(lines)
    assert not any(person == "Bo" for person, *_ in lines)
    assert {person for person, *_ in log_of(ada, "?person=Cy")} == {"Cy"}
    assert {action for _, action, _ in log_of(ada, "?action=save")} == {"save"}
    kinds = {action for _, action, _ in log_of(ada, "?action=member&since=2020-01-01")}
    assert kinds == {"member.owner", "member.reader"}


@pytest.mark.parametrize(
    "query", ["?person=Bo", "?person=Nobody", "?action=sing", "?since=2999-01-01"]
)
def test_what_is_not_in_the_log_is_told_alike(served, query):
    page = served.browser("Ada", scope="owner").get(f"/log{query}").text
    assert "Nothing of the kind is in the log." in page


@pytest.mark.parametrize(
    ("person", "options"), [("Cy", {}), ("Ada", {"scope": "write"}), ("Ada", {"scope": "read"})]
)
def test_who_does_not_own_a_project_has_no_log_of_it(served, person, options):
    browser = served.browser(person, **options)
    assert '<a href="/log"' not in browser.get("/").text
    theirs, nobodys = browser.get("/log"), browser.get("/nowhere")
    assert theirs.status_code == nobodys.status_code == 404
    assert NORTH not in theirs.text


def test_an_owner_who_is_one_no_longer_reads_no_log(served):
    ada = served.browser("Ada", scope="owner")
    assert log_of(ada)
    served.team.set_member("north", "Ada", role="writer")
    assert ada.get("/log").status_code == 404


def test_the_log_is_read_in_chinese(served):
    page = served.browser("Ada", scope="owner").get("/log", **{"Accept-Language": "zh"}).text
    assert "谁在本项目中做了什么" in page


def test_the_lines_of_the_server_name_no_path_query_or_content(served):
    ada = served.browser("Ada")
    ada.get(f"/snapshot?id={NORTH}")
    ada.get("/?q=secret-query")
    last = served.lines[-1]
    assert set(last) == {"event", "route", "status", "ms", "person"}
    assert (last["event"], last["route"], last["status"]) == ("request", "library", 200)
    assert NORTH not in str(served.lines)
    assert "secret-query" not in str(served.lines)


def test_the_figures_count_requests_and_actions(served):
    served.tool(served.token("Ada"), "search_context", {"query": "Redis"})
    text = served.client().get("/metrics").text
    assert 'dcb_requests_total{route="mcp",status="200"} 1.0' in text
    assert 'dcb_actions_total{action="search"} 1.0' in text
    assert 'dcb_pool_connections{state="used"}' in text


def test_the_figures_are_not_for_who_comes_through_the_proxy(served):
    answer = served.client().get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"})
    assert answer.status_code == 404


def test_a_server_whose_database_answers_is_healthy(served):
    answer = served.client().get("/healthz", headers={"Host": "127.0.0.1:8765"})
    assert (answer.status_code, answer.text) == (200, "ok\n")


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + 60
    while not holds() and time.monotonic() < until:
        time.sleep(0.2)
    return holds()


def test_a_server_whose_database_is_away_says_so_and_comes_back(served, postgres):
    ada = served.browser("Ada")
    postgres.kill()
    try:
        answers = [served.client().get("/healthz"), ada.get("/")]
    finally:
        postgres.restart()
    sentence = "The store does not answer; try again in a moment\n"
    assert [(answer.status_code, answer.text) for answer in answers] == [(503, sentence)] * 2
    # How soon a database accepts sessions after a kill is up to its machine.
    assert eventually(lambda: served.client().get("/healthz").status_code == 200)
    assert eventually(lambda: ada.get("/").status_code == 200)


# --- limits ------------------------------------------------------------------------------


def test_a_token_that_asks_too_often_is_told_when_to_come_back(postgres, tmp_path):
    with serving(postgres, tmp_path, rate=0.1, address_rate=10_000) as served:
        token = served.token("Ada")
        assert served.call(token, "tools/list").status_code == 429
        answer = served.call(token, "tools/list")
        assert answer.text == "Too many requests; wait a little\n"
        assert 1 <= int(answer.headers["retry-after"]) <= 11


def test_an_address_that_asks_too_often_is_told_so(postgres, tmp_path):
    with serving(postgres, tmp_path, rate=10_000, address_rate=1) as served:
        statuses = [served.client().get("/enter").status_code for _ in range(6)]
        assert statuses == [200, 200, 200, 200, 429, 429]


def test_tokens_cannot_be_tried_out(served):
    statuses = [served.call("dcb_" + "A" * 43, "tools/list").status_code for _ in range(22)]
    assert statuses == [401] * 20 + [429] * 2


def test_a_large_body_is_refused(served):
    answer = served.call(served.token("Ada"), "tools/list", {"x": "x" * (5 << 20)})
    assert answer.status_code == 413


def test_the_public_address_is_that_of_the_door(served):
    assert served.app.rooms.entrance.door.origins == (URL,)
