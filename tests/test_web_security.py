"""The local page lets in who holds the session and names it exactly, and nothing runs in it."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import urllib.request
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dcb.web
from dcb.model import Entry, Preference, Section, Snapshot
from dcb.store import Source
from dcb.web import guard, markdown
from dcb.web.app import create_app
from dcb.web.door import Codes, Door
from dcb.web.pages import PAGES
from tests import web_client
from tests.web_client import SESSION, as_stranger, said
from tests.web_store import fill

web = web_client.web

DATA = Path(__file__).parent / "data" / "web"
EXPECTED = {
    "00_valid.http": 200,
    "01_rebinding.http": 421,
    "05_host_twice.http": 400,
    "06_origin_evil.http": 403,
    "07_origin_null.http": 403,
    "08_origin_prefix.http": 403,
    "10_text_plain.http": 415,
    "11_no_token.http": 401,
    "12_token_in_url.http": 400,
    "13_same_site_port.http": 403,
    "15_large.http": 413,
}
TEXTS = sorted((DATA / "markdown").iterdir())
GETS = [route.path for page in PAGES for route in page.routes if "GET" in (route.methods or ())]
POSTS = [route.path for page in PAGES for route in page.routes if "POST" in (route.methods or ())]


# --- who comes in ----------------------------------------------------------------------


def scope(raw, door):
    """A request as an ASGI server hands it on, its bearer token in our cookie."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    first, *lines = head.split(b"\n")
    method, target, _ = first.split(b" ")
    bearer = b"Authorization: Bearer "
    lines = [line.replace(bearer, b"Cookie: %s=" % door.cookie.encode()) for line in lines]
    pairs = (line.partition(b":") for line in lines if line)
    return body, {
        "type": "http",
        "method": method.decode(),
        "path": "/",
        "raw_path": b"/",
        "root_path": "",
        "scheme": "http",
        "server": ("127.0.0.1", door.port),
        "query_string": target.partition(b"?")[2],
        "headers": [(name.strip().lower(), value.strip()) for name, _, value in pairs],
    }


def answered(app, request, *bodies, pause=0.0):
    """Status, headers and text of the answer of an application to a request in pieces."""
    pieces = list(bodies) or [b""]
    sent = []

    async def receive():
        if pause:
            await asyncio.sleep(pause)
        if not pieces:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    async def send(message):
        sent.append(message)

    asyncio.run(app(request, receive, send))
    body = b"".join(message.get("body", b"") for message in sent)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, body.decode()


def test_every_hostile_request_has_a_verdict():
    assert sorted(EXPECTED) == sorted(path.name for path in (DATA / "http").iterdir())


@pytest.mark.parametrize("name", EXPECTED)
def test_a_hostile_request_is_not_let_in(name, web):
    body, request = scope((DATA / "http" / name).read_bytes(), web.door)
    status, headers, _ = answered(web.client.app, request, body)
    assert status == EXPECTED[name]
    assert {name: headers[name.lower()] for name in guard.HEADERS} == guard.HEADERS


@pytest.mark.parametrize("path", ["/", "/static/app.css", "/enter", "/nowhere"])
@pytest.mark.parametrize(
    "host", ["evil.example:8377", "127.0.0.1:8377.evil.example", "127.0.0.1", "LOCALHOST:8377", ""]
)
def test_a_host_is_compared_whole_before_any_page_is_looked_for(path, host, web):
    answer = web.get(path, Host=host)
    assert (answer.status_code, answer.text) == (
        421,
        "This server does not answer to that Host\n",
    )


@pytest.mark.parametrize("host", ["127.0.0.1:8377", "localhost:8377", "[::1]:8377"])
def test_the_three_names_of_this_machine_are_served(host, web):
    assert web.get("/", Host=host).status_code == 200


@pytest.mark.parametrize("path", GETS)
def test_a_page_needs_the_session(path, web):
    stranger = as_stranger(web)
    if path != "/enter":
        for given_session in (None, "wrong", SESSION[:-1], "é"):
            cookie = (
                {"Cookie": f"{web.door.cookie}={given_session}".encode()} if given_session else {}
            )
            assert stranger.get(path, **cookie).status_code == 401


