"""Patterns of speech -> one filter that tells which of them occur in a text.

The words that a pattern needs are looked for first, all in one pass, so that a text costs
little and no automaton of all patterns is ever built (which took a second for the first pages
of every conversation). Linear in the text.
"""

from __future__ import annotations

from collections.abc import Iterable

import re2


def filtered(patterns: Iterable[str]) -> re2.Filter:
    """A filter of patterns that RE2 accepts, in any case of letters; numbered in order."""
    options = re2.Options()
    options.case_sensitive = False
    every = re2.Filter()
    for pattern in patterns:
        every.Add(pattern, options)
    every.Compile()
    return every
