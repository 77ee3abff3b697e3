"""The inbox: what an agent wrote waits, marked, until the person decides."""

import json

import pytest
from click.testing import CliRunner

from dcb.cli import cli, words
from dcb.compile import compile_conversation
from dcb.errors import DamagedStore, NotFound, RequestError
from dcb.library import Library
from dcb.model import Conversation, Message
from dcb.store import Source, inbox

NOW = 1_790_000_000_000


def compiled(text="Always use tabs in the zebra project.", *, id="", snapshot_id="s-1"):
    talk = Conversation(
        id=id,
        title="Zebra",
        format="claude-code" if id else "mcp",
        messages=(Message(id="m1", role="user", content=text),),
    )
    return compile_conversation(talk, now=NOW, snapshot_id=snapshot_id)


def submit(library, draft, **source):
    return library.submit(
        draft.snapshot, draft.report, source=Source(**source), by="robot 1.0", note="for review"
    )


@pytest.fixture
def library(place, tmp_path):
    with Library(place.settings(tmp_path), passphrase=lambda: "open sesame") as opened:
        yield opened


def test_what_waits_is_in_no_list_search_or_brief(library):
    assert submit(library, compiled()) == 1
    assert library.list() == ()
    assert library.search("zebra").found == ()
    with pytest.raises(NotFound):
        library.brief("s-1")
    assert [(item.id, item.by, item.note) for item in library.inbox()] == [
        ("s-1", "robot 1.0", "for review")
    ]


def test_what_is_accepted_is_a_snapshot_that_says_who_wrote_it(library):
    submit(library, compiled())
    assert library.accept("s-").change == "new"
    assert library.inbox() == ()
    assert library.get("s-1").snapshot.extra == (("written_by", "agent: robot 1.0"),)
    (version,) = library.store.versions("s-1")
    assert (version.action, version.note) == ("accept", "written by an agent: robot 1.0")
    assert library.search("zebra").found


def test_what_is_rejected_is_gone(library):
    submit(library, compiled())
    library.reject("s-1")
    assert library.inbox() == ()
    with pytest.raises(NotFound, match="Nothing in the inbox has the id 's-1'; see: dcb inbox"):
        library.accept("s-1")


def test_an_agents_compile_of_a_stored_conversation_becomes_its_next_version(library):
    first = library.save(compiled(id="talk", snapshot_id="s-1"))
    draft = compiled("Always use spaces in the zebra project.", id="talk", snapshot_id="s-2")
    submit(library, draft, format="claude-code", hash="other")
    assert library.accept("s-2").id == first.id == "s-1"
    assert [v.action for v in library.store.versions("s-1")] == ["save", "accept"]


def test_the_persons_draft_and_the_inbox_leave_each_other_alone(library):
    library.keep_draft(compiled(snapshot_id="mine"))
    submit(library, compiled(snapshot_id="its"))
    assert library.save_draft().id == "mine"
    assert [item.id for item in library.inbox()] == ["its"]
    with pytest.raises(NotFound, match="There is no draft"):
        library.save_draft()
    assert library.health().problems == ()


def test_a_full_inbox_takes_no_more(library, monkeypatch):
    monkeypatch.setattr(inbox, "MAX_WAITING", 1)
    submit(library, compiled())
    assert submit(library, compiled()) == 1
    with pytest.raises(RequestError, match="1 items wait in the inbox; the person decides"):
        submit(library, compiled(snapshot_id="s-2"))


def test_an_encrypted_inbox_holds_no_plaintext(library, place, tmp_path):
    library.store.encrypt("open sesame")
    submit(library, compiled("Never tell xylophone.", snapshot_id="s-9"))
    assert place.traces(tmp_path, b"xylophone") == []
    library.store.rekey("shut sesame")
    assert library.waiting("s-9")[1].verbatim[0].content == "Never tell xylophone."


def test_a_damaged_item_is_named_and_can_be_rejected(library, place, tmp_path):
    submit(library, compiled())
    library.store.close()
    place.change(tmp_path, "update drafts set body = '{}'")
    with Library(place.settings(tmp_path)) as again:
        message = "Item s-1 of the inbox is damaged; remove it with: dcb inbox reject s-1"
        with pytest.raises(DamagedStore, match=message):
            again.inbox()
        assert [problem.where for problem in again.health().problems] == ["inbox"]
        again.reject("s-1")
        assert again.inbox() == ()


def test_the_command_lists_shows_accepts_and_rejects(library, place, tmp_path, monkeypatch):
    for name, value in place.variables(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DCB_LANG", "en")
    words.chinese.cache_clear()
    submit(library, compiled("Never use \x1b[31m tabs."))
    submit(library, compiled(snapshot_id="t-2"))

    def dcb(*arguments):
        result = CliRunner().invoke(cli, ["inbox", *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    assert "by robot 1.0" in dcb()
    assert [item["id"] for item in json.loads(dcb("--json"))] == ["s-1", "t-2"]
    shown = dcb("show", "s-1")
    assert "\\x1b[31m tabs" in shown
    assert "\x1b[31m" not in shown
    assert dcb("accept", "s-1") == "Accepted as s-1\n"
    assert dcb("reject", "t-2") == "Rejected t-2\n"
    assert dcb() == "Nothing waits in the inbox.\n"
    words.chinese.cache_clear()


def test_a_brief_says_that_an_agent_wrote_it(library):
    submit(library, compiled())
    library.accept("s-1")
    assert "> Snapshot: s-1, 2026-09-21, written by agent: robot 1.0" in library.brief("s-1")
    assert "由 agent: robot 1.0 写入" in library.brief("s-1", lang="zh")
