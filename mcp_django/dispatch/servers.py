"""Every server of the project, by its name."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

from mcp_django.features.errors import InvalidFeature

if TYPE_CHECKING:
    from mcp_django.dispatch.server import MCPServer

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

_RESERVED = {
    "default": "the name of the server that is always there",
    "mcp_django": "the namespace of the default server",
}

_servers: dict[str, MCPServer] = {}
# What each was declared in: a module that failed is imported again, as another object.
_modules: dict[str, ModuleType | None] = {}


def refuse_taken(server: MCPServer) -> None:
    """Its name must be free, and fit for a namespace of URLs: else ``ImproperlyConfigured``."""
    name: object = server.name
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidFeature(
            f"{server.source}: {server.name!r} is no name of a server. Begin it with a letter, "
            "and use letters, digits, '-' and '_' alone."
        )
    if name in _RESERVED and _servers:
        raise InvalidFeature(
            f"{server.source}: {name!r} is {_RESERVED[name]}. Give this one another name."
        )
    other = _servers.get(name)
    if other is not None and _module_of(other) is _modules[name]:
        raise InvalidFeature(
            f"{server.source}: The name {name!r} is taken by the server of {other.source}. Give "
            "one of the two another name."
        )


def add(server: MCPServer) -> None:
    """Note a server. It takes the place of one whose module was imported in vain."""
    _servers[server.name] = server
    _modules[server.name] = _module_of(server)


def _module_of(server: MCPServer) -> ModuleType | None:
    return sys.modules.get(server.source.module)


def servers() -> tuple[MCPServer, ...]:
    """Every server of the project, the default one first."""
    return tuple(_servers.values())


@contextmanager
def isolated() -> Iterator[None]:
    """Forget at the end the servers that were made inside: for tests."""
    before, modules = dict(_servers), dict(_modules)
    try:
        yield
    finally:
        _servers.clear()
        _servers.update(before)
        _modules.clear()
        _modules.update(modules)
