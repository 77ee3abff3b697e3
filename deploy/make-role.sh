#!/bin/sh
# The role that dcb connects as: it owns its database and nothing more, so that row-level
# security holds for it. Run once by the image of PostgreSQL when the database is made.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set password="$(cat /run/secrets/database_password)" <<'SQL'
create role dcb login nosuperuser nobypassrls password :'password';
alter database memory owner to dcb;
SQL
