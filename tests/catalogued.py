"""Two servers with tools of every look, for the tests of the catalog's faces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from mcp_django.dispatch.server import MCPServer
from mcp_django.invocation.resolvers import make_binder

READERS = ("mcp_django.catalog.features.servers", "mcp_django.management.commands.mcp.servers")


@cache
def made_servers() -> tuple[MCPServer, MCPServer]:
    """The servers ``default`` and ``staff``, with the tools of ``tests.app.catalogued_tools``."""
    from tests.app.catalogued_tools import registry, staff_registry

    servers = MCPServer("default", registry), MCPServer("staff", staff_registry)
    for server in servers:
        server.registry.compile(make_binder(()))
    return servers


@contextmanager
def only_catalogued() -> Iterator[tuple[MCPServer, MCPServer]]:
    """As if the project had these two servers and no other."""
    servers = made_servers()
    with patch(READERS[0], lambda: servers), patch(READERS[1], lambda: servers):
        yield servers
