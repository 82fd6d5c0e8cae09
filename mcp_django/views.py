"""The endpoint: a synchronous Django view around the rules of Streamable HTTP."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from mcp_django.bodies import read_body
from mcp_django.dispatch.server import MCPServer
from mcp_django.hosts import own_origin
from mcp_django.invocation.flows import run
from mcp_django.protocol.headers import JSON, acceptance, accepts
from mcp_django.transports.exchange import Answer, Exchange
from mcp_django.transports.http import respond
from mcp_django.welcome import welcome_page

View = Callable[..., HttpResponse]


def endpoint(server: MCPServer) -> View:
    """The view of one server. It keeps no state between requests."""

    def mcp_endpoint(request: HttpRequest, **captured: Any) -> HttpResponse:
        exchange = exchange_of(request)
        answer = run(respond(server, exchange))
        if answer.status == 405 and exchange.method == "GET" and _wants_page(exchange):
            return welcome_page(request, server)
        return _response(answer)

    view: Any = csrf_exempt(mcp_endpoint)  # DRF's session authentication checks it
    for alias in connections:
        # Each tool gets a transaction of its own: Django's around the view would commit
        # the work of a tool that failed, since the HTTP status is 200 all the same.
        view = transaction.non_atomic_requests(alias)(view)
    # LoginRequiredMiddleware would send clients to a login page: sign-in is judged here.
    view = login_not_required(view)
    view.mcp_server = server
    return view  # type: ignore[no-any-return]


def exchange_of(request: HttpRequest) -> Exchange:
    """The request as the transport judges it."""
    meta = request.META

    def header(name: str) -> str | None:
        value: str | None = meta.get(_meta_key(name))
        return value

    return Exchange(
        method=request.method or "",
        header=header,
        read=partial(read_body, request),
        own_origin=partial(own_origin, request),
        request=request,
    )


# request.headers builds a mapping of all of them for each request; META is there already.
@lru_cache(maxsize=256)
def _meta_key(name: str) -> str:
    key = name.upper().replace("-", "_")
    return key if key == "CONTENT_TYPE" else f"HTTP_{key}"


def _wants_page(exchange: Exchange) -> bool:
    """A browser: it names HTML, and prefers it."""
    ranges = acceptance(exchange.header("Accept"))
    html = ranges.get("text/html", 0.0)
    return html > 0 and html >= accepts(ranges, JSON)


def _response(answer: Answer) -> HttpResponse:
    response = HttpResponse(
        answer.body,
        content_type=answer.content_type or "",
        status=answer.status,
        headers=answer.headers or None,
    )
    if answer.content_type is None:
        del response.headers["Content-Type"]
    return response