@pytest.mark.parametrize("path", POSTS)
def test_what_changes_something_needs_session_and_csrf_token(path, web):
    if path == "/enter":
        return
    assert as_stranger(web).post(path).status_code == 401
    for answer in (
        web.post(path, {"x": "1"}, csrf=False),
        web.post(path, {"csrf": "0" * 64}, csrf=False),
    ):
        assert (answer.status_code, answer.text) == (
            403,
            "The page is out of date; load it again\n",
        )


@pytest.mark.parametrize("path", sorted({*POSTS} - {*GETS}))
def test_what_is_for_posting_is_not_for_getting(path, web):
    assert web.get(path).status_code == 405


def test_no_get_changes_anything(web):
    with web.library() as library:
        fill(library)
        before = kept(library)
    for path in GETS:
        for query in ("", "?id=s-ledger", "?id=w-1", "?before=s-ledger@1&after=s-ledger"):
            web.get(path + query)
    with web.library() as library:
        assert kept(library) == before


def kept(library):
    """Every row of the store that matters, as it lies in its tables."""
    tables = ("snapshots", "bodies", "versions", "drafts", "facts")
    return [library.store._database.rows(f"select * from {table}") for table in tables]


def test_a_script_sends_its_token_in_a_header(web):
    kinds = {"Content-Type": "application/json"}
    assert web.client.post("/look", content=b"{}", headers=kinds).status_code == 403
    kinds["X-CSRF-Token"] = web.door.csrf
    assert web.client.post("/look", content=b"{}", headers=kinds).status_code == 303


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "text/plain", "", "x/y"])
def test_a_body_of_another_type_is_refused(kind, web):
    answer = web.client.post("/look", content=b"x", headers={"Content-Type": kind})
    assert answer.status_code == 415


def test_an_origin_of_null_counts_only_where_the_browser_says_it_is_from_here(web):
    # What a page without referrer sends with its own forms, and a sandboxed frame with any.
    assert web.post("/look", Origin="null").status_code == 403
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 303)):
        answer = web.post("/look", Origin="null", **{"Sec-Fetch-Site": site})
        assert answer.status_code == status


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_another_site_is_refused_even_for_reading(site, web):
    assert web.get("/", **{"Sec-Fetch-Site": site}).status_code == 403


@pytest.mark.parametrize(
    "query", [f"x={SESSION}", "token=1", "Session=1", "code=1", "passphrase=", "csrf"]
)
def test_a_secret_in_an_address_is_refused(query, web):
    answer = web.get(f"/?{query}")
    assert (answer.status_code, answer.text) == (
        400,
        "A secret does not belong into an address\n",
    )


def test_one_may_search_for_the_word_token(web):
    assert web.get("/?q=token+session+code").status_code == 200


def test_no_answer_lets_another_origin_read_it(web):
    answer = web.get("/", Origin="http://127.0.0.1:8377")
    assert answer.status_code == 200
    assert not [name for name in answer.headers if name.startswith("access-control")]


# --- the code and the cookie -----------------------------------------------------------


