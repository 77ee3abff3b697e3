"""How a search meets row-level security and large projects, as SQL statements.

Under row-level security PostgreSQL uses an index for a condition of a statement only where its
operator is leak-proof, which the match operator of a tsvector is not; the conditions of the
policy itself may use it. So what is looked for is a setting of the transaction, `dcb.asked`, and
the policy of `words` shows the rows that match it: all of them where nothing is asked. It shows
them to who has a role in the project. For a guest, how long an answer takes would tell whether
the index holds a word, in snapshots that were not shared too; so a guest has no index.

Every term in the index begins with the number of its project: one index serves all projects, and
none meets the terms of another. Each row has terms that say in which span of numbers it was
saved, so that a word which very many rows hold is looked for among the newest first.
"""

from __future__ import annotations

from dcb.store.postgres.expressions import LONGEST, OVERFULL, SETTLED, SPAN

SPANS = (1024, 16_384)
"""Numbers of snapshots in a span; the last two spans of each width are looked through first."""

NOTHING = "\ue006"
"""A term that no row has: all rows match its negation."""

# Of the people who may not see the project, each sees what was shared.
_SHARED = (
    "seq in (select seq from dcb.snapshots where project = (select dcb.project()) and id in "
    "(select snapshot_id from dcb.shares where project = (select dcb.project()) "
    "and person = (select dcb.person())))"
)
_HERE = "project = (select dcb.project())"
_WRITER = f"{_HERE} and (select dcb.role()) in ('owner', 'writer')"

_FUNCTIONS = (
    f"""
    create function dcb.asked() returns tsquery stable parallel safe language sql as $$
      select coalesce(nullif(current_setting('dcb.asked', true), ''), '!{NOTHING}')::tsquery
    $$
    """,
    # The two newest spans of a width, for a tsquery.
    f"""
    create function dcb.lately(width integer) returns text stable language sql as $$
      select '''' || dcb.project() || ':{SPAN}' || width || '.' || newest || ''' | '''
        || dcb.project() || ':{SPAN}' || width || '.' || (newest - 1) || ''''
      from (select coalesce(max(seq), 0) / width as newest from dcb.snapshots) as found
    $$
    """,
)

# Numbers were drawn from one sequence for all projects, so that how densely a word stands in a
# project could not be told from them.
_NUMBERS = (
    """
    create table dcb.counters(
      project bigint primary key default dcb.project() references dcb.projects on delete cascade,
      last bigint not null
    )
    """,
    "insert into dcb.counters(project, last) "
    "select project, max(seq) from dcb.snapshots group by project",
    """
    create function dcb.next_seq() returns bigint volatile language sql as $$
      insert into dcb.counters(project, last) values (dcb.project(), 1)
      on conflict (project) do update set last = counters.last + 1 returning last
    $$
    """,
    "alter table dcb.snapshots alter column seq drop identity",
    "alter table dcb.snapshots alter column seq set default dcb.next_seq()",
    "alter table dcb.counters enable row level security",
    "alter table dcb.counters force row level security",
    f"create policy written on dcb.counters using ({_WRITER}) with check ({_WRITER})",
)


def _cut(text: str) -> str:
    return f"left({text}, {LONGEST})"


_TERMS = f"""
  array(
    select project || ':' || term from unnest(tsvector_to_array(terms)) as term
    union select project || ':{SETTLED}' || {_cut("term")}
      from unnest(string_to_array(split_part(said, E'\\n', 4), ' ')) as term
      where term <> '' and terms @@ '!{OVERFULL}'
    union select project || ':{SPAN}' || width || '.' || seq / width
      from unnest(array[{", ".join(map(str, SPANS))}]) as width
  )
"""

_WORDS = (
    "alter table dcb.words add column size integer not null default 0, "
    "add column created_at bigint",
    f"""
    update dcb.words as w set terms = array_to_tsvector({_TERMS}),
      size = cardinality(array_remove(string_to_array(replace(said, E'\\n', ' '), ' '), '')),
      created_at = (
        select created_at from dcb.snapshots as s where s.project = w.project and s.seq = w.seq
      )
    """,
    "drop index dcb.words_terms",
    # The list of what is not yet sorted in is read by each search, so it is kept short.
    "create index words_terms on dcb.words using gin(terms) with (gin_pending_list_limit = 256)",
    "drop policy seen on dcb.words",
    f"""
    create policy seen on dcb.words for select using (
      {_HERE} and terms @@ dcb.asked() and ((select dcb.role()) is not null or {_SHARED})
    )
    """,
)

# Whoever owns a table is bound by its policies too; the steps concern all projects.
_TABLES = ("snapshots", "words")
STATEMENTS = (
    *(f"alter table dcb.{table} no force row level security" for table in _TABLES),
    *_FUNCTIONS,
    *_NUMBERS,
    *_WORDS,
    *(f"alter table dcb.{table} force row level security" for table in _TABLES),
)

FOR_MEMBERS = (
    "drop policy seen on dcb.words",
    f"""
    create policy seen on dcb.words for select using (
      {_HERE} and terms @@ dcb.asked() and (select dcb.role()) is not null
    )
    """,
)

# Of projects of very different sizes the server knows only how large they are on average. Where
# that is small it would rather walk the primary key and read all terms of a large one; so the
# policy names the project in a way that no index serves.
BY_INDEX = (
    "drop policy seen on dcb.words",
    """
    create policy seen on dcb.words for select using (
      project + 0 = (select dcb.project()) and terms @@ dcb.asked()
      and (select dcb.role()) is not null
    )
    """,
)
