"""The store on a PostgreSQL server, for people who share it; see docs/postgres.md.

One database holds many projects. Row-level security keeps them apart: every transaction
says who asks and for which project, and the server shows nothing else.
"""

from dcb.store.postgres.opening import Shared, connect

__all__ = ["Shared", "connect"]