def test_a_code_opens_the_door_once(web):
    code = web.codes.new()
    stranger = as_stranger(web)
    answer = stranger.post("/enter", {"code": code}, csrf=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert answer.headers["set-cookie"] == (
        f"dcb_session_8377={SESSION}; HttpOnly; Path=/; SameSite=strict"
    )
    assert stranger.get("/").status_code == 200
    assert as_stranger(web).post("/enter", {"code": code}, csrf=False).status_code == 401


@pytest.mark.parametrize("code", ["", "wrong", "é", "x" * 10_000])
def test_a_wrong_code_does_not_open_the_door(code, web):
    web.codes.new()
    answer = as_stranger(web).post("/enter", {"code": code}, csrf=False)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert "This code was used, is too old or was mistyped." in said(answer.text)


def test_a_code_is_good_for_a_minute(web):
    early, late = web.codes.new(), web.codes.new()
    web.clock.now += 59
    assert web.codes.use(early)
    web.clock.now += 2
    assert not web.codes.use(late)


def test_a_door_is_new_at_every_start():
    doors = [Door(port=1), Door(port=1)]
    assert len({door.session for door in doors} | {door.csrf for door in doors}) == 4
    assert all(len(door.session) >= 43 for door in doors)  # 256 bits


def test_what_other_programs_set_as_cookies_does_no_harm(web):
    cookies = f'a={{"x":1}}; ;=; b="; {web.door.cookie}={SESSION}; c'
    assert as_stranger(web).get("/", Cookie=cookies).status_code == 200


# --- headers and floods ----------------------------------------------------------------


@pytest.mark.parametrize("path", [*GETS, "/static/app.css", "/static/nope", "/nowhere"])
def test_every_answer_has_the_headers(path, web):
    for browser in (web, as_stranger(web)):
        answer = browser.get(path)
        assert {name: answer.headers[name] for name in guard.HEADERS} == guard.HEADERS
        assert "server" not in answer.headers


def test_the_policy_allows_no_inline_code_and_no_other_host():
    policy = guard.HEADERS["Content-Security-Policy"]
    assert policy == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def _post(door, path="/look", *, length=None):
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{door.port}",
        f"Authorization: Bearer {SESSION}",
        "Content-Type: application/x-www-form-urlencoded",
        *([f"Content-Length: {length}"] if length is not None else []),
    ]
    request = scope("\n".join(lines).encode() + b"\n\n", door)[1]
    return {**request, "path": path, "raw_path": path.encode()}


def test_a_body_that_announces_nothing_is_counted(web):
    pieces = [b"x" * (1 << 20)] * 5
    status, _, text = answered(web.client.app, _post(web.door), *pieces)
    assert (status, text) == (413, "This takes at most 4,194,304 bytes\n")


def test_a_body_that_dawdles_is_given_up(web):
    web.client.app.body_seconds = 0.01
    status, _, text = answered(web.client.app, _post(web.door), b"a=", b"b", pause=0.05)
    assert (status, text) == (408, "The request took too long to arrive\n")


def test_a_form_with_too_many_fields_is_refused(web):
    body = b"a&" * 20_001
    status, _, text = answered(web.client.app, _post(web.door), body)
    assert (status, text) == (400, "The form cannot be read\n")


def test_nine_requests_at_once_are_one_too_many(web):
    async def many():
        waiting = asyncio.Event()
        statuses = []

        async def receive():
            await waiting.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
                waiting.set()

        requests = (web.client.app(_post(web.door), receive, send) for _ in range(9))
        await asyncio.gather(*requests)
        return statuses

    assert sorted(asyncio.run(many())) == [*[400] * 8, 503]


def test_an_internal_fault_shows_and_tells_nothing_of_the_content(web, capsys):
    app = create_app(web.desk, door=web.door, codes=Codes(clock=web.clock))

    async def faulty(scope, receive, send):
        raise ValueError("the ledger is in PostgreSQL")

    app.app = faulty
    status, headers, text = answered(app, _post(web.door), f"csrf={web.door.csrf}".encode())
    assert (status, text) == (500, "An internal fault; the terminal says which\n")
    assert headers["cache-control"] == "no-store"
    told = capsys.readouterr().err
    assert re.fullmatch(
        r"dcb web: ValueError at test_web_security\.py:\d+, asked for /look\n", told
    )


# --- content ---------------------------------------------------------------------------


