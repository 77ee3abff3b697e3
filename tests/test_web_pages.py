"""The pages of the local web page say, in both languages, what the store holds, and do what they say."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from jinja2 import nodes

from dcb.model import Entry, Omitted, Preference, Report, Section, Snapshot
from dcb.store import Source
from dcb.web import html, words
from dcb.web.pages import NAVIGATION, PAGES
from tests import web_client

web = web_client.anywhere

KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8" * 3
LEDGER = Snapshot(
    id="s-ledger",
    conversation_id="c-1",
    title="The ledger",
    description="Retries and their limits",
    tags=("payments", "架构"),
    created_at=1_773_469_800_000,
    token_estimate=1234,
    verbatim=(
        Entry(id="v-1", kind="decision", content="We'll use **PostgreSQL**.", src="m-4"),
        Entry(id="v-2", kind="parameter", content="max 5 retries", status="superseded", by="v-3"),
        Entry(id="v-3", kind="parameter", content="max 3 retries", src="m-9", pin=True),
        Entry(id="v-4", kind="code", content="retry(n)\n", lang="python", role="assistant"),
    ),
    summary=(Section(heading="Goals", bullets=("Ledger entries are append-only.",)),),
    preferences=(
        Preference(scope="style", key="language", value="English"),
        Preference(scope="constraint", key="deps", value="none new", explicit=False),
    ),
)
LEFT_OUT = Omitted(
    layer="summary",
    kind="bullet",
    text="A talk about Kafka.",
    src="m-3",
    tokens=214,
    reason="budget",
)


@pytest.fixture
def stored(web):
    """A browser at a store with two snapshots."""
    with web.library() as library:
        library._keep(
            replace(LEDGER, id="s-old", conversation_id="c-0", title="旧对话", tags=()),
            Source(),
            (),
        )
        library._keep(LEDGER, Source(format="chatgpt", where="/x/export.zip"), (LEFT_OUT,))
    return web


# --- library ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Nothing is stored yet A snapshot keeps the decisions"),
        ("zh", "还没有快照 快照逐字保留对话中的决策"),
    ],
)
def test_an_empty_library_says_what_to_do(lang, sentence, web):
    page = web.speaking(lang).text("/")
    assert sentence in page
    assert "dcb compile export.zip --save" in page


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        (
            "en",
            "The ledger 2026-03-14 chatgpt 1,234 tokens 1 decision 1 code 2 parameters "
            "1 bullet 2 preferences payments 架构",
        ),
        (
            "zh",
            "The ledger 2026-03-14 chatgpt 1,234 token 1 决策 1 代码 2 参数 1 要点 2 偏好 payments 架构",
        ),
    ],
)
def test_a_row_tells_title_date_source_size_kinds_and_tags(lang, line, stored):
    assert line in stored.speaking(lang).text("/")


def test_the_last_saved_stands_first(stored):
    page = stored.text("/")
    assert page.index("The ledger") < page.index("旧对话")


def test_a_search_shows_passages_with_what_was_found_marked(stored):
    page = stored.get("/?q=PostgreSQL").text
    assert "We&#39;ll use **<mark>PostgreSQL</mark>**." in page
    assert "2 snapshots found" in web_client.said(page)


def test_what_was_superseded_is_found_struck_through(stored):
    assert re.search(r'class="hit gone"[^>]*>.*?max 5', stored.get("/?q=retries").text)


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("tag=payments", ["The ledger"]),
        ("source=chatgpt", ["The ledger"]),
        ("kind=decision", ["The ledger", "旧对话"]),
        ("kind=decision&tag=架构", ["The ledger"]),
        ("after=2026-03-15", []),
        ("before=2026-03-15&q=retries", ["The ledger", "旧对话"]),
        ("tag=no+such", []),
        ('tag=pay"ments', []),
    ],
)
def test_filters_narrow_the_list(query, titles, stored):
    page = stored.get(f"/results?{query}").text
    assert sorted(re.findall(r"<h2><a [^>]*>(.*?)</a>", page)) == sorted(titles)


def test_a_search_while_typing_sends_the_list_only_and_names_its_page(stored):
    answer = stored.get("/results?q=retries&kind=parameter")
    assert "<html" not in answer.text
    assert answer.headers["hx-replace-url"] == "/?q=retries&kind=parameter"


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "Did you mean PostgreSQL"), ("zh", "您是不是要找 PostgreSQL")]
)
def test_a_typing_error_is_mended(lang, sentence, stored):
    page = stored.speaking(lang).text("/?q=PostgrSQL")
    assert sentence.casefold() in page.casefold()


def test_what_was_typed_stays_in_the_field(stored):
    assert 'value="&#34;a b&#34; -c"' in stored.get('/?q="a b" -c').text


def test_a_long_list_goes_on_after_its_last_row(web):
    with web.library() as library:
        for number in range(65):
            library._keep(
                replace(LEDGER, id=f"s-{number}", conversation_id=f"c-{number}"), Source(), ()
            )
    seen, path = [], "/"
    while path:
        page = web.get(path).text
        seen += re.findall(r'<h2><a data-stop href="/snapshot\?id=(s-\d+)"', page)
        found = re.search(r'href="(/\?below=\d+)"', page)
        path = found and found[1]
    assert seen == [f"s-{number}" for number in reversed(range(65))]


def test_more_is_shown_of_a_long_search(web):
    with web.library() as library:
        for number in range(25):
            library._keep(
                replace(LEDGER, id=f"s-{number}", conversation_id=f"c-{number}"), Source(), ()
            )
    page = web.get("/?q=ledger").text
    assert "20+ snapshots found" in page
    more = re.search(r'href="(/\?q=ledger&amp;limit=\d+)"', page)[1].replace("&amp;", "&")
    assert "25 snapshots found" in web.get(more).text


@pytest.mark.parametrize(
    "query", ["below=x", "below=-1", "below=" + "9" * 30, "limit=0", "limit=x"]
)
def test_an_odd_address_is_no_fault(query, stored):
    assert stored.get(f"/?{query}").status_code == 200
    assert stored.get(f"/?q=ledger&{query}").status_code == 200


# --- snapshot --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        (
            "en",
            (
                "Key messages, word for word 4 decision you message m-4 We'll use PostgreSQL .",
                "superseded: what replaced it max 5 retries",
                "parameter you message m-9 pinned max 3 retries",
                "code assistant python retry(n)",
                "Summary Goals Ledger entries are append-only.",
                "style language English explicit constraint deps none new inferred",
                "Left out: 1, 214 tokens",
                "A talk about Kafka. bullet 214 budget",
                "Source chatgpt Read from /x/export.zip Conversation c-1 Created 2026-03-14 06:30",
            ),
        ),
        (
            "zh",
            (
                "关键消息原文 4 决策 用户 消息 m-4 We'll use PostgreSQL .",
                "已取代: 查看取代它的条目 max 5 retries",
                "未收入：1 项，214 token",
                "来源 chatgpt 读取自 /x/export.zip 对话 c-1 创建时间 2026-03-14 06:30",
            ),
        ),
    ],
)
def test_a_snapshot_is_shown_whole(lang, sentences, stored):
    page = stored.speaking(lang).text("/snapshot?id=s-ledger")
    for sentence in sentences:
        assert sentence in page


def test_what_replaced_an_entry_is_a_link_to_it(stored):
    page = stored.get("/snapshot?id=s-ledger").text
    assert f'href="#{html.anchor("v-3")}"' in page
    assert f'id="{html.anchor("v-3")}"' in page


def test_a_hit_leads_to_its_place(stored):
    for query in ("PostgreSQL", "append-only", "English", "retries"):
        for target in re.findall(
            r'href="/snapshot\?id=s-ledger#(at-\w+)"', stored.get(f"/?q={query}").text
        ):
            if target not in map(html.anchor, ("title", "description")):
                assert f'id="{target}"' in stored.get("/snapshot?id=s-ledger").text


def test_an_unknown_snapshot_is_told(stored):
    answer = stored.get("/snapshot?id=nope")
    assert answer.status_code == 404
    assert "No snapshot 'nope'; see: dcb list" in web_client.said(answer.text)


def test_a_tag_is_added_and_taken_off(stored):
    stored.post("/snapshot/tags", {"id": "s-ledger", "add": "q4, urgent"})
    stored.post("/snapshot/tags", {"id": "s-ledger", "drop": "payments"})
    with stored.library() as library:
        assert library.get("s-ledger").snapshot.tags == ("架构", "q4, urgent")
        assert library.get("s-ledger").omitted == (LEFT_OUT,)


def test_a_weight_is_set_or_refused(stored):
    answer = stored.post("/snapshot/weight", {"id": "s-ledger", "weight": "2.5"})
    assert answer.headers["location"] == "/snapshot?id=s-ledger&done=weight"
    assert "The weight is changed." in stored.text(answer.headers["location"])
    refused = stored.post("/snapshot/weight", {"id": "s-ledger", "weight": "heavy"})
    assert refused.status_code == 400
    assert "A weight is a number, such as 0.5 or 2" in web_client.said(refused.text)
    assert stored.post("/snapshot/weight", {"id": "s-ledger", "weight": "nan"}).status_code == 400
    with stored.library() as library:
        assert library.get("s-ledger").snapshot.weight == 2.5


@pytest.mark.parametrize(
    ("lang", "title"),
    [("en", "# Background from an earlier conversation"), ("zh", "# 先前对话的背景")],
)
def test_a_brief_is_made_in_the_language_of_the_page(lang, title, stored):
    page = stored.speaking(lang).get("/snapshot/brief?id=s-ledger&limit=800&about=retries").text
    assert title in page
    assert "data-copy" in page
    assert "<html" not in page


@pytest.mark.parametrize("limit", ["12", "x", "²", "9" * 20])
def test_a_brief_without_sense_is_refused(limit, stored):
    assert stored.get(f"/snapshot/brief?id=s-ledger&limit={limit}").status_code == 400


def test_secrets_are_told_of_and_masked_at_every_way_out(stored):
    entry = Entry(id="v-9", kind="parameter", content=f"the key is {KEY}", src="m-15")
    with stored.library() as library:
        library.edit(replace(LEDGER, verbatim=(*LEDGER.verbatim, entry)))
    page = stored.text("/snapshot?id=s-ledger")
    assert "Secrets in the text: 1. Briefs and exports mask them." in page
    assert "parameter v-9 (message m-15)" in page
    for path in ("brief", "export", "document"):
        text = stored.get(f"/snapshot/{path}?id=s-ledger").text
        assert KEY not in text
        assert "[redacted: " in text
    assert KEY in stored.get("/snapshot/export?id=s-ledger&secrets=keep").text


def test_an_export_is_the_document(stored):
    answer = stored.get("/snapshot/export?id=s-ledger")
    assert answer.headers["content-disposition"] == 'attachment; filename="s-ledger.md"'
    with stored.library() as library:
        assert answer.content == library.get("s-ledger").document.encode()


# --- history ---------------------------------------------------------------------------


@pytest.fixture
def edited(stored):
    """The same browser after an edit of the ledger."""
    with stored.library() as library:
        library.edit(replace(LEDGER, title="The new ledger", verbatim=LEDGER.verbatim[1:]))
    return stored


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("en", ("Version 2 edited ·", "present What changed", "Version 1 saved ·", "Bring back")),
        ("zh", ("版本 2 编辑 ·", "当前 查看变化", "版本 1 保存 ·", "恢复")),
    ],
)
def test_a_history_lists_every_version(lang, sentences, edited):
    page = edited.speaking(lang).text("/snapshot/history?id=s-ledger")
    for sentence in sentences:
        assert sentence in page


@pytest.mark.parametrize("part", [True, False])
def test_versions_are_compared_by_entry(part, edited):
    headers = {"HX-Request": "true"} if part else {}
    page = edited.get("/snapshot/compare?before=s-ledger@1&after=s-ledger@2", **headers).text
    assert ("<html" in page) is not part
    assert (
        "Header · title before: The ledger after: The new ledger "
        "Key messages, word for word · decision before: We'll use **PostgreSQL**. (decision)"
    ) in web_client.said(page)


def test_an_earlier_version_is_brought_back_as_a_new_one(edited):
    answer = edited.post("/snapshot/rollback", {"version": "s-ledger@1"})
    assert answer.headers["location"] == "/snapshot?id=s-ledger&done=rolled-back"
    page = edited.text(answer.headers["location"])
    assert "That version is the present one again." in page
    assert "Version 3, see its history" in page
    with edited.library() as library:
        assert library.get("s-ledger").snapshot == LEDGER


def test_what_was_removed_can_be_brought_back(edited):
    answer = edited.post("/snapshot/remove", {"id": "s-ledger"})
    page = edited.text(answer.headers["location"])
    assert "This snapshot was removed." in page
    assert "The new ledger" not in edited.text("/")
    edited.post("/snapshot/rollback", {"version": "s-ledger@2"})
    assert "The new ledger" in edited.text("/")


def test_a_history_of_nothing_is_told(stored):
    assert stored.get("/snapshot/history?id=nope").status_code == 404
    assert stored.get("/snapshot/compare?before=s-ledger").status_code == 404
    assert stored.get("/snapshot/compare?before=s-ledger@9&after=s-ledger").status_code == 404


# --- inbox -----------------------------------------------------------------------------


@pytest.fixture
def waiting(stored):
    """The same browser when an agent has written a new version and something new."""
    report = Report(limit=4096, needed=900, kept=812)
    changed = replace(LEDGER, id="w-1", title="Ledger, again")
    other = replace(LEDGER, id="w-2", title="Something new", conversation_id="")
    with stored.library() as library:
        for snapshot in (changed, other):
            library.submit(
                snapshot, report, source=Source(format="chatgpt"), by="bot 2.1", note="at the end"
            )
    return stored


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("en", "Says it is bot 2.1; nobody has checked that."), ("zh", "自称 bot 2.1，未经核实。")],
)
def test_the_inbox_tells_who_says_to_have_written(lang, sentence, waiting):
    page = waiting.speaking(lang).text("/inbox")
    assert "Ledger, again" in page
    assert sentence in page
    assert "at the end" in page
    assert "Ledger, again" not in waiting.text("/")


def test_an_item_that_would_become_a_version_shows_what_would_change(waiting):
    page = waiting.text("/inbox/item?id=w-1")
    assert "Accepted, it becomes the next version of a stored snapshot." in page
    assert "Header · title before: The ledger after: Ledger, again" in page
    assert "next version" not in waiting.text("/inbox/item?id=w-2")


def test_an_item_is_accepted_or_rejected(waiting):
    answer = waiting.post("/inbox/accept", {"id": "w-1"})
    page = waiting.text(answer.headers["location"])
    assert "Ledger, again" in page
    assert "Written by an agent (agent: bot 2.1), accepted by you." in page
    assert (
        waiting.post("/inbox/reject", {"id": "w-2"}).headers["location"] == "/inbox?done=rejected"
    )
    assert "Nothing waits" in waiting.text("/inbox?done=rejected")


# --- settings, looks, words ------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_setting_is_explained(lang, web):
    page = web.speaking(lang).text("/settings")
    for name in web.settings.__dataclass_fields__:
        assert words.say(lang, f"settings.{name}") in page
    assert str(web.settings.data_dir) in page


@pytest.fixture
def config(tmp_path, monkeypatch):
    """The configuration file of this person; no variable goes before it."""
    path = tmp_path / "config.toml"
    path.write_text("# mine\n[limits]\nratio = 300\n")
    monkeypatch.setenv("DCB_CONFIG", str(path))
    for name in ("MAX_TOKENS", "TOKENS", "LANG", "HOOK_TOKENS", "HOOK_SECONDS", "HISTORY_GIT"):
        monkeypatch.delenv(f"DCB_{name}", raising=False)
    return path


def test_a_setting_is_changed_on_the_page(web, config):
    answer = web.post("/settings", {"name": "max_tokens", "value": "8192"})
    assert answer.headers["location"] == "/settings?changed=max_tokens"
    assert config.read_text() == "max_tokens = 8192\n\n# mine\n[limits]\nratio = 300\n"
    assert web.desk.settings.max_tokens == 8192
    assert web.desk.settings.data_dir == web.settings.data_dir
    assert "Changed." in web.text("/settings?changed=max_tokens")


def test_a_language_that_is_set_is_spoken_at_once(web, config):
    web.post("/settings", {"name": "lang", "value": "zh"})
    assert '<html lang="zh-CN"' in web.get("/settings").text


def test_a_bad_value_is_refused_where_it_was_given(web, config):
    answer = web.post("/settings", {"name": "max_tokens", "value": "12"})
    assert answer.status_code == 400
    assert "max_tokens is a whole number from 256 to 32,768, not &#39;12&#39;" in answer.text
    assert 'value="12"' in answer.text
    assert config.read_text() == "# mine\n[limits]\nratio = 300\n"


@pytest.mark.parametrize("name", ["data_dir", "model", "limits", ""])
def test_what_leads_elsewhere_cannot_be_changed_on_the_page(name, web, config):
    answer = web.post("/settings", {"name": name, "value": "/tmp"})
    assert answer.status_code == 400
    assert config.read_text() == "# mine\n[limits]\nratio = 300\n"


def test_a_variable_that_goes_before_the_file_is_named(web, config, monkeypatch):
    monkeypatch.setenv("DCB_MAX_TOKENS", "512")
    assert "Set by DCB_MAX_TOKENS in the environment" in web.text("/settings")
    assert 'id="to-max_tokens"' not in web.get("/settings").text


def test_history_in_git_begins_when_it_is_switched_on(web, config):
    web.post("/settings", {"name": "history_git", "value": "true"})
    assert web.desk.settings.history_git


def test_language_and_colours_are_remembered(web):
    answer = web.post("/look", {"lang": "zh", "back": "/settings"})
    assert answer.headers["location"] == "/settings"
    web.post("/look", {"theme": "dark"})
    page = web.get("/settings").text
    assert '<html lang="zh-CN" data-theme="dark">' in page
    web.post("/look", {"theme": "purple", "lang": "xx"})
    assert '<html lang="zh-CN" data-theme="dark">' in web.get("/settings").text


@pytest.mark.parametrize(
    ("accepted", "lang"), [("zh-CN,zh;q=0.9", "zh-CN"), ("de,en", "en"), ("", "en")]
)
def test_the_browser_is_asked_for_the_language_that_nobody_chose(accepted, lang, web):
    assert f'<html lang="{lang}"' in web.get("/", **{"Accept-Language": accepted}).text


@pytest.mark.parametrize("path", [path for path, _ in NAVIGATION])
def test_every_page_of_the_menu_has_one_title_one_main_part_and_a_way_to_it(path, stored):
    page = stored.get(path).text
    assert len(re.findall("<h1", page)) == 1
    assert len(re.findall("<main", page)) == 1
    assert 'href="#content"' in page
    assert f'<a href="{path}" aria-current="page">' in page
    assert re.search(r"<title>[^<]+ · dcb</title>", page)


@pytest.mark.parametrize("path", ["/nowhere", "/snapshot?id=x"])
def test_an_error_is_a_page_that_leads_home(path, web):
    page = web.get(path).text
    assert "This did not work" in page
    assert 'href="/"' in page


def test_every_word_is_there_in_both_languages_with_the_same_fields():
    assert len(words.ALL) == sum(map(len, words.TABLES))
    for key, texts in words.ALL.items():
        assert len(texts) == 2, key
        assert all(texts), key
        fields = [sorted(re.findall(r"\{(\w+)\}", text)) for text in texts]
        assert fields[0] == fields[1], key


def test_every_word_that_a_template_says_is_there():
    environment = html._environment()
    folder = Path(html.__file__).parent / "templates"
    for path in folder.glob("*.html"):
        tree = environment.parse(path.read_text("utf-8"))
        for call in tree.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "t":
                key = call.args[0]
                assert not isinstance(key, nodes.Const) or key.value in words.ALL, path.name


def test_no_template_has_inline_code_or_style():
    folder = Path(html.__file__).parent / "templates"
    for path in folder.glob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(r"\son[a-z]+=|\sstyle=|<style|javascript:|hx-on", text), path.name
        assert not re.search(r"<script(?![^>]*\ssrc=)", text), path.name


def test_every_form_that_posts_carries_the_token():
    folder = Path(html.__file__).parent / "templates"
    for path in folder.glob("*.html"):
        if path.name in ("enter.html", "login.html"):  # there is no session yet
            continue
        text = path.read_text("utf-8")
        for form in re.findall(r'(?s)<form[^>]*method="post".*?</form>', text):
            assert 'name="csrf" value="{{ csrf }}"' in form, path.name


def test_no_two_pages_answer_to_one_path():
    served = [
        (route.path, method)
        for page in PAGES
        for route in page.routes
        for method in route.methods
        if method != "HEAD"
    ]
    assert len(served) == len(set(served))
