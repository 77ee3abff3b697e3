"""Words that take several of the things offered, or one by its number -> those things.

"1 and 4", "no. 2", "the last two", "all except 3", "A for the novel, B for the story",
"前两个", "除了 4 都做".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dcb.extract.dialogue import Option, label

_LONGEST = 80  # characters of a sentence that takes things by number or place
_SIGN = r"(?:no\.? ?|nr\.? ?|#|number )?\(?(?:[1-9]|(?-i:[A-H])|[①-⑧])\)?"
_AND = r"(?:\s*(?:,|，|、|\+|&|/|and|plus|和|跟|与|加)\s*(?:and )?)"
_ZH_COUNT = "两二三四五"
_COUNTS = (
    {"two": 2, "three": 3, "four": 4, "five": 5, "couple": 2}
    | {sign: number for number, sign in enumerate("二三四五", 2)}
    | {"两": 2}
)
_LEAD = (
    r"^\W*(?:(?:ok|okay|yes|yeah|yep|so|then|let'?s|just|please|i'?ll|i'?d|we'?ll|want|like|take|go|with|for|do|doing|use|keep|only|pick|choose|agreed|on"
    r"|to|add|options?|ideas?|items?|points?|numbers|plans?|那就?|就|我?要|我?选|用|做|先|按|走|保留)[ ,:]*)*"
)
_LIST = re.compile(
    rf"{_LEAD}((?:the )?{_SIGN}(?:{_AND}{_SIGN})*) ?"
    r"(?:号|个|条|项|点|方案)?(?:吧|就行|都要|都做|都行|可以|please|then|it is|both|for now|for me|only|sounds? good|looks? good)?(?:[.,;!，。；！](?!\d)|$| (?=for|with|but|and)|—| -)",
    re.I,
)
_PLACES = re.compile(
    rf"{_LEAD}(?:the |your )?(?:(first|last|other) (two|three|four|five|couple)\b)|(前|后|最后|头|另外)([{_ZH_COUNT}])(?:个|条|项|种|点|款|版)",
    re.I,
)
_BUT = re.compile(
    rf"\b(?:all|everything|the rest|each)\b[^.,;]{{0,20}}?\b(?:except|but|besides|apart from|other than|minus|without)\b[^.;]{{0,16}}?({_SIGN}(?:{_AND}{_SIGN})*)(?![\w%])"
    rf"|除了? ?(?:第)?({_SIGN}(?:{_AND}{_SIGN})*)[^，。]{{0,4}}[，, ]?(?:其他|其它|别的)?(?:的)?都",
    re.I,
)
_SIGNS = re.compile(r"(?<![A-Za-z0-9.])(?:[1-9]|[A-H]|[①-⑧])(?![A-Za-z0-9]|\.\d)")
_EACH = re.compile(r"(?<![A-Za-z])([A-H])(?= for\b|用于|用在)")


def picks(text: str) -> bool:
    """Whether words may take things by number or place."""
    if len(text) > _LONGEST:
        return False
    return any(form.search(text) for form in (_LIST, _PLACES, _BUT, _EACH))


def picked(text: str, offered: Sequence[Option]) -> tuple[Option, ...]:
    """The options that words take; empty when a number is not among theirs."""
    if found := _BUT.search(text):
        left = _signs(found.group(1) or found.group(2))
        return tuple(option for option in offered if option.label not in left)
    if found := _PLACES.search(text):
        place, count = (group for group in found.groups() if group)
        return _placed(place.lower(), _COUNTS[count.lower()], offered)
    found = _LIST.search(text)
    wanted = set(_EACH.findall(text)) | (_signs(found.group(1)) if found else set())
    chosen = tuple(option for option in offered if option.label in wanted)
    return chosen if len(chosen) == len(wanted) else ()


def _signs(text: str) -> set[str]:
    return {label(sign) for sign in _SIGNS.findall(text)}


def _placed(place: str, count: int, offered: Sequence[Option]) -> tuple[Option, ...]:
    if count >= len(offered):
        return ()
    return tuple(offered[:count] if place in ("first", "前", "头") else offered[-count:])