class Elements(HTMLParser):
    """Every element of a page with its attributes, and its text."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.found = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        self.found.append(("comment", {"data": data}))

    def handle_decl(self, decl):
        self.found.append((f"!{decl.lower()}", {}))

    unknown_decl = handle_decl
    handle_pi = handle_decl


def assert_inert(page):
    for tag, attributes in Elements(page).found:
        assert tag in markdown.TAGS
        assert attributes.keys() <= {"href", "rel", "start"}
        if "href" in attributes:
            assert re.match(r"(https?://|mailto:)", attributes["href"])
            assert attributes["rel"] == "noopener noreferrer nofollow"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_hostile_markdown_is_rendered_inert_and_readable(path):
    text = path.read_text("utf-8")
    made = markdown.render(text)
    assert_inert(made)
    shown = Elements(made).text
    for word in re.findall(r"[A-Za-z]{4,}", re.sub(r"\]\([^)]*\)|```.*|\[g\]:.*", "", text)):
        assert word in shown


@given(
    st.lists(
        st.sampled_from([path.read_text("utf-8") for path in TEXTS])
        | st.sampled_from(["<", ">", "\n", "`", "```", "[", "](", ")", "![", "&", '"', "|", "-|-"])
        | st.text(max_size=8),
        max_size=6,
    ).map("".join)
)
def test_no_markdown_is_ever_rendered_live(text):
    assert_inert(markdown.render(text))


def test_good_markdown_keeps_its_form():
    made = markdown.render((DATA / "markdown" / "00_valid.md").read_text("utf-8"))
    assert made == (
        "<h3>Title</h3>\n<p>Some <em>text</em> and <code>code</code> and "
        '<a href="https://example.org" rel="noopener noreferrer nofollow">a link</a> '
        "(example.org).</p>\n"
    )


def test_an_image_is_its_description_and_address():
    assert markdown.render("![beacon](https://evil.example/p.gif)") == (
        "<p>beacon <code>https://evil.example/p.gif</code></p>\n"
    )


def test_a_look_alike_host_and_a_reversed_name_are_shown_as_they_are():
    made = markdown.render("<https://evil.example/\u202egpj.exe> https://xn--pple-43d.example")
    assert "\u202e" not in made
    assert "\\u202e" in made
    assert "xn--pple-43d.example" in made
    assert "xn--pple-43d.example" in markdown.render("<https://xn--pple-43d.example>")


def hostile_snapshot():
    """A snapshot that is hostile in every field."""
    texts = [path.read_text("utf-8") for path in TEXTS]
    every = " ".join(texts)
    return Snapshot(
        id='x"><script>alert(1)</script>&id=\u202e/../..',
        conversation_id=every,
        title=every,
        description=every,
        tags=tuple(texts),
        created_at=1,
        verbatim=tuple(
            Entry(
                id=f'csrf"><{number}>',
                kind="code" if number % 2 else "decision",
                content=text,
                role=text,
                src=text,
                lang=text,
                status="superseded",
                by=text,
            )
            for number, text in enumerate(texts)
        ),
        summary=(Section(heading=every, bullets=tuple(texts)),),
        preferences=(Preference(scope="style", key="k", value=every),),
    )


def test_no_field_of_a_snapshot_becomes_markup(web):
    snapshot = hostile_snapshot()
    every = snapshot.title
    with web.library() as library:
        kept = library._keep(snapshot, Source(format=every, where=every), ())
        library.weigh(kept.id, 2)
    for path in ("/", "/?q=script", "/snapshot", "/snapshot/history", "/snapshot/compare"):
        query = {"id": kept.id, "before": f"{kept.id}@1", "after": f"{kept.id}@2"}
        answer = web.client.get(path, params=query if path != "/?q=script" else None)
        assert answer.status_code == 200
        found = Elements(answer.text).found
        assert {tag for tag, _ in found} <= OURS | markdown.TAGS
        for tag, attributes in found:
            assert not [name for name in attributes if name.startswith("on") or name == "style"]
            if tag in ("script", "img"):
                assert attributes["src"].startswith("/static/")
            if tag == "link":
                assert attributes["href"].startswith("/static/")
            if "href" in attributes:
                assert re.match(r"/|#|https?://|mailto:", attributes["href"])
            if "id" in attributes:
                assert re.fullmatch(r"[a-z-]+|at-[0-9a-f]{12}", attributes["id"])
        assert "\u202e" not in re.sub(r'value="[^"]*"', "", answer.text)


OURS = frozenset(
    (
        *("!doctype html", "html", "head", "meta", "title", "link", "script", "noscript", "body"),
        *("header", "nav", "main", "section", "article", "aside", "div", "span", "img", "time"),
        *("h1", "h2", "h3", "details", "summary", "form", "input", "select", "option", "label"),
        *("button", "textarea", "datalist", "mark", "kbd", "b", "dl", "dt", "dd", "del", "ins"),
    )
)


@pytest.mark.parametrize(
    "title", ['a"; filename="evil.exe', "a\r\nSet-Cookie: x=1", "../../etc/passwd", "中文.html"]
)
def test_a_download_has_a_plain_name_whatever_the_snapshot_is_called(title, web):
    snapshot = Snapshot(id="".join(title.split()), conversation_id="", title=title, created_at=1)
    with web.library() as library:
        kept = library._keep(snapshot, Source(), ())
    answer = web.client.get("/snapshot/export", params={"id": kept.id})
    assert re.fullmatch(
        r'attachment; filename="[A-Za-z0-9_-]+\.md"', answer.headers["content-disposition"]
    )
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"


# --- encrypted stores ------------------------------------------------------------------

PASSPHRASE = "correct horse battery staple 电池"


@pytest.fixture
def sealed(web):
    """The same browser at an encrypted store with one snapshot."""
    snapshot = Snapshot(
        id="s-1", conversation_id="", title="Canary title", created_at=1, tags=("canary-tag",)
    )
    with web.library() as library:
        library._keep(snapshot, Source(), ())
        library.store.encrypt(PASSPHRASE)
    return web


def unlock(web, passphrase=PASSPHRASE, there="/"):
    return web.post("/unlock", {"passphrase": passphrase, "next": there})


def test_a_locked_store_shows_nothing_but_the_question(sealed):
    led = 0
    for path in GETS:
        answer = sealed.get(f"{path}?id=s-1")
        assert "anary" not in answer.text, path
        led += answer.headers.get("location", "").startswith("/unlock?next=%2F")
    assert led >= len(("/", "/results", "/snapshot", "/snapshot/history", "/inbox", "/settings"))


def test_the_passphrase_opens_the_store_and_leads_to_where_one_was_going(sealed):
    answer = unlock(sealed, there="/snapshot?id=s-1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/snapshot?id=s-1")
    assert "Canary title" in sealed.text("/snapshot?id=s-1")
    assert sealed.get("/unlock").status_code == 303


@pytest.mark.parametrize("passphrase", ["wrong", "", PASSPHRASE.upper()])
def test_a_wrong_passphrase_opens_nothing(passphrase, sealed):
    answer = unlock(sealed, passphrase)
    assert answer.status_code == 401
    assert "This passphrase does not open the store." in said(answer.text)
    assert sealed.get("/").status_code == 303


@pytest.mark.parametrize("there", ["//evil.example", "https://evil.example", "/\\evil", "/a\nb"])
def test_one_is_never_led_elsewhere(there, sealed):
    assert unlock(sealed, there=there).headers["location"] == "/"


def test_the_store_locks_itself_when_nobody_uses_it(sealed):
    unlock(sealed)
    sealed.clock.now += 899
    assert sealed.get("/").status_code == 200
    sealed.clock.now += 899
    assert sealed.get("/").status_code == 200
    sealed.clock.now += 901
    assert sealed.get("/").status_code == 303
    # Nobody need ask for it: the key goes with the library that held it.
    unlock(sealed)
    held = sealed.desk._library
    sealed.clock.now += 901
    sealed.desk._look()
    assert sealed.desk._library is not held


def test_the_person_locks_it_at_once(sealed):
    unlock(sealed)
    assert sealed.post("/lock").headers["location"] == "/unlock"
    assert sealed.get("/").status_code == 303


def test_a_part_of_a_page_leads_the_whole_page_to_the_question(sealed):
    answer = sealed.get("/results?q=canary", **{"HX-Request": "true"})
    assert (answer.status_code, answer.headers["hx-redirect"]) == (204, "/unlock")


def test_the_passphrase_is_forgotten_and_never_written(sealed, capsys):
    unlock(sealed)
    sealed.get("/?q=canary")
    assert sealed.desk._passphrase == ""
    needle = PASSPHRASE.encode()
    for path in sealed.settings.data_dir.rglob("*"):
        assert not path.is_file() or needle not in path.read_bytes()
    told = capsys.readouterr()
    assert PASSPHRASE not in told.out + told.err


def test_no_title_and_no_search_of_an_encrypted_store_gets_into_the_browsers_history(sealed):
    unlock(sealed)
    page = sealed.get("/snapshot?id=s-1").text
    assert re.search(r"<title>(.*?)</title>", page)[1] == "Snapshot · dcb"
    assert "hx-replace-url" not in sealed.get("/results?q=canary").headers


def test_a_rekeyed_store_is_locked(sealed):
    unlock(sealed)
    with sealed.library() as library:
        library.store._box.ask = lambda: PASSPHRASE
        library.store.rekey("another one")
    answer = sealed.get("/")
    assert answer.status_code == 303
    assert unlock(sealed, "another one").status_code == 303
    assert sealed.get("/").status_code == 200


# --- the process -----------------------------------------------------------------------


@pytest.fixture
def running(tmp_path):
    """`dcb web` as a process, and the link it printed."""
    environment = {**os.environ, "DCB_DATA_DIR": str(tmp_path), "DCB_LANG": "en"}
    command = [sys.executable, "-m", "dcb", "web", "--port", "0", "--no-open"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process, process.stderr.readline().strip()
        finally:
            process.kill()


def test_the_link_holds_its_code_where_no_server_and_no_log_sees_it(running):
    process, line = running
    found = re.fullmatch(r"Open (http://127\.0\.0\.1:\d+/)#([\w-]{32})", line)
    base, code = found.groups()
    request = urllib.request.Request(f"{base}enter", data=f"code={code}".encode())
    opener = urllib.request.build_opener(_NoRedirect)
    with pytest.raises(urllib.error.HTTPError) as answer:
        opener.open(request, timeout=60)
    assert answer.value.code == 303
    cookie = answer.value.headers["set-cookie"].partition(";")[0]
    page = urllib.request.Request(f"{base}?q=needle", headers={"Cookie": cookie})
    with urllib.request.urlopen(page, timeout=60) as got:
        assert got.status == 200
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    assert process.wait(timeout=60) == 0
    assert told == "The link works once and for a minute. Enter prints another, Ctrl-C stops.\n"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def test_a_taken_port_is_told(running):
    port = re.search(r":(\d+)/", running[1])[1]
    done = subprocess.run(
        [sys.executable, "-m", "dcb", "web", "--port", port, "--no-open"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DCB_LANG": "en"},
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"dcb: Port {port} cannot be used (Address already in use); give another one with --port\n"
    )


def test_a_missing_package_is_told_in_one_sentence(monkeypatch):
    from click.testing import CliRunner

    from dcb.cli import cli

    monkeypatch.setitem(sys.modules, "jinja2", None)
    # The import writes its new module there too; the next test finds the old one again.
    monkeypatch.setattr(dcb, "web", dcb.web)
    for name in [name for name in sys.modules if name.startswith("dcb.web")]:
        monkeypatch.delitem(sys.modules, name)
    result = CliRunner().invoke(cli, ["web", "--no-open"])
    assert result.exit_code == 1
    assert result.stderr == (
        "dcb: The page needs a few more packages (jinja2 is missing): "
        "pip install dialogue-context-bridge[web]\n"
    )


def test_htmx_is_the_one_that_its_readme_names():
    import hashlib

    folder = Path(guard.__file__).parent / "static" / "vendor"
    digest = hashlib.sha256((folder / "htmx.min.js").read_bytes()).hexdigest()
    assert digest in (folder / "README.md").read_text("utf-8")
