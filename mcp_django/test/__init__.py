"""``MCPClient``: use a server from tests, in process, as Django's test client uses views.

    client = MCPClient()
    client.login(user)
    assert client.call_tool("renew_loan", loan_id=3).structured["due"] == "2026-12-24"
    assert client.read_resource("library://hours").text.startswith("Monday")

The request goes through the project's middleware, URLconf and the endpoint, so what a test
sees is what a client gets. pytest users have it as the fixture ``mcp_client``.
"""

from __future__ import annotations

from mcp_django.protocol.errors import MCPError
from mcp_django.test.client import MCPClient
from mcp_django.test.results import ReadResult, RenderedPrompt, Result, Values

__all__ = ["MCPClient", "MCPError", "ReadResult", "RenderedPrompt", "Result", "Values"]
