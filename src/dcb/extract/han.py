"""Text -> the same text in simplified characters, in which the rules are written.

Every character stays at its place, so offsets hold in both.
"""

from __future__ import annotations

import re

from dcb.extract.rules.zh_traditional import SIMPLIFIED, TRADITIONAL

_TABLE = str.maketrans(TRADITIONAL, SIMPLIFIED)
_ANY = re.compile(f"[{TRADITIONAL}]")


def simplified(text: str) -> str:
    """The text with a simplified character for each traditional one."""
    if text.isascii() or not _ANY.search(text):
        return text
    return text.translate(_TABLE)
