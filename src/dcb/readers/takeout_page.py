"""Google's activity page -> the lines of each cell: those of its header, those of its content.

A page is taken apart at its tags, cell by cell, so that memory holds one cell at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dcb.readers.base import Data
from dcb.readers.html_text import markdown
from dcb.readers.takeout_time import TIME_LINE

CELL = b'<div class="outer-cell'
DIV = re.compile(r"<div\b([^<>]*)>")


def cells(data: Data) -> Iterator[tuple[list[str], list[str]]]:
    """The lines of header and content of every cell, as Markdown."""
    start = data.find(CELL)
    while start >= 0:
        end = data.find(CELL, start + len(CELL))
        cell = bytes(data[start : end if end >= 0 else len(data)]).decode("utf-8", "replace")
        header, content = _zones(cell)
        yield _lines(header), _lines(content)
        start = end


def _zones(cell: str) -> tuple[str, str]:
    """The HTML of a cell's header and of the first zone of its content."""
    starts: dict[str, int] = {}
    ends: list[int] = []
    for tag in DIV.finditer(cell):
        for name in ("header-cell", "content-cell"):
            if name in tag[1]:
                starts.setdefault(name, tag.end())
                ends.append(tag.start())
    header, content = (starts.get(name, len(cell)) for name in ("header-cell", "content-cell"))
    return _zone(cell, header, ends), _zone(cell, content, ends)


def _zone(cell: str, start: int, ends: list[int]) -> str:
    return cell[start : next((end for end in ends if end >= start), len(cell))]


def _lines(html: str) -> list[str]:
    """The lines of a zone; those that are a time without the blanks around it."""
    found = markdown(html).split("\n")
    return [line.strip() if TIME_LINE.match(line.strip()) else line for line in found]
