"""The functions of policies and defaults, so written that a session plans them once.

A function in SQL that reads a table is planned anew for each statement that calls it, and each
statement here meets policies that do: of a save that was a quarter of the server's work.
"""

from __future__ import annotations

from dcb.store.postgres.expressions import SPAN

STATEMENTS = (
    """
    create or replace function dcb.role() returns text stable parallel safe language plpgsql as $$
    begin
      return (select role from dcb.members where project = dcb.project() and person = dcb.person());
    end $$
    """,
    """
    create or replace function dcb.next_seq() returns bigint volatile language plpgsql as $$
    declare
      drawn bigint;
    begin
      insert into dcb.counters(project, last) values (dcb.project(), 1)
      on conflict (project) do update set last = counters.last + 1 returning last into drawn;
      return drawn;
    end $$
    """,
    f"""
    create or replace function dcb.lately(width integer) returns text stable language plpgsql as $$
    declare
      newest bigint := (select coalesce(max(seq), 0) / width from dcb.snapshots);
      mine text := dcb.project() || ':{SPAN}' || width || '.';
    begin
      return '''' || mine || newest || ''' | ''' || mine || (newest - 1) || '''';
    end $$
    """,
)
