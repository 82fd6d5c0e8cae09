"""Where a server is reached, and which credentials it asks for."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, get_resolver, reverse
from rest_framework.request import Request

from mcp_django.dispatch.server import MCPServer

DEFAULT = "default"  # the server that every project has
UNKNOWN = "https://example.com/mcp"
TOKEN = "YOUR_TOKEN"  # noqa: S105 - what a reader replaces


_CAPTURED = re.compile(r"<(?:\w+:)?(\w+)>")  # in path() and, after ?P, in re_path()


def routes() -> Iterator[tuple[str, MCPServer]]:
    """Every route of the project's URLs that leads to a server, as its patterns write it."""
    yield from _routes(get_resolver().url_patterns, "")


def _routes(patterns: Iterable[Any], above: str) -> Iterator[tuple[str, MCPServer]]:
    for pattern in patterns:
        route = above + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from _routes(pattern.url_patterns, route)
        elif hasattr(pattern.callback, "mcp_server"):
            yield route, pattern.callback.mcp_server


def endpoint_path(server: MCPServer) -> str:
    """The path of the server's endpoint, "" where no URL leads to it.

    Parts that a pattern captures stand there as the pattern writes them.
    """
    try:
        return reverse(f"{server.namespace}:endpoint")
    except NoReverseMatch:
        return next((f"/{route}" for route, found in routes() if found is server), "")


def captured_in(path: str) -> list[str]:
    """The names of what the patterns behind such a path capture."""
    return _CAPTURED.findall(path)


def placeholder(captured: str) -> str:
    """What stands in examples for a captured part, by its name: ``BRANCH``."""
    return captured.upper()


def example_path(server: MCPServer) -> str:
    """The path of the server's endpoint as examples have it: ``/BRANCH/mcp``.

    What a pattern captures stands there as a word for a reader to replace. "" where no URL
    leads to the server.
    """
    path = endpoint_path(server)
    if "(?P<" in path:  # of re_path()
        # Where docutils is installed this imports it, which few servers need.
        from django.contrib.admindocs.utils import replace_metacharacters, replace_named_groups

        path = "/" + replace_metacharacters(replace_named_groups(path)).strip("/")
    return _CAPTURED.sub(lambda found: placeholder(found[1]), path)


def endpoint_url(server: MCPServer, request: HttpRequest) -> str:
    """The URL of the server's endpoint, on the host that this request came to."""
    path = example_path(server)
    return absolute_url(request, path) if path else UNKNOWN


def route_to(server: MCPServer) -> str:
    """What a project's URLs need, for one that leads to a server: ``path("staff/mcp", …)``."""
    if server.name == DEFAULT:
        return 'path("mcp", include("mcp_django.urls"))'
    return f'path("{server.name}/mcp", {import_of(server)[1] or server.name}.urls)'


def absolute_url(request: HttpRequest, path: str) -> str:
    """A whole URL in its one form: without a slash at its end."""
    return request.build_absolute_uri(path.rstrip("/") or "/")


def import_of(server: MCPServer) -> tuple[str, str]:
    """The module that made a server, and the name that it has there; "" where it has none."""
    module = server.source.module
    names = vars(sys.modules[module]) if module in sys.modules else {}
    return module, next((name for name, value in names.items() if value is server), "")


def authorization(server: MCPServer, request: HttpRequest) -> str | None:
    """An example of the Authorization header; None where nobody can sign in.

    The scheme is the one that the server's authentication classes ask for.
    """
    if not server.authentication_classes:
        return None
    wrapped = Request(request)
    headers = [cls().authenticate_header(wrapped) for cls in server.authentication_classes]
    schemes = [header.split(" ")[0] for header in headers if header]
    scheme = next((s for s in schemes if s.lower() != "basic"), "Bearer")
    return f"{scheme} {TOKEN}"
