"""An expression of the index <-> what PostgreSQL looks for, and where its phrases stand.

The expressions are those that `dcb.query` and `dcb.store.candidates` write: phrases between
quotation marks, a star behind those that may go on, AND, OR, NOT, and the columns in front.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

COLUMNS = (
    "title",
    "description",
    "tags",
    "settled",
    "preferences",
    "summary",
    "other",
    "facets",
)
LONGEST = 200  # characters of a term in the index; a lexeme may have 2 kB
OVERFULL = "\ue004"  # the one term of a snapshot with more terms than a tsvector holds
SETTLED = "\ue005"  # before a term that stands among decisions and directives
SPAN = "\ue007"  # before the span of numbers in which a snapshot was saved
_SETTLED_ALONE = frozenset({COLUMNS.index("settled")})

_TOKEN = re.compile(
    r'"(?P<phrase>[^"]*)"(?P<star>\*?)|\{(?P<columns>[^}]*)\}\s*:|(?P<column>[a-z]+)\s*:'
    r"|(?P<word>AND|OR|NOT|\(|\))"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Terms one after the other, in one of these columns."""

    terms: tuple[str, ...]
    goes_on: bool
    columns: frozenset[int]

    @property
    def needle(self) -> str:
        """What stands in the text of a column that has it."""
        return f" {' '.join(self.terms)}" + ("" if self.goes_on else " ")


@dataclass(frozen=True, slots=True)
class Group:
    """Expressions of which all, some, or the first without the others must hold."""

    word: str  # AND, OR, NOT
    parts: tuple[Expression, ...]


Expression = Phrase | Group


def parse(text: str) -> Expression:
    """The expression as a tree."""
    return _Parser(list(_TOKEN.finditer(text))).either(frozenset(range(len(COLUMNS))))


@dataclass(slots=True)
class _Parser:
    """Reads tokens by position; of NOT, AND and OR the first binds most."""

    tokens: Sequence[re.Match[str]]
    place: int = 0

    def either(self, columns: frozenset[int]) -> Expression:
        return self._joined("OR", columns)

    def _joined(self, word: str, columns: frozenset[int]) -> Expression:
        next_word = {"OR": "AND", "AND": "NOT"}.get(word)
        parts = []
        while True:
            parts.append(self._joined(next_word, columns) if next_word else self._one(columns))
            if self._word() != word:
                return parts[0] if len(parts) == 1 else Group(word, tuple(parts))
            self.place += 1

    def _one(self, columns: frozenset[int]) -> Expression:
        token = self.tokens[self.place]
        self.place += 1
        named = token["columns"] or token["column"]
        if named:
            return self._one(columns & {COLUMNS.index(name) for name in named.split()})
        if token["word"] == "(":
            inside = self.either(columns)
            self.place += 1
            return inside
        return Phrase(tuple(token["phrase"].split()), bool(token["star"]), columns)

    def _word(self) -> str | None:
        return self.tokens[self.place]["word"] if self.place < len(self.tokens) else None


# --- for the server ----------------------------------------------------------------------


def lexemes(said: Sequence[str], project: int) -> list[str]:
    """What stands in the index for the texts of the columns of a snapshot of this project."""
    found = {_named(term, project) for text in said for term in text.split(" ") if term}
    settled = said[COLUMNS.index("settled")].split(" ")
    return sorted(found | {_named(term, project, SETTLED) for term in settled if term})


def proposing(expression: Expression, project: int) -> str:
    """A tsquery that everything in the project which matches satisfies."""
    return f"({_proposing(expression, project)}) | {_quoted(_named(OVERFULL, project))}"


def _proposing(expression: Expression, project: int) -> str:
    if isinstance(expression, Phrase):
        # Few titles, decisions and directives hold a word that very many snapshots hold.
        mark = SETTLED if expression.columns == _SETTLED_ALONE else ""
        named = [_quoted(_named(term, project, mark)) for term in expression.terms]
        return " & ".join(named) + ":*" * expression.goes_on
    if expression.word == "NOT":
        return _proposing(expression.parts[0], project)
    sign = {"AND": " & ", "OR": " | "}[expression.word]
    return sign.join(f"({_proposing(part, project)})" for part in _telling(expression))


def _named(term: str, project: int, mark: str = "") -> str:
    return f"{project}:{mark}{term[:LONGEST]}"


def _quoted(lexeme: str) -> str:
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def confirming(expression: Expression) -> tuple[str, list[str]]:
    """A condition on `said` that exactly what matches satisfies, and its values."""
    if isinstance(expression, Phrase):
        if len(expression.columns) == len(COLUMNS):
            return "strpos(said, ?) > 0", [expression.needle]
        places = [f"split_part(said, E'\\n', {at + 1})" for at in sorted(expression.columns)]
        found = [f"strpos({place}, ?) > 0" for place in places] or ["false"]
        return f"({' or '.join(found)})", [expression.needle] * len(places)
    sign = {"AND": " and ", "OR": " or ", "NOT": " and not "}[expression.word]
    parts = [confirming(part) for part in _telling(expression)]
    return f"({sign.join(sql for sql, _ in parts)})", [one for _, values in parts for one in values]


def _telling(group: Group) -> list[Expression]:
    """The parts on which it depends whether a group holds.

    Of `(a OR b OR …) AND a`, written so that all of them are scored, that is the last: with
    hundreds of words the others are long to look for.
    """
    parts = list(group.parts)
    if group.word == "AND":
        for part in group.parts:
            others = [one for one in parts if one is not part]
            if isinstance(part, Group) and _follows(part, others):
                parts = others
    return parts


def _follows(expression: Expression, held: Sequence[Expression]) -> bool:
    """Whether an expression holds where all of these do."""
    if expression in held:
        return True
    follows = _FOLLOWS.get(expression.word) if isinstance(expression, Group) else None
    return bool(follows and follows(_follows(part, held) for part in expression.parts))  # type: ignore[union-attr]


_FOLLOWS: dict[str, Callable[[Iterable[bool]], bool]] = {"AND": all, "OR": any}

# --- for the score -----------------------------------------------------------------------


def counted(expression: Expression, said: Sequence[str]) -> list[list[int]]:
    """For each phrase, in order, how often it stands in each column.

    Those of a part that does not hold as a whole stand nowhere.
    """
    return list(_counted(expression, said)[1])


def _counted(expression: Expression, said: Sequence[str]) -> tuple[bool, list[list[int]]]:
    if isinstance(expression, Phrase):
        times = [
            sum(1 for _ in _places(text, expression.needle)) if at in expression.columns else 0
            for at, text in enumerate(said)
        ]
        return any(times), [times]
    parts = [_counted(part, said) for part in expression.parts]
    holds = _HOLDS[expression.word]([part for part, _ in parts])
    found = [times for _, inside in parts for times in inside]
    return holds, found if holds else [[0] * len(said) for _ in found]


def _without(parts: list[bool]) -> bool:
    return parts[0] and not any(parts[1:])


_HOLDS: dict[str, Callable[[list[bool]], bool]] = {"AND": all, "OR": any, "NOT": _without}


def _places(text: str, needle: str) -> Iterator[int]:
    # One occurrence may begin with the space that ends the one before.
    place = text.find(needle)
    while place >= 0:
        yield place
        place = text.find(needle, place + 1)
