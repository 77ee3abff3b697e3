"""One server for several people: their pages and their agents, over one PostgreSQL store.

How a request travels: `app` (address, limits, metrics, log) → `admission` (token or session
-> who it is, in which project, with which role) → the web page of `dcb.web` or the MCP server
of `dcb.mcp`, each over a library that was opened for that person and that project. What they
may not do is refused here, and once more by the database.
"""
