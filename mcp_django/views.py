"""The endpoint: a synchronous Django view around the rules of Streamable HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse

from mcp_django.bodies import read_body
from mcp_django.dispatch.server import MCPServer
from mcp_django.hosts import served_host
from mcp_django.invocation.flows import run
from mcp_django.protocol.headers import JSON, acceptance, accepts
from mcp_django.responses import Response
from mcp_django.transports.exchange import Exchange
from mcp_django.transports.http import respond

View = Callable[..., HttpResponse]


def endpoint(server: MCPServer) -> View:
    """The view of one server. It keeps no state between requests."""

    def mcp_endpoint(request: HttpRequest, **captured: Any) -> HttpResponse:
        exchange = DjangoExchange(request)
        answer = run(respond(server, exchange))
        if answer.status == 405 and exchange.method == "GET" and _wants_page(exchange):
            # Not before a person asks: the page and its catalog take memory in each worker.
            from mcp_django.welcome import welcome_page

            return welcome_page(request, server)
        response = Response(answer)
        if exchange.method == "HEAD":
            _without_body(response)
        return response

    view: Any = mcp_endpoint
    # DRF's session authentication checks it. What the decorator sets, without its wrapper.
    view.csrf_exempt = True
    for alias in connections:
        # Each tool gets a transaction of its own: Django's around the view would commit
        # the work of a tool that failed, since the HTTP status is 200 all the same.
        view = transaction.non_atomic_requests(alias)(view)
    # LoginRequiredMiddleware would send clients to a login page: sign-in is judged here.
    view = login_not_required(view)
    view.mcp_server = server
    return view  # type: ignore[no-any-return]


# The key in META of each header, by its name: those that the code reads, no others.
# request.headers builds a mapping of all of them for each request; META is there already.
_META_KEYS: dict[str, str] = {}


def _meta_key(name: str) -> str:
    key = name.upper().replace("-", "_")
    _META_KEYS[name] = key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
    return key


class DjangoExchange:
    """A Django request as the transport judges it."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.method = request.method or ""
        self._meta = request.META

    def header(self, name: str) -> str | None:
        """A request header by its name, in any case; None if it is absent."""
        try:
            key = _META_KEYS[name]
        except KeyError:
            key = _meta_key(name)
        value: str | None = self._meta.get(key)
        return value

    def read(self) -> bytes:
        """The body within ``MAX_BODY_BYTES``."""
        return read_body(self.request)

    def host(self) -> str:
        """The host and port of this endpoint."""
        return served_host(self.request)

    def scheme(self) -> str:
        """``http`` or ``https``, as Django's settings tell it behind a proxy."""
        return self.request.scheme or ""


def _without_body(response: HttpResponse) -> None:
    """For HEAD: the headers of what another method would get, its length too, and no more."""
    length = response.headers["Content-Length"]
    response.content = b""
    response.headers["Content-Length"] = length


def _wants_page(exchange: Exchange) -> bool:
    """A browser: it names HTML, and prefers it."""
    ranges = acceptance(exchange.header("Accept"))
    html = ranges.get("text/html", 0.0)
    return html > 0 and html >= accepts(ranges, JSON)
