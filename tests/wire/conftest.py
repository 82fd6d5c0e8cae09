"""Raw requests to the endpoint, and tools that live for one test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from django.http import HttpResponse
from django.test import Client, override_settings

from mcp_django import server

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
        **headers: str | None,
    ) -> HttpResponse:
        """A request of 2026-07-28 with all that it needs; ``headers`` replace or remove."""
        params = {**(params or {}), "_meta": META if meta is None else meta}
        sent: dict[str, str | None] = {
            "MCP_Protocol_Version": MODERN,
            "Mcp_Method": rpc,
            "Accept": "application/json, text/event-stream",
        }
        named = params.get("name")
        if rpc == "tools/call" and isinstance(named, str):
            sent["Mcp_Name"] = named
        message = {"jsonrpc": "2.0", "id": id, "method": rpc, "params": params}
        return self.send(message, **{**sent, **headers})

    def legacy(
        self,
        rpc: str,
        params: dict[str, Any] | None = None,
        *,
        version: str | None = "2025-11-25",
        id: Any = 1,  # noqa: A002
        **headers: str | None,
    ) -> HttpResponse:
        """A request of an older revision."""
        message = {"jsonrpc": "2.0", "id": id, "method": rpc, "params": params or {}}
        return self.send(message, MCP_Protocol_Version=version, **headers)

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
    """``server.register`` for the time of one test."""
    names: list[str] = []

    def add(target: Any, **options: Any) -> Any:
        before = set(server.registry.tools)
        server.register(target, **options)
        names.extend(set(server.registry.tools) - before)
        return target

    yield add
    for name in names:
        server.unregister(name)


@pytest.fixture
def open_endpoint() -> Iterator[None]:
    """Nobody signs in: what is tested has nothing to do with users."""
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}):
        yield
