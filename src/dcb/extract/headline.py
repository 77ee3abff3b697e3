"""A conversation -> its title and description, where the person gave none.

Both are one line of whole characters: nothing is cut inside an emoji or an accented letter.
"""

from __future__ import annotations

import re
import unicodedata

from dcb.extract.segments import message_spans
from dcb.model import Conversation, Message
from dcb.text import cjk_count, one_line

TITLE = 60  # columns; a Han character takes two
DESCRIPTION = 160

_GREETING = re.compile(
    r"[\s,，.。!！、~…]*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|please"
    r"|ok(?:ay)?|so|well)\b|您好|你好|在吗|老师好|请问|麻烦(?:您|你)?|谢谢|那个|嗯+)",
    re.I,
)
_UNNAMED = re.compile(
    r"(?:new|untitled|unnamed)(?: chat| conversation| thread)?|新对话|新聊天|无标题|未命名(?:对话)?",
    re.I,
)
_JOINERS = "\u200d\ufe0e\ufe0f"
_PROSE = frozenset({"sentence", "item", "heading", "quote"})


def title(conversation: Conversation) -> str:
    """The conversation's own title, or the person's first request, in one short line."""
    own = one_line(conversation.title)
    if own and not _UNNAMED.fullmatch(own):
        return own
    request = _first_request(conversation)
    return _shortened(request, TITLE) if request else own or conversation.id


def description(conversation: Conversation) -> str:
    """The opening of the person's first request; "" where the title says it all."""
    request = _first_request(conversation, several=True)
    whole = _shortened(request, DESCRIPTION)
    return "" if whole == title(conversation) else whole


def _first_request(conversation: Conversation, *, several: bool = False) -> str:
    """The first thing the person says that is more than a greeting."""
    for message in conversation.messages:
        if message.role == "user":
            said = _substance(message, several=several)
            if said:
                return said
    return ""


def _substance(message: Message, *, several: bool) -> str:
    head = message.content[:4000]
    prose = [span.text for span in message_spans(0, "user", head) if span.shape in _PROSE]
    said = (one_line(_without_greeting(text)) for text in prose)
    telling = [text for text in said if _width(text) >= 8]
    return " ".join(telling[: 3 if several else 1])


def _without_greeting(text: str) -> str:
    pos = 0
    while (greeting := _GREETING.match(text, pos)) and greeting.end() > pos:
        pos = greeting.end()
    return text[pos:].lstrip(" ,，.。!！、~…")


# --- whole characters -------------------------------------------------------------------


def _width(text: str) -> int:
    return len(text) + cjk_count(text)


def _shortened(text: str, columns: int) -> str:
    """At most so many columns, ended with … where something is left out."""
    if _width(text) <= columns:
        return text
    end = room = 0
    for end, char in enumerate(text):
        room += 2 if cjk_count(char) else 1
        if room > columns - 1:
            break
    return text[: _boundary(text, end)].rstrip(" ,，;；:：、") + "…"


def _boundary(text: str, end: int) -> int:
    """The last place up to `end` where a character, and if possible a word, ends."""
    while end > 0 and _continues(text, end):
        end -= 1
    word = text.rfind(" ", 0, end)
    whole = end == len(text) or text[end] == " " or not text[end - 1].isascii()
    return end if whole or word < end - 20 else word


def _continues(text: str, at: int) -> bool:
    """Whether the character at `at` belongs to the one before: marks, joiners, skin, flags."""
    char = text[at]
    if unicodedata.combining(char) or char in _JOINERS or "\U0001f3fb" <= char <= "\U0001f3ff":
        return True
    if text[at - 1] == "\u200d" or "\U000e0020" <= char <= "\U000e007f":
        return True
    return _flag(char) and _flags_before(text, at) % 2 == 1


def _flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    count = 0
    while count < at and _flag(text[at - 1 - count]):
        count += 1
    return count
