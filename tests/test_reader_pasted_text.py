"""Pasted talk: label styles, look-alikes, fences, front matter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.errors import UnknownFormat
from tests.cases import FEWER
from tests.readings import counts, said, survives, taken_for, talk

SAID = [("user", "hi"), ("assistant", "hello")]


def read(text: str) -> list[tuple[str, str]]:
    return said(talk(text.encode()))


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("You said:\n", "ChatGPT said:\n"),
        ("##### You said:\n", "##### ChatGPT said:\n"),
        ("您说：\n", "ChatGPT 说：\n"),
        ("你说：\n", "豆包说：\n"),
        ("#### You:\n", "#### ChatGPT:\n"),
        ("## Human\n\n", "## Assistant\n\n"),
        ("## **User**\n", "## **Claude**\n"),
        ("**User:** ", "**Assistant:** "),
        ("**You**: ", "**ChatGPT**: "),
        ("**User**\n", "**Gemini**\n"),
        ("__User:__ ", "__AI:__ "),
        ("**我：**\n", "**DeepSeek：**\n"),
        ("User: ", "Assistant: "),
        ("USER: ", "AI: "),
        ("Human: ", "Claude: "),
        ("用户：", "助手："),
        ("用户:", "助手:"),
        ("我：", "豆包："),
        ("用戶：", "AI 助手："),
        ("我：", "通义千问："),
        ("[User]: ", "[Assistant]: "),
        ("【用户】", "【助手】"),
    ],
)
def test_a_style_is_known(user: str, assistant: str) -> None:
    if user == "【用户】":
        user, assistant = user + "：", assistant + "："
    text = f"{user}hi\n\n{assistant}hello\n\n{user}and\nmore\n"
    assert read(text) == [*SAID, ("user", "and\nmore")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_counts(end: str) -> None:
    assert read(end.join(["User: hi", "Assistant: hello", ""])) == SAID


def test_other_styles_and_deeper_headings_are_text() -> None:
    text = "## User\nhi\n### User\nsub\nUser: plain\n## Assistant\nhello\n**User:** bold\n"
    assert read(text) == [
        ("user", "hi\n### User\nsub\nUser: plain"),
        ("assistant", "hello\n**User:** bold"),
    ]


def test_labels_in_fences_and_quotes_are_text() -> None:
    text = (
        "User: hi\n> Assistant: quoted\n~~~~\nAssistant: a\n~~~\nAssistant: b\n~~~~\n"
        "Assistant: ```py\nUser: code\n```\nhello\n"
    )
    assert read(text) == [
        ("user", "hi\n> Assistant: quoted\n~~~~\nAssistant: a\n~~~\nAssistant: b\n~~~~"),
        ("assistant", "```py\nUser: code\n```\nhello"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Just a note.\nUser: is a word here.\n",
        "User: one\nUser: two\n",
        "Note: a\nHuman error: b\n注意：c\n",
        "I met the User: he was kind. The Assistant: too.\n",
        "```\nUser: a\nAssistant: b\n```\n",
        "---\nschema_version: '1.0'\nsnapshot_id: x\n---\nUser: a\nAssistant: b\n",
    ],
)
def test_without_two_speakers_there_is_no_transcript(text: str) -> None:
    with pytest.raises(UnknownFormat):
        taken_for(text.encode())


def test_a_system_label_is_the_systems() -> None:
    assert read("System: be brief\nUser: hi\nAssistant: hello") == [("system", "be brief"), *SAID]


def test_front_matter_or_the_first_heading_gives_the_title() -> None:
    body = "User: hi\nAssistant: hello\n"
    assert talk(f"---\ntitle: 'My talk'\nsource: x\n---\n\n{body}".encode()).title == "My talk"
    assert talk(f"# Export: parser\n\n{body}".encode()).title == "Export: parser"


def test_text_before_the_first_speaker_is_noted() -> None:
    found = talk(b"# T\n\nSaved on Monday.\nUser: hi\nAssistant: hello\n")
    assert found.warnings == ("16 characters before the first speaker were left out",)
    assert counts(found) == {"preamble": 1}


@pytest.mark.parametrize("line", ["Thought for 6 seconds", "已思考（用时 5 秒）", "已深度思考"])
def test_interface_lines_of_the_assistant_go(line: str) -> None:
    text = f"You said:\nhi\nChatGPT said:\n{line}\n\nhello\nCopy code\nx = 1\n"
    assert read(text) == [("user", "hi"), ("assistant", "hello\nx = 1")]


def test_the_same_words_from_the_person_stay() -> None:
    assert read("User: Copy code\nAssistant: hello")[0] == ("user", "Copy code")


LINES = st.lists(
    st.sampled_from(
        ["User: a", "Assistant: b", "**User:** c", "```", "~~~", "> x", "", "## User", "text", "-"]
    ),
    max_size=12,
)


@settings(max_examples=FEWER)
@given(LINES)
def test_no_word_behind_the_first_label_is_lost(lines: list[str]) -> None:
    try:
        found = talk("\n".join(["User: first", "Assistant: second", *lines]).encode())
    except UnknownFormat:
        return
    words = " ".join(content for _, content in said(found)).split()
    labels = ("User:", "Assistant:")  # in a fence they are words
    kept = [word for line in lines for word in line.split() if word not in labels]
    assert [word for word in words if word not in labels] == ["first", "second", *kept]


@settings(max_examples=FEWER)
@given(st.text(st.sampled_from("User: Assistnt*#`~>\n\r我助手：【】"), max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    survives(text.encode(), format="pasted-text")
