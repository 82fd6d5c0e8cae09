"""One HTTP request and its answer, as the rules of the transport see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from mcp_django.protocol.headers import EVENT_STREAM, JSON


class Exchange(Protocol):
    """What a face hands to the transport: one HTTP request."""

    method: str
    request: Any  # the Django request, which the transport only passes on

    def header(self, name: str) -> str | None:
        """A request header by its name, in any case; None if it is absent."""

    def read(self) -> bytes:
        """The body within its limit; ``MCPError`` 413 beyond it."""

    def host(self) -> str:
        """The host and port of this endpoint; ``MCPError`` 400 if it is not served here."""

    def scheme(self) -> str:
        """``http`` or ``https``."""


@dataclass(slots=True)
class Answer:
    """An HTTP answer: the status, the body, and headers beside ``Content-Type``."""

    status: int = 200
    body: bytes = b""
    content_type: str | None = None
    headers: Mapping[str, str] | None = None

    def add_headers(self, **more: str) -> None:
        """Further headers, by name with underscores."""
        named = {name.replace("_", "-"): value for name, value in more.items()}
        self.headers = {**(self.headers or {}), **named}


def json_answer(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """JSON, complete."""
    return Answer(status, body, JSON, headers)


def event_stream_answer(*messages: bytes) -> Answer:
    """A whole, finished event stream: one event a message."""
    body = b"".join(b"event: message\ndata: " + message + b"\n\n" for message in messages)
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return Answer(200, body, EVENT_STREAM, headers)
