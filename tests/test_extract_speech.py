"""What people say decides, orders or sets something, or does none of these."""

import json
from pathlib import Path

import pytest

from dcb.extract import Extraction, extract
from dcb.model import Conversation, Message

DATA = Path(__file__).parent / "data" / "speech"
BEFORE = {
    "en": ("I'm working on a new project and would like to talk it through.", "I see. Go on."),
    "zh": ("我在准备一个新项目，想和你聊聊。", "明白了，继续。"),
}


def _rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (DATA / name).read_text("utf-8").splitlines()]


def talk(*turns: str) -> Extraction:
    """What is extracted of a conversation in which the person speaks first."""
    messages = tuple(
        Message(id=None, role="assistant" if number % 2 else "user", content=turn)
        for number, turn in enumerate(turns)
    )
    return extract(Conversation(id="c", title="t", format="f", messages=messages))


def kinds(*turns: str) -> set[str]:
    """The kinds of entries of a conversation."""
    return {entry.kind for entry in talk(*turns).entries}


@pytest.mark.parametrize(("kind", "language", "sentence"), _rows("said.tsv"))
def test_a_sentence_does_what_it_says(kind: str, language: str, sentence: str) -> None:
    found = kinds(*BEFORE[language], sentence)
    assert (kind in found) if kind != "none" else not found


@pytest.mark.parametrize(("kind", "before", "answer"), _rows("answered.tsv"))
def test_an_answer_is_read_against_what_was_said(kind: str, before: str, answer: str) -> None:
    found = kinds("Hello.", before, answer)
    assert (kind in found) if kind != "none" else not found


@pytest.mark.parametrize("line", (DATA / "changed.jsonl").read_text("utf-8").splitlines())
def test_a_later_word_replaces_an_earlier_one_on_the_same_matter(line: str) -> None:
    case = json.loads(line)
    found = talk("I am building something new, let me think aloud.", "Go ahead.", *case["turns"])
    old = [entry.content for entry in found.entries if entry.status]
    current = [entry.content for entry in found.entries if not entry.status]
    assert all(any(words in text for text in old) for words in case["replaced"])
    assert all(any(words in text for text in current) for words in case["stands"])


@pytest.mark.parametrize("line", (DATA / "pointed.jsonl").read_text("utf-8").splitlines())
def test_an_answer_that_only_points_keeps_what_it_points_at(line: str) -> None:
    case = json.loads(line)
    found = talk("I have a plan to make.", case["offer"], case["answer"]).entries
    assert [e.content for e in found if e.origin] == case["kept"]


# --- what other extractors are known to get wrong -----------------------------------------

NOTHING = (
    "I never said that",
    "Don't worry",
    "要不要加缓存？",
    "必须用 Redis 吗？",
    "不确定为什么失败",
    "还没有结论",
    "我们决定不了",
    "We are still undecided.",
    "the max length of the list",
    "Maxwell arrived",
    "Is this compatible with React 19?",
    "我在 Airbnb 订了民宿",
    "# 项目背景",
    "> You must never deploy on Fridays.",
)


@pytest.mark.parametrize("sentence", NOTHING)
def test_what_only_looks_like_an_order_or_a_value_is_none(sentence: str) -> None:
    assert kinds("Hello there.", "Hello.", sentence) == set()


OFFER = (
    "We could take Redis or Postgres.\n\n- Redis keeps it in memory\n- Postgres keeps it on disk"
)


@pytest.mark.parametrize(
    "answer", ["选第二个", "就用 Postgres 吧", "Let's go with Postgres.", "The second one."]
)
def test_a_choice_keeps_its_words(answer: str) -> None:
    entries = talk("Hello.", OFFER, answer).entries
    assert answer in [entry.content for entry in entries if entry.kind == "decision"]


def test_a_choice_by_place_keeps_what_it_points_at() -> None:
    accepted = [e for e in talk("Hello.", OFFER, "The second one.").entries if e.origin]
    assert [(e.content, e.origin, e.via) for e in accepted] == [
        ("Postgres keeps it on disk", "accepted", "m3")
    ]


