"""Which server a test client means, and where that is: in words where it cannot be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from django.urls import NoReverseMatch, reverse

from mcp_django.catalog.endpoints import captured_in, endpoint_path, import_of, route_to
from mcp_django.dispatch.server import MCPServer, servers
from mcp_django.dispatch.server import server as default_server


def server_meant(given: Any) -> MCPServer:
    """The server; the default one for None. ``TypeError`` for what is none."""
    if given is None:
        return default_server
    if isinstance(given, MCPServer):
        return given
    raise TypeError(f"MCPClient takes an MCPServer, not {given!r}.{_instead_of(given)}")


def _instead_of(given: Any) -> str:
    """How to write it: for the name of a server the import of that server."""
    named = next((one for one in servers() if one.name == given), None)
    if named is not None:
        module, name = import_of(named)
        if name:
            return f" Write MCPClient({name}), with 'from {module} import {name}'."
    if hasattr(given, "is_authenticated"):
        return " A user signs in by client.login(user)."
    return " Give the server itself, or nothing for the default one."


def path_of(server: MCPServer, captured: Mapping[str, Any]) -> str:
    """The path of its endpoint. ``NoReverseMatch`` where these captured parts make none."""
    try:
        return reverse(f"{server.namespace}:endpoint", kwargs=dict(captured))
    except NoReverseMatch:
        _explain(server, captured)


def _explain(server: MCPServer, captured: Mapping[str, Any]) -> NoReturn:
    path, named = endpoint_path(server), f"the MCP server {server.name!r}"
    if not path:
        raise NoReverseMatch(
            f"No URL of the project leads to {named}. Add {route_to(server)} to ROOT_URLCONF, or "
            'say where it is by url="/path".'
        ) from None
    names = captured_in(path)
    if not names and not captured:  # below a namespace of the project's own
        fix = f"Say so by url={path!r}."
    elif not names:
        fix = f"It captures nothing: leave url_kwargs={dict(captured)} out."
    else:
        needed = ", ".join(f'"{name}": …' for name in names)
        fix = f"Say which one by url_kwargs={{{needed}}} or by url=."
        if captured:
            fix = f"url_kwargs={dict(captured)} does not fit it. {fix}"
    raise NoReverseMatch(f"The URL of {named} is {path}. {fix}") from None
