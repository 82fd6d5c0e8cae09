"""One HTTP request and its answer, as the rules of the transport see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_django.protocol.headers import EVENT_STREAM, JSON


@dataclass(slots=True)
class Exchange:
    """What a face hands to the transport.

    ``header`` reads a request header by its name (any case), None if absent. ``read``
    gives the body within its limit, ``own_origin`` the ``scheme://host`` of this endpoint
    in lower case; both raise ``MCPError``. ``request`` is the Django request, which the
    transport only passes on.
    """

    method: str
    header: Callable[[str], str | None]
    read: Callable[[], bytes]
    own_origin: Callable[[], str]
    request: Any


@dataclass(slots=True)
class Answer:
    """An HTTP answer: the status, the body, and headers beside ``Content-Type``."""

    status: int = 200
    body: bytes = b""
    content_type: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


def json_answer(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(status, body, JSON, dict(headers or {}))


def event_stream_answer(*messages: bytes) -> Answer:
    """A whole, finished event stream: one event a message."""
    body = b"".join(b"event: message\ndata: " + message + b"\n\n" for message in messages)
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return Answer(200, body, EVENT_STREAM, headers)
