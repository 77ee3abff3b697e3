"""HTML of an answer -> the Markdown that it was drawn from, as near as tags tell.

Every tag is looked at once; what is not known is passed over and its text kept. Nothing is
fetched, and no attribute but a link's target, an image's description and a code block's
language is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from dcb.readers.content import attachment

TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)\b([^<>]*)>")
ATTRIBUTE = re.compile(r"""\b(href|alt|class)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
SPACES = re.compile(r"[ \t\r\n\f]+")
TICKS = re.compile(r"`+")
LANGUAGE = re.compile(r"language-([\w+#.-]+)")

PARAGRAPHS = frozenset({"p", "div", "section", "article", "table", "ul", "ol", "blockquote"})
HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
INLINE = {"b": "**", "strong": "**", "em": "*", "i": "*", "code": "`", "del": "~~", "s": "~~"}
SILENT = frozenset({"script", "style", "template", "noscript", "title", "head"})
DEEPEST = 20  # lists and quotes inside each other; deeper ones are drawn at this depth


def markdown(html: str) -> str:
    """The text of a piece of HTML, as Markdown; entities are resolved."""
    page = _Page()
    for text, closing, name, attributes in _tokens(_without_comments(html)):
        page.text(text)
        if closing:
            page.end(name)
        elif name:
            page.start(name, attributes)
    return page.close()


def _tokens(html: str) -> Iterator[tuple[str, bool, str, str]]:
    """(text before the tag, whether it closes, its name, its attributes); "" behind the last."""
    here = 0
    for tag in TAG.finditer(html):
        yield html[here : tag.start()], bool(tag[1]), tag[2].lower(), tag[3]
        here = tag.end()
    yield html[here:], False, "", ""


def _without_comments(html: str) -> str:
    kept = []
    here = 0
    while (start := html.find("<!--", here)) >= 0:
        kept.append(html[here:start])
        end = html.find("-->", start)
        here = len(html) if end < 0 else end + 3
    return "".join(kept) + html[here:]


class _Page:
    """The Markdown written so far. Tables and quotes are written apart, then set in."""

    def __init__(self) -> None:
        self.outer: list[tuple[str, list[str]]] = []
        self.out: list[str] = []
        self.lists: list[int] = []  # the next number of each open list; 0 for bullets
        self.links: list[str] = []
        self.row: list[str] = []
        self.rows = 0
        self.code: list[str] | None = None  # inside <pre>
        self.language = ""
        self.silent = ""

    def text(self, raw: str) -> None:
        if not raw or self.silent:
            return
        text = unescape(raw)
        if self.code is not None:
            self.code.append(text)
            return
        text = SPACES.sub(" ", text)
        at_start = not self.out or self.out[-1].endswith(("\n", " "))
        self._put(text.lstrip(" ") if at_start else text)

    def start(self, name: str, raw: str) -> None:
        if self.silent:
            return
        if name in SILENT:
            self.silent = name
        elif self.code is not None:
            found = LANGUAGE.search(raw)
            self.language = found[1] if found else self.language
            self.code.append("\n" if name == "br" else "")
        elif name == "pre":
            found = LANGUAGE.search(raw)
            self.code, self.language = [], found[1] if found else ""
        elif name in ("ul", "ol"):
            self._break(1 if self.lists else 2)
            self.lists.append(int(name == "ol"))
        elif name == "blockquote" or name in ("td", "th"):
            self._inside(name)
        elif name in PARAGRAPHS:
            self._paragraph()
            self.rows = 0 if name == "table" else self.rows
        else:
            self._inline(name, raw)

    def _inline(self, name: str, raw: str) -> None:
        if name == "br":
            self.out.append("\n")
        elif name == "hr":
            self._break(2)
            self.out.append("---\n\n")
        elif name == "li":
            self._item()
        elif name in HEADINGS:
            self._break(2)
            self.out.append(HEADINGS[name])
        elif name == "img":
            self.out.append(attachment("image", _attribute(raw, "alt")))
        elif name == "a":
            target = _attribute(raw, "href")
            self.links.append(target if target.startswith(("http://", "https://")) else "")
            self._put("[" if self.links[-1] else "")
        else:
            self._put(INLINE.get(name, ""))

    def end(self, name: str) -> None:
        if self.silent:
            self.silent = "" if name == self.silent else self.silent
        elif self.code is not None:
            if name == "pre":
                self._close_code()
        elif name in ("td", "th", "blockquote"):
            self._outside(name)
        elif name == "tr":
            self._close_row()
        elif name in ("ul", "ol"):
            if self.lists:
                self.lists.pop()
            self._break(1 if self.lists else 2)
        elif name in PARAGRAPHS:
            self._paragraph()
        elif name in HEADINGS:
            self._break(2)
        elif name == "a" and self.links:
            target = self.links.pop()
            self._put(f"]({target})" if target else "")
        else:
            self._put(INLINE.get(name, ""))

    def close(self) -> str:
        if self.code is not None:
            self._close_code()
        while self.outer:
            self._outside(self.outer[-1][0])
        return "".join(self.out).strip()

    def _paragraph(self) -> None:
        """A break, except right behind the mark of a list item."""
        if self.out and self.out[-1].endswith((". ", "- ")) and self.lists:
            return
        self._break(1 if self.lists else 2)

    def _break(self, lines: int) -> None:
        """End the line, and leave `lines - 1` empty ones."""
        tail = "".join(self.out[-2:])
        if tail:
            have = len(tail) - len(tail.rstrip("\n"))
            self._put("\n" * max(0, lines - have))

    def _put(self, text: str) -> None:
        """Write; never an empty piece, so that the last two tell how many lines ended."""
        if text:
            self.out.append(text)

    def _item(self) -> None:
        self._break(1)
        depth = "  " * min(len(self.lists) - 1, DEEPEST)
        number = self.lists[-1] if self.lists else 0
        if number:
            self.lists[-1] += 1
        self.out.append(f"{depth}{number}. " if number else f"{depth}- ")

    def _inside(self, name: str) -> None:
        if len(self.outer) < DEEPEST:
            self.outer.append((name, self.out))
            self.out = []

    def _outside(self, name: str) -> None:
        if not self.outer or self.outer[-1][0] != name:
            return
        text = "".join(self.out).strip()
        _, self.out = self.outer.pop()
        if name == "blockquote":
            self._break(2)
            self.out.append("\n".join(f"> {line}".rstrip() for line in text.split("\n")) + "\n\n")
        else:
            self.row.append(SPACES.sub(" ", text))

    def _close_row(self) -> None:
        if not self.row:
            return
        self._break(1)
        self.out.append(f"| {' | '.join(self.row)} |\n")
        if self.rows == 0:
            self.out.append(f"|{' --- |' * len(self.row)}\n")
        self.rows += 1
        self.row = []

    def _close_code(self) -> None:
        code = "".join(self.code or ()).strip("\n")
        fence = "`" * max(3, 1 + max(map(len, TICKS.findall(code)), default=0))
        self._break(2)
        self.out.append(f"{fence}{self.language}\n{code}\n{fence}\n\n")
        self.code = None


def _attribute(raw: str, name: str) -> str:
    for found in ATTRIBUTE.finditer(raw):
        if found[1].lower() == name:
            return unescape(found[2] or found[3] or "").strip()
    return ""
