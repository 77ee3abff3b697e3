"""The Model Context Protocol server: agents search, read and propose, the person decides.

Only `dcb.mcp.server` and `dcb.mcp.http` know the SDK; the rest is plain functions.
"""
