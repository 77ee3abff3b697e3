"""A person's "that", "the second one", "all of it" -> the passage of the talk that is meant.

Passages are looked for in the last few messages, and in what the assistant says next when
it takes up the choice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dcb.extract import dialogue
from dcb.extract.dialogue import Option, Passage
from dcb.extract.picks import picked, picks
from dcb.extract.segments import Spans, sentences
from dcb.extract.terms import terms
from dcb.model import Conversation

_BACK = 6  # messages in which options are looked for
_HEAD = 2000  # characters of a message in which a statement is looked for


class References:
    """What can be pointed at in a conversation; options of one message are remembered."""

    def __init__(self, conversation: Conversation, spans: Spans) -> None:
        self.messages = conversation.messages
        self.spans = spans
        self.offers: dict[int, tuple[Option, ...]] = {}

    def resolve(
        self, rule: str, text: str, *, said: str, by: int, recent: Sequence[int], before: int | None
    ) -> Passage | None:
        """The passage that the words `text` of the sentence `said` in message `by` point at.

        `recent` are the messages before it, `before` is the assistant's last.
        """
        if before is not None and _WHOLE.search(text):
            passage = self.whole(before)
            if passage or rule == "en.all-but":
                return passage or self.statement(before, asking=True)
        if before is not None and (kind := _KIND_OF.search(text)):
            return self._of_kind(before, kind.group(1)) or self.restated(by)
        if dialogue.points_at_list(text):
            listed = self._listed(text, recent)
            if listed or rule != "zh.as-you-said":
                return listed or self.restated(by)
        if before is None or rule.endswith(_SAID_AGAIN):
            return self.restated(by)
        if _REST.search(text) and (rest := self._rest(before, by)):
            return rest
        return self.statement(before, said) or self.restated(by)

    def _listed(self, text: str, recent: Sequence[int]) -> Passage | None:
        """The option of the last list that words name by place or label."""
        for number in reversed(recent[-_BACK:]):
            if option := dialogue.chosen(text, self.options(number)):
                return option.passage if self.messages[number].role == "assistant" else None
        return None

    def _rest(self, number: int, by: int) -> Passage | None:
        """The only option of a message that another message does not speak of."""
        said = self.messages[by].content[:_HEAD]
        words, labels = terms(said), _LETTER.findall(said)
        left = [
            option.passage
            for option in self.options(number)
            if option.label not in labels and option.terms.isdisjoint(words)
        ]
        return left[0] if len(left) == 1 else None

    def several(self, text: str, recent: Sequence[int]) -> tuple[Option, ...]:
        """The options of the last list that words take together: "1 and 4", "the last two"."""
        if not picks(text):
            return ()
        for number in reversed(recent[-_BACK:]):
            if self.messages[number].role == "assistant" and (offered := self.options(number)):
                return picked(text, offered)
        return ()

    def labelled(self, sign: str, recent: Sequence[int]) -> Option | None:
        """The option of the last list that has this label."""
        for number in reversed(recent[-_BACK:]):
            if self.messages[number].role == "assistant" and (offered := self.options(number)):
                return next((option for option in offered if option.label == sign), None)
        return None

    def _of_kind(self, number: int, word: str) -> Passage | None:
        """The only option that a message describes by a word: "the chant one"."""
        content = self.messages[number].content
        passages = [option.passage for option in self.options(number)]
        told = [p for p in passages if word.lower() in content[p.start : p.end].lower()]
        return told[0] if len(told) == 1 else None

    def whole(self, number: int) -> Passage | None:
        """The table or list of a message, all its rows and items."""
        content, spans = self.messages[number].content, self.spans.of(number)
        listed = [s for s in spans if s.shape in ("row", "item")]
        if len(listed) < _LIST:
            return None
        start = content.rfind("\n", 0, listed[0].start) + 1
        if listed[0].shape == "row":  # with its head and the line under it
            start = content.find(listed[0].lead) if listed[0].lead in content else start
        return Passage(number, start, listed[-1].end)

    def statement(self, number: int, about: str = "", *, asking: bool = False) -> Passage | None:
        """The sentence of a message that states most of what is talked about."""
        content = self.messages[number].content[:_HEAD]
        wanted, best, most = terms(about), None, (-1, 0, 0)
        for start, end in sentences(content, 0, len(content)):
            said = content[start:end]
            if (
                (said[-1] in "?？" and not asking)
                or said[-1] in ":："
                or said.startswith(("```", "~~~"))
                or _HOLLOW.match(said)
            ):
                continue
            weight = (len(wanted & terms(said)), -bool(_DANGLES.match(said)), min(len(said), 200))
            if weight > most:
                best, most = Passage(number, start, end), weight
        in_table = best is not None and content.startswith("|", best.start)
        return self.whole(number) or best if in_table else best

    def restated(self, number: int) -> Passage | None:
        """What the assistant says next, when it takes up the choice."""
        for after in range(number + 1, min(number + 3, len(self.messages))):
            if self.messages[after].role == "assistant":
                return self.statement(after)
        return None

    def options(self, number: int) -> tuple[Option, ...]:
        if number not in self.offers:
            self.offers.clear()  # only what was just said is asked for often
            content, spans = self.messages[number].content, self.spans.of(number)
            self.offers[number] = dialogue.options(number, content, spans)
        return self.offers[number]


_SAID_AGAIN = ("en.as-you-said", "superlative")  # what these mean is told by the next message
_REST = re.compile(r"剩下|余下|\b(?:remaining|leftover) one\b", re.I)
_LETTER = re.compile(r"(?<![A-Za-z])[A-H](?![A-Za-z])")
_LIST = 2  # rows or items that make a list
_WHOLE = re.compile(
    r"\b(?:table|list|those|these|numbers|quantities|figures|amounts|schedule|breakdown|all|everything|both|lot)\b|表|清单|都",
    re.I | re.A,
)
_DANGLES = re.compile(r"(?:it|that|this|which|otherwise|both)\b|它|这", re.I | re.A)
_KIND_OF = re.compile(
    r"\b(?:the|that|your) (?!other|first|second|third|fourth|fifth|last|latter|former|middle|1st|2nd|3rd|one\b)([$€£]?[\w'.-]+) "
    r"(?:one|option|version|idea|approach|route|variant)\b",
    re.I | re.A,
)
_HOLLOW = re.compile(
    r"\s*(?:ok(?:ay)?|got it|noted|done|sure|understood|good|great|right|fine|will do|yes|no|lovely|perfect|switching|updated|added|agreed"
    r"|好的?|明白了?|收到|了解|记下了?|已记录|可以|没问题|嗯|对|是的|已改|已更新|已删)[。.!！，,\s]*$",
    re.I,
)
