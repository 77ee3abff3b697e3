"""Inserts that wait for the server go there together, and nothing else changes its place."""

from __future__ import annotations

import pytest

from dcb.store.postgres.batches import Statement, together

A, B = "insert into a(x, y) values (?,?)", "insert into b(x) values (f(?), (select 1 from c))"
DELETE = "delete from a where x=?"


@pytest.mark.parametrize(
    ("waiting", "sent"),
    [
        ([], []),
        ([(A, (1, 2))], [(A, [1, 2])]),
        ([(A, (1, 2)), (A, (3, 4))], [(A + ", (?,?)", [1, 2, 3, 4])]),
        (
            [(A, (1, 2)), (B, (5,)), (A, (3, 4)), (B, (6,))],
            [(A + ", (?,?)", [1, 2, 3, 4]), (B + ", (f(?), (select 1 from c))", [5, 6])],
        ),
        (
            [(A, (1, 2)), (DELETE, (1,)), (A, (1, 3))],
            [(A, [1, 2]), (DELETE, (1,)), (A, [1, 3])],
        ),
        ([(DELETE, (1,)), (DELETE, (2,))], [(DELETE, (1,)), (DELETE, (2,))]),
    ],
)
def test_statements_go_together(waiting: list[Statement], sent: list[Statement]) -> None:
    assert list(together(waiting)) == sent


def test_a_statement_adds_two_hundred_rows_at_most() -> None:
    sent = list(together((A, (number, 0)) for number in range(450)))
    assert [len(values) // 2 for _, values in sent] == [200, 200, 50]
    assert [value for _, values in sent for value in values[::2]] == list(range(450))
