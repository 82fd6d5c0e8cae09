"""``MCPClient`` where the wire tests do not look, and the package's own names."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

import mcp_django
from mcp_django import CurrentUser, server
from mcp_django.test import MCPClient


def test_the_names_of_the_package_are_listed_before_they_are_loaded() -> None:
    assert set(mcp_django.__all__) <= set(dir(mcp_django))
    with pytest.raises(AttributeError, match="no attribute 'Tol'"):
        _ = mcp_django.Tol


def test_a_user_who_is_in_no_database_can_sign_in() -> None:
    def me(user: CurrentUser) -> str:
        """Who am I."""
        return str(user.username)

    client = MCPClient()
    client.login(User(username="ann"))
    with server.registry.isolated():
        server.register(me)
        assert client.call_tool("me").text == "ann"


@pytest.mark.parametrize(
    ("revision", "key"), [("2026-07-28", "supportedVersions"), ("2025-06-18", "protocolVersion")]
)
def test_discover_in_either_era(revision: str, key: str) -> None:
    with override_settings(MCP_DJANGO={"SERVER": {"instructions": "Be kind."}}):
        told: dict[str, Any] = MCPClient(revision=revision).discover()
    assert key in told
    assert told["instructions"] == "Be kind."
