"""A query nothing answers in full -> one whose words count singly, by their stems.

A question in a sentence is such a query. Words that every text holds are left out, English
endings are cut, and a long run of Chinese or Japanese becomes its pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from dcb.query import terms
from dcb.query.typed import Query, Term, make_term

_COMMON = frozenset(
    re.findall(
        r"\w+",
        """
        a about after all also am an and any are as at be been before being but by can could did
        do does doing don for from had has have having he her hers him his how i if in into is it
        its just kind like me more most my no not of off on or other our out over own s she should
        so some such t than that the their them then there these they this those through to too
        under up very was we were what when where which while who whom whose why will with would
        you your
        """,
    )
)
# Characters that mostly bind words rather than mean something of their own.
_BINDING = frozenset(
    "的了吗呢吧啊是在我你他她它们和与或就都也很把被给跟对从这那哪什么怎个么有没不要会能可以请到"
)
_ENDINGS = re.compile(r"(?:ies|ied|ing|edly|ed|es|s|ly|y|e)\Z")
_SHORTEST_STEM = 3


def loosen(query: Query) -> Query:
    """The query with its terms loosened; the same filters and exclusions."""
    found = [loose for term in query.terms for loose in _loosened(term)]
    telling = [term for term in found if terms.fold(term.text) not in _COMMON]
    return replace(query, terms=tuple(dict.fromkeys(telling or found)))


def _loosened(term: Term) -> Iterable[Term]:
    if term.phrase:
        yield term
        return
    found = terms.runs(terms.fold(term.text))
    if not found:
        yield term
    for run, _, _ in found:
        if terms.is_cjk(run):
            yield from _pairs(run)
        elif run not in _COMMON or len(found) == 1:
            yield _stemmed(run)


def _pairs(run: str) -> Iterable[Term]:
    whole = len(run) <= 2
    for pair in [run] if whole else terms.pairs(run)[:-1]:
        made = make_term(pair)
        if made and (whole or not _BINDING & set(pair)):
            yield made


def _stemmed(word: str) -> Term:
    stem = stem_of(word)
    made = make_term(word)
    assert made is not None  # a run of letters is always a term
    if stem == word and len(word) <= _SHORTEST_STEM:
        return made
    return replace(
        made,
        expression=f'"{stem}"*',
        pattern=re.escape(stem) + rf"[^\W\d_]{{0,{terms.ENDING}}}",
    )


def stem_of(word: str) -> str:
    """An English word without its ending; other words as they are."""
    if not word.isascii() or not word.isalpha():
        return word
    stem = _ENDINGS.sub("", word)
    return stem if len(stem) >= _SHORTEST_STEM else word
