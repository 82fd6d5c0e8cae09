"""The pytest fixture ``mcp_client``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mcp_django.test import MCPClient


@pytest.fixture
def mcp_client() -> MCPClient:
    """An ``MCPClient`` of the default server, signed in as nobody.

    A test that signs a user in, or calls a tool that queries, needs ``django_db`` as well.
    """
    from mcp_django.test import MCPClient  # settings must be there before this is imported

    return MCPClient()
