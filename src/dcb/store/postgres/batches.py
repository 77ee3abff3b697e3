"""Statements that wait -> fewer of them that do the same: inserts into a table become one.

The server plans a statement and looks at the policies of a table once for it, however many rows
it adds. Rows go into a table in the order in which they were added, and no insert passes a
statement of another sort.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice

from dcb.store.keeper import Value

Statement = tuple[str, Sequence[Value]]

# An insert whose last part are the values of one row.
_INSERT = re.compile(r"(?P<into>insert into [^()]+\([^()]*\) values )(?P<row>\(.*\))\Z", re.DOTALL)
_ROWS = 200  # a statement may have 65,535 values


def together(waiting: Iterable[Statement]) -> Iterator[Statement]:
    """The same statements, those that add rows to the same columns as one."""
    for is_insert, run in groupby(waiting, key=lambda one: _INSERT.match(one[0]) is not None):
        yield from (_inserts if is_insert else iter)(run)


def _inserts(run: Iterable[Statement]) -> Iterator[Statement]:
    by_kind: dict[str, list[Sequence[Value]]] = {}
    for sql, values in run:
        by_kind.setdefault(sql, []).append(values)
    for sql, rows in by_kind.items():
        left = iter(rows)
        while some := list(islice(left, _ROWS)):
            yield _of_rows(sql, len(some)), list(chain.from_iterable(some))


def _of_rows(sql: str, count: int) -> str:
    found = _INSERT.match(sql)
    assert found is not None  # only such statements come here
    return found["into"] + ", ".join([found["row"]] * count)
