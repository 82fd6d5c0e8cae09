"""Where a server is reached, and which credentials it asks for."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from rest_framework.request import Request

from mcp_django.dispatch.server import MCPServer

UNKNOWN = "https://example.com/mcp"
TOKEN = "YOUR_TOKEN"  # noqa: S105 - what a reader replaces


def endpoint_url(server: MCPServer, request: HttpRequest) -> str:
    """The URL of the server's endpoint, on the host that this request came to."""
    try:
        path = reverse("mcp_django:endpoint")
    except NoReverseMatch:
        return UNKNOWN
    return absolute_url(request, path)


def absolute_url(request: HttpRequest, path: str) -> str:
    """A whole URL in its one form: without a slash at its end."""
    return request.build_absolute_uri(path.rstrip("/") or "/")


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
