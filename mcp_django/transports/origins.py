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
_HEADER = re.compile(r"[a-z0-9_-]+", re.IGNORECASE)


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
    origin = exchange.header("Origin")
    if origin is None:
        return Answer(204, headers={"Allow": METHODS})
    headers = {
        "Allow": METHODS,
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": ", ".join([_HEADERS, *_asked(exchange, origin)]),
        "Access-Control-Max-Age": "600",
    }
    return Answer(204, headers=headers)


def _asked(exchange: Exchange, origin: str) -> list[str]:
    """The further headers that a configured page means to send: a mirrored one, say, or an API key.

    They are named, because "*" does not cover Authorization.
    """
    if not _is_allowed(origin):
        return []
    asked = exchange.header("Access-Control-Request-Headers") or ""
    return [name for name in map(str.strip, asked.split(",")) if _HEADER.fullmatch(name)]


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
