"""Raw requests to the endpoint, and tools that live for one test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import Any

import orjson
import pytest
from django.http import HttpResponse
from django.test import Client, override_settings

from mcp_django import MCPServer, server
from mcp_django.dispatch.server import servers
from mcp_django.protocol.headers import encode
from mcp_django.protocol.mirroring import NAMED_BY

MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Wire:
    """Sends bytes and headers as they are given, and shows the HTTP answer."""

    url = "/mcp"

    def __init__(self) -> None:
        self.client = Client(raise_request_exception=True)

    def send(
        self,
        body: Any = b"",
        *,
        method: str = "POST",
        content_type: str = "application/json",
        url: str | None = None,
        **headers: str | None,
    ) -> HttpResponse:
        """``headers`` by name with underscores; None leaves a header out."""
        data = body if isinstance(body, bytes) else orjson.dumps(body)
        named = {
            key.replace("_", "-"): value for key, value in headers.items() if value is not None
        }
        response: Any = self.client.generic(
            method, url or self.url, data, content_type=content_type, headers=named
        )
        return response  # type: ignore[no-any-return]

    def modern(
        self,
        rpc: str,
        params: dict[str, Any] | None = None,
        *,
        id: Any = 1,  # noqa: A002
        meta: dict[str, Any] | None = None,
        url: str | None = None,
        **headers: str | None,
    ) -> HttpResponse:
        """A request of 2026-07-28 with all that it needs; ``headers`` replace or remove."""
        params = {**(params or {}), "_meta": META if meta is None else meta}
        sent: dict[str, str | None] = {
            "MCP_Protocol_Version": MODERN,
            "Mcp_Method": rpc,
            "Accept": "application/json, text/event-stream",
        }
        named = params.get(NAMED_BY.get(rpc, ""))
        if isinstance(named, str):
            sent["Mcp_Name"] = encode(named)
        message = {"jsonrpc": "2.0", "id": id, "method": rpc, "params": params}
        return self.send(message, url=url, **{**sent, **headers})

    def legacy(
        self,
        rpc: str,
        params: dict[str, Any] | None = None,
        *,
        version: str | None = "2025-11-25",
        id: Any = 1,  # noqa: A002
        url: str | None = None,
        **headers: str | None,
    ) -> HttpResponse:
        """A request of an older revision."""
        message = {"jsonrpc": "2.0", "id": id, "method": rpc, "params": params or {}}
        return self.send(message, url=url, MCP_Protocol_Version=version, **headers)

    def result(self, rpc: str, params: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """The result of a modern request."""
        response = self.modern(rpc, params, **more)
        assert response.status_code == 200, response.content
        answer: dict[str, Any] = response.json()
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def old_result(
        self, rpc: str, params: dict[str, Any] | None = None, **more: Any
    ) -> dict[str, Any]:
        """The result of a request of an older revision, 2025-11-25 if not said."""
        result: dict[str, Any] = self.legacy(rpc, params, **more).json()["result"]
        return result

    def error(self, rpc: str, params: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """The JSON-RPC error of a modern request that HTTP does not refuse."""
        response = self.modern(rpc, params, **more)
        assert response.status_code == 200, response.content
        error: dict[str, Any] = response.json()["error"]
        return error

    def call(self, name: str, arguments: Any = None, **headers: Any) -> dict[str, Any]:
        """The result of a modern ``tools/call``."""
        response = self.modern("tools/call", {"name": name, "arguments": arguments}, **headers)
        assert response.status_code == 200, response.content
        result: dict[str, Any] = response.json()["result"]
        return result


def error_of(response: HttpResponse) -> tuple[int, int]:
    """(HTTP status, JSON-RPC code) of a refusal."""
    return response.status_code, orjson.loads(response.content)["error"]["code"]


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def register() -> Iterator[Callable[..., Any]]:
    """``server.register`` for the time of one test, whatever the kind of feature."""
    with server.registry.isolated():
        yield server.register


@pytest.fixture
def new_server() -> Iterator[Callable[..., MCPServer]]:
    """``MCPServer`` for the time of one test."""
    with servers.isolated():
        yield MCPServer


@pytest.fixture
def mount(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """``mount(path(…), …)``: these are the URLs of the project for the time of one test."""
    with ExitStack() as settings:

        def mount(*patterns: Any) -> None:
            module: Any = ModuleType("mounted_urls")
            module.urlpatterns = list(patterns)
            monkeypatch.setitem(sys.modules, module.__name__, module)
            settings.enter_context(override_settings(ROOT_URLCONF=module.__name__))

        yield mount


@pytest.fixture
def open_endpoint() -> Iterator[None]:
    """Nobody signs in: what is tested has nothing to do with users."""
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}):
        yield
