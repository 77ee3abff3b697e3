"""The tables of tokens and of the log, and who may see which row, as SQL statements.

`dcb.token` is the hash of the token that a request brought, in hex; `dcb.token_id` its number
and `dcb.action` what is being done, for the log. Like all our settings they hold for one
transaction.
"""

from __future__ import annotations

_TOKEN = "(select decode(nullif(current_setting('dcb.token', true), ''), 'hex'))"
_TOKEN_ID = "nullif(current_setting('dcb.token_id', true), '')::bigint"
_ADMIN = "(select dcb.admin())"
_OWN = "person = (select dcb.person())"


def _forced(table: str) -> tuple[str, ...]:
    return (
        f"alter table dcb.{table} enable row level security",
        f"alter table dcb.{table} force row level security",
    )


_TOKENS = (
    """
    create table dcb.tokens(
      id bigint generated always as identity primary key,
      person bigint not null references dcb.people on delete cascade,
      project bigint references dcb.projects on delete cascade,
      label text not null default '',
      hash bytea not null unique check (length(hash) = 32),
      scope text not null check (scope in ('read', 'write', 'owner')),
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz
    )
    """,
    *_forced("tokens"),
    f"create policy known on dcb.tokens for select using (hash = {_TOKEN} or {_OWN})",
    f"create policy used on dcb.tokens for update using (hash = {_TOKEN})",
    f"create policy administered on dcb.tokens using ({_ADMIN})",
)

# There is no policy for update and delete: not even the owner of the table can alter the log.
_AUDIT = (
    """
    create table dcb.audit(
      seq bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      person bigint,
      project bigint,
      action text not null,
      snapshot_id text collate "C" not null default '',
      token bigint
    )
    """,
    "create index audit_project on dcb.audit(project, seq)",
    *_forced("audit"),
    f"""
    create policy written on dcb.audit for insert
      with check ({_ADMIN} or ({_OWN} and project = (select dcb.project())))
    """,
    f"""
    create policy read on dcb.audit for select
      using ({_ADMIN} or (project = (select dcb.project()) and (select dcb.role()) = 'owner'))
    """,
)

# What is written is logged by the database itself, in the same transaction, whoever connects.
_WATCHING = (
    f"""
    create function dcb.note_version() returns trigger language plpgsql as $$
    begin
      insert into dcb.audit(person, project, action, snapshot_id, token)
      values (dcb.person(), new.project,
        coalesce(nullif(current_setting('dcb.action', true), ''), 'write'), new.id, {_TOKEN_ID});
      return null;
    end $$
    """,
    f"""
    create function dcb.note_erasure() returns trigger language plpgsql as $$
    begin
      insert into dcb.audit(person, project, action, snapshot_id, token)
      select distinct dcb.person(), gone.project, 'erase', gone.id, {_TOKEN_ID} from gone;
      return null;
    end $$
    """,
    "create trigger note_version after insert on dcb.versions "
    "for each row execute function dcb.note_version()",
    "create trigger note_erasure after delete on dcb.versions "
    "referencing old table as gone for each statement execute function dcb.note_erasure()",
)

# A person with whom single snapshots are shared may know the names of their projects.
_SHOWN = (
    "create policy shown on dcb.projects for select using "
    "(id in (select project from dcb.shares where person = (select dcb.person())))",
)

STATEMENTS = (*_TOKENS, *_AUDIT, *_WATCHING, *_SHOWN)
