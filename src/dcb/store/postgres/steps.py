"""Numbered schema steps of a store on PostgreSQL, as data. Steps are only ever added.

The tables are those of `dcb.migrations`, each with its project in front of its keys; around
them stand people, projects and who may do what. `dcb.person`, `dcb.project` and `dcb.admin`
are settings of a transaction: who asks, for which project, and whether it is the program
itself that keeps the list of people.
"""

from __future__ import annotations

from dcb.migrations import Step
from dcb.store.postgres import ledger, planned, searching

# Filled in by the server, so that statements need not name the project.
_PROJECT = "project bigint not null default dcb.project() references dcb.projects on delete cascade"

_FUNCTIONS = (
    # A setting that another transaction of the session had comes back as ''.
    """
    create function dcb.project() returns bigint stable parallel safe language sql as
    $$ select nullif(current_setting('dcb.project', true), '')::bigint $$
    """,
    """
    create function dcb.person() returns bigint stable parallel safe language sql as
    $$ select nullif(current_setting('dcb.person', true), '')::bigint $$
    """,
    """
    create function dcb.admin() returns boolean stable parallel safe language sql as
    $$ select coalesce(current_setting('dcb.admin', true), '') = 'on' $$
    """,
)

_PEOPLE = (
    "create table dcb.people(id bigint generated always as identity primary key, "
    'name text collate "C" not null unique)',
    "create table dcb.projects(id bigint generated always as identity primary key, "
    'name text collate "C" not null unique)',
    """
    create table dcb.members(
      project bigint not null references dcb.projects on delete cascade,
      person bigint not null references dcb.people on delete cascade,
      role text not null check (role in ('owner', 'writer', 'reader')),
      primary key (project, person)
    )
    """,
    """
    create table dcb.shares(
      project bigint not null references dcb.projects on delete cascade,
      snapshot_id text collate "C" not null,
      person bigint not null references dcb.people on delete cascade,
      primary key (project, snapshot_id, person)
    )
    """,
    """
    create function dcb.role() returns text stable parallel safe language sql as
    $$ select role from dcb.members where project = dcb.project() and person = dcb.person() $$
    """,
)

_TABLES = (
    f"""
    create table dcb.snapshots(
      {_PROJECT},
      seq bigint generated always as identity,
      id text collate "C" not null,
      origin bytea not null,
      sealed boolean not null,
      created_at bigint,
      meta text not null,
      meta_sha bytea not null,
      primary key (project, seq),
      unique (project, id)
    )
    """,
    "create index snapshots_origin on dcb.snapshots(project, origin)",
    f"""
    create table dcb.bodies(
      {_PROJECT},
      seq bigint not null,
      document text not null,
      passages text not null,
      omitted text not null,
      sha bytea not null,
      primary key (project, seq),
      foreign key (project, seq) references dcb.snapshots on delete cascade
    )
    """,
    # `said` is the indexed text, a line for each column; `terms` what proposes.
    f"""
    create table dcb.words(
      {_PROJECT},
      seq bigint not null,
      said text not null,
      terms tsvector not null,
      primary key (project, seq),
      foreign key (project, seq) references dcb.snapshots on delete cascade
    )
    """,
    "create index words_terms on dcb.words using gin(terms)",
    f"""
    create table dcb.spellings(
      {_PROJECT},
      word text collate "C" not null,
      held integer not null,
      primary key (project, word)
    )
    """,
    f"""
    create table dcb.versions(
      {_PROJECT},
      id text collate "C" not null,
      number integer not null,
      sealed boolean not null,
      body bytea not null,
      sha bytea not null,
      rowid bigint generated always as identity,
      primary key (project, id, number)
    )
    """,
    f"""
    create table dcb.drafts(
      {_PROJECT},
      name text collate "C" not null,
      sealed boolean not null,
      body text not null,
      sha bytea not null,
      rowid bigint generated always as identity,
      primary key (project, name)
    )
    """,
    f"""
    create table dcb.outbox(
      {_PROJECT},
      seq bigint generated always as identity,
      task text not null,
      id text not null,
      primary key (project, seq)
    )
    """,
    f"""
    create table dcb.facts(
      {_PROJECT},
      name text collate "C" not null,
      value text not null,
      primary key (project, name)
    )
    """,
)

_KEPT = ("snapshots", "bodies", "words", "spellings", "versions", "drafts", "outbox", "facts")
_ALL = ("people", "projects", "members", "shares", *_KEPT)

# Each `(select …)` is evaluated once for a statement, not once for a row.
_HERE = "project = (select dcb.project())"
_MEMBER = f"{_HERE} and (select dcb.role()) is not null"
_WRITER = f"{_HERE} and (select dcb.role()) in ('owner', 'writer')"
_SHARED = f"select snapshot_id from dcb.shares where {_HERE} and person = (select dcb.person())"

# What a person may see of a project; what one may change needs a role that writes.
_SEEN = {
    **dict.fromkeys(_KEPT, _MEMBER),
    "snapshots": f"{_HERE} and ((select dcb.role()) is not null or id in ({_SHARED}))",
    "bodies": f"{_HERE} and ((select dcb.role()) is not null or seq in "
    f"(select seq from dcb.snapshots where {_HERE} and id in ({_SHARED})))",
}
# What a person may know of the people: oneself, one's projects and roles, what one was shown.
_KNOWN = {
    "people": "id = (select dcb.person())",
    "projects": "id in (select project from dcb.members where person = (select dcb.person()))",
    "members": "person = (select dcb.person())",
    "shares": "person = (select dcb.person())",
}


def _policies() -> tuple[str, ...]:
    found = []
    for table in _ALL:
        found.append(f"alter table dcb.{table} enable row level security")
        found.append(f"alter table dcb.{table} force row level security")
    for table, seen in _SEEN.items():
        found += [
            f"create policy seen on dcb.{table} for select using ({seen})",
            f"create policy added on dcb.{table} for insert with check ({_WRITER})",
            f"create policy changed on dcb.{table} for update using ({_WRITER})",
            f"create policy removed on dcb.{table} for delete using ({_WRITER})",
        ]
    for table, known in _KNOWN.items():
        found += [
            f"create policy known on dcb.{table} for select using ({known})",
            f"create policy administered on dcb.{table} using ((select dcb.admin()))",
        ]
    return tuple(found)


STEPS: tuple[Step, ...] = (
    Step(
        number=1,
        name="people, projects, and the tables of a store in each",
        statements=(*_FUNCTIONS, *_PEOPLE, *_TABLES, *_policies()),
    ),
    Step(number=2, name="tokens, and the log of what was done", statements=ledger.STATEMENTS),
    Step(
        number=3,
        name="search by index under row-level security, numbers of one's own for each project",
        statements=searching.STATEMENTS,
    ),
    Step(
        number=4,
        name="the index of words for who has a role in the project, not for guests",
        statements=searching.FOR_MEMBERS,
    ),
    Step(
        number=5,
        name="functions of the policies whose plans are kept",
        statements=planned.STATEMENTS,
    ),
    Step(
        number=6,
        name="search by index in a large project among small ones",
        statements=searching.BY_INDEX,
    ),
)

LATEST = STEPS[-1].number
