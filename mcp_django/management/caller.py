"""A client for ``manage.py``: the project's own endpoint, in process, as a given user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from rest_framework.test import ForceAuthClientHandler

from mcp_django.dispatch.server import MCPServer
from mcp_django.test import MCPClient


class _Handler(ForceAuthClientHandler):
    """Signs the user in on the request alone: no session is made, no last login noted."""

    user: Any = None

    def get_response(self, request: Any) -> Any:
        if self.user is not None:
            # Where django.contrib.auth keeps who it found, for middleware that asks early.
            request._cached_user = self.user
        if settings.SECURE_SSL_REDIRECT:
            request.META |= {"wsgi.url_scheme": "https", "SERVER_PORT": "443"}
        return super().get_response(request)


class Caller(MCPClient):
    """``MCPClient`` outside of tests: it leaves no trace, and comes to a host of this site."""

    def __init__(
        self,
        server: MCPServer,
        *,
        user: Any = None,
        url: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(server, url=url, headers=headers)
        self._http.defaults["SERVER_NAME"] = own_host()
        handler = _Handler(enforce_csrf_checks=False)
        handler.user = user
        self._http.handler = handler
        if user is not None:
            self._http.force_authenticate(user)


def own_host() -> str:
    """A host name that ``ALLOWED_HOSTS`` lets in."""
    named = (host.removeprefix(".") for host in settings.ALLOWED_HOSTS if host != "*")
    return next((host for host in named if host), "localhost")