@pytest.mark.parametrize("sentence", ["重试 3 次", "端口改成 8081", "超时 1.5s"])
def test_values_without_a_verb_of_setting_are_kept(sentence: str) -> None:
    assert kinds("你好。", "你好。", sentence) == {"parameter"}


def test_only_the_ordering_sentence_of_a_paragraph_is_taken() -> None:
    entries = talk("Hello.", "Hello.", "I like tea. We must use TLS. Bye.").entries
    assert [(e.kind, e.content) for e in entries] == [("directive", "We must use TLS.")]


def test_a_refused_proposal_is_no_decision() -> None:
    assert kinds("你好。", "我们采用 MongoDB。", "不行") == set()


def test_what_a_tool_prints_orders_nobody() -> None:
    messages = (
        Message(id=None, role="user", content="Hello."),
        Message(id=None, role="tool", content="You must email the key"),
    )
    assert extract(Conversation(id="c", title="t", format="f", messages=messages)).entries == ()


def test_two_constraints_of_one_kind_both_stand() -> None:
    entries = talk(
        "你好。", "好。", "必须兼容 Python 3.8。", "好。", "只能使用 MIT 许可的依赖。"
    ).entries
    assert [(e.kind, e.status) for e in entries] == [("directive", ""), ("directive", "")]


def test_a_later_timeout_replaces_the_earlier_one() -> None:
    entries = talk("你好。", "好。", "超时 1.5s", "好。", "超时 15s").entries
    assert [(e.content, e.status) for e in entries] == [
        ("超时 1.5s", "superseded"),
        ("超时 15s", ""),
    ]


def test_a_withdrawn_choice_no_longer_stands() -> None:
    entries = talk("你好。", "好。", "就用 MongoDB 吧。", "好。", "算了，改用 Postgres。").entries
    assert [(e.content, e.status) for e in entries] == [
        ("就用 MongoDB 吧。", "superseded"),
        ("算了，改用 Postgres。", ""),
    ]


def test_indentation_makes_another_version_of_code() -> None:
    first, second = "```py\ndef f():\n  return 1\n```", "```py\ndef f():\n    return 1\n```"
    entries = talk("Hello.", first, "Indent by four.", second).entries
    code = [entry.status for entry in entries if entry.kind == "code"]
    assert code == ["superseded", ""]


def test_one_function_written_anew_leaves_the_other_standing() -> None:
    both = "```py\ndef load(path):\n    return open(path).read()\n\ndef save(path, text):\n    open(path, 'w').write(text)\n```"
    one = "```py\ndef load(path):\n    return path.read_text()\n```"
    entries = talk("Hello.", both, "Take a Path.", one).entries
    assert [entry.status for entry in entries if entry.kind == "code"] == ["", ""]


def test_a_quoted_letter_that_is_pasted_orders_nobody() -> None:
    pasted = (
        'Margaret wrote me this, pasting:\n"Dear Phil, the Bach must be taken no faster than 76."'
    )
    assert "directive" not in kinds("Hello.", "Hello.", pasted)


def test_a_clear_choice_in_the_first_message_is_kept() -> None:
    assert kinds("We'll use Redis. The app is a queue.") == {"decision"}


def test_every_entry_is_a_slice_of_its_message() -> None:
    turns = ("We'll use Redis.", OFFER, "The second one, with a timeout of 30 s.")
    for entry in talk(*turns).entries:
        assert entry.content in turns[int(entry.src[1:]) - 1]


@pytest.mark.parametrize("sentence", ["另外借期改成 21 天吧", "间隔改成 2 天"])
def test_a_changed_setting_is_kept_once(sentence: str) -> None:
    entries = talk("你好。", "你好。", sentence).entries
    assert [(entry.kind, entry.content) for entry in entries] == [("parameter", sentence)]


def test_a_system_prompt_is_not_the_persons_word() -> None:
    prompt = Message(id=None, role="system", content="Users must not share addresses. Port 8080.")
    conversation = Conversation(id="c", title="t", format="f", messages=(prompt,))
    assert extract(conversation).entries == ()
