"""``path("mcp", include("mcp_django.urls"))``: answers with and without a final slash."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from django.urls import ResolverMatch, URLPattern, path

from mcp_django.dispatch.server import MCPServer, server
from mcp_django.views import View, endpoint


class EndpointPattern(URLPattern):
    """An endpoint where its prefix ends, or ends with a slash.

    To Django, for ``reverse()`` and its checks, it is the pattern without the slash. What it
    resolves to is always the same, and so made once: two patterns, and a match made for each
    request, would cost a fifth of what finding a view costs.
    """

    def __init__(self, view: View) -> None:
        said = path("", view, name="endpoint")
        super().__init__(said.pattern, view, name=said.name)
        # Django's resolvers copy what they take from it into the match of the request, but
        # for these: whoever changed them would change them for all.
        match: Any = super().resolve("")
        match.captured_kwargs = MappingProxyType({})
        self._match: ResolverMatch = match

    def resolve(self, path: Any) -> ResolverMatch | None:
        """The match for what is left of the path, if it is the endpoint."""
        return self._match if path in ("", "/") else None


app_name = "mcp_django"


def patterns_of(server: MCPServer) -> list[URLPattern]:
    """The patterns that lead to a server."""
    return [EndpointPattern(endpoint(server))]


urlpatterns = patterns_of(server)
