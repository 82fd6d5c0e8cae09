"""Which web pages may call the endpoint: Origin, and CORS for those that are allowed.

Specification: basic/transports, "Security": an invalid Origin is refused with 403.
"""

from __future__ import annotations

import re

from mcp_django.conf import settings
from mcp_django.protocol.errors import invalid_request
from mcp_django.transports.exchange import Answer, Exchange

METHODS = "POST, OPTIONS"
EXPOSED = "Mcp-Session-Id, WWW-Authenticate"
_HEADERS = (
    "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, "
    "Mcp-Protocol-Version, Mcp-Session-Id"
)
_PARAMETER_HEADER = re.compile(r"mcp-param-[a-z0-9-]+", re.IGNORECASE)


def check_origin(exchange: Exchange) -> None:
    """400 for a foreign host; 403 for a page of another site that is not configured."""
    host, origin = exchange.host(), exchange.header("Origin")
    if origin is None or _is_allowed(origin):
        return
    if origin.lower() == f"{exchange.scheme()}://{host}".lower():
        return
    raise invalid_request(
        f"The origin {origin[:200]!r} is not allowed here. The operator can add it to "
        'MCP_DJANGO["ALLOWED_ORIGINS"].',
        403,
    )


def _is_allowed(origin: str) -> bool:
    return origin.lower() in settings.ALLOWED_ORIGINS


def preflight(exchange: Exchange) -> Answer:
    """The answer to ``OPTIONS``: what a page may send."""
    asked = exchange.header("Access-Control-Request-Headers") or ""
    # Custom headers have no fixed names, and "*" does not cover Authorization: name them.
    mirrored = [name for name in map(str.strip, asked.split(",")) if _is_parameter(name)]
    headers = {
        "Allow": METHODS,
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": ", ".join([_HEADERS, *mirrored]),
        "Access-Control-Max-Age": "600",
    }
    if exchange.header("Origin") is None:
        headers = {"Allow": METHODS}
    return Answer(204, headers=headers)


def _is_parameter(name: str) -> bool:
    return _PARAMETER_HEADER.fullmatch(name) is not None


def add_cors(exchange: Exchange, answer: Answer) -> None:
    """Let a page of an allowed origin read this answer, an error too."""
    if not settings.ALLOWED_ORIGINS:
        return
    answer.add_headers(Vary="Origin")
    origin = exchange.header("Origin")
    if origin is not None and _is_allowed(origin):
        answer.add_headers(
            Access_Control_Allow_Origin=origin, Access_Control_Expose_Headers=EXPOSED
        )
