"""What a person typed -> what to look for: terms, filters, a full-text expression, a matcher.

Everything here is pure, and no input raises: what is not understood is looked for as words.
"""

from dcb.query.loosen import loosen
from dcb.query.matching import Matcher, Span, Text
from dcb.query.terms import fold, index_text
from dcb.query.typed import Filter, Query, Term, parse

__all__ = [
    "Filter",
    "Matcher",
    "Query",
    "Span",
    "Term",
    "Text",
    "fold",
    "index_text",
    "loosen",
    "parse",
]
