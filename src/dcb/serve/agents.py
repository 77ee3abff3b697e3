"""The MCP server for several people: each call goes to the tools of whoever sent it.

No request depends on one before it, so there are no sessions that another could take over.
Drafts stand on the desk of the token that made them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from dcb.errors import NotFound
from dcb.mcp.http import Door, Guarded, application
from dcb.mcp.server import Service, tools_for
from dcb.serve import visits
from dcb.team import Holder, Place, writes

if TYPE_CHECKING:
    from dcb.mcp.desk import Desk
    from dcb.mcp.offered import Tool
    from dcb.mcp.server import Context
    from dcb.serve.rooms import Rooms

AT_ONCE = 16


class Agents(Service):
    """The handlers, which look up whose call it is."""

    def __init__(self, rooms: Rooms) -> None:
        super().__init__(_nobody, at_once=AT_ONCE)
        self._rooms = rooms

    def desk(self, ctx: Context) -> Desk:
        """The tools of the token that the call came with."""
        return self._rooms.tools(*_whose(ctx))

    def offered(self, ctx: Context) -> dict[str, Tool]:
        """Those that write only to who may write."""
        return tools_for(writes=writes(_whose(ctx)[1].role))

    def client(self, ctx: Context) -> str:
        """The person and the label of the token: what a client calls itself is not known here."""
        holder, _ = _whose(ctx)
        return f"{holder.name} ({holder.label or f'token {holder.token}'})"


def agents(rooms: Rooms, *, hosts: tuple[str, ...], origins: tuple[str, ...]) -> Guarded:
    """The application. Who sends a request is known before it comes here."""
    door = Door(hosts=hosts, origins=origins, token=None)
    return application(Agents(rooms), door, stateless=True)


def _whose(ctx: Context) -> tuple[Holder, Place]:
    visit = visits.of(ctx.request.scope) if ctx.request is not None else None
    if visit is None or visit.holder is None or visit.place is None:
        raise NotFound("Nobody knows whose call this is")
    return visit.holder, visit.place


def _nobody() -> NoReturn:
    raise NotFound("Nobody knows whose call this is")
