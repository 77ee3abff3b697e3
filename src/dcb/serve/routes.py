"""A path -> the class of its route: what metrics and logs say, and nothing of what was asked."""

from __future__ import annotations

MCP = "/mcp"
HEALTH = "/healthz"
METRICS = "/metrics"
ENTER = "/enter"
LEAVE = "/leave"
PROJECTS = "/projects"
PROJECT = "/p/"
LOG = "/log"

_EXACT = {
    MCP: "mcp",
    HEALTH: "health",
    METRICS: "metrics",
    ENTER: "login",
    LEAVE: "login",
    PROJECTS: "projects",
    LOG: "log",
    "/": "library",
    "/results": "library",
    "/timeline": "library",
    "/look": "library",
}
_BEGINNINGS = (
    ("/static/", "static"),
    ("/snapshot", "snapshot"),
    ("/bring-in", "bring-in"),
    ("/review", "review"),
    ("/merge", "merge"),
    ("/inbox", "inbox"),
)


def classed(path: str) -> str:
    """One word of a closed set."""
    _, rest = split(path)
    if rest in _EXACT:
        return _EXACT[rest]
    return next((name for start, name in _BEGINNINGS if rest.startswith(start)), "other")


def split(path: str) -> tuple[str, str]:
    """The project that a path names (or "") and the path within it."""
    if not path.startswith(PROJECT):
        return "", path
    name, _, rest = path.removeprefix(PROJECT).partition("/")
    return name, f"/{rest}"
