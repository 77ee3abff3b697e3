"""Numbered schema steps of the store, as data.

A store at step N is brought to step M by the statements of steps N+1 to M, in order, each
step in one transaction. Steps are only ever added.
"""

from __future__ import annotations

from typing import NamedTuple

APPLICATION_ID = 0x64636231  # "dcb1"


class Step(NamedTuple):
    """One step: its number is the `user_version` of a store that has taken it."""

    number: int
    name: str
    statements: tuple[str, ...]


# What search reads: one row per snapshot, one column per weight. The text itself lies in
# `bodies`, so the index keeps none (content=''). Terms are made by dcb.query.index_text,
# which leaves the tokenizer nothing to do but to split at spaces.
# Beside it, the words for "did you mean", with the number of snapshots that hold each.
SEARCHED = (
    """
    create virtual table words using fts5(
      title, description, tags, settled, preferences, summary, other, facets,
      content='', contentless_delete=1, tokenize='ascii'
    )
    """,
    "create table spellings(word text primary key, held integer not null) without rowid",
)

STEPS: tuple[Step, ...] = (
    Step(
        number=1,
        name="snapshots, search, drafts, versions",
        statements=(
            # `meta` is the header and where it came from; `origin` a hash of the
            # conversation, to know it again. `seq` orders by saving, whatever clocks say;
            # `created_at` is empty where the row is sealed.
            """
            create table snapshots(
              seq integer primary key autoincrement,
              id text not null unique,
              origin blob not null,
              sealed integer not null,
              created_at integer,
              meta text not null,
              meta_sha blob not null
            )
            """,
            "create index snapshots_origin on snapshots(origin)",
            """
            create table bodies(
              seq integer primary key references snapshots(seq) on delete cascade,
              document text not null,
              passages text not null,
              omitted text not null,
              sha blob not null
            )
            """,
            *SEARCHED,
            """
            create table versions(
              id text not null,
              number integer not null,
              sealed integer not null,
              body blob not null,
              sha blob not null,
              primary key(id, number)
            )
            """,
            """
            create table drafts(
              name text primary key,
              sealed integer not null,
              body text not null,
              sha blob not null
            )
            """,
            "create table outbox(seq integer primary key autoincrement, task text not null, "
            "id text not null)",
            "create table facts(name text primary key, value text not null)",
        ),
    ),
)

LATEST = STEPS[-1].number


def steps_after(number: int) -> tuple[Step, ...]:
    """The steps that a store at `number` has yet to take."""
    return tuple(step for step in STEPS if step.number > number)
