"""Servers with features of every look, for the tests of the catalog's faces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from mcp_django.dispatch.server import MCPServer
from mcp_django.dispatch.server import servers as known_servers
from mcp_django.invocation.resolvers import make_binder

URLS = "tests.app.catalogued_urls"


@cache
def made_servers() -> tuple[MCPServer, MCPServer]:
    """The servers ``default`` and ``staff``, with what ``tests.app.catalogued_tools`` has."""
    from tests.app.catalogued_tools import registry, staff_registry

    with only():
        default = MCPServer("default", registry=registry)
        staff = MCPServer("staff", registry=staff_registry)
    for server in (default, staff):
        server.registry.compile(make_binder(()))
    return default, staff


@cache
def branch_server() -> MCPServer:
    """A server whose URL has a part that a pattern captures."""
    from tests.app.catalogued_tools import branch_registry

    with only():
        server = MCPServer("branches", registry=branch_registry)
    server.registry.compile(make_binder(()))
    return server


@contextmanager
def only(*servers: MCPServer) -> Iterator[None]:
    """As if the project had these servers and no other."""
    with known_servers.isolated():
        known_servers.by_name.clear()
        for server in servers:
            known_servers.add(server)
        yield


@contextmanager
def only_catalogued() -> Iterator[tuple[MCPServer, MCPServer]]:
    """As if the project had the servers ``default`` and ``staff``."""
    servers = made_servers()
    with only(*servers):
        yield servers


@contextmanager
def only_server(name: str) -> Iterator[MCPServer]:
    """A server without features, as if the project had no other."""
    with only():
        server = MCPServer(name)
        server.registry.compile(make_binder(()))
        yield server
