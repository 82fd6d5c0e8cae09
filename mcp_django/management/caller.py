"""A client for ``manage.py``: the project's own endpoint, in process, as a given user."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
        self.user = handler.user = user
        self._http.handler = handler
        if user is not None:
            self._http.force_authenticate(user)
        self.log_repeated = False  # the log had said again what the answer says

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send one request. The log tells only what its answer does not."""
        with _dropping("django.request", _is_refusal), _dropping("mcp_django", self._repeats):
            return super().request(method, params)

    def _repeats(self, record: logging.LogRecord) -> bool:
        """What goes wrong without a traceback, the answer says too."""
        if record.exc_info:
            return False
        self.log_repeated = True
        return True


def _is_refusal(record: logging.LogRecord) -> bool:
    """Such as ``Unauthorized: /mcp``."""
    return 400 <= getattr(record, "status_code", 0) < 500


@contextmanager
def _dropping(name: str, drops: Callable[[logging.LogRecord], bool]) -> Iterator[None]:
    """Keep some records of a logger from its handlers for the time being."""
    logger = logging.getLogger(name)

    def keep(record: logging.LogRecord) -> bool:
        return not drops(record)

    logger.addFilter(keep)
    try:
        yield
    finally:
        logger.removeFilter(keep)


def own_host() -> str:
    """A host name that ``ALLOWED_HOSTS`` lets in."""
    named = (host.removeprefix(".") for host in settings.ALLOWED_HOSTS if host != "*")
    return next((host for host in named if host), "localhost")
