"""Markdown of a conversation -> HTML in which nothing runs, loads, hides or poses as the page.

HTML inside is text; an image is its description and address; a link leads to http, https or
mail only and says to which host. Whatever the parser lets through, the list of what may
stand in the result decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from dcb import visible

# No img, svg, math or style, no class or id: what cleaners were fooled by needs one of them.
TAGS = frozenset(
    (
        *("p", "br", "hr", "strong", "em", "s", "a", "code", "pre", "blockquote"),
        *("ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
        *("h3", "h4", "h5", "h6"),
    )
)
ATTRIBUTES: dict[str, set[str]] = {"*": set(), "a": {"href"}, "ol": {"start"}}
SCHEMES = frozenset(("http", "https", "mailto"))


def render(text: str) -> Markup:
    """The HTML of a text, to be placed below a heading of second rank."""
    made = _parser().render(visible.terminal(text))
    return Markup(
        nh3.clean(
            made,
            tags=set(TAGS),
            clean_content_tags=set(),
            attributes=ATTRIBUTES,
            url_schemes=set(SCHEMES),
            url_relative="deny",
            link_rel="noopener noreferrer nofollow",
        )
    )


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"])
    # Host names stay as they are encoded: letters of other scripts look like Latin ones.
    parser.normalizeLinkText = _unchanged  # type: ignore[method-assign]
    for rule, draw in (
        ("image", _image),
        ("heading_open", _heading),
        ("heading_close", _heading),
        ("link_close", _link_close),
        ("fence", _fence),
    ):
        parser.add_render_rule(rule, draw)
    return parser


def _unchanged(link: str) -> str:
    return link


def _image(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    token = tokens[index]
    return f"{escape(token.content)} <code>{escape(token.attrGet('src') or '')}</code>"


def _heading(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    token = tokens[index]
    rank = min(6, int(token.tag[1]) + 2)
    return f"<h{rank}>" if token.nesting == 1 else f"</h{rank}>\n"


def _fence(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    return f"<pre><code>{escape(tokens[index].content)}</code></pre>\n"


def _link_close(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    """The end of a link, with its host where the words do not show it."""
    begin = max(at for at in range(index) if tokens[at].type == "link_open")
    href = str(tokens[begin].attrGet("href") or "")
    words = "".join(token.content for token in tokens[begin + 1 : index])
    host = _host(href)
    return "</a>" if not host or host in words else f"</a> ({escape(host)})"


def _host(href: str) -> str:
    try:
        return urlsplit(href).netloc
    except ValueError:
        return ""
