"""The server that tests of the PostgreSQL store run against."""

import pytest

from tests.postgres_server import Server

psycopg = pytest.importorskip("psycopg")


def test_a_fresh_database_belongs_to_a_role_without_special_rights(postgres: Server) -> None:
    with psycopg.connect(postgres.fresh()) as connection:
        rights = connection.execute(
            "select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user"
        ).fetchone()
    assert rights == (False, False, False)


def test_two_fresh_databases_know_nothing_of_each_other(postgres: Server) -> None:
    with psycopg.connect(postgres.fresh()) as one, psycopg.connect(postgres.fresh()) as other:
        one.execute("create table here()")
        one.commit()
        assert other.execute("select to_regclass('here')").fetchone() == (None,)
