"""``MCPClient``: call tools from tests, in process, as Django's test client calls views.

    client = MCPClient()
    client.login(user)
    assert client.call_tool("renew_loan", loan_id=3).structured["due"] == "2026-12-24"

The request goes through the project's middleware, URLconf and the endpoint, so what a test
sees is what a client gets. pytest users have it as the fixture ``mcp_client``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import orjson
from django.apps import apps
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.test import APIClient

from mcp_django.dispatch.server import MCPServer
from mcp_django.dispatch.server import server as default_server
from mcp_django.protocol.errors import INTERNAL_ERROR, MCPError
from mcp_django.protocol.headers import EVENT_STREAM, JSON, encode
from mcp_django.protocol.mirroring import NAMED_BY
from mcp_django.protocol.versions import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LATEST,
    PROTOCOL_VERSION,
    REVISIONS,
)

__all__ = ["MCPClient", "MCPError", "Result"]

CLIENT = {"name": "mcp_django.test", "version": "1"}


@dataclass(frozen=True, slots=True)
class Result:
    """What ``tools/call`` gave: content blocks as on the wire, and the structured value."""

    content: list[dict[str, Any]]
    structured: Any
    is_error: bool
    raw: dict[str, Any] = field(repr=False)

    @property
    def text(self) -> str:
        """The text blocks, one after the other."""
        return "\n".join(block["text"] for block in self.content if block["type"] == "text")


class MCPClient:
    """A client of one server of this project, speaking one revision.

    ``url`` is the path of the endpoint, by default where ``mcp_django.urls`` is included.
    ``headers`` are sent with every request. A JSON-RPC error raises ``MCPError``, whose
    ``status`` is the HTTP status; an HTTP error without one raises it too.
    """

    def __init__(
        self,
        server: MCPServer | None = None,
        *,
        revision: str = LATEST.version,
        url: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        if revision not in REVISIONS:
            raise ValueError(f"revision is one of {', '.join(REVISIONS)}, not {revision!r}.")
        self.server = server or default_server
        self.revision = REVISIONS[revision]
        self.headers = dict(headers or {})
        self._url = url
        self._http = APIClient()
        self._ids = count(1)

    @property
    def url(self) -> str:
        """The path of the endpoint."""
        return self._url or reverse("mcp_django:endpoint")

    def login(self, user: Any) -> None:
        """Send every further request as this user, whatever signs real callers in."""
        self._http.force_authenticate(user)
        if user.pk is not None and apps.is_installed("django.contrib.sessions"):
            self._http.force_login(user)  # for middleware that reads request.user

    def logout(self) -> None:
        """Send every further request as nobody."""
        self._http.logout()

    def list_tools(self) -> list[dict[str, Any]]:
        """The definitions of the tools that this caller may call."""
        tools: list[dict[str, Any]] = self.request("tools/list")["tools"]
        return tools

    def call_tool(
        self, name: str, /, arguments: Mapping[str, Any] | None = None, **more: Any
    ) -> Result:
        """Call a tool with arguments by keyword, or, for any names, as a mapping."""
        sent = {**(arguments or {}), **more}
        raw = self.request("tools/call", {"name": name, "arguments": sent})
        return Result(
            content=raw["content"],
            structured=raw.get("structuredContent"),
            is_error=raw.get("isError", False),
            raw=raw,
        )

    def discover(self) -> dict[str, Any]:
        """What the server says of itself: ``server/discover``, or ``initialize``."""
        if self.revision.modern:
            return self.request("server/discover")
        return self.request(
            "initialize",
            {
                "protocolVersion": self.revision.version,
                "capabilities": {},
                "clientInfo": CLIENT,
            },
        )

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send one request; its result, or ``MCPError``."""
        sent = dict(params or {})
        if self.revision.modern:
            sent["_meta"] = {
                PROTOCOL_VERSION: self.revision.version,
                CLIENT_INFO: CLIENT,
                CLIENT_CAPABILITIES: {},
                **sent.get("_meta", {}),
            }
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": sent}
        response = self._http.generic(
            "POST",
            self.url,
            orjson.dumps(message, default=str).decode(),
            content_type=JSON,
            headers={**self._headers(method, sent), **self.headers},
        )
        return _result(response)

    def _headers(self, method: str, params: Mapping[str, Any]) -> dict[str, str]:
        headers = {
            "Accept": f"{JSON}, {EVENT_STREAM}",
            "MCP-Protocol-Version": self.revision.version,
        }
        if not self.revision.modern:
            return headers
        headers["Mcp-Method"] = method
        if method in NAMED_BY:
            headers["Mcp-Name"] = encode(params[NAMED_BY[method]])
        if method == "tools/call":
            headers.update(self._mirrored(params))
        return headers

    def _mirrored(self, params: Mapping[str, Any]) -> dict[str, str]:
        tool = self.server.registry.tools.get(params["name"])
        arguments = params["arguments"]
        return {
            f"Mcp-Param-{header}": encode(_text(arguments[name]))
            for name, header in (tool.headers if tool else {}).items()
            if arguments.get(name) is not None
        }


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _result(response: HttpResponse) -> dict[str, Any]:
    try:
        answer = orjson.loads(response.content)
    except orjson.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict) or not answer.keys() & {"result", "error"}:
        text = response.content[:500].decode(errors="replace")
        raise MCPError(
            INTERNAL_ERROR,
            f"HTTP {response.status_code} is no JSON-RPC answer: {text}",
            status=response.status_code,
        )
    if "error" in answer:
        error = answer["error"]
        raise MCPError(
            error["code"],
            error["message"],
            error.get("data"),
            response.status_code,
            dict(response.headers),
        )
    result: dict[str, Any] = answer["result"]
    return result
